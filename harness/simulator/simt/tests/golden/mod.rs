//! Every instruction on the simulator, against what a GPU made of the same operands.
//!
//! `golden.txt` is a recording ([`file`] says how it is written,
//! `harness/core/device/examples/record_golden.rs` makes it). Results must have the recorded bits; those
//! of approximate instructions, which GPUs take from tables of their own, must be as near the real
//! value as the PTX ISA states ([`approximate`]). Which instructions must be there is checked by
//! `tests/instructions/coverage.rs`.

mod approximate;
mod file;
mod instruction;
mod vectors;

use std::sync::Arc;

use approximate::Approximation;
use file::Line;
use instruction::Instruction;
use simt::{Launch, Level, Module, Simulator};

use crate::samples;

/// What the simulator makes of an instruction's rows, at every CPU level with the same bits.
fn simulate(instruction: &Instruction, rows: &[Vec<u64>]) -> Vec<u64> {
    let ptx = instruction.ptx();
    let module = Module::parse("golden.ptx", &ptx).unwrap_or_else(|e| panic!("{e}\n{ptx}"));
    let module = Arc::new(module);
    let levels = [Level::Portable, Level::Avx2, Level::Avx512].into_iter();
    let mut results = levels.filter(|level| level.is_available()).map(|level| {
        let simulator = Simulator::new(1 << 20).with_level(level);
        let loaded = simulator.load(Arc::clone(&module)).unwrap();
        let place = |name: &str, bytes: &[u8]| {
            let address = simulator.alloc(name, bytes.len() as u64).unwrap();
            simulator.write(address, bytes).unwrap();
            address
        };
        let mut results = vec![0xa5; 8 * rows.len()];
        let input = place("rows", &Instruction::pack(rows));
        let output = place("results", &results);
        let count = rows.len() as u32;
        let arguments: [&[u8]; 3] =
            [&input.to_le_bytes(), &output.to_le_bytes(), &count.to_le_bytes()];
        let launch = Launch {
            grid: [count.div_ceil(128), 1, 1],
            block: [128, 1, 1],
            shared_bytes: 0,
            arguments: &arguments,
        };
        simulator.launch(&loaded, "golden", &launch).unwrap_or_else(|e| panic!("{e}\n{ptx}"));
        simulator.read(output, &mut results).unwrap();
        instruction.unpack(&results)
    });
    let portable = results.next().expect("one level always is available");
    assert!(results.all(|other| other == portable), "the CPU levels differ: {instruction}");
    portable
}

/// Says how many rows of an instruction disagree, and how the first few do.
fn disagreements(line: &Line) -> Option<String> {
    let Line { instruction, results } = line;
    let rows = vectors::rows(instruction);
    if rows.len() != results.len() {
        return Some(format!("{instruction}\n  has {} results for {}", results.len(), rows.len()));
    }
    let approximation = Approximation::of(instruction);
    let simulated = simulate(instruction, &rows);
    let wrong: Vec<String> = rows
        .iter()
        .zip(results.iter().zip(&simulated))
        .filter_map(|(row, (&recorded, &simulated))| {
            let verdict = match &approximation {
                Some(approximation) => approximation.judge(instruction, row, recorded, simulated),
                None if recorded == simulated => Ok(()),
                None => Err(String::new()),
            };
            let why = verdict.err()?;
            Some(format!("  {row:x?}: recorded {recorded:x}, simulated {simulated:x} {why}\n"))
        })
        .collect();
    let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
    (!wrong.is_empty()).then(|| format!("{instruction}\n  {} rows:\n{first}", wrong.len()))
}

#[test]
fn the_simulator_agrees_with_the_chip() {
    let lines = file::parse(include_str!("golden.txt")).unwrap();
    let wrong: Vec<String> = lines.iter().filter_map(disagreements).collect();
    assert!(wrong.is_empty(), "{} instructions disagree:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_operands_are_those_of_the_recording() {
    let text = include_str!("golden.txt");
    let lines = file::parse(text).unwrap();
    let digest = vectors::digest(lines.iter().map(|line| &line.instruction));
    let recorded = text.lines().find_map(|line| line.strip_prefix("# Operands "));
    assert_eq!(
        recorded,
        Some(format!("{digest:016x}").as_str()),
        "vectors.rs, samples.rs or the instructions changed: record again"
    );
}

#[test]
fn a_line_is_read_as_it_is_written() {
    let text = "f32 f32 -> u16 | x.u16 %d, %a; y %b; | 0001ffff";
    let lines = file::parse(&format!("# a comment\n{text}\n")).unwrap();
    assert_eq!(lines[0].instruction.statement, "x.u16 %d, %a; y %b;");
    assert_eq!(lines[0].results, [1, 0xffff]);
    assert_eq!(file::format(&lines[0]), text);
    let unrecorded = file::parse("pred -> pred | not.pred %d, %a;").unwrap();
    assert_eq!(unrecorded[0].instruction.statement, "not.pred %d, %a;");
    assert!(unrecorded[0].results.is_empty());
    for wrong in ["f32 f32 | add", "f32 -> f32 | neg.f32 %d, %a; | 1234xyzw"] {
        assert!(file::parse(wrong).unwrap_err().contains("line 1"));
    }
}

#[test]
fn a_wrong_result_is_found() {
    let rows = |text: &str| Instruction::parse(text).map(|i| (vectors::rows(&i), i)).unwrap();
    let (operands, instruction) = rows("f32 -> f32 | rsqrt.approx.f32 %d, %a;");
    let results = simulate(&instruction, &operands);
    // 4 ulp off, where 2⁻²²·⁹ is stated.
    let results: Vec<u64> = results.iter().map(|&result| result ^ 4).collect();
    let found = disagreements(&Line { instruction, results }).unwrap();
    assert!(found.contains("rsqrt"), "{found}");
    let (operands, instruction) = rows("s32 s32 -> s32 | add.s32 %d, %a, %b;");
    let mut results = simulate(&instruction, &operands);
    assert!(
        disagreements(&Line { instruction: instruction.clone(), results: results.clone() })
            .is_none()
    );
    results[17] ^= 1;
    let found = disagreements(&Line { instruction: instruction.clone(), results }).unwrap();
    assert!(found.contains("1 rows"), "{found}");
    assert!(disagreements(&Line { instruction, results: vec![0] }).is_some());
}

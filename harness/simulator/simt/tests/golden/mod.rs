//! Every instruction on the simulator, against what a GPU made of the same operands.
//!
//! `golden.txt` is a recording ([`file`] says how it is written,
//! `harness/core/device/examples/record_golden.rs` makes it). Results must have the recorded bits; those
//! of approximate instructions, which GPUs take from tables of their own, must be as near the real
//! value as the PTX ISA states ([`approximate`]). A digest of all operands notices a missing line.

mod approximate;
mod file;
mod instruction;
mod more;
mod vectors;

use approximate::Approximation;
use file::Line;
pub use instruction::Instruction;

use crate::instructions::harness;
use crate::samples;

/// What the simulator makes of an instruction's rows, at every CPU level with the same bits.
pub fn simulate(instruction: &Instruction, rows: &[Vec<u64>]) -> Vec<u64> {
    let count = rows.len() as u32;
    let buffers = [Instruction::pack(rows), vec![0xa5; 8 * rows.len()]];
    let results = harness::run(&instruction.ptx(), count.div_ceil(128), 128, &buffers, &[count]);
    instruction.unpack(&results[1])
}

/// Says how many rows of an instruction disagree, and how the first few do.
fn disagreements(file: &str, line: &Line) -> Option<String> {
    let Line { instruction, results, digests, number } = line;
    let (rows, more) = (vectors::rows(instruction), vectors::more(instruction));
    let at = format!("{file}:{number}: {instruction}\n ");
    if rows.len() != results.len() || more.len().div_ceil(more::GROUP) != digests.len() {
        let (results, digests) = (results.len(), digests.len());
        return Some(format!(
            "{at} has {results} results for {} rows, {digests} digests for {} more",
            rows.len(),
            more.len()
        ));
    }
    let approximation = Approximation::of(instruction);
    let simulated = simulate(instruction, &[rows.as_slice(), &more].concat());
    let (simulated, of_more) = simulated.split_at(rows.len());
    let mut wrong: Vec<String> = rows
        .iter()
        .zip(results.iter().zip(simulated))
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
    let groups = more.chunks(more::GROUP).zip(of_more.chunks(more::GROUP));
    for ((rows, simulated), (ours, recorded)) in
        groups.zip(more::digests(of_more).into_iter().zip(digests))
    {
        if ours != *recorded {
            wrong.push(format!("  one of {rows:x?}: simulated {simulated:x?}\n"));
        }
    }
    let first = wrong.iter().take(3).map(String::as_str).collect::<String>();
    (!wrong.is_empty()).then(|| format!("{at} {} rows or groups:\n{first}", wrong.len()))
}

/// A file's name and text.
type Named = (&'static str, &'static str);

const GOLDEN: Named = ("golden.txt", include_str!("golden.txt"));

/// Results that the ISA defines, but an H200 does not have.
const ISA: Named = ("isa.txt", include_str!("isa.txt"));

/// The kernels of all instructions.
pub fn texts() -> Vec<String> {
    let lines = [GOLDEN, ISA].into_iter().flat_map(|(_, text)| file::parse(text).unwrap());
    lines.map(|line| line.instruction.ptx()).collect()
}

fn check((file, text): Named) {
    let lines = file::parse(text).unwrap();
    let wrong: Vec<String> = lines.iter().filter_map(|line| disagreements(file, line)).collect();
    assert!(wrong.is_empty(), "{} instructions disagree:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_simulator_agrees_with_the_chip() {
    check(GOLDEN);
}

#[test]
fn the_simulator_agrees_with_the_isa() {
    check(ISA);
}

#[test]
fn the_operands_are_those_of_the_recording() {
    let (_, text) = GOLDEN;
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
    let text = "f32 f32 -> u16 | x.u16 %d, %a; y %b; | 0001ffff | 1234abcd";
    let lines = file::parse(&format!("# a comment\n{text}\n")).unwrap();
    assert_eq!(lines[0].instruction.statement, "x.u16 %d, %a; y %b;");
    assert_eq!(
        (&lines[0].results[..], &lines[0].digests[..]),
        (&[1, 0xffff][..], &[0x1234, 0xabcd][..])
    );
    assert_eq!(lines[0].number, 2);
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
    let right = |text: &str| {
        let instruction = Instruction::parse(text).unwrap();
        let results = simulate(&instruction, &vectors::rows(&instruction));
        let more = vectors::more(&instruction);
        let digests = match more.as_slice() {
            [] => Vec::new(),
            more => more::digests(&simulate(&instruction, more)),
        };
        Line { instruction, results, digests, number: 7 }
    };
    let mut line = right("f32 -> f32 | rsqrt.approx.f32 %d, %a;");
    // 4 ulp off, where 2⁻²²·⁹ is stated.
    line.results.iter_mut().for_each(|result| *result ^= 4);
    let found = disagreements("golden.txt", &line).unwrap();
    assert!(found.contains("golden.txt:7: f32 -> f32 | rsqrt"), "{found}");
    let mut line = right("s32 s32 -> s32 | add.s32 %d, %a, %b;");
    assert!(disagreements("golden.txt", &line).is_none());
    line.results[17] ^= 1;
    let found = disagreements("golden.txt", &line).unwrap();
    assert!(found.contains("  1 rows") && found.contains("recorded"), "{found}");
    line.results[17] ^= 1;
    line.digests[1] ^= 1;
    let found = disagreements("golden.txt", &line).unwrap();
    assert!(found.contains("one of [[1, 1], [1, 2]"), "{found}");
    line.results.truncate(1);
    assert!(disagreements("golden.txt", &line).unwrap().contains("1 results for 96 rows"));
}

//! Records the golden vectors of `harness/simulator/simt/tests/golden` on a GPU, which needs its driver and
//! nothing else:
//!
//! ```text
//! cargo build -p device --example record_golden
//! target/debug/examples/record_golden FOLDER DATE [DEVICE]
//! ```
//!
//! Writes `FOLDER/golden.txt`, the committed file with new results; DATE goes into its header. To
//! add an instruction, add its line without results to the committed file first.

#[path = "../../../simulator/simt/tests/golden/file.rs"]
mod file;
#[path = "../../../simulator/simt/tests/golden/instruction.rs"]
mod instruction;
#[path = "../../../simulator/simt/tests/golden/more.rs"]
mod more;
#[path = "../../../simulator/semantics/tests/samples.rs"]
mod samples;
#[path = "../../../simulator/simt/tests/golden/vectors.rs"]
mod vectors;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use device::{Argument, Choice, CodeRoute, Device, Info, Ptx, Shape, Source};
use file::Line;
use instruction::Instruction;

const THREADS: u32 = 128;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, date, choice) = match arguments.as_slice() {
        [folder, date] => (folder, date, Choice::Cuda(0)),
        [folder, date, device] => (folder, date, device.parse()?),
        _ => return Err("usage: record_golden FOLDER DATE [cuda:N|simt]".into()),
    };
    let mut device = device::open(choice, CodeRoute::Committed, "h200")?;
    let lines = file::parse(include_str!("../../../simulator/simt/tests/golden/golden.txt"))?;
    let digest = vectors::digest(lines.iter().map(|line| &line.instruction));
    let mut text = header(device.info(), date, digest);
    let mut failed = 0;
    for Line { instruction, number, .. } in lines {
        // One module each: what a compiler refuses is then known by name, and the rest is recorded.
        let (results, digests) = record(device.as_mut(), &instruction).unwrap_or_else(|error| {
            eprintln!("{instruction}: {error}");
            failed += 1;
            Default::default()
        });
        text += &file::format(&Line { instruction, results, digests, number });
        text.push('\n');
    }
    let path = Path::new(folder).join("golden.txt");
    fs::write(&path, text)?;
    println!("{} written; {failed} instructions failed", path.display());
    if failed == 0 { Ok(()) } else { Err("not everything was recorded".into()) }
}

fn header(info: &Info, date: &str, digest: u64) -> String {
    let unknown = || "unknown".to_string();
    let driver = info.driver_version.clone().unwrap_or_else(unknown);
    let cuda = info.cuda_version.clone().unwrap_or_else(unknown);
    format!(
        "# Golden vectors: what a GPU makes of each instruction. The format is told in file.rs,\n\
         # the operands, which are not written here, in vectors.rs. To record again:\n\
         # cargo build -p device --example record_golden; run that where the GPU is.\n\
         # Recorded {date} on {}, driver {driver}, CUDA {cuda}.\n\
         # Operands {digest:016x}\n",
        info.name,
    )
}

/// The instruction's results for its rows, and the digests of those for more rows.
fn record(
    device: &mut dyn Device,
    instruction: &Instruction,
) -> Result<(Vec<u64>, Vec<u16>), device::Error> {
    let file = "golden.ptx".to_string();
    let source = Source {
        name: instruction.statement.clone(),
        file: file.clone(),
        ptx: vec![Ptx { file, text: instruction.ptx() }],
        ..Source::default()
    };
    let module = device.load(&source)?;
    let known = vectors::rows(instruction);
    let rows = [known.as_slice(), &vectors::more(instruction)].concat();
    let operands = Instruction::pack(&rows);
    let input = device.alloc("rows", operands.len())?;
    let output = device.alloc("results", 8 * rows.len())?;
    device.upload(&input, &operands)?;
    device.fill(&output, 0xa5)?;
    let count = rows.len() as u32;
    let shape = Shape::row(count.div_ceil(THREADS), THREADS);
    let arguments =
        [Argument::Buffer(&input), Argument::Buffer(&output), Argument::I32(count.cast_signed())];
    device.launch(&module, "test", shape, &arguments)?;
    let mut results = vec![0; 8 * rows.len()];
    device.download(&output, &mut results)?;
    let mut results = instruction.unpack(&results);
    let digests = more::digests(&results[known.len()..]);
    results.truncate(known.len());
    Ok((results, digests))
}

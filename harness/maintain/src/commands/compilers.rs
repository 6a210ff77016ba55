//! `compilers`: what NVRTC and clang make of the steps of a ladder, as a table for the book.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::Args;
use device::compiler::{self, Maker};
use device::{DEFAULT_GPU, clang, comparable};
use ladder::{Code, Ladder, Step};
use ladders::ladder_of_kernels;
use launches::explain::running::{self, Task};
use launches::facts::Facts;
use rayon::prelude::*;
use simt::model::Gpu;
use ui::output::{print, say};

pub(crate) const COMPILERS_HELP: &str = "\
For each step of a ladder: what the committed PTX does in a pass, which NVRTC
made, and how many times as much clang's PTX does. Both are counted on the
simulator, without machine code, which clang has none of. The last column says
which kind of instruction makes most of the difference. The book has the table:
  maintain compilers nbody > book/src/compilers-nbody.md";

/// Which steps are compared.
#[derive(Debug, Args)]
pub struct CompilersArgs {
    /// The ladder
    #[arg(default_value = "nbody")]
    pub ladder: String,
}

/// A step's pass as both compilers have it.
struct Pair {
    name: &'static str,
    nvrtc: Facts,
    clang: Facts,
}

/// Prints the table.
pub fn run(args: &CompilersArgs) -> Result<ExitCode> {
    let Some(clang) = clang::installed().first() else {
        bail!("no clang was found; {}", clang::remedy());
    };
    compiler::choose(Maker::Clang);
    let ladder = ladder_of_kernels(&args.ladder, "compilers")?;
    let gpu = device::described(DEFAULT_GPU)?;
    let is_kernel =
        |step: &Step| matches!(step.code, Code::Cuda { .. }) && step.elsewhere.is_none();
    let steps: Vec<Step> = ladder.steps().into_iter().filter(is_kernel).collect();
    let pairs = steps.par_iter().map(|step| {
        say(step.name);
        pair(ladder, step, &gpu)
    });
    let pairs: Vec<Pair> = pairs.collect::<Result<_>>()?;
    print(&table(&format!("clang {}", clang.release()), &pairs))?;
    Ok(ExitCode::SUCCESS)
}

fn pair(ladder: &'static dyn Ladder, step: &Step, gpu: &Gpu) -> Result<Pair> {
    let kernels = &*ladder.kernels()?;
    let size = running::little_size(ladder, step, gpu)?;
    let task = Task { ladder, step, file: None, kernels, size, gpu, timeline: false, whole: false };
    let source = step.source(kernels)?;
    let count = |run| anyhow::Ok(running::run_source(&task, &source, run)?.facts);
    Ok(Pair {
        name: step.name,
        nvrtc: count(&source.as_ptx())?,
        clang: count(&comparable(&source)?)?,
    })
}

fn table(compiler: &str, pairs: &[Pair]) -> String {
    let mut text = format!(
        "| step | PTX instructions of warps, NVRTC | {compiler} | branches | modelled time | most of the difference |\n\
         |---|--:|--:|--:|--:|---|\n"
    );
    for Pair { name, nvrtc, clang } in pairs {
        let times = |of: fn(&Facts) -> f64| match of(nvrtc) {
            0.0 => "–".to_owned(),
            before => format!("{:.2}×", of(clang) / before),
        };
        let cells = [
            times(|facts| facts.total.warps as f64),
            times(|facts| facts.total.branches as f64),
            times(|facts| facts.model.seconds),
            reason(nvrtc, clang),
        ];
        text += &format!("| {name} | {} | {} |\n", nvrtc.total.warps, cells.join(" | "));
    }
    text
}

/// The kind of instruction whose number differs most, and by how much of all instructions; nothing where that is little.
fn reason(nvrtc: &Facts, clang: &Facts) -> String {
    let mut kinds: BTreeMap<&str, i64> = BTreeMap::new();
    for (facts, sign) in [(nvrtc, -1), (clang, 1)] {
        for kind in &facts.classes {
            *kinds.entry(kind.class).or_default() += sign * kind.warps as i64;
        }
    }
    let most = kinds.into_iter().max_by_key(|(_, difference)| difference.abs());
    match most.map(|(kind, difference)| (kind, difference as f64 / nvrtc.total.warps as f64)) {
        Some((kind, part)) if part.abs() >= 0.01 => format!("{kind}: {:+.0} %", part * 100.0),
        _ => "under 1 %".to_owned(),
    }
}

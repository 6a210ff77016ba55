//! `compilers`: what NVRTC and clang make of the steps' kernels, for the book.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use device::DEFAULT_GPU;
use ladder::{Code, Ladder, Step, workspace};
use ladders::{LADDERS, ladder_of_kernels};
use launches::explain::running::{self, Task};
use launches::facts::Facts;
use rayon::prelude::*;
use report::compilers::{Compilers, Counts, FILE, OfLadder, Row};
use report::files::{read_text, write_whole};
use simt::model::Gpu;
use toolchain::compiler::{self, Maker};
use toolchain::{clang, comparable};
use ui::output::{note, say};

pub(crate) const COMPILERS_HELP: &str = "\
For each step: what the committed PTX does in a pass, which NVRTC made, and
what clang's PTX does. Both are counted on the simulator, without machine code,
which clang has none of. reports/compilers.json keeps the counts, and the book
draws its tables from it.

  maintain compilers                     all ladders, for a release
  maintain compilers nbody               one, and what is kept of others stays
  maintain compilers --check nbody scan  do these still give what is kept?";

/// Which steps are compared.
#[derive(Debug, Args)]
pub struct CompilersArgs {
    /// Ladders [default: all]
    #[arg(value_name = "LADDER")]
    pub ladders: Vec<String>,
    /// Write nothing; exit with 1 if reports/compilers.json would change
    #[arg(short, long)]
    pub check: bool,
}

/// Counts, and writes what was counted or compares it with what is written.
pub fn run(args: &CompilersArgs) -> Result<ExitCode> {
    let Some(clang) = clang::installed().first() else {
        bail!("no clang was found; {}", clang::remedy());
    };
    compiler::choose(Maker::Clang);
    let named = args.ladders.iter().map(|name| ladder_of_kernels(name, "compilers"));
    let named = named.collect::<Result<Vec<_>, _>>()?;
    let of_kernels = || LADDERS.iter().copied().filter(|ladder| !ladder.is_for_cpu());
    let chosen = if named.is_empty() { of_kernels().collect() } else { named };
    let gpu = device::described(DEFAULT_GPU)?;
    let counted = chosen.into_iter().map(|ladder| counted(ladder, &gpu));
    let counted = counted.collect::<Result<Vec<_>>>()?;

    let file = workspace::root()?.join(FILE);
    let mut kept = kept(&file)?;
    let is_by_same = kept.clang == clang.release();
    if args.check {
        ensure!(
            is_by_same,
            "{FILE} has the counts of clang {}, and clang {} is found here; install the other: {}",
            kept.clang,
            clang.release(),
            clang::INSTALL
        );
        return check(&kept, &counted);
    }
    if !is_by_same {
        kept = Compilers { clang: clang.release().to_owned(), ladders: Vec::new() };
    }
    let mut all: BTreeMap<String, OfLadder> = BTreeMap::new();
    all.extend(kept.ladders.into_iter().chain(counted).map(|of| (of.ladder.clone(), of)));
    kept.ladders = of_kernels().filter_map(|ladder| all.remove(ladder.name())).collect();
    let json = serde_json::to_string_pretty(&kept)? + "\n";
    write_whole(&file, |to| to.write_all(json.as_bytes()))?;
    note(&format!("wrote {}\n", file.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// What is written, or nothing where there is no file yet.
fn kept(file: &Path) -> Result<Compilers> {
    if !fs::exists(file).unwrap_or(false) {
        return Ok(Compilers { clang: String::new(), ladders: Vec::new() });
    }
    let text = read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} has no counts of compilers", file.display()))
}

/// Names the rows that are not as they are kept.
fn check(kept: &Compilers, counted: &[OfLadder]) -> Result<ExitCode> {
    let mut differing = Vec::new();
    for of in counted {
        let rows = kept.ladders.iter().find(|known| known.ladder == of.ladder);
        let rows = rows.map_or(&[][..], |known| &known.rows);
        let changed = of.rows.iter().filter(|row| !rows.contains(row));
        differing.extend(changed.map(|row| format!("  {}/{}", of.ladder, row.step)));
        if rows.len() > of.rows.len() {
            differing.push(format!("  {}, which has fewer steps now", of.ladder));
        }
    }
    if differing.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    bail!(
        "{FILE} differs from what is counted now; update it with the same command without --check:\n{}",
        differing.join("\n")
    )
}

fn counted(ladder: &'static dyn Ladder, gpu: &Gpu) -> Result<OfLadder> {
    say(&format!("counting the steps of {}", ladder.name()));
    let is_kernel =
        |step: &Step| matches!(step.code, Code::Cuda { .. }) && step.elsewhere.is_none();
    let steps: Vec<Step> = ladder.steps().into_iter().filter(is_kernel).collect();
    let rows = steps.par_iter().map(|step| row(ladder, step, gpu));
    let rows: Vec<Option<Row>> = rows.collect::<Result<_>>()?;
    Ok(OfLadder { ladder: ladder.name().to_owned(), rows: rows.into_iter().flatten().collect() })
}

/// The counts of a step, unless clang rejects it: it has no `__cluster_dims__`.
fn row(ladder: &'static dyn Ladder, step: &Step, gpu: &Gpu) -> Result<Option<Row>> {
    let kernels = &*ladder.kernels()?;
    let size = running::little_size(ladder, step, gpu)?;
    let task = Task { ladder, step, file: None, kernels, size, gpu, timeline: false, whole: false };
    let source = step.source(kernels)?;
    let count = |run| anyhow::Ok(running::run_source(&task, &source, run)?.facts);
    let by_clang = match comparable(&source) {
        Err(toolchain::Error::Compile { .. }) => {
            say(&format!("clang rejects {}", step.name));
            return Ok(None);
        }
        other => other?,
    };
    let (nvrtc, clang) = (count(&source.as_ptx())?, count(&by_clang)?);
    let (kind, more) = differing(&nvrtc, &clang);
    let step = step.name.to_owned();
    let kind = kind.to_owned();
    Ok(Some(Row { step, nvrtc: counts(&nvrtc), clang: counts(&clang), kind, more }))
}

fn counts(facts: &Facts) -> Counts {
    let seconds = facts.model.seconds;
    Counts {
        instructions: facts.total.warps,
        branches: facts.total.branches,
        seconds: format!("{seconds:.5e}").parse().unwrap_or(seconds),
    }
}

/// The kind of instruction whose number differs most, and by how much.
fn differing(nvrtc: &Facts, clang: &Facts) -> (&'static str, i64) {
    let mut kinds: BTreeMap<&'static str, i64> = BTreeMap::new();
    for (facts, sign) in [(nvrtc, -1), (clang, 1)] {
        for kind in &facts.classes {
            *kinds.entry(kind.class).or_default() += sign * kind.warps as i64;
        }
    }
    kinds.into_iter().max_by_key(|(_, difference)| difference.abs()).unwrap_or_default()
}

//! `gpus`: the GPUs that the time model knows, and every number of one with its source.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use report::format::significant;
use serde::Serialize;
use show::table::terminal::{self, bold, wrap};
use show::table::{Field, Table};
use simt::model::Gpu;
use ui::Usage;
use ui::output::{dim, print, print_json, section};

use crate::options::Format;

pub(crate) const GPUS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness gpus                           all of them
  harness gpus h200                      every number of one GPU, with sources
  harness gpus my-gpu.toml               the same for a file of yours
  harness explain 06 --gpu gtx-680       explain a step on another GPU

Units are in the names: MHz, GB/s, bytes. Throughput is in lanes per clock and
multiprocessor, or bytes per clock where the name says so; latency is in
clocks. harness/simulator/timing/gpus/README.md explains tables and sources.";

/// Which GPUs to show.
#[derive(Debug, Args)]
pub struct GpusArgs {
    /// A GPU's name, a compute capability, or a TOML file [default: all]
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Floating-point operations of a multiply-add.
const OPERATIONS: f64 = 2.0;

/// Shows all, or one.
pub fn run(args: &GpusArgs) -> Result<ExitCode> {
    match (args.format, &args.name) {
        (Format::Table, _) => print(&text(args, terminal::width())?)?,
        (Format::Json, Some(name)) => {
            print_json(&Described::of(name, &device::described(name).map_err(Usage::of)?))?
        }
        (Format::Json, None) => {
            let all = known()?;
            print_json(
                &all.iter().map(|(name, gpu)| Described::of(name, gpu)).collect::<Vec<_>>(),
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of all, or every number of one, in lines of at most `width` columns where that can be.
pub fn text(args: &GpusArgs, width: usize) -> Result<String> {
    let Some(name) = &args.name else { return all(width) };
    Ok(one(&device::described(name).map_err(Usage::of)?, width))
}

/// A GPU as data: every number of it, by table and key, with its source.
#[derive(Serialize)]
struct Described<'g> {
    gpu: &'g str,
    name: &'g str,
    architecture: &'g str,
    compute_capability: &'g str,
    figures: BTreeMap<&'static str, BTreeMap<&'static str, Sourced<'g>>>,
}

#[derive(Serialize)]
struct Sourced<'g> {
    value: f64,
    source: &'g str,
}

impl<'g> Described<'g> {
    fn of(name: &'g str, gpu: &'g Gpu) -> Described<'g> {
        let mut figures: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
        for (table, key, figure) in gpu.figures() {
            let sourced = Sourced { value: figure.value, source: &figure.source };
            figures.entry(table).or_default().insert(key, sourced);
        }
        Described {
            gpu: name,
            name: &gpu.name,
            architecture: &gpu.architecture,
            compute_capability: &gpu.compute_capability,
            figures,
        }
    }
}

/// A name that `--gpu` takes, and what it stands for.
type Item = (&'static str, Gpu);

fn known() -> Result<Vec<Item>> {
    Gpu::names().map(|name| Ok((name, Gpu::named(name)?))).collect()
}

fn all(width: usize) -> Result<String> {
    let gpus = known()?;
    let fields = vec![
        Field::text("--gpu", |(name, _): &Item| *name),
        Field::text("name", |(_, gpu): &Item| gpu.name.clone()).rank(1).wraps(12),
        Field::number("capa\u{ad}bility", |(_, gpu): &Item| gpu.compute_capability.clone()),
        Field::number("SMs", |(_, gpu): &Item| gpu.chip.multiprocessors.value.to_string()),
        Field::number("clock MHz", |(_, gpu): &Item| gpu.chip.clock_mhz.value.to_string()),
        Field::number("FP32 TFLOP/s", |(_, gpu): &Item| significant(tera_flops(gpu))),
        Field::number("memory GB/s", |(_, gpu): &Item| significant(gpu.chip.dram_gb_per_s.value)),
    ];
    let capabilities: Vec<&str> = Gpu::capabilities().collect();
    let note = format!(
        "--gpu also takes cuda:N (GPU number N of this machine, as its driver describes it), a \
         compute capability ({}) or a file of your own: a .toml like those in harness/simulator/timing/gpus/. Every number of one GPU and its source: harness gpus NAME\n",
        capabilities.join(", ")
    );
    let table = Table::all(&gpus, fields).terminal(width);
    Ok(format!("{table}\n{}", wrap(&note, width)) + "\n")
}

/// Multiply-adds of all multiprocessors at once, in 10¹² operations a second.
fn tera_flops(gpu: &Gpu) -> f64 {
    let lanes = gpu.throughput.fp32.value * gpu.chip.multiprocessors.value;
    OPERATIONS * lanes * gpu.chip.clock_mhz.value * 1e6 / 1e12
}

fn one(gpu: &Gpu, width: usize) -> String {
    let (arch, exact) = gpu.sass_arch();
    let stands_in = if exact { "" } else { ", in place of its own" };
    let mut text = format!(
        "{}, {}, compute capability {}: {} TFLOP/s in FP32; machine code of {arch}{stands_in}\n",
        bold(&gpu.name),
        gpu.architecture,
        gpu.compute_capability,
        significant(tera_flops(gpu)),
    );
    let names = gpu.figures().map(|(_, key, _)| key.chars().count()).max().unwrap_or(0);
    let values = gpu.figures().map(|(_, _, figure)| figure.value.to_string().len()).max();
    let values = values.unwrap_or(0);
    let mut last = "";
    for (table, key, figure) in gpu.figures() {
        if table != last {
            text += &section(&format!("[{table}]"));
            last = table;
        }
        let indent = names + values + 4;
        let source = wrap(&figure.source, width.saturating_sub(indent).max(20));
        for (number, line) in source.lines().enumerate() {
            let start = match number {
                0 => format!("{key:names$}  {:>values$}", figure.value.to_string()),
                _ => " ".repeat(names + values + 2),
            };
            text += &format!("{start}  {}\n", dim(line));
        }
    }
    text
}

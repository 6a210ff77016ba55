//! `validate`: holds the time model against a measured report, the simulator's counts against the chip's, and the model
//! of three old GPUs against the tutorial's published ratios.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ladder::workspace;
use report::files::{check_writable, read_text, write_whole};
use report::format;
use report::validation::{Validation, factor, geometric_mean};

use show::table::Table;
use show::table::terminal;

use crate::names;
use crate::output::{print, say};
use crate::validation;
use clap::Args;
use std::path::PathBuf;

pub(crate) const VALIDATE_HELP: &str = "\
Every measured step is simulated at its own number of bodies, on the blocks of
one multiprocessor, and modelled; what counts are the ratios between steps.
Beside it stand the counters of the chip's profiler (reports/h200-counters)
and the ratios that the tutorial published for its three GPUs.
It takes about a minute on two cores.";

/// What the model is held against.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
    /// Folder of a measured report
    #[arg(long, value_name = "DIR", default_value = "reports/h200")]
    pub report: PathBuf,
    /// The GPU that is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(long, value_name = "GPU", default_value = "h200")]
    pub gpu: String,
    /// Folder for model.json and its plot
    #[arg(long, value_name = "DIR", default_value = "reports/h200-model")]
    pub out: PathBuf,
    /// Write nothing; exit with 1 if model.json would change
    #[arg(long)]
    pub check: bool,
}

/// The recording, from the workspace's root.
const COUNTERS: &str = "reports/h200-counters/committed-4096.csv";

/// Does the validation and writes it, or with `--check` compares it with what is written.
pub fn run(args: &ValidateArgs) -> Result<ExitCode> {
    let root = workspace::root()?;
    let folder =
        |folder: &Path| if folder.exists() { folder.to_owned() } else { root.join(folder) };
    let ladder = names::ladder(&args.ladder)?;
    let gpu = device::described(&args.gpu)?;
    let out = folder(&args.out);
    let file = out.join("model.json");
    if !args.check {
        fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
        check_writable(&file)?;
    }
    say("simulating every measured step at its own n");
    let mut found = validation::validate(ladder, &folder(&args.report), &gpu)?;
    say("simulating what the profiler counted");
    found.counters = validation::counters(ladder, &root.join(COUNTERS), &gpu)?;
    say("simulating the tutorial's three GPUs");
    found.published = validation::published(ladder, &root.join("reports"))?;
    found.round();
    print(&text(&found, terminal::width()))?;
    let json = serde_json::to_string_pretty(&found)? + "\n";
    if args.check {
        let committed =
            read_text(&file).with_context(|| format!("cannot read {}", file.display()))?;
        if committed.replace("\r\n", "\n") != json {
            bail!(
                "{} is not what the model says now; write it anew: cargo run -p harness -- validate",
                file.display()
            );
        }
        return Ok(ExitCode::SUCCESS);
    }
    write_whole(&file, |to| to.write_all(json.as_bytes()))?;
    let picture = pictures::model(&found);
    write_whole(&out.join("model.svg"), |to| to.write_all(picture.svg.as_bytes()))?;
    print(&format!("wrote model.json, model.svg to {}\n", args.out.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// The tables, at most `width` columns wide where that can be.
fn text(found: &Validation, width: usize) -> String {
    let percent = |factor: f64| format!("{:.0} %", 100.0 * (factor - 1.0));
    let mut lines = vec![row(["step", "binds", "n", "measured ms", "modelled ms", "off"])];
    lines.extend(found.times.iter().map(|time| {
        let off = 100.0 * (time.modelled / time.measured - 1.0);
        row([
            &time.step,
            &time.binding,
            &time.n.to_string(),
            &milliseconds(time.measured),
            &milliseconds(time.modelled),
            &format!("{off:+.0} %"),
        ])
    }));
    let times = Table::lines(lines, 2).wrapping(1, 10).terminal(width);
    let mut lines = vec![row(["step", "its parent", "n", "measured", "modelled", "off"])];
    lines.extend(found.ratios.iter().map(|ratio| {
        row([
            &ratio.step,
            &ratio.parent,
            &ratio.n.to_string(),
            &format::number(Some(ratio.measured)),
            &format::number(Some(ratio.modelled)),
            &percent(ratio.factor()),
        ])
    }));
    let ratios = Table::lines(lines, 2).wrapping(1, 10).terminal(width);
    let worst = found.worst().map_or(String::new(), |worst| {
        format!("; the worst is {} with {}", worst.step, percent(worst.factor()))
    });
    let mean = percent(found.mean_factor());
    let device = &found.device;
    let mut out = format!(
        "\nTime of a pass, measured on {device} and modelled for {}\n\n{}\n\
         Speed over the parent's\n\n{}\n\
         Ratios are off by {mean} (geometric mean){worst}.\n",
        found.gpu, times, ratios,
    );
    out += &format!(
        "\nCounts of the chip's profiler and of the simulator\n\n{}",
        counters(found, width)
    );
    out += &format!("\nRatios that the tutorial published\n\n{}", published(found, width));
    out
}

fn counters(found: &Validation, width: usize) -> String {
    let mut lines = vec![row(["step", "counter", "n", "chip", "simulator", "off"])];
    lines.extend(found.counters.iter().map(|counter| {
        let off = 100.0 * (counter.simulator / counter.chip - 1.0);
        row([
            &counter.step,
            &counter.counter,
            &counter.n.to_string(),
            &format!("{:.0}", counter.chip),
            &format!("{:.0}", counter.simulator),
            &if counter.chip > 0.0 { format!("{off:+.1} %") } else { "–".to_owned() },
        ])
    }));
    Table::lines(lines, 2).wrapping(1, 10).terminal(width)
}

fn published(found: &Validation, width: usize) -> String {
    let mut lines = vec![row(["step", "gpu", "n", "published", "modelled", "off"])];
    lines.extend(found.published.iter().map(|ratio| {
        let off = factor(ratio.modelled, ratio.published);
        row([
            &ratio.step,
            &ratio.gpu,
            &ratio.n.to_string(),
            &format::number(Some(ratio.published)),
            &format::number(Some(ratio.modelled)),
            &format!("{:.0} %", 100.0 * (off - 1.0)),
        ])
    }));
    let table = Table::lines(lines, 2).wrapping(1, 10).terminal(width);
    let factors = found.published.iter().map(|ratio| factor(ratio.modelled, ratio.published));
    let mean = 100.0 * (geometric_mean(factors) - 1.0);
    format!("{table}\nThey are off by {mean:.0} % (geometric mean).\n")
}

fn row(cells: [&str; 6]) -> Vec<String> {
    cells.map(str::to_owned).to_vec()
}

fn milliseconds(seconds: f64) -> String {
    format::significant(1e3 * seconds)
}

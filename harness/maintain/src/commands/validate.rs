//! `validate`: holds the time model against a measured report, the simulator's counts against the chip's, and the model
//! of three old GPUs against the tutorial's published ratios.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use device::DEFAULT_GPU;
use ladder::workspace;
use report::files::{check_writable, read_text, write_whole};
use report::validation::Ladders;
use sha2::{Digest, Sha256};
use show::table::terminal;
use simt::model::Gpu;
use ui::Usage;
use ui::output::{note, print, say};

use crate::validation;

pub(crate) const VALIDATE_HELP: &str = "\
Every measured step is modelled at its own size, as a run on the simulator does
it; what counts are the ratios between steps. With --ladders a step of which the
model has the wrong direction, and a ladder whose ratios are off by more than
20 %, are errors.
The simulator's counts are held against those of the chip's profiler
(reports/h200-counters), the model of the tutorial's three GPUs against the
ratios that it published.
It takes about a minute on two cores.";

/// What the model is held against.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
    /// Folder of a measured report
    #[arg(short, long, value_name = "DIR", default_value = "reports/h200")]
    pub report: PathBuf,
    /// The GPU that is modelled: a name of `cargo run -p harness -- gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(short, long, value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Folder for model.json and its plot
    #[arg(short, long, value_name = "DIR", default_value = "reports/h200-model")]
    pub out: PathBuf,
    /// Write nothing; exit with 1 if model.json would change
    #[arg(short, long)]
    pub check: bool,
    /// Hold the ratios of all technique ladders against their reports, folders
    /// in that of --report, and write them to ladders.json
    #[arg(short, long)]
    pub ladders: bool,
    /// Check all of them; else a few, drawn by the digest of ladders.json: never
    /// barnes-hut, which takes a minute
    #[arg(long, requires = "check", requires = "ladders")]
    pub all: bool,
}

/// Ladders that are checked of all.
const DRAWN: usize = 3;

/// The ladder of which all blocks must be simulated, which takes a minute: it is checked with `--all`.
const LONG: &str = "barnes-hut";

/// Whose counters were recorded, and the recording, from the workspace's root.
const RECORDED: &str = "nbody";
const COUNTERS: &str = "reports/h200-counters/committed-4096.csv";

/// Does the validation and writes it, or with `--check` compares it with what is written.
pub fn run(args: &ValidateArgs) -> Result<ExitCode> {
    let root = workspace::root()?;
    let folder =
        |folder: &Path| if folder.exists() { folder.to_owned() } else { root.join(folder) };
    let ladder = ladders::ladder(&args.ladder)?;
    let gpu = device::described(&args.gpu).map_err(Usage::of)?;
    let out = folder(&args.out);
    let file = out.join(if args.ladders { "ladders.json" } else { "model.json" });
    if !args.check {
        fs::create_dir_all(&out).with_context(|| format!("cannot make {}", out.display()))?;
        check_writable(&file)?;
    }
    if args.ladders {
        say("simulating every measured step of all ladders at its own n");
        let reports = folder(&args.report);
        if args.check && !args.all {
            return check_some(&reports, &gpu, &file);
        }
        let mut found = validation::ladders(&reports, &gpu, |_| true)?;
        found.round();
        print(&validation::ladders_text(&found, terminal::width()))?;
        let kept = keep(&serde_json::to_string_pretty(&found)?, &file, args.check)?;
        return refuse(&found).map(|()| kept);
    }
    say("simulating every measured step at its own n");
    let mut found = validation::validate(ladder, &folder(&args.report), &gpu)?;
    say("simulating what the profiler counted");
    if ladder.name() == RECORDED {
        found.counters = validation::counters(ladder, &root.join(COUNTERS), &gpu)?;
    }
    say("simulating the tutorial's three GPUs");
    found.published = validation::published(ladder, &root.join("reports"))?;
    found.round();
    print(&validation::text(&found, terminal::width()))?;
    keep(&serde_json::to_string_pretty(&found)?, &file, args.check)?;
    if !args.check {
        let picture = pictures::model(&found);
        let file = out.join("model.svg");
        write_whole(&file, |to| to.write_all(picture.svg.as_bytes()))?;
        note(&format!("wrote {}\n", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares a few ladders with what is written of them.
fn check_some(reports: &Path, gpu: &Gpu, file: &Path) -> Result<ExitCode> {
    let text = read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
    let parsed = || serde_json::from_str::<Ladders>(&text);
    let invalid = || format!("{} is no validation of ladders", file.display());
    // Limits are those of all ladders together: a few may happen to be the worst.
    refuse(&parsed().with_context(invalid)?)?;
    let mut committed = parsed().with_context(invalid)?;
    let text = text.replace("\r\n", "\n");
    committed.ladders.sort_by_key(|of| Sha256::digest(format!("{}{text}", of.ladder)).to_vec());
    committed.ladders.retain(|of| of.ladder != LONG);
    committed.ladders.truncate(DRAWN);
    let is_drawn = |name: &str| committed.ladders.iter().any(|of| of.ladder == name);
    let mut found = validation::ladders(reports, gpu, is_drawn)?;
    found.round();
    print(&validation::ladders_text(&found, terminal::width()))?;
    for of in &committed.ladders {
        if !found.ladders.contains(of) {
            bail!(
                "{}: {} differs from the model; update it with the same command without --check",
                file.display(),
                of.ladder
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses a model that has a wrong direction, or is too far off.
fn refuse(found: &Ladders) -> Result<()> {
    match found.faults() {
        faults if faults.is_empty() => Ok(()),
        faults => bail!("the model is wrong about these:\n{}", faults.join("\n")),
    }
}

/// Writes what was found, or compares it with what is written.
fn keep(json: &str, file: &Path, check: bool) -> Result<ExitCode> {
    let json = format!("{json}\n");
    if check {
        let committed =
            read_text(file).with_context(|| format!("cannot read {}", file.display()))?;
        if committed.replace("\r\n", "\n") != json {
            bail!(
                "{} differs from the model; update it with the same command without --check",
                file.display()
            );
        }
    } else {
        write_whole(file, |to| to.write_all(json.as_bytes()))?;
        note(&format!("wrote {}\n", file.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

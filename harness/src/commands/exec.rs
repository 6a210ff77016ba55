//! `exec`: runs a whole CUDA program on the simulator, and shows what its launches did.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use device::DEFAULT_GPU;
use runtime::Config;
use show::table::terminal;
use ui::output::{print, print_json, say};
use ui::{Usage, count};

use crate::exec::outcome::Outcome;
use crate::exec::{child, program, text};
use crate::options::{Format, LaunchLimit};

pub(crate) const EXEC_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  nvcc -arch=compute_80 -lineinfo saxpy.cu -o saxpy
  harness exec ./saxpy 1000
  harness exec --gpu rtx-4090 --no-hazards ./saxpy 1000
  harness exec --format json ./saxpy 1000 > launches.json

The program runs on this machine's CPU (Linux) and its kernels on the simulator;
no GPU is needed. Compile it with PTX: -arch=sm_90 has PTX, -code=sm_90 only
machine code, which cannot be simulated. A program without symbols (strip), or
for ARM, needs the shared runtime too (-cudart shared). With -lineinfo
hazards name lines of the source, without it lines of the PTX that --ptx writes.
Times of CUDA events are modelled.

Exit codes: the program's own; where that is 0: 1 if hazards were found or a
kernel was stopped; 128 + N if signal N ended the program; 2 usage";

/// The options of `exec`.
#[derive(Debug, Args)]
pub struct ExecArgs {
    /// The GPU that the program sees, and whose time is modelled: a name of `harness gpus`, or a TOML
    /// file
    #[arg(short, long, alias = "model", value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
    /// Do not check for hazards; launches are faster
    #[arg(long)]
    pub no_hazards: bool,
    /// Check only the first N launches of each kernel and shape; the rest run unchecked, without hazards and
    /// events, several times as fast. With 0 none is checked, and modelled times leave out memory
    #[arg(long, value_name = "N")]
    pub watched: Option<u32>,
    /// Memory of the GPU in bytes
    #[arg(long, value_name = "BYTES", value_parser = count::parse, default_value = "8000M")]
    pub memory: u64,
    /// Write the program's PTX into this folder
    #[arg(long, value_name = "FOLDER")]
    pub ptx: Option<PathBuf>,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
    /// What to print; with `json` the program's own output goes to standard error
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// The program, and its arguments
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "PROGRAM"
    )]
    pub program: Vec<OsString>,
}

/// Runs the program and shows what its launches did; gives its exit code.
pub fn run(args: &ExecArgs) -> Result<ExitCode> {
    args.launches.set();
    let Some((name, arguments)) = args.program.split_first() else {
        return Err(Usage("name a program".to_owned()).into());
    };
    let program = program::look(name.as_ref())?;
    let is_json = args.format == Format::Json;
    let config = config(args)?;
    let gpu = device::described(&config.gpu).map_err(Usage::of)?.name;
    let ran = child::run(&program, arguments, config, is_json)?;
    let status = ran.status;
    let outcome = Outcome::of(ran, &gpu);
    match args.format {
        Format::Table => print(&text::text(&outcome, terminal::width()))?,
        Format::Json => print_json(&outcome)?,
    }
    Ok(match status.code() {
        Some(0) => ExitCode::from(u8::from(outcome.is_bad())),
        Some(code) => ExitCode::from(code as u8),
        None => {
            say(&format!("the program was ended: {status}"));
            ExitCode::from(128_u8.saturating_add(signal(&status)))
        }
    })
}

/// What the library is to do.
fn config(args: &ExecArgs) -> Result<Config> {
    if args.gpu.starts_with("cuda") {
        return Err(Usage(
            "exec models a GPU that is described: a name of `harness gpus`, or a TOML file"
                .to_owned(),
        )
        .into());
    }
    // The program may work in another folder.
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let gpu = match simt::model::Gpu::is_file(&args.gpu) {
        true => absolute(&PathBuf::from(&args.gpu)).display().to_string(),
        false => args.gpu.clone(),
    };
    Ok(Config {
        ptx: args.ptx.as_ref().map(absolute),
        gpu,
        hazards: !args.no_hazards,
        watched: args.watched,
        limit: Some(device::long_launch_limit()?.as_secs_f64()),
        memory: args.memory,
        ..Config::default()
    })
}

#[cfg(unix)]
fn signal(status: &std::process::ExitStatus) -> u8 {
    use std::os::unix::process::ExitStatusExt;
    status.signal().and_then(|signal| u8::try_from(signal).ok()).unwrap_or(0)
}

#[cfg(not(unix))]
fn signal(_: &std::process::ExitStatus) -> u8 {
    0
}

//! `doctor`: what this machine has, and for what is missing what it would add and how to get it.

mod finding;
mod machine;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use clap::Args;
use device::{Choice, CodeRoute, DEFAULT_GPU, survey};
use ladder::Ladder;
use ladder::screening::{Screening, screen};
use ladders::LADDERS;
use show::table::terminal;
use ui::Usage;
use ui::output::{print, print_json, say};

use crate::device_lock::DeviceLock;
use crate::options::Format;

pub(crate) const DOCTOR_HELP: &str = "\
Looks for the NVIDIA driver and GPUs, NVRTC and clang (compilers for edited
kernels), compute-sanitizer, CUDA's headers, cuBLAS, cuDNN, nvcc (for CUB), the processor's
vectors, a C compiler and the kernels. These variables help it: LADDER_NVRTC=FILE or FOLDER is tried
first, LADDER_CLANG=FILE or FOLDER too, LADDER_HEADERS=FOLDERS has CUDA's headers, LADDER_CC=FILE is the C compiler,
LADDER_CUBLAS=FILE or FOLDER, LADDER_CUDNN=FILE or FOLDER and LADDER_NVCC=FILE name these three,
LADDER_DRIVER_SECONDS=60 lets the driver answer later (default 20). Nothing is
loaded from the current folder. A missing part is no error: the exit code is 0.

--gpu-check screens a GPU for silent errors: for some seconds (default 60) it
runs the ladders' steps repeatedly on the same inputs. Deterministic steps must
give the same bits every time; the others are verified as in a run. The exit
code is 1 if any result differs.
  harness doctor --gpu-check 600 --device cuda:1";

/// What else is to be done.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
    /// Screen a GPU for silent errors
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, default_missing_value = "60", value_parser = clap::value_parser!(u64).range(1..))]
    pub gpu_check: Option<u64>,
    /// The GPU to screen: `cuda`, `cuda:N`, or `simt`, which has no errors, as a trial
    #[arg(long, value_name = "DEVICE", default_value = "cuda", requires = "gpu_check")]
    pub device: Choice,
}

/// Prints what was found and what is missing, or screens a GPU.
pub fn run(args: &DoctorArgs) -> Result<ExitCode> {
    if let Some(seconds) = args.gpu_check {
        return check_gpu(args.device, Duration::from_secs(seconds));
    }
    let survey = survey();
    let findings = [
        machine::gpu(&survey),
        machine::monitor(&survey),
        tools::compiler(&survey),
        tools::clang(&survey),
        tools::cuda_headers(&survey),
        tools::disassembler(&survey),
        tools::sanitizer(&survey),
        tools::cublas(&survey),
        tools::cudnn(&survey),
        tools::nvcc(),
        machine::processor(&survey),
        tools::c_compiler(),
        tools::nightly_rust(),
        tools::sources(),
    ];
    if args.format == Format::Json {
        print_json(&findings)?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = terminal::width();
    print(&findings.iter().map(|finding| finding.text(width)).collect::<String>())?;
    let [.., workspace] = &findings;
    let all = if findings.iter().all(|finding| finding.found) {
        "Nothing is missing."
    } else if workspace.found {
        "All ladders run without the missing parts."
    } else {
        "No ladder runs without the workspace."
    };
    print(&format!("\n{all}\n"))?;
    Ok(ExitCode::SUCCESS)
}

/// Screens a GPU for so long, and says what differed.
fn check_gpu(choice: Choice, time: Duration) -> Result<ExitCode> {
    if choice == Choice::Cpu {
        return Err(
            Usage("--device cpu: the screening is for GPUs; write cuda:N".to_owned()).into()
        );
    }
    let mut device = device::open(choice, CodeRoute::Auto, DEFAULT_GPU)?;
    let _lock = DeviceLock::take(
        &choice.to_string(),
        &mut || say("waiting: another run uses this GPU"),
        &|| false,
    );
    let name = match device.uuid() {
        Some(uuid) => format!("{} ({uuid})", device.info().name),
        None => device.info().name.clone(),
    };
    say(&format!("screening {name} for {} s", time.as_secs()));
    let mut ladders: Vec<(&dyn Ladder, PathBuf)> = Vec::new();
    for ladder in LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()) {
        ladders.push((*ladder, ladder.kernels()?));
    }
    let ladders: Vec<_> = ladders.iter().map(|(ladder, path)| (*ladder, path.as_path())).collect();
    let began = Instant::now();
    let is_over = || began.elapsed() > time;
    let Screening { steps, passes, left_out, found } =
        screen(&mut *device, &ladders, &is_over, &mut |what| say(what))?;
    left_out.iter().for_each(|why| say(&format!("left out: {why}")));
    if steps == 0 {
        bail!("no step can be run on {name}");
    }
    let ran = format!("{passes} passes of {steps} steps in {:.0} s", began.elapsed().as_secs_f64());
    let plural = if found.len() == 1 { "" } else { "s" };
    print(&match found.len() {
        0 => format!("{name}: no difference in {ran}.\n"),
        count => {
            format!("{name}: {count} difference{plural} in {ran}. Do not trust its results.\n")
        }
    })?;
    Ok(ExitCode::from(u8::from(!found.is_empty())))
}

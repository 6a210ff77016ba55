//! `doctor`: what this machine has, and for what is missing what it would add and how to get it.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use anyhow::{Result, bail};
use clap::Args;
use device::{
    Choice, CodeRoute, Compiler, Conditions, DEFAULT_GPU, Driver, Survey, cc, headers, nvrtc,
    sanitizer, sass, survey,
};
use ladder::screening::{Screening, screen};
use ladder::{Code, Ladder, workspace};
use ladders::LADDERS;
use serde::Serialize;
use show::table::terminal::{self, wrap};
use ui::Usage;
use ui::output::{print, print_json, say};
use vectors::Vectors;

use crate::device_lock::DeviceLock;
use crate::options::Format;

pub(crate) const DOCTOR_HELP: &str = "\
Looks for the NVIDIA driver and GPUs, NVRTC (the compiler for edited kernels),
compute-sanitizer, CUDA's headers, the processor's vectors, a C compiler and the
kernels. These variables help it: LADDER_NVRTC=FILE or FOLDER is tried first,
LADDER_CC=FILE is the C compiler, LADDER_DRIVER_SECONDS=60 lets the driver answer
later (default 20). Nothing is loaded from the current folder. A missing part is
no error: the exit code is 0.

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

/// The oldest driver that loads the committed PTX: CUDA 11.8 (PTX 7.8).
const OLDEST_CUDA: (u32, u32) = (11, 8);

/// Prints what was found and what is missing, or screens a GPU.
pub fn run(args: &DoctorArgs) -> Result<ExitCode> {
    if let Some(seconds) = args.gpu_check {
        return check_gpu(args.device, Duration::from_secs(seconds));
    }
    let survey = survey();
    let findings = [
        gpu(&survey),
        monitor(&survey),
        compiler(&survey),
        cuda_headers(&survey),
        disassembler(&survey),
        sanitizer(&survey),
        processor(&survey),
        c_compiler(),
        sources(),
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

/// One thing that was looked for.
#[derive(Serialize)]
struct Finding {
    name: &'static str,
    found: bool,
    /// What was found, or what it would add and the command that gets it.
    lines: Vec<String>,
}

impl Finding {
    fn found(name: &'static str, lines: Vec<String>) -> Finding {
        Finding { name, found: true, lines }
    }

    /// What is not here, what it would add, and the command that gets it.
    fn missing(name: &'static str, problem: &str, adds: &str, command: &str) -> Finding {
        let lines = [("missing", problem), ("adds", adds), ("get it", command)];
        let lines = lines.map(|(label, words)| format!("{label}: {words}")).to_vec();
        Finding { name, found: false, lines }
    }

    /// In lines of at most `width` columns; a command stays whole, so that it can be copied.
    fn text(&self, width: usize) -> String {
        let bold = Style::new().bold();
        let (mark, paint) = if self.found {
            ("✓", AnsiColor::Green.on_default())
        } else {
            ("–", AnsiColor::Yellow.on_default())
        };
        let mut text = format!("{paint}{mark}{paint:#} {bold}{}{bold:#}\n", self.name);
        for line in &self.lines {
            let commands = ["get it: sudo", "get it: python3"];
            let broken = match commands.iter().any(|command| line.starts_with(command)) {
                true => line.clone(),
                false => wrap(line, width.saturating_sub(6)).replace('\n', "\n      "),
            };
            text += &format!("    {broken}\n");
        }
        text
    }
}

fn gpu(survey: &Survey) -> Finding {
    let name = "NVIDIA driver and GPUs";
    let Some(driver) = &survey.driver else {
        let problem = survey.driver_problem.as_deref().unwrap_or("no driver answers");
        let adds = "times measured on a GPU; without one they are modelled by the simulator";
        return Finding::missing(name, problem, adds, driver_command());
    };
    let version = driver.version.as_deref().unwrap_or("of unknown version");
    let mut lines = vec![format!("driver {version}, CUDA {}", driver.cuda)];
    lines.extend(driver.gpus.iter().enumerate().map(|(number, gpu)| {
        let (major, minor) = gpu.compute_capability;
        let watchdog = if gpu.watchdog { ", a watchdog ends launches that last long" } else { "" };
        format!(
            "cuda:{number}  {}, compute capability {major}.{minor}, {} SMs, {} MHz, {} MiB{watchdog}",
            gpu.name,
            gpu.multiprocessors,
            gpu.clock_mhz,
            gpu.memory_bytes >> 20
        )
    }));
    let mut found = true;
    if driver.gpus.is_empty() {
        found = false;
        lines.push("missing: a GPU".into());
        lines.push("adds: times that are measured and not modelled".into());
        lines.push("get it: plug one in, or ask who runs this machine to pass one through".into());
    } else if is_old(driver) {
        found = false;
        lines.push("too old for the committed PTX, which needs CUDA 11.8 (driver 520)".into());
        lines.push(format!("get a newer one: {}", driver_command()));
    }
    Finding { name, found, lines }
}

fn monitor(survey: &Survey) -> Finding {
    let name = "NVML, which reports clocks, temperature and power";
    let Some(version) = &survey.monitor else {
        let problem = survey.monitor_problem.as_deref().unwrap_or("it does not answer");
        let adds = "the state of the GPU with every time, and marks on times taken while its \
                    clocks were lowered";
        return Finding::missing(name, problem, adds, monitor_command());
    };
    let gpus = survey.driver.iter().flat_map(|driver| &driver.gpus).enumerate();
    let mut lines = vec![version.clone()];
    lines.extend(gpus.map(|(number, gpu)| {
        let told = gpu.conditions.as_ref().map_or_else(|| "is not known to it".into(), now);
        format!("cuda:{number}  {told}")
    }));
    Finding::found(name, lines)
}

/// How a GPU is now.
fn now(conditions: &Conditions) -> String {
    let Conditions { clock_mhz, memory_clock_mhz, temperature_c, power_w, throttled, others } =
        conditions;
    let mut told = Vec::new();
    told.extend(clock_mhz.map(|clock| format!("{clock} MHz now")));
    told.extend(memory_clock_mhz.map(|clock| format!("memory {clock} MHz")));
    told.extend(temperature_c.map(|degrees| format!("{degrees} °C")));
    told.extend(power_w.map(|watts| format!("{watts:.0} W")));
    if !throttled.is_empty() {
        told.push(format!("clocks lowered: {}", throttled.join(", ")));
    }
    told.extend(match others {
        0 => None,
        1 => Some("another process computes on it".to_owned()),
        many => Some(format!("{many} other processes compute on it")),
    });
    if told.is_empty() { "no sensor data".to_owned() } else { told.join(", ") }
}

fn monitor_command() -> &'static str {
    match std::env::consts::OS {
        "linux" => {
            "it comes with the driver (Debian: sudo apt-get install libnvidia-ml1); in a container \
             set NVIDIA_DRIVER_CAPABILITIES=compute,utility"
        }
        "windows" => "it comes with the driver: https://www.nvidia.com/drivers",
        _ => "there is no CUDA driver for this system; use a Linux or Windows machine",
    }
}

/// Whether the driver cannot load the committed PTX.
fn is_old(driver: &Driver) -> bool {
    let version = driver
        .cuda
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    version.is_some_and(|version| version < OLDEST_CUDA)
}

fn driver_command() -> &'static str {
    match std::env::consts::OS {
        "linux" => {
            "sudo apt-get install nvidia-driver (Debian; Ubuntu: sudo ubuntu-drivers install)"
        }
        "windows" => "from https://www.nvidia.com/drivers",
        _ => "there is no CUDA driver for this system; use a Linux or Windows machine",
    }
}

fn compiler(survey: &Survey) -> Finding {
    let works = |compiler: &&Compiler| compiler.problem.is_none();
    let found = survey.compilers.iter().any(|compiler| works(&compiler));
    let mut lines: Vec<String> = survey.compilers.iter().map(describe).collect();
    let is_pinned = |compiler: &Compiler| {
        compiler.version.as_deref().is_some_and(|version| version.starts_with("11.8."))
    };
    if !found {
        lines.push("missing: no NVRTC was found".into());
        lines.push(
            "adds: edited .cu files are compiled, and on a GPU its own machine code is used; \
             without it the committed PTX runs"
                .into(),
        );
    } else if !survey.compilers.iter().any(is_pinned) {
        lines.push(
            "NVRTC 11.8, which compiles the committed PTX, would add `cargo run -p maintain -- ptx`"
                .into(),
        );
    }
    if let Some(why) = nvrtc::NONE_HERE {
        lines.push(why.into());
    } else if !survey.compilers.iter().any(is_pinned) {
        lines.push("get it: cargo run -p harness -- setup, which asks, and runs".into());
        lines.push(format!("  {}", nvrtc::INSTALL));
    }
    lines.push(format!("looked for in {}", nvrtc::searched()));
    Finding { name: "NVRTC, the compiler for CUDA C++", found, lines }
}

fn describe(compiler: &Compiler) -> String {
    let path = compiler.path.display();
    match (&compiler.version, &compiler.problem) {
        (_, Some(problem)) => format!("unusable: {problem}"),
        (Some(version), None) => format!("{version}  {path}"),
        (None, None) => path.to_string(),
    }
}

fn cuda_headers(survey: &Survey) -> Finding {
    let name = "CUDA's headers, which programs include";
    if survey.headers.is_empty() {
        let problem = format!("none were found in {}", headers::searched());
        let adds = "`events` compiles programs that include cuda_fp16.h, cooperative_groups.h and others; no step of a ladder does";
        return Finding::missing(name, &problem, adds, headers::INSTALL);
    }
    let described = |headers: &headers::Headers| {
        let (major, minor) = headers.release;
        let folders: Vec<String> =
            headers.folders.iter().map(|it| it.display().to_string()).collect();
        format!("{major}.{minor}  {}", folders.join(", "))
    };
    Finding::found(name, survey.headers.iter().map(described).collect())
}

fn disassembler(survey: &Survey) -> Finding {
    let name = "nvdisasm, which prints machine code";
    match &survey.disassembler {
        Some((version, path)) => {
            Finding::found(name, vec![format!("{version}  {}", path.display())])
        }
        None => {
            let adds = "the machine code of your own kernels, in `explain --sass` and in the time \
                        model; that of the ladder's kernels is committed";
            Finding::missing(name, "no nvdisasm was found", adds, sass::NVDISASM_INSTALL)
        }
    }
}

fn sanitizer(survey: &Survey) -> Finding {
    let name = "compute-sanitizer, which checks kernels while they run on a GPU";
    match &survey.sanitizer {
        Some((version, path)) => {
            Finding::found(name, vec![format!("{version}  {}", path.display())])
        }
        None => {
            let adds = "`run --kernel FILE --sanitize` and `watch --sanitize`: your kernel is also run under it on \
                        your GPU; the simulator looks for such errors by itself";
            Finding::missing(name, "none was found", adds, sanitizer::INSTALL)
        }
    }
}

fn processor(survey: &Survey) -> Finding {
    let cpu = &survey.cpu;
    let features = if cpu.features.is_empty() {
        "the simulator finds no vector features beyond the base: slower, with the same results"
            .into()
    } else {
        format!("the simulator uses {}", cpu.features.join(", "))
    };
    let name = device::processor().unwrap_or_else(|| "of unknown name".to_owned());
    let vectors: Vec<&str> = Vectors::available().into_iter().map(Vectors::name).collect();
    let lines = vec![
        format!("{name}, {}, {} threads", cpu.architecture, cpu.threads),
        format!("vectors for the ladder cpu: {}", vectors.join(", ")),
        features,
    ];
    Finding::found("Processor, for the ladder cpu and the simulator", lines)
}

/// The steps that need a C compiler.
fn steps_in_c() -> String {
    let steps = LADDERS.iter().flat_map(|ladder| ladder.steps());
    let names = steps.filter(|step| matches!(step.code, Code::C { .. })).map(|step| step.name);
    names.collect::<Vec<_>>().join(", ")
}

fn c_compiler() -> Finding {
    let name = "C compiler (CPU baseline)";
    match cc::Compiler::find() {
        Ok(compiler) => {
            let line = format!("{}  {}", compiler.version, compiler.program.display());
            Finding::found(name, vec![line])
        }
        Err(problem) => {
            let problem = match problem {
                device::Error::Skipped { reason, .. } => reason,
                other => other.to_string(),
            };
            let adds = format!("{}, what a C compiler makes of the same loop", steps_in_c());
            Finding::missing(name, &problem, &adds, cc::INSTALL)
        }
    }
}

fn sources() -> Finding {
    let name = "Workspace with the kernels";
    match workspace::root() {
        Ok(root) => Finding::found(name, vec![root.display().to_string()]),
        Err(error) => {
            let get = "git clone the repository, and run the program in there";
            Finding::missing(name, &error.to_string(), "the kernels of every ladder", get)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_gpu_is_told_as_far_as_it_is_known() {
        assert_eq!(now(&Conditions::default()), "no sensor data");
        let conditions = Conditions {
            clock_mhz: Some(1980),
            memory_clock_mhz: None,
            temperature_c: Some(41),
            power_w: Some(123.4),
            throttled: vec!["power cap".to_owned()],
            others: 2,
        };
        let told = "1980 MHz now, 41 °C, 123 W, clocks lowered: power cap, 2 other processes compute on it";
        assert_eq!(now(&conditions), told);
    }
}

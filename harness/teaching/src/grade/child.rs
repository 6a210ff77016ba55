//! A check in a confined process: it reads the file, gives up what it does not need, and only then compiles.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use ladder::workspace;
use processes::confine::{Limits, confine};
use processes::{Interrupt, detach, listen, own, send, spawn};
use serde::{Deserialize, Serialize};
use toolchain::clang::{self, Clang};
use toolchain::{compiler, headers, nvrtc, untrusted};
use ui::output::explain;

use super::grades::Cost;
use crate::learn::exercise::{self, Exercise};
use crate::learn::findings::{Checked, Findings, Part};
use crate::learn::measure::Measure;
use crate::learn::plan::Plan;
use crate::learn::{check, cost};

/// The hidden command that makes the program such a process.
const COMMAND: &str = "serve-grades";

/// The most bytes of an answer.
const MOST_ANSWER: u64 = 1 << 20;

/// The most characters that are kept of what is said of a part.
const MOST_SAID: usize = 8000;

/// How often it is looked whether the user asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// What is asked of a process.
#[derive(Serialize, Deserialize)]
struct Request {
    exercise: String,
    /// In the process's current folder.
    file: PathBuf,
    work: Work,
    limits: Limits,
}

/// What it is to do with the file.
#[derive(Serialize, Deserialize)]
enum Work {
    Check(Plan),
    /// To run it on the model of this GPU.
    Cost(String),
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
enum Done {
    Checked(Checked),
    Cost(Cost),
}

/// The same, and what the system did not forbid.
#[derive(Debug, Serialize, Deserialize)]
struct Reply {
    done: Done,
    unconfined: Vec<String>,
}

/// What came of a check.
#[derive(Debug)]
pub struct Answer {
    /// The findings.
    pub checked: Checked,
    /// What the system did not forbid.
    pub unconfined: Vec<String>,
}

/// Why there is no answer.
#[derive(Debug)]
pub enum Failed {
    /// The process took too much, or died.
    Ended(String),
    /// The exercise, the plan or the machine is not in order.
    Broken(String),
    /// The user asked to stop.
    Interrupted,
}

/// Checks the file `name` in `folder`, until the user interrupts it.
///
/// # Errors
/// Why there is no answer.
pub fn check(
    exercise: &Exercise,
    folder: &Path,
    name: &str,
    plan: &Plan,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Answer, Failed> {
    let work = Work::Check(plan.clone());
    match ask(exercise, folder, name, work, limits, interrupt)? {
        Reply { done: Done::Checked(checked), unconfined } => Ok(Answer { checked, unconfined }),
        Reply { done: Done::Cost(_), .. } => Err(Failed::Broken(UNASKED.to_owned())),
    }
}

/// What the kernel of the file `name` in `folder` costs on the model of `gpu`.
///
/// # Errors
/// Why there is no answer.
pub fn cost(
    exercise: &Exercise,
    folder: &Path,
    name: &str,
    gpu: &str,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Cost, Failed> {
    let work = Work::Cost(gpu.to_owned());
    match ask(exercise, folder, name, work, limits, interrupt)?.done {
        Done::Cost(cost) => Ok(cost),
        Done::Checked(_) => Err(Failed::Broken(UNASKED.to_owned())),
    }
}

const UNASKED: &str = "internal error: the process of a check answered something else";

fn ask(
    exercise: &Exercise,
    folder: &Path,
    name: &str,
    work: Work,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Reply, Failed> {
    let broken = |error: anyhow::Error| Failed::Broken(explain(&error));
    let mut child = start(exercise, folder).map_err(broken)?;
    let request =
        Request { exercise: exercise.name.clone(), file: name.into(), work, limits: *limits };
    let heard = hear(&mut child, &request, limits, interrupt);
    let _ = child.kill();
    let status = child.wait().context("cannot wait for a process").map_err(broken)?;
    match heard.map_err(broken)? {
        Heard::Answer(answer) => answer.map_err(Failed::Broken),
        Heard::Interrupt => Err(Failed::Interrupted),
        Heard::Nothing => Err(Failed::Ended(died(status, limits))),
        Heard::TooLate => Err(Failed::Ended(format!(
            "the check was ended: it waited without computing for {} s",
            patience(limits).as_secs()
        ))),
    }
}

/// Waits are no part of the time that a check may take; a loaded machine makes many.
fn patience(limits: &Limits) -> Duration {
    Duration::from_secs(10 * limits.cpu_seconds + 60)
}

/// The process, with nothing of this one's surroundings.
fn start(exercise: &Exercise, folder: &Path) -> Result<Child> {
    let root = workspace::root()?;
    let compilers = nvrtc::installed().iter().map(|compiler| compiler.path());
    let chosen = compiler::chosen()?;
    // Those of the system are tried by asking them, which takes time: only where one is needed.
    let clangs = compiler::clang_compiles()?.then(|| clang::installed().iter().map(Clang::path));
    let clangs = clangs.into_iter().flatten();
    let headers = headers::installed().iter().find(|headers| headers.have_library());
    let headers = headers.or(headers::installed().first()).map(|headers| &headers.folders);
    let headers = std::env::join_paths(headers.into_iter().flatten());
    let mut command = own(COMMAND)?;
    command
        .env_clear()
        .env(headers::VARIABLE, headers.context("a path with a `:`")?)
        .env("LADDER_NVRTC", std::env::join_paths(compilers).context("a path with a `:`")?)
        .env("LADDER_CLANG", std::env::join_paths(clangs).context("a path with a `:`")?)
        .env(compiler::VARIABLE, chosen.map(|maker| maker.to_string()).unwrap_or_default())
        .env("CARGO_MANIFEST_DIR", root.join("harness"))
        .env("RAYON_NUM_THREADS", "1")
        .env(device::LAUNCH_SECONDS, device::launch_limit()?.as_secs().to_string())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // For rustup, which knows by it which compiler is meant.
    let toolchains = ["PATH", "HOME", "RUSTUP_HOME", "CARGO_HOME", "RUSTUP_TOOLCHAIN"];
    let is_program = exercise.is_program();
    let known = toolchains.iter().filter_map(|name| Some((*name, std::env::var_os(name)?)));
    command.envs(known.filter(|_| is_program));
    if cfg!(windows) {
        // Libraries cannot be loaded without it.
        command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    }
    detach(&mut command);
    spawn(&mut command).context("cannot start a process for a check")
}

enum Heard {
    Answer(Result<Reply, String>),
    Nothing,
    TooLate,
    Interrupt,
}

fn hear(
    child: &mut Child,
    request: &Request,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Heard> {
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the process has no pipes")
    };
    // One that dies before it has read this answers nothing.
    let _ = writeln!(input, "{}", serde_json::to_string(request)?);
    let (sender, answers) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        let read = output.take(MOST_ANSWER).read_to_string(&mut text);
        let _ = sender.send(read.map(|_| text));
    });
    let began = Instant::now();
    Ok(loop {
        match answers.recv_timeout(LOOK) {
            Ok(Ok(text)) => {
                break serde_json::from_str(&text).map_or(Heard::Nothing, Heard::Answer);
            }
            _ if interrupt.is_asked() => break Heard::Interrupt,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => break Heard::Nothing,
            Err(RecvTimeoutError::Timeout) if began.elapsed() > patience(limits) => {
                break Heard::TooLate;
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    })
}

/// Why a process ended without an answer.
fn died(status: ExitStatus, limits: &Limits) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        let signal = status.signal();
        if signal == Some(signal_hook::consts::SIGXCPU) || signal == Some(9) {
            return format!(
                "the check was ended after {} s of computing: is there a loop without an end, or one for the compiler?",
                limits.cpu_seconds
            );
        }
        if signal == Some(signal_hook::consts::SIGABRT) {
            return format!(
                "the check was ended: it asked for more than {} MiB of memory, or the compiler gave up",
                limits.memory_bytes >> 20
            );
        }
    }
    let _ = limits;
    format!("the compiler or the simulator crashed ({status})")
}

/// Answers the request on standard input.
pub fn serve() -> Result<ExitCode> {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).context("there is no request")?;
    let request: Request = serde_json::from_str(&line).context("cannot understand the request")?;
    let answer: Result<Reply, String> = answer(&request).map_err(|error| explain(&error));
    send(&answer).context("the parent closed the pipe")?;
    Ok(ExitCode::SUCCESS)
}

fn answer(request: &Request) -> Result<Reply> {
    let all = Exercise::all()?;
    let exercise = exercise::find(&all, &request.exercise)?;
    compiler::before_confinement(&request.limits)?;
    if exercise.is_program() {
        // The compiler and the program are confined, not this process.
        drop(listen());
    }
    let mut unconfined = Vec::new();
    let mut ready = || -> Result<()> {
        unconfined = confine(&request.limits, &headers::readable())?;
        // Ends this process with the one that started it.
        drop(listen());
        Ok(())
    };
    let file = &request.file;
    let done = match (&request.work, refused(exercise, file)) {
        (Work::Check(_), Some(why)) => {
            Done::Checked(Checked::Done(Findings::wrong(Part::Compiles, why), Vec::new()))
        }
        (Work::Check(plan), None) => Done::Checked(
            match check::examine(&mut Measure::new(exercise), file, plan, &mut ready)? {
                Checked::Done(found, reached) => Checked::Done(found.shortened(MOST_SAID), reached),
                other => other,
            },
        ),
        (Work::Cost(_), Some(why)) => bail!(why),
        (Work::Cost(gpu), None) => {
            let model = cost::of(exercise, file, gpu, &mut ready)?;
            let binding = model.binding.map(str::to_owned);
            Done::Cost(Cost { gpu: gpu.clone(), seconds: model.seconds, binding })
        }
    };
    Ok(Reply { done, unconfined })
}

/// Why a kernel is not compiled at all.
fn refused(exercise: &Exercise, file: &Path) -> Option<String> {
    // Rust is looked into where it is compiled, which a process of its own does.
    if exercise.is_answered() || !exercise.needs_compiler() {
        return None;
    }
    let text = |file: &Path| {
        String::from_utf8_lossy(&std::fs::read(file).unwrap_or_default()).into_owned()
    };
    let beside = std::fs::read_dir(".").into_iter().flatten().flatten().map(|entry| entry.path());
    let headers = beside.filter(|path| path.extension().is_some_and(|ending| ending == "cuh"));
    let headers: Vec<PathBuf> = headers.filter_map(|path| Some(path.file_name()?.into())).collect();
    let refused = [file.to_path_buf()]
        .iter()
        .chain(&headers)
        .find_map(|file| untrusted::check_text(&file.display().to_string(), &text(file)).err());
    refused.map(|error| format!("error: {error}"))
}

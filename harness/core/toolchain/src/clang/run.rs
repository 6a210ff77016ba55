//! Starts clang: here, in a process that was started before this one gave up starting others, or as the program provides.
//!
//! Code that is not trusted is compiled by a confined process, which may start none. [`start_server`] therefore starts one
//! that runs clang for it, each time in a fence of its own: it reads its own files and those of the job, and writes none.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::sync::{Mutex, OnceLock, PoisonError};

use processes::confine::Limits;
use processes::confine::program::{Fence, fenced};
use report::files::Scratch;
use serde::{Deserialize, Serialize};

/// The folder of the files that a kernel includes, and the kernel itself, in the folder of a job.
pub(super) const OWN: &str = "own";
pub(super) const SOURCE: &str = "own/kernel.cu";

/// The hidden command that makes the program a server.
const COMMAND: &str = "serve-compiles";

/// What clang is to do.
#[derive(Debug, Serialize, Deserialize)]
pub struct Job {
    /// Its arguments, with names of files from the job's folder.
    pub arguments: Vec<String>,
    /// Names and texts of the files in that folder.
    pub files: Vec<(String, String)>,
}

/// What came of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Ran {
    /// Whether it compiled the source.
    pub succeeded: bool,
    /// What it wrote: PTX, or LLVM IR where it has no back end for NVIDIA's GPUs.
    pub output: String,
    /// Its messages: errors and warnings.
    pub log: String,
}

/// What runs clang where a program cannot be started.
#[derive(Clone)]
pub(super) struct Provided {
    pub release: String,
    run: fn(&Job) -> io::Result<Ran>,
}

static PROVIDED: OnceLock<Provided> = OnceLock::new();

/// Makes `run` the one clang of this process: of version `release`, without a back end. Only the first call counts.
pub fn provide(release: &str, run: fn(&Job) -> io::Result<Ran>) {
    let _ = PROVIDED.set(Provided { release: release.to_owned(), run });
}

/// What [`provide`] was told.
pub(super) fn provided() -> Option<&'static Provided> {
    PROVIDED.get()
}

/// The process that runs clang for this one, if there is such a process.
static SERVER: OnceLock<Server> = OnceLock::new();

struct Server {
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

/// The program and the words with which its clang begins: in the wheel `ziglang` it is a part of another program.
pub(super) fn program(path: &Path) -> Command {
    let mut command = Command::new(path);
    let is_zig = path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("zig"));
    command.args(is_zig.then_some("clang")).stdin(Stdio::null());
    command
}

/// Runs a job.
pub(super) fn run(path: &Path, job: &Job) -> io::Result<Ran> {
    match (PROVIDED.get(), SERVER.get()) {
        (Some(provided), _) => (provided.run)(job),
        (None, Some(server)) => server.run(path, job),
        (None, None) => run_as(program(path), job, |command, _| Ok(command)),
    }
}

impl Server {
    fn run(&self, path: &Path, job: &Job) -> io::Result<Ran> {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let (input, output) = &mut *pipes;
        writeln!(input, "{}", serde_json::to_string(&(path, job))?)?;
        let mut answer = String::new();
        output.read_line(&mut answer)?;
        let answer: Result<Ran, String> = serde_json::from_str(&answer)?;
        answer.map_err(io::Error::other)
    }
}

/// Starts what runs clang for this process from now on, each time within `limits`.
///
/// # Errors
/// The system cannot start it.
pub fn start_server(limits: &Limits) -> io::Result<()> {
    let mut command = processes::own(COMMAND).map_err(io::Error::other)?;
    command.arg(serde_json::to_string(limits)?).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = processes::spawn(&mut command)?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err(io::Error::other("the process has no pipes"));
    };
    let _ = SERVER.set(Server { pipes: Mutex::new((input, BufReader::new(output))) });
    Ok(())
}

/// Runs clang as lines of standard input say, until there are no more.
///
/// # Errors
/// The limits cannot be understood, or nobody reads the answers.
pub fn serve(limits: &str) -> io::Result<ExitCode> {
    let limits: Limits = serde_json::from_str(limits)?;
    for line in io::stdin().lock().lines() {
        let (path, job): (PathBuf, Job) = serde_json::from_str(&line?)?;
        let within = |command: Command, folder: &Path| fence(&command, folder, limits);
        let ran = run_as(program(&path), &job, within);
        processes::send(&ran.map_err(|error| error.to_string()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The same command in a fence.
fn fence(command: &Command, folder: &Path, limits: Limits) -> io::Result<Command> {
    let program = Path::new(command.get_program());
    // The program itself, where the path has a link to it, and its libraries.
    let file = fs::canonicalize(program)?;
    let own = file.parent().unwrap_or(&file);
    let fence = Fence {
        limits: Some(limits),
        readable: vec![own.to_path_buf(), own.join("../lib"), folder.to_path_buf()],
        writable: Vec::new(),
        may_start: false,
    };
    let mut fenced = fenced(program, &fence).map_err(io::Error::other)?;
    fenced.args(command.get_args()).stdin(Stdio::null());
    Ok(fenced)
}

/// Writes a job's files and runs `command` with its arguments, as `prepared` makes it for that folder.
fn run_as(
    command: Command,
    job: &Job,
    prepared: impl Fn(Command, &Path) -> io::Result<Command>,
) -> io::Result<Ran> {
    let scratch = Scratch::new()?;
    let folder = scratch.path();
    for (name, text) in &job.files {
        let is_inside = Path::new(name).components().all(|it| matches!(it, Component::Normal(_)));
        if !is_inside {
            return Err(io::Error::other(format!("`{name}` is no file of a job")));
        }
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, text)?;
    }
    let output = prepared(command, folder)?.args(&job.arguments).current_dir(folder).output()?;
    let words = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    let mut log = words(output.stderr);
    if !output.status.success() && log.trim().is_empty() {
        log = format!("clang ended without a word ({})", output.status);
    }
    Ok(Ran { succeeded: output.status.success(), output: words(output.stdout), log })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_writes_nowhere_but_in_its_folder() {
        for name in ["../a", "/a", "own/../../a"] {
            let job = Job { arguments: Vec::new(), files: vec![(name.to_string(), String::new())] };
            let error = run(Path::new("clang"), &job).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}

//! A reader's functions in Rust: compiled together with the exercise's `check.rs`, which calls and judges them.
//!
//! ```text
//! instruments, check.rs, the reader's file ─ rustc ─ a program ─┬ the first wrong result
//!                                         seed and size ───────┴ numbers that it counted, for the goals
//! ```
//!
//! The program begins each line that it says with a word that only its own judge has read, so that nothing that the reader's
//! functions print can be taken for a verdict.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use processes::confine::Limits;
use processes::confine::program::{Fence, OPEN, fenced};
use processes::{cpu_time, spawn};
use report::files::{self, Scratch};

use super::case::Case;
use super::exercise::Exercise;
use super::findings::{Checked, Findings, Part};
use super::goals;
use super::plan::Plan;

/// What the compiler is given: no warnings, no unsafe code, the same arithmetic everywhere.
const OPTIONS: [&str; 11] = [
    "--edition=2021",
    "--crate-name=exercise",
    "--color=never",
    "-Awarnings",
    "-Funsafe_code",
    "-Copt-level=1",
    "-Coverflow-checks=yes",
    "-Cdebug-assertions=yes",
    "-Cpanic=unwind",
    "-Cstrip=symbols",
    "-Ccodegen-units=1",
];

/// How much processor time the program may take, and the compiler.
const PATIENCE: Duration = Duration::from_secs(20);

/// How long each may last on a busy machine, or waiting.
const LONGEST: Duration = Duration::from_secs(120);

/// The most bytes that are read of what a process says.
const MOST_SAID: u64 = 1 << 16;

/// Names of macros that read files when they are compiled, or write instructions.
const REFUSED: [&str; 7] =
    ["include", "include_str", "include_bytes", "env", "option_env", "asm", "global_asm"];

/// Checks `file` as a solution of an exercise in Rust.
///
/// # Errors
/// The exercise itself is not in order.
pub fn check(exercise: &Exercise, file: &Path, plan: &Plan) -> Result<Checked> {
    let done = |findings| Ok(Checked::Done(findings, Vec::new()));
    let text = files::read(file).and_then(files::text_of)?;
    if plan.limits.is_some()
        && let Some(why) = refused(&text)
    {
        let why = format!("error: {}: {why}", file.display());
        return done(Findings::wrong(Part::Compiles, why));
    }
    let Some(compiler) = compiler() else {
        return Ok(Checked::Impossible(
            "this exercise is in Rust, and there is no rustc here: get Rust from https://rustup.rs"
                .to_owned(),
        ));
    };
    let folder = Scratch::new().context("cannot make a temporary folder")?;
    // As the compiler wants it, which takes only UTF-8.
    let reader = folder.path().join("reader.rs");
    std::fs::write(&reader, text)?;
    let program = match compile(exercise, [file, &reader], &compiler, &folder, plan.limits)? {
        Compiled::Program(program) => program,
        Compiled::Refused(why) => return done(Findings::wrong(Part::Compiles, why)),
        Compiled::Open(why) => {
            return Ok(Checked::Impossible(format!(
                "untrusted Rust runs on this processor, and this system cannot keep it from {why}; grade it on Linux \
                 from 5.13 on"
            )));
        }
    };
    let mut counts = BTreeMap::new();
    for Case { n, seed, .. } in Case::all(exercise, plan) {
        match run(&program, [file, &reader], (seed, n), plan.limits)? {
            Ok(counted) => counts = counted,
            Err(why) => return done(Findings::wrong(Part::Results, why)),
        }
    }
    Ok(match goals::judge(&exercise.limits, &|name| counts.get(name).copied())? {
        Ok(reached) => Checked::Done(Findings::right(), reached),
        Err(missed) => Checked::Done(Findings::wrong(Part::Goals, missed.plain()), Vec::new()),
    })
}

/// The compiler itself, which `rustc` may only lead to.
fn compiler() -> Option<PathBuf> {
    let asked = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let root = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    let own = root.join("bin").join(format!("rustc{}", std::env::consts::EXE_SUFFIX));
    own.is_file().then_some(own)
}

/// What came of a compilation.
enum Compiled {
    Program(PathBuf),
    /// What the compiler says.
    Refused(String),
    /// What the system cannot forbid; nothing was compiled.
    Open(String),
}

/// Compiles a copy of the reader's file, which messages call as the reader does.
fn compile(
    exercise: &Exercise,
    [file, reader]: [&Path; 2],
    compiler: &Path,
    folder: &Scratch,
    limits: Option<Limits>,
) -> Result<Compiled> {
    let mut modules = exercise.instruments().to_vec();
    // The reader's comes last: its macros are not known to the others.
    modules.extend([("check", exercise.check()), ("reader", reader.to_path_buf())]);
    let module = |(name, path): &(&str, PathBuf)| format!("#[path = {path:?}]\nmod {name};\n");
    let main: String = modules.iter().map(module).collect();
    let main_file = folder.path().join("main.rs");
    std::fs::write(&main_file, format!("{main}fn main() {{\n    check::main()\n}}\n"))?;
    let program = folder.path().join(format!("exercise{}", std::env::consts::EXE_SUFFIX));
    let root = compiler.parent().and_then(Path::parent).unwrap_or(compiler);
    let fence = Fence {
        limits,
        readable: [root.to_path_buf(), folder.path().to_path_buf()]
            .into_iter()
            .chain(modules.into_iter().map(|(_, path)| path))
            .collect(),
        writable: vec![folder.path().to_path_buf()],
        may_start: true,
    };
    let mut command = fenced(compiler, &fence)?;
    command.args(OPTIONS).arg("-o").arg(&program).arg(&main_file);
    command.env("TMPDIR", folder.path());
    let ended = wait(command, "")?;
    if ended.is_well() {
        return Ok(Compiled::Program(program));
    }
    if ended.status.and_then(|status| status.code()) == Some(OPEN) {
        return Ok(Compiled::Open(ended.errors));
    }
    // As the reader knows the file; in the judge's own files a message leads to the reader's all the same.
    let said = ended.errors.replace(&reader.display().to_string(), &file.display().to_string());
    let said = said.split("\nerror: aborting due to").next().unwrap_or_default().trim_end();
    Ok(Compiled::Refused(match ended.status {
        None => format!("error: {}: the compiler has not ended in {PATIENCE:?}", file.display()),
        Some(_) if said.contains("error") => said.to_owned(),
        Some(status) => {
            format!("error: {}: the compiler failed ({status})\n{said}", file.display())
        }
    }))
}

/// The numbers that the program counted; or what is wrong.
fn run(
    program: &Path,
    [file, reader]: [&Path; 2],
    (seed, n): (u64, u64),
    limits: Option<Limits>,
) -> Result<Result<BTreeMap<String, f64>, String>> {
    let fence = Fence {
        limits,
        readable: vec![program.to_path_buf()],
        writable: Vec::new(),
        may_start: false,
    };
    let word = format!("{:016x}{:016x}", ui::new_seed(), ui::new_seed());
    let ended = wait(fenced(program, &fence)?, &format!("{word} {seed} {n}\n"))?;
    let name = file.display();
    let mut counts = BTreeMap::new();
    let mut is_whole = false;
    for line in ended.output.lines() {
        let Some(said) = line.strip_prefix(&word).map(str::trim_start) else { continue };
        match said.split_once(' ').unwrap_or((said, "")) {
            ("wrong", what) => {
                return Ok(Err(format!("error: {name}: {}", what.replace("\\n", "\n  "))));
            }
            ("count", what) => {
                let (name, number) = what.rsplit_once(' ').context("a count has a number")?;
                counts.insert(name.to_owned(), number.parse().context("a count is a number")?);
            }
            ("end", _) => is_whole = true,
            (other, _) => bail!("internal error: unrecognised reply of the checker: `{other}`"),
        }
    }
    if is_whole {
        return Ok(Ok(counts));
    }
    let said = ended.errors.replace(&reader.display().to_string(), &name.to_string());
    let panicked = said.split_once("panicked at ").map(|(_, rest)| rest);
    let panicked = panicked.and_then(|rest| rest.split("\nnote: ").next()).map(str::trim_end);
    Ok(Err(match (ended.status, panicked) {
        (None, _) => format!(
            "error: {name}: it has not ended in {PATIENCE:?} for n = {n}: is there a loop without an end?"
        ),
        (_, Some(why)) => {
            format!("error: for n = {n} it panicked at {}", why.replace('\n', "\n  "))
        }
        (Some(status), None) => {
            format!("error: {name}: for n = {n} it ended before its results were read ({status})")
        }
    }))
}

/// How a process ended.
struct Ended {
    /// None where it was ended, since it took too long.
    status: Option<ExitStatus>,
    output: String,
    errors: String,
}

impl Ended {
    fn is_well(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }
}

/// Whether a process that has lasted so long has had enough; where its processor time is not known, that is how long it lasted.
fn is_over(child: &Child, elapsed: Duration) -> bool {
    elapsed > LONGEST || elapsed > PATIENCE && cpu_time(child).is_none_or(|it| it > PATIENCE)
}

/// Runs a process to its end, which comes after [`PATIENCE`] or [`LONGEST`].
fn wait(mut command: Command, input: &str) -> Result<Ended> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = spawn(&mut command)
        .with_context(|| format!("cannot start {}", command.get_program().to_string_lossy()))?;
    let mut to = child.stdin.take().context("a process without a pipe")?;
    // One that ends before it has read this is found out by its answer.
    let _ = to.write_all(input.as_bytes());
    drop(to);
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let output = thread::spawn(move || listen(output));
    let errors = thread::spawn(move || listen(errors));
    let start = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if is_over(&child, start.elapsed()) => {
                child.kill()?;
                child.wait()?;
                break None;
            }
            None => thread::sleep(Duration::from_millis(2)),
        }
    };
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    Ok(Ended { status, output: text(output), errors: text(errors) })
}

/// What a pipe says, as far as it is kept; the rest is read and forgotten.
fn listen(pipe: Option<impl Read>) -> String {
    let Some(mut pipe) = pipe else { return String::new() };
    let mut bytes = Vec::new();
    let _ = pipe.by_ref().take(MOST_SAID).read_to_end(&mut bytes);
    let _ = std::io::copy(&mut pipe, &mut std::io::sink());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Why untrusted source is not compiled at all: it may read files of this machine while it is compiled. Where the system can
/// forbid that to the compiler, this says it sooner and no more.
fn refused(text: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for (at, _) in text.char_indices() {
        if text[..at].ends_with(is_word) {
            continue;
        }
        let end = text[at..].find(|c| !is_word(c)).map_or(text.len(), |length| at + length);
        let (word, rest) = (&text[at..end], text[end..].trim_start());
        let before = text[..at].trim_end_matches("r#").trim_end();
        let is_used = rest.starts_with(['!', '/']) || before.ends_with(':');
        let is_renamed = rest.strip_prefix("as").is_some_and(|rest| !rest.starts_with(is_word));
        let is_path = word == "path" && rest.starts_with('=');
        if is_path || REFUSED.contains(&word) && (is_used || is_renamed) {
            let line = text[..at].matches('\n').count() + 1;
            return Some(format!("line {line}: `{word}` is refused: it may read files"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::refused;

    #[test]
    fn what_reads_files_is_refused_in_any_spelling() {
        for text in [
            "const A: &str = include_str!(\"/etc/passwd\");",
            "include /* */ ! (\"x\");",
            "core::include!(\"x\");",
            "use std::include_bytes as b;",
            "use std::{env as e};",
            "r#include!(\"x\")",
            "#[path = \"/etc/passwd\"] mod a;",
            "#[cfg_attr(all(), path=\"/etc/passwd\")] mod a;",
            "std::env::vars()",
            "asm!(\"nop\")",
        ] {
            assert!(refused(text).is_some(), "{text}");
        }
        for text in ["// include the tail", "let environment = 3;", "fn path(n: usize) {}"] {
            assert_eq!(refused(text), None, "{text}");
        }
        assert!(refused("\n\ninclude!(\"a\")").is_some_and(|why| why.contains("line 3")));
    }
}

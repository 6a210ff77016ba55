//! Runs a program with the simulator in the place of the CUDA runtime.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, bail};
#[cfg(unix)]
use processes::PassedOn;
use processes::spawn;
use runtime::{Config, Record, stub};
use ui::Usage;

use super::program::Program;

/// What a program did.
#[derive(Debug)]
pub struct Ran {
    /// How it ended.
    pub status: ExitStatus,
    /// What its calls of the runtime did, in order.
    pub records: Vec<Record>,
}

/// Runs a program to its end. What it prints goes where this program's output goes; `is_aside`: to standard error.
pub fn run(
    program: &Program,
    arguments: &[OsString],
    mut config: Config,
    is_aside: bool,
) -> Result<Ran> {
    if !cfg!(target_os = "linux") {
        bail!(Usage(
            "exec works on Linux, where a program's CUDA runtime can be replaced as it is loaded; \
             elsewhere run single kernels: harness events --help"
                .to_owned()
        ));
    }
    let library = library()?;
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    for release in stub::RELEASES {
        let name = format!("libcudart.so.{release}");
        put_stub(folder.path(), &name)?;
    }
    put_stub(folder.path(), stub::DRIVER)?;
    let log = folder.path().join("log");
    config.log = Some(log.clone());
    config.release = program.release.unwrap_or(config.release);
    let mut command = Command::new(&program.path);
    command
        .args(arguments)
        .env("LD_PRELOAD", with("LD_PRELOAD", &library))
        .env("LD_LIBRARY_PATH", with("LD_LIBRARY_PATH", folder.path()))
        .env(runtime::VARIABLE, serde_json::to_string(&config).context("a path that is no text")?)
        .stdout(if is_aside { Stdio::from(std::io::stderr()) } else { Stdio::inherit() });
    let mut child =
        spawn(&mut command).with_context(|| format!("cannot run {}", program.path.display()))?;
    // Whatever asks this process to end ends the program, and what it did until then is shown.
    #[cfg(unix)]
    let _passed_on = PassedOn::to(&child).context("cannot take over Ctrl-C")?;
    let status = child.wait().context("cannot wait for the program")?;
    let records = runtime::read(&log).context("cannot read what the program did")?;
    Ok(Ran { status, records })
}

/// Puts an empty library there, for the loader.
fn put_stub(folder: &Path, name: &str) -> Result<()> {
    let written = std::fs::write(folder.join(name), stub::library(name));
    written.context("cannot write to the temporary folder")
}

/// A variable that lists files or folders, with one more at its head.
fn with(variable: &str, first: &Path) -> OsString {
    let mut list = first.as_os_str().to_owned();
    if let Some(others) = env::var_os(variable).filter(|others| !others.is_empty()) {
        list.push(":");
        list.push(others);
    }
    list
}

/// The library that takes the runtime's place. Cargo puts it next to what it is built for.
fn library() -> Result<PathBuf> {
    const NAME: &str = "libruntime.so";
    let own = env::current_exe().context("cannot find the program's own file")?;
    let folder = own.parent().unwrap_or(Path::new("."));
    let places = [folder.join("deps").join(NAME), folder.join(NAME)];
    let found = places.iter().find(|place| place.is_file()).cloned();
    found.with_context(|| {
        format!(
            "there is no {NAME} next to {}: build it with cargo build -p runtime, or run cargo run -p harness -- exec",
            own.display()
        )
    })
}

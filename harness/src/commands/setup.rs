//! `setup`: gets NVRTC, by the command that `doctor` names.

use std::io::{self, BufRead, IsTerminal};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Result, bail};
use clap::Args;
use device::{nvrtc, survey};

use ui::output::{print, say};

pub(crate) const SETUP_HELP: &str = "\
Installs NVRTC, NVIDIA's compiler for kernels: about 60 MB from the Python
package index, only into target/nvrtc of this workspace. Needs python3 with pip,
but no GPU. To uninstall, remove that folder.
Exit codes: 0 installed; 1 not installed, or you said no";

/// The options of `setup`.
#[derive(Debug, Args)]
pub struct SetupArgs {
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

/// Asks, and gets what is missing.
pub fn run(args: &SetupArgs) -> Result<ExitCode> {
    if let Some(why) = nvrtc::NONE_HERE {
        bail!("{why}");
    }
    let found = || survey().compilers.into_iter().find(|compiler| compiler.problem.is_none());
    if let Some(compiler) = found() {
        let version = compiler.version.unwrap_or_default();
        print(&format!("NVRTC {version} is here already: {}\n", compiler.path.display()))?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_asked = args.yes || {
        if !io::stdin().is_terminal() {
            bail!(
                "not a terminal, cannot ask; run `setup --yes`, or this command:\n  {}",
                nvrtc::INSTALL
            );
        }
        agrees(&mut io::stdin().lock())?
    };
    if !is_asked {
        return Ok(ExitCode::FAILURE);
    }
    install(&mut |program, words| {
        Command::new(program).args(words).current_dir(nvrtc::workspace()).status()
    })?;
    match found() {
        Some(compiler) => print(&format!("NVRTC is here now: {}\n", compiler.path.display()))?,
        None => bail!("pip succeeded but NVRTC was not found; `doctor` says why"),
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the reader wants it.
fn agrees(answers: &mut dyn BufRead) -> Result<bool> {
    let folder = nvrtc::workspace();
    say(&format!(
        "In {}, this is to be run:\n  {}\nRun it? [y/N]",
        folder.display(),
        nvrtc::INSTALL
    ));
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// Runs the command; Python is called `python` on some systems.
fn install(run: &mut dyn FnMut(&str, &[&str]) -> io::Result<ExitStatus>) -> Result<()> {
    let words: Vec<&str> = nvrtc::INSTALL.split_whitespace().collect();
    let (python, words) = (words[0], &words[1..]);
    let ended = match run(python, words) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => run("python", words),
        ended => ended,
    };
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!(
            "pip failed ({status}); where it is missing: sudo apt-get install python3-pip (Debian, Ubuntu), or \
             https://pip.pypa.io/en/stable/installation"
        ),
        Err(error) => bail!(
            "{python} cannot be started: {error}; get Python: sudo apt-get install python3-pip (Debian, Ubuntu), or \
             https://www.python.org/downloads"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_yes_is_yes() {
        for (answer, expected) in [
            ("y\n", true),
            ("YES\n", true),
            ("\n", false),
            ("", false),
            ("n\n", false),
            ("yesterday\n", false),
        ] {
            assert_eq!(agrees(&mut answer.as_bytes()).expect("it reads"), expected, "{answer:?}");
        }
    }

    /// Ends as a program that succeeds, or fails.
    fn status(success: bool) -> ExitStatus {
        let program = env!("CARGO");
        let word = if success { "--version" } else { "--no-such-option" };
        Command::new(program).arg(word).output().expect("cargo runs").status
    }

    #[test]
    fn what_runs_is_the_command_that_doctor_names() {
        let mut ran = Vec::new();
        install(&mut |program, words| {
            ran.push(format!("{program} {}", words.join(" ")));
            match program {
                "python3" => Err(io::ErrorKind::NotFound.into()),
                _ => Ok(status(true)),
            }
        })
        .expect("python is found");
        assert_eq!(ran[0], nvrtc::INSTALL);
        assert_eq!(ran[1], nvrtc::INSTALL.replacen("python3", "python", 1));
        let error = install(&mut |_, _| Ok(status(false))).expect_err("pip fails");
        assert!(error.to_string().contains("python3-pip"), "{error}");
        let error =
            install(&mut |_, _| Err(io::ErrorKind::NotFound.into())).expect_err("no Python");
        assert!(error.to_string().contains("get Python"), "{error}");
    }
}

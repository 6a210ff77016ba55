//! `setup`: gets a compiler, NVRTC with CUDA's headers or clang, by the commands that `doctor` names.

use std::io::{self, BufRead, IsTerminal};
use std::process::{Command, ExitCode, ExitStatus};

use anyhow::{Result, bail};
use clap::Args;
use device::{Compiler, Survey, survey};
use toolchain::compiler::{self, Maker};
use toolchain::{clang, headers, nvrtc};

use ui::output::{print, say};

pub(crate) const SETUP_HELP: &str = "\
Installs a compiler for kernels. On Linux and Windows that is NVRTC, NVIDIA's
compiler, with the headers that kernels may include, such as
<cooperative_groups.h> and <cuda/atomic>: what of them is missing, about 80 MB.
On macOS, and with --compiler clang, it is clang, from the wheel `ziglang`: about
100 MB, which no file of NVIDIA's goes with. All from the Python package index,
only into target/nvrtc or target/clang of this workspace. Needs python3 with pip,
but no GPU. To uninstall, remove that folder.
  harness setup --compiler clang
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
    let maker = maker(compiler::chosen()?, nvrtc::NONE_HERE)?;
    let missing = missing(maker, &survey());
    if missing.is_empty() {
        print(&format!("nothing is missing\n{}", described(&survey())))?;
        return Ok(ExitCode::SUCCESS);
    }
    let is_asked = args.yes || {
        if !io::stdin().is_terminal() {
            bail!(
                "not a terminal, cannot ask; run `setup --yes`, or type:\n  {}",
                missing.join("\n  ")
            );
        }
        agrees(&missing, &mut io::stdin().lock())?
    };
    if !is_asked {
        return Ok(ExitCode::FAILURE);
    }
    for command in missing {
        install(command, &mut |program, words| {
            Command::new(program).args(words).current_dir(nvrtc::workspace()).status()
        })?;
    }
    let now = survey();
    if !self::missing(maker, &now).is_empty() {
        bail!("pip succeeded but not all was found; `doctor` says why");
    }
    print(&described(&now))?;
    Ok(ExitCode::SUCCESS)
}

/// The compiler to get: the one that is asked for, or that of this system, where `no_nvrtc` says why there is no NVRTC.
fn maker(asked: Option<Maker>, no_nvrtc: Option<&str>) -> Result<Maker> {
    match (asked, no_nvrtc) {
        (Some(Maker::Nvrtc), Some(why)) => bail!("{why}; get clang: setup --compiler clang"),
        (Some(maker), _) => Ok(maker),
        (None, None) => Ok(Maker::Nvrtc),
        (None, Some(_)) => Ok(Maker::Clang),
    }
}

/// The commands that get what is not here.
fn missing(maker: Maker, survey: &Survey) -> Vec<&'static str> {
    let works = |all: &[Compiler]| all.iter().any(|compiler| compiler.problem.is_none());
    if maker == Maker::Clang {
        return (!works(&survey.clangs)).then_some(clang::INSTALL).into_iter().collect();
    }
    let has_headers = survey.headers.iter().any(headers::Headers::have_library);
    let compiler = (!works(&survey.compilers)).then_some(nvrtc::INSTALL);
    compiler.into_iter().chain((!has_headers).then_some(headers::INSTALL)).collect()
}

/// What is here.
fn described(survey: &Survey) -> String {
    let all = [("NVRTC", &survey.compilers), ("clang", &survey.clangs)];
    let compilers = all.into_iter().filter_map(|(name, found)| {
        let compiler = found.iter().find(|compiler| compiler.problem.is_none())?;
        let version = compiler.version.as_deref().unwrap_or_default();
        Some(format!("{name} {version}: {}\n", compiler.path.display()))
    });
    let headers = survey.headers.iter().find(|headers| headers.have_library()).map(|headers| {
        let (major, minor) = headers.release;
        format!("headers {major}.{minor}: {}\n", headers.folders[0].display())
    });
    compilers.chain(headers).collect()
}

/// Whether the reader wants it.
fn agrees(commands: &[&str], answers: &mut dyn BufRead) -> Result<bool> {
    let folder = nvrtc::workspace();
    say(&format!(
        "In {}, this is to be run:\n  {}\nRun it? [y/N]",
        folder.display(),
        commands.join("\n  ")
    ));
    let mut answer = String::new();
    answers.read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// How a system's own packages give Python and pip.
const GET_PYTHON: &str = if cfg!(windows) {
    "winget install Python.Python.3.13"
} else {
    "sudo apt-get install python3-pip (Debian, Ubuntu)"
};

/// Runs the command; Python is called `python` on some systems. On Windows `python3` may be a stub that names the store.
fn install(
    command: &str,
    run: &mut dyn FnMut(&str, &[&str]) -> io::Result<ExitStatus>,
) -> Result<()> {
    let words: Vec<&str> = command.split_whitespace().collect();
    let (python, words) = (if cfg!(windows) { "python" } else { words[0] }, &words[1..]);
    let ended = match run(python, words) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => run("python", words),
        ended => ended,
    };
    match ended {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => bail!(
            "pip failed ({status}): is there no network? Where pip is missing: {GET_PYTHON}, or \
             https://pip.pypa.io/en/stable/installation"
        ),
        Err(error) => bail!(
            "{python} cannot be started: {error}; get Python: {GET_PYTHON}, or \
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
            assert_eq!(
                agrees(&[nvrtc::INSTALL], &mut answer.as_bytes()).expect("it reads"),
                expected,
                "{answer:?}"
            );
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
        install(nvrtc::INSTALL, &mut |program, words| {
            ran.push(format!("{program} {}", words.join(" ")));
            match program {
                "python3" => Err(io::ErrorKind::NotFound.into()),
                _ => Ok(status(true)),
            }
        })
        .expect("python is found");
        let by_python = nvrtc::INSTALL.replacen("python3", "python", 1);
        let expected = [nvrtc::INSTALL.to_owned(), by_python];
        assert_eq!(ran, &expected[usize::from(cfg!(windows))..]);
        let error = install(nvrtc::INSTALL, &mut |_, _| Ok(status(false))).expect_err("pip fails");
        assert!(error.to_string().contains(GET_PYTHON), "{error}");
        let error = install(nvrtc::INSTALL, &mut |_, _| Err(io::ErrorKind::NotFound.into()))
            .expect_err("no Python");
        assert!(error.to_string().contains("get Python"), "{error}");
    }

    #[test]
    fn the_compiler_is_the_one_asked_for_or_the_systems() {
        assert_eq!(maker(None, None).expect("one"), Maker::Nvrtc);
        assert_eq!(maker(None, Some("a Mac")).expect("one"), Maker::Clang);
        assert_eq!(maker(Some(Maker::Clang), None).expect("one"), Maker::Clang);
        let error = maker(Some(Maker::Nvrtc), Some("a Mac")).expect_err("there is none");
        assert!(error.to_string().contains("--compiler clang"), "{error}");
    }

    #[test]
    fn what_is_missing_is_got() {
        let nothing =
            Survey { compilers: Vec::new(), clangs: Vec::new(), headers: Vec::new(), ..survey() };
        assert_eq!(missing(Maker::Clang, &nothing), [clang::INSTALL]);
        assert_eq!(missing(Maker::Nvrtc, &nothing), [nvrtc::INSTALL, headers::INSTALL]);
        // Headers without the C++ library, as an older `setup` left them out.
        let folder = tempfile::tempdir().expect("a folder");
        let old = headers::Headers { release: (11, 8), folders: vec![folder.path().into()] };
        let old = Survey { headers: vec![old], ..nothing };
        assert_eq!(missing(Maker::Nvrtc, &old), [nvrtc::INSTALL, headers::INSTALL]);
        std::fs::create_dir(folder.path().join("cuda")).expect("a folder");
        std::fs::write(folder.path().join("cuda/atomic"), "").expect("a file");
        assert_eq!(missing(Maker::Nvrtc, &old), [nvrtc::INSTALL]);
    }
}

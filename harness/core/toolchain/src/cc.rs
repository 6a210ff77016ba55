//! The C compiler of this machine, and functions that it compiles.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use report::files::Scratch;

use crate::error::Error;
use crate::{library, search};

/// Names the compiler that is to be used, and no other.
const CHOSEN: &str = "LADDER_CC";

/// Compilers that are looked for, in this order.
const KNOWN: [&str; 3] = ["gcc", "cc", "clang"];

/// How to install a C compiler.
pub const INSTALL: &str = if cfg!(target_os = "macos") {
    "brew install gcc, then LADDER_CC=gcc-15"
} else if cfg!(windows) {
    "winget install BrechtSanders.WinLibs.POSIX.UCRT"
} else {
    "sudo apt-get install gcc (Debian, Ubuntu), or name one: LADDER_CC=FILE"
};

/// What every shared library of a function needs besides the options of its own.
#[cfg(not(windows))]
const SHARED: [&str; 2] = ["-shared", "-fPIC"];
#[cfg(windows)]
const SHARED: [&str; 1] = ["-shared"];

/// A C compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The program, as it was named.
    pub program: PathBuf,
    /// The first line of what it says of its version.
    pub version: String,
}

/// A compiled library. It stays loaded as long as the process: threads of its runtime may outlive each call.
#[derive(Debug)]
pub struct Library {
    library: &'static library::Library,
}

impl Compiler {
    /// The one that `LADDER_CC` names, else the first of gcc, cc and clang that answers.
    ///
    /// # Errors
    /// [`Error::Skipped`]: there is none.
    pub fn find() -> Result<Compiler, Error> {
        let chosen = env::var_os(CHOSEN).map(PathBuf::from);
        if let Some(program) = chosen {
            return Compiler::ask(program.clone()).ok_or_else(|| Error::Skipped {
                reason: format!("{CHOSEN} names {}, which is no C compiler", program.display()),
                remedy: format!("name another, or leave {CHOSEN} out"),
            });
        }
        let known = KNOWN.iter().flat_map(|name| search::on_path(name));
        known.filter_map(Compiler::ask).next().ok_or_else(|| Error::Skipped {
            reason: format!("no C compiler was found ({})", KNOWN.join(", ")),
            remedy: format!("get one: {INSTALL}"),
        })
    }

    fn ask(program: PathBuf) -> Option<Compiler> {
        let output = Command::new(&program).arg("--version").stdin(Stdio::null()).output().ok()?;
        let words = String::from_utf8_lossy(&output.stdout).into_owned();
        let version = words.lines().next().map(str::trim).filter(|line| !line.is_empty())?;
        output.status.success().then(|| Compiler { version: version.to_string(), program })
    }

    /// Compiles a file with these options and loads what comes out.
    ///
    /// # Errors
    /// [`Error::Skipped`] if the compiler does not know the options, [`Error::Compile`] if it rejects the file.
    pub fn load(&self, file: &Path, options: &[&str]) -> Result<Library, Error> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = |source| Error::Read { path: file.to_path_buf(), source };
        // A reader's own mistake in the file is reported with its path.
        std::fs::metadata(file).map_err(read)?;
        let no_room = |source| Error::Unavailable {
            what: format!(
                "no temporary file can be written in {}: {source}",
                env::temp_dir().display()
            ),
            remedy: "name a folder that exists and has room: TMPDIR=FOLDER".to_string(),
        };
        let folder = Scratch::new().map_err(no_room)?;
        let output = folder.path().join(format!("force{}", env::consts::DLL_SUFFIX));
        let compiled = self.compile(file, &output, options)?;
        if !compiled.status.success() {
            let empty = folder.path().join("empty.c");
            std::fs::write(&empty, "int nothing;\n").map_err(no_room)?;
            let knows_options = self.compile(&empty, &output, options)?.status.success();
            let log = String::from_utf8_lossy(&compiled.stderr).into_owned();
            return Err(match knows_options {
                true => Error::Compile { name, compiler: self.version.clone(), log },
                false => Error::Skipped {
                    reason: format!(
                        "{} cannot compile with {}: {}",
                        self.version,
                        options.join(" "),
                        log.lines().next().unwrap_or_default().trim()
                    ),
                    remedy: format!("name another compiler: {CHOSEN}=FILE; {INSTALL}"),
                },
            });
        }
        // SAFETY: the library was compiled just now from a file of this workspace and has no code of its own that runs
        // on loading; that of the compiler's runtime is meant to.
        let library = unsafe { library::Library::new(&output) };
        let library = library.map_err(|error| Error::Skipped {
            reason: format!("what {} made of {name} cannot be loaded: {error}", self.version),
            remedy: format!("name another compiler: {CHOSEN}=FILE"),
        })?;
        Ok(Library { library: Box::leak(Box::new(library)) })
    }

    fn compile(&self, file: &Path, output: &Path, options: &[&str]) -> Result<Output, Error> {
        let mut command = Command::new(&self.program);
        command.args(options).args(SHARED).arg("-o").arg(output).arg(file).arg("-lm");
        command.stdin(Stdio::null()).output().map_err(|error| Error::Skipped {
            reason: format!("{} cannot be run: {error}", self.program.display()),
            remedy: format!("name another: {CHOSEN}=FILE"),
        })
    }
}

impl Library {
    /// The function of the library with this name, if there is one.
    ///
    /// # Safety
    /// `F` must be the type of a pointer to that function.
    pub unsafe fn function<F: Copy + 'static>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller knows the type.
        let symbol = unsafe { self.library.get::<F>(name.as_bytes()) };
        symbol.ok().map(|found| *found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(text: &str, options: &[&str]) -> Option<Result<Library, Error>> {
        let compiler = Compiler::find();
        let Ok(compiler) = compiler else {
            println!("SKIPPED: {}", compiler.unwrap_err());
            return None;
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("toy.c");
        std::fs::write(&file, text).unwrap();
        Some(compiler.load(&file, options))
    }

    #[test]
    fn a_function_is_compiled_and_called() {
        let text = "int twice(int x) { return 2 * x; }\n";
        let Some(library) = compile(text, &["-O2"]) else { return };
        let library = library.unwrap();
        // SAFETY: that is its type.
        let twice: extern "C" fn(i32) -> i32 = unsafe { library.function("twice") }.unwrap();
        assert_eq!(twice(21), 42);
        // SAFETY: there is none.
        let thrice = unsafe { library.function::<extern "C" fn()>("thrice") };
        assert!(thrice.is_none());
    }

    #[test]
    fn a_mistake_in_the_file_is_told_and_an_unknown_option_skips() {
        let Some(mistake) = compile("int twice(int x) { return 2 * y; }\n", &["-O2"]) else {
            return;
        };
        let error = mistake.unwrap_err();
        assert!(error.to_string().contains("toy.c") && error.to_string().contains('y'), "{error}");
        assert!(matches!(error, Error::Compile { .. }));
        let unknown = compile("int one;\n", &["-fno-such-option-at-all"]).unwrap().unwrap_err();
        assert!(matches!(unknown, Error::Skipped { .. }), "{unknown}");
        assert!(unknown.to_string().contains("LADDER_CC"), "{unknown}");
    }
}

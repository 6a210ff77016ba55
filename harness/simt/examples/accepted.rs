//! Which kernels of foreign PTX the simulator accepts, and why it refuses the others.
//!
//! ```text
//! cargo run -p simt --example accepted -- FOLDER ...
//! ```
//!
//! Reads every `.ptx` file of the folders and prints how many kernels can run, each cause with how many kernels it
//! refuses, and one place of each.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use simt::{Module, PtxError};

/// What was found in all files.
#[derive(Default)]
struct Found {
    kernels: usize,
    accepted: usize,
    /// By cause: kernels, and the first place.
    causes: BTreeMap<String, (usize, String)>,
}

impl Found {
    fn read(&mut self, path: &Path) -> Result<(), String> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|e| format!("{name}: {e}"))?;
        match Module::parse_all(&name, &text) {
            Ok(module) => {
                let accepted = module.kernels().count();
                self.accepted += accepted;
                self.kernels += accepted;
                module.refused().for_each(|(_, error)| self.refuse(error));
            }
            Err(error) => {
                let entries = text.lines().filter(|line| line.contains(".entry ")).count();
                (0..entries).for_each(|_| self.refuse(&error));
            }
        }
        Ok(())
    }

    fn refuse(&mut self, error: &PtxError) {
        self.kernels += 1;
        let place = format!("{}:{}:{}", error.file, error.line, error.column);
        self.causes.entry(error.message.clone()).or_insert((0, place)).0 += 1;
    }
}

/// The PTX files of a folder, in the order of their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<_> = paths.filter(|p| p.extension().is_some_and(|e| e == "ptx")).collect();
    found.sort();
    Ok(found)
}

fn survey(folders: &[String]) -> Result<Found, String> {
    let mut found = Found::default();
    for folder in folders {
        files(Path::new(folder))?.iter().try_for_each(|path| found.read(path))?;
    }
    Ok(found)
}

fn main() -> ExitCode {
    let folders: Vec<String> = std::env::args().skip(1).collect();
    if folders.is_empty() {
        eprintln!("usage: accepted FOLDER ...");
        return ExitCode::FAILURE;
    }
    match survey(&folders) {
        Ok(Found { kernels, accepted, causes }) => {
            let percent = 100.0 * accepted as f64 / kernels.max(1) as f64;
            println!("{accepted} of {kernels} kernels accepted ({percent:.1} %)");
            let mut causes: Vec<_> = causes.into_iter().collect();
            causes.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
            for (cause, (count, place)) in causes {
                println!("{count:6}  {cause}\n        {place}");
            }
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

//! The PTX of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// Files that are not larger: mutants of larger ones take their time and find the same.
const LARGEST: usize = 40_000;

pub struct Corpus {
    pub texts: Vec<String>,
    /// Tokens of all of them, in order; frequent ones are often among them.
    pub tokens: Vec<String>,
}

impl Corpus {
    pub fn of_repository() -> Corpus {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../..");
        let mut texts: Vec<String> = ["kernels", "harness"]
            .iter()
            .flat_map(|folder| all_texts(&root.join(folder)))
            .map(|(_, text)| text)
            .collect();
        texts.retain(|text| text.len() <= LARGEST);
        assert!(texts.len() > 40, "only {} files", texts.len());
        let tokens = texts.iter().flat_map(|text| text.split_whitespace()).map(str::to_string);
        let tokens = tokens.step_by(7).collect();
        Corpus { texts, tokens }
    }
}

/// The `.ptx` files of a folder by their paths.
pub fn texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ptx"))
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("a file");
        (path, String::from_utf8_lossy(&bytes).into_owned())
    };
    paths.into_iter().map(read).collect()
}

/// Those of the folder and of all folders below it.
fn all_texts(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = texts(folder);
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir() && path.file_name().is_some_and(|name| name != "target"))
        .collect();
    folders.sort();
    all.extend(folders.iter().flat_map(|folder| all_texts(folder)));
    all
}

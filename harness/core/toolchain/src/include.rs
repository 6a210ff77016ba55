//! Files that a kernel includes: by name, from its own folder, read once and kept with it.
//!
//! The compiler gets them from memory, so that it reads no file of this machine and its output is the same in every
//! folder; digests cover them as they cover the kernel.

use std::path::Path;
use std::{fs, io};

use report::files::text_of;

use crate::error::Error;

/// What an included file's name ends in.
const ENDING: &str = ".cuh";

/// A file that a kernel includes, directly or through another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Include {
    /// Its name in `#include "ring.cuh"`.
    pub name: String,
    /// Where it was read, e.g. "kernels/nbody/ring.cuh" (from the workspace's root).
    pub file: String,
    /// Its text, with line ends as LF.
    pub text: String,
}

impl Include {
    /// Every file that `text` includes, in order of first appearance, each once. It is looked for in `folders`, in their
    /// order; `file` names the including file in messages.
    ///
    /// # Errors
    /// A file is missing, is a link, or is named by a path.
    pub(crate) fn all(file: &str, text: &str, folders: &[&Path]) -> Result<Vec<Include>, Error> {
        let mut found = Vec::new();
        collect(file, text, folders, &mut found)?;
        Ok(found)
    }

    /// Those files that `text` includes that lie in `folder`, as far as [`Include::all`] would take them.
    ///
    /// # Errors
    /// One cannot be read.
    pub(crate) fn some(text: &str, folder: &Path) -> Result<Vec<Include>, Error> {
        let mut found = Vec::new();
        collect_some(text, folder, &mut found)?;
        Ok(found)
    }
}

/// Those of the files that `text` names in quotes that lie in `folder` and have the ending of files that only kernels include.
/// What else it includes is the compiler's to find.
fn collect_some(text: &str, folder: &Path, found: &mut Vec<Include>) -> Result<(), Error> {
    for name in text.lines().filter_map(included).filter_map(plain) {
        let path = folder.join(name);
        if path.is_file() && found.iter().all(|known| known.name != name) {
            let text = read(&path)?.replace("\r\n", "\n");
            let file = path.display().to_string();
            found.push(Include { name: name.to_string(), file, text: text.clone() });
            collect_some(&text, folder, found)?;
        }
    }
    Ok(())
}

fn collect(
    file: &str,
    text: &str,
    folders: &[&Path],
    found: &mut Vec<Include>,
) -> Result<(), Error> {
    for (number, line) in (1..).zip(text.lines()) {
        // What is named in angle brackets is the compiler's to find, among CUDA's own headers.
        let Some(name) = included(line).filter(|_| header(line).is_none()) else { continue };
        let at = format!("{file}:{number}");
        let name = plain(name).ok_or_else(|| Error::Unavailable {
            what: format!("{at}: `{}` names no file of the kernel's folder", line.trim()),
            remedy: format!(
                "write #include \"NAME{ENDING}\": a kernel includes only files of its own folder"
            ),
        })?;
        if found.iter().any(|known| known.name == name) {
            continue;
        }
        let include = find(&at, name, folders)?;
        let (file, text) = (include.file.clone(), include.text.clone());
        found.push(include);
        collect(&file, &text, folders, found)?;
    }
    Ok(())
}

/// What follows `#include` on a line.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.starts_with([' ', '\t', '"', '<']).then(|| rest.trim())
}

/// Whether a text includes headers that are the compiler's to find: `#include <cuda/atomic>`.
pub(crate) fn asks_for_headers(text: &str) -> bool {
    text.lines().any(|line| header(line).is_some())
}

/// The header that a line includes in angle brackets, if its path leads only downwards.
pub(crate) fn header(line: &str) -> Option<&str> {
    let (name, _) = included(line)?.strip_prefix('<')?.split_once('>')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.', '/'].contains(&c);
    let is_relative = name.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    (is_relative && name.chars().all(is_plain) && !name.contains("..")).then_some(name)
}

/// The name in quotes, where it is one of a file and no path.
fn plain(rest: &str) -> Option<&str> {
    let (name, after) = rest.strip_prefix('"')?.split_once('"')?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    let stem = name.strip_suffix(ENDING)?;
    let is_name = !stem.is_empty() && !stem.starts_with('.') && name.chars().all(is_plain);
    let after = after.trim();
    (is_name && (after.is_empty() || after.starts_with("//"))).then_some(name)
}

fn find(at: &str, name: &str, folders: &[&Path]) -> Result<Include, Error> {
    for folder in folders {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Err(_) => {}
            Ok(there) if there.is_file() => {
                let text = read(&path)?.replace("\r\n", "\n");
                return Ok(Include { name: name.to_string(), file: shown(&path), text });
            }
            Ok(_) => {
                return Err(Error::Unavailable {
                    what: format!("{at} includes {}, which is a link or no file", shown(&path)),
                    remedy: "put the file itself there".to_string(),
                });
            }
        }
    }
    let folders: Vec<String> = folders.iter().map(|folder| shown(folder)).collect();
    Err(Error::Unavailable {
        what: format!("{at} includes {name}, which is not in {}", folders.join(" or ")),
        remedy: "put it there; a file of kernels/ comes back with git restore kernels".to_string(),
    })
}

/// A path from the workspace's root, where it is in there.
fn shown(path: &Path) -> String {
    let is_root =
        |folder: &&Path| folder.join("kernels").is_dir() && folder.join("Cargo.toml").is_file();
    let root = path.ancestors().find(is_root);
    let path = root.and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
    let text = path.display().to_string();
    if text.is_empty() { ".".to_string() } else { text }
}

/// The text of an ordinary file.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    let text = match fs::metadata(path) {
        // A device may have no end, and a pipe can be read only once.
        Ok(there) if !there.is_file() => Err(io::Error::other("it is no ordinary file")),
        Ok(_) => fs::read(path).and_then(text_of),
        Err(error) => Err(error),
    };
    text.map_err(|source| Error::Read { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (file, text) in files {
            fs::write(folder.path().join(file), text).unwrap();
        }
        folder
    }

    fn all(text: &str, folders: &[&Path]) -> Result<Vec<Include>, String> {
        Include::all("01.cu", text, folders).map_err(|error| error.to_string())
    }

    #[test]
    fn files_are_found_through_each_other_and_each_once() {
        let folder = folder(&[
            ("ring.cuh", "#include \"deep.cuh\"\r\n#include \"ring.cuh\"\r\n"),
            ("deep.cuh", "int x;\n"),
        ]);
        let text = "#include \"ring.cuh\" // shared\n  # include \"deep.cuh\"\n// #include \"no.cuh\"\n#included\n#include <cuda.h>\n";
        let found = all(text, &[folder.path()]).unwrap();
        let names: Vec<(&str, &str)> = found.iter().map(|it| (&*it.name, &*it.text)).collect();
        let ring = "#include \"deep.cuh\"\n#include \"ring.cuh\"\n";
        assert_eq!(names, [("ring.cuh", ring), ("deep.cuh", "int x;\n")]);
    }

    #[test]
    fn the_first_folder_comes_first_and_a_missing_file_is_named() {
        let (mine, ladder) =
            (folder(&[("a.cuh", "mine")]), folder(&[("a.cuh", "b"), ("b.cuh", "b")]));
        let folders = [mine.path(), ladder.path()];
        let found = all("#include \"a.cuh\"\n#include \"b.cuh\"\n", &folders).unwrap();
        let texts: Vec<&str> = found.iter().map(|it| &*it.text).collect();
        assert_eq!(texts, ["mine", "b"]);
        let error = all("\n#include \"c.cuh\"\n", &folders).unwrap_err();
        assert!(error.starts_with("01.cu:2 includes c.cuh, which is not in "), "{error}");
    }

    #[test]
    fn no_other_file_can_be_included() {
        let folder = folder(&[("a.cuh", "")]);
        for name in [
            "\"../a.cuh\"",
            "\"/etc/a.cuh\"",
            "\"b/a.cuh\"",
            "\"b\\a.cuh\"",
            "\"..cuh\"",
            "\".cuh\"",
            "\"C:a.cuh\"",
            "\"a.h\"",
            "\"a.cuh",
            "</etc/a.cuh>",
            "<../a.cuh>",
            "<cuda/../../a.cuh>",
            "<cuda\\atomic>",
            "<cuda/atomic",
            "A_CUH",
        ] {
            let error = all(&format!("#include {name}"), &[folder.path()]).unwrap_err();
            assert!(
                error.starts_with("01.cu:1: `#include") && error.contains("NAME.cuh"),
                "{error}"
            );
        }
    }

    #[test]
    fn headers_in_angle_brackets_are_left_to_the_compiler() {
        let text = "#include <cuda/std/cstdint> // of libcu++\n#include <cooperative_groups.h>\n";
        assert!(all(text, &[]).unwrap().is_empty());
        assert!(asks_for_headers(text));
        assert!(!asks_for_headers(
            "#include \"a.cuh\"\n// #include <cstdint>\nint a = b <c> (d);\n"
        ));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_refused() {
        let folder = folder(&[("a.cuh", "")]);
        std::os::unix::fs::symlink(folder.path().join("a.cuh"), folder.path().join("b.cuh"))
            .unwrap();
        let error = all("#include \"b.cuh\"", &[folder.path()]).unwrap_err();
        assert!(error.contains("b.cuh, which is a link"), "{error}");
    }
}

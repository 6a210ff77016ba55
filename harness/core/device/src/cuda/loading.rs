//! Which of the files that may be a library of NVIDIA's is one.

use std::path::{Path, PathBuf};

use crate::error::Error;

/// Whether a file is the library of that name, in any version.
pub(super) fn is_named(file: &str, library: &str) -> bool {
    let Some(rest) = file.trim_start_matches("lib").strip_prefix(library) else { return false };
    match cfg!(windows) {
        true => rest.starts_with("64_") && rest.ends_with(".dll"),
        false => rest == ".so" || rest.starts_with(".so."),
    }
}

/// The first of these files that can be loaded.
///
/// # Errors
/// There is none; what is wrong with the first of them.
pub(super) fn first<T>(
    name: &str,
    candidates: Vec<PathBuf>,
    load: fn(&Path) -> Result<T, String>,
) -> Result<T, String> {
    let mut problem = None;
    for path in candidates {
        match load(&path) {
            Ok(library) => return Ok(library),
            Err(found) => {
                problem.get_or_insert(format!("{}: {found}", path.display()));
            }
        }
    }
    Err(match problem {
        None => format!("{name}: not found"),
        Some(problem) => format!("{name} cannot be loaded: {problem}"),
    })
}

/// The error that a library is not here or cannot be used: how to get it, and what of its own a user may name by a variable.
pub(super) fn lacking(reason: &str, install: &str, named: &str) -> Error {
    Error::Skipped {
        reason: reason.to_owned(),
        remedy: format!("get it: {install}, or name it: {named}"),
    }
}

#[cfg(test)]
mod tests {
    use libloading::Library;

    use super::*;

    #[test]
    fn what_is_no_library_is_told_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("libcublas.so.12");
        std::fs::write(&file, "no library").unwrap();
        // SAFETY: the file is no library, so that nothing runs.
        let load = |path: &Path| unsafe { Library::new(path) }.map_err(|error| error.to_string());
        let Err(problem) = first("cuBLAS", vec![file], load) else { panic!("it is none") };
        assert!(
            problem.contains("cannot be loaded") && problem.contains("libcublas.so.12"),
            "{problem}"
        );
        let Err(problem) = first("cuBLAS", Vec::new(), load) else { panic!("there is none") };
        assert_eq!(problem, "cuBLAS: not found");
    }

    #[test]
    fn a_library_is_known_by_its_name() {
        let (own, other) = match cfg!(windows) {
            true => (["cublas64_12.dll", "cublas64_13.dll"], "cublasLt64_12.dll"),
            false => (["libcublas.so", "libcublas.so.13"], "libcublasLt.so.13"),
        };
        assert!(own.iter().all(|name| is_named(name, "cublas")));
        assert!(!is_named(other, "cublas") && is_named(other, "cublasLt"));
        assert!(!is_named("libnvblas.so.13", "cublas"));
    }
}

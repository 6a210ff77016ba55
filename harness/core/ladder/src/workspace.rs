//! Where the workspace lies on the reader's disk. Kernels are read from it at run time, so that an
//! edited `.cu` needs no rebuild.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Where a program outside of a clone has put what it carries.
static CARRIED: OnceLock<PathBuf> = OnceLock::new();

/// Makes `folder` the root for a program that runs outside of a clone.
pub fn carry(folder: PathBuf) {
    let _ = CARRIED.set(folder);
}

/// No folder with the workspace's files was found.
#[derive(Debug, thiserror::Error)]
#[error(
    "found no folder that holds both Cargo.toml and kernels/, looking upwards from {}; \
     run the command inside a clone of the repository",
    looked_in(.from)
)]
pub struct NotFound {
    /// Folders from which the search went upwards.
    pub from: Vec<PathBuf>,
}

fn looked_in(folders: &[PathBuf]) -> String {
    let names: Vec<_> = folders.iter().map(|f| f.display().to_string()).collect();
    if names.is_empty() {
        "a current folder that cannot be read".to_owned()
    } else {
        names.join(" and from ")
    }
}

/// The workspace's root: the nearest folder above the current one that holds both `Cargo.toml` and
/// `kernels/`, else the nearest above the package that cargo is running.
///
/// # Errors
/// [`NotFound`] where neither search meets such a folder.
pub fn root() -> Result<PathBuf, NotFound> {
    let current = std::env::current_dir().ok();
    let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let from: Vec<PathBuf> = current.into_iter().chain(package).collect();
    let found = from.iter().find_map(|folder| above(folder));
    found.or_else(|| CARRIED.get().cloned()).ok_or_else(|| NotFound { from: from.clone() })
}

/// Where a reader's own files and reports go: the clone, or the current folder outside of one.
///
/// # Errors
/// As [`root`].
pub fn own() -> Result<PathBuf, NotFound> {
    let root = root()?;
    let is_carried = CARRIED.get() == Some(&root);
    Ok(if is_carried { std::env::current_dir().unwrap_or_default() } else { root })
}

/// The nearest folder at or above `folder` that looks like the workspace's root.
fn above(folder: &Path) -> Option<PathBuf> {
    folder
        .ancestors()
        .find(|f| f.join("Cargo.toml").is_file() && f.join("kernels").is_dir())
        .map(Path::to_path_buf)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_nearest_root_above() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let inner = folder.path().join("steps/toy/01");
        std::fs::create_dir_all(&inner).expect("folders");
        assert_eq!(above(&inner), None);
        std::fs::write(folder.path().join("Cargo.toml"), "").expect("a file");
        assert_eq!(above(&inner), None, "kernels/ is still missing");
        std::fs::create_dir(folder.path().join("kernels")).expect("a folder");
        // A package's own Cargo.toml on the way up must not be taken for the workspace's.
        std::fs::write(inner.join("Cargo.toml"), "").expect("a file");
        assert_eq!(above(&inner).as_deref(), Some(folder.path()));
    }

    #[test]
    fn says_where_it_looked_and_what_to_do() {
        let message = NotFound { from: vec!["/a".into(), "/b".into()] }.to_string();
        assert!(message.contains("/a and from /b"), "{message}");
        assert!(message.contains("clone"), "{message}");
    }
}

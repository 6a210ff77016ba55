//! Which files may be an NVRTC.

use std::path::{Path, PathBuf};

use crate::search;

/// The variable that names a library or folders to look into before all others.
const VARIABLE: &str = "LADDER_NVRTC";

/// Where the documented command puts wheels, from the workspace's root.
const PLACE: &str = "target/nvrtc";

/// Every library that may be an NVRTC, in the order in which they are tried, each file once.
pub fn candidates() -> Vec<PathBuf> {
    search::libraries(VARIABLE, PLACE, is_nvrtc)
}

/// Where [`candidates`] are looked for, in words.
pub fn searched() -> String {
    search::searched(VARIABLE, PLACE)
}

/// `libnvrtc-builtins` in the folder of an NVRTC.
pub(super) fn builtins_beside(library: &Path) -> Vec<PathBuf> {
    let prefix = if cfg!(windows) { "nvrtc-builtins64_" } else { "libnvrtc-builtins.so" };
    let folder = library.parent().unwrap_or(Path::new("."));
    search::files(folder, |name| name.starts_with(prefix) && !is_variant(name))
}

/// Whether a file's name is that of NVRTC itself, and not of its builtins or of its variant with another allocator.
fn is_nvrtc(name: &str) -> bool {
    let named = if cfg!(windows) {
        name.starts_with("nvrtc64_") && name.ends_with(".dll")
    } else {
        name.starts_with("libnvrtc.so")
    };
    named && !is_variant(name)
}

fn is_variant(name: &str) -> bool {
    name.contains(".alt.")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const NAME: &str = if cfg!(windows) { "nvrtc64_120_0.dll" } else { "libnvrtc.so.12" };

    #[test]
    fn nvrtc_is_known_by_its_name() {
        assert!(is_nvrtc(NAME));
        for other in [
            "libnvrtc-builtins.so.12.4",
            "libnvrtc.alt.so.12",
            "nvrtc-builtins64_124.dll",
            "nvrtc64_120_0.alt.dll",
            "libcuda.so",
        ] {
            assert!(!is_nvrtc(other), "{other}");
        }
    }

    #[test]
    fn builtins_are_found_next_to_their_library() {
        let dir = tempfile::tempdir().unwrap();
        let name =
            if cfg!(windows) { "nvrtc-builtins64_124.dll" } else { "libnvrtc-builtins.so.12.4" };
        for name in [name, NAME] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        assert_eq!(builtins_beside(&dir.path().join(NAME)), [dir.path().join(name)]);
    }
}

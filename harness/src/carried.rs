//! What a released program carries: kernels, exercises and reports, for a user without a clone.
//!
//! They are an archive in the program (`build.rs`). Outside of a clone it is unpacked once, into the user's folder for caches, and
//! stands for the workspace; reports and exercises of the user go to the current folder. `LADDER_HOME` names another place.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use flate2::read::GzDecoder;
use ladder::workspace;
use sha2::{Digest, Sha256};

/// What `build.rs` packed.
#[cfg(carries)]
const ARCHIVE: Option<&[u8]> = Some(include_bytes!(concat!(env!("OUT_DIR"), "/carried.tar.gz")));
#[cfg(not(carries))]
const ARCHIVE: Option<&[u8]> = None;

/// Names the place of what is carried, instead of the user's folder for caches.
const VARIABLE: &str = "LADDER_HOME";

/// Outside of a clone, makes what the program carries stand for it; of a program that carries nothing the clone that it was built
/// in, if it is still there.
///
/// # Errors
/// There is no place for it.
pub fn settle() -> Result<()> {
    if workspace::root().is_ok() {
        return Ok(());
    }
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let is_clone = |it: &&Path| it.join("Cargo.toml").is_file() && it.join("kernels").is_dir();
    let folder = match ARCHIVE {
        Some(archive) => Some(unpacked(archive, &home()?)?),
        None => built.filter(is_clone).map(Path::to_path_buf),
    };
    if let Some(folder) = folder {
        toolchain::set_workspace(folder.clone());
        workspace::carry(folder);
    }
    Ok(())
}

/// The user's folder for what can be made again.
fn home() -> Result<PathBuf> {
    let named = |variable: &str, inner: &str| {
        let value = env::var_os(variable).filter(|value| !value.is_empty());
        value.map(|value| Path::new(&value).join(inner))
    };
    let places = match env::consts::OS {
        "windows" => [named("LOCALAPPDATA", "ladder"), None],
        "macos" => [named("HOME", "Library/Caches/ladder"), None],
        _ => [named("XDG_CACHE_HOME", "ladder"), named("HOME", ".cache/ladder")],
    };
    let places = [named(VARIABLE, "")].into_iter().chain(places);
    places.flatten().next().with_context(|| format!("name a folder for it: {VARIABLE}"))
}

/// The folder below `home` with the archive's files, unpacked whole or not at all.
fn unpacked(archive: &[u8], home: &Path) -> Result<PathBuf> {
    let digest: String =
        Sha256::digest(archive)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let folder = home.join(digest);
    if folder.join("Cargo.toml").is_file() {
        return Ok(folder);
    }
    let no_room = || format!("cannot write to {}; name another folder: {VARIABLE}", home.display());
    fs::create_dir_all(home).with_context(no_room)?;
    let new = tempfile::tempdir_in(home).with_context(no_room)?;
    tar::Archive::new(GzDecoder::new(archive)).unpack(new.path()).with_context(no_room)?;
    // Another process may have been faster.
    if let Err(error) = fs::rename(new.path(), &folder)
        && !folder.join("Cargo.toml").is_file()
    {
        return Err(error).with_context(no_room);
    }
    Ok(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};

    fn archive() -> Vec<u8> {
        let mut to = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for name in ["Cargo.toml", "kernels/toy/01.cu"] {
            let mut header = tar::Header::new_ustar();
            header.set_size(3);
            header.set_mode(0o644);
            to.append_data(&mut header, name, &b"abc"[..]).expect("appended");
        }
        to.into_inner().and_then(GzEncoder::finish).expect("an archive")
    }

    #[test]
    fn what_is_carried_is_unpacked_once() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = unpacked(&archive(), home.path()).expect("unpacked");
        let kernel = folder.join("kernels/toy/01.cu");
        assert_eq!(fs::read_to_string(&kernel).expect("a kernel"), "abc");
        fs::write(&kernel, "edited").expect("written");
        assert_eq!(unpacked(&archive(), home.path()).expect("there"), folder);
        assert_eq!(fs::read_to_string(&kernel).expect("a kernel"), "edited");
        assert_eq!(fs::read_dir(home.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let error = unpacked(&archive(), file.path()).expect_err("no folder").to_string();
        assert!(error.contains(VARIABLE), "{error}");
        let broken = unpacked(b"no archive", tempfile::tempdir().expect("a folder").path());
        assert!(broken.is_err());
    }
}

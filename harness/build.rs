//! Packs what a released program carries, so that it works outside of a clone: kernels, exercises and reports.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, Header};

/// What is packed, from the workspace's root on.
const CARRIED: [&str; 4] = ["Cargo.toml", "kernels", "reports", "steps/exercises"];

/// Runs of the user's own, which are not.
const LOCAL: &str = "reports/local";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rustc-check-cfg=cfg(carries)");
    println!("cargo::rerun-if-changed=build.rs");
    let root = Path::new("..");
    // A program that is not released finds its files in the clone that it was built in.
    if env::var("PROFILE")? != "release" || !root.join("kernels").is_dir() {
        return Ok(());
    }
    let to = PathBuf::from(env::var("OUT_DIR")?).join("carried.tar.gz");
    let mut archive = Builder::new(GzEncoder::new(File::create(to)?, Compression::best()));
    for name in CARRIED {
        println!("cargo::rerun-if-changed=../{name}");
        pack(&mut archive, root, name)?;
    }
    archive.into_inner()?.finish()?;
    println!("cargo::rustc-cfg=carries");
    Ok(())
}

/// Appends a file, or all files of a folder in the order of their names, so that the same files give the same bytes.
fn pack(
    archive: &mut Builder<GzEncoder<File>>,
    root: &Path,
    name: &str,
) -> Result<(), Box<dyn Error>> {
    let path = root.join(name);
    if path.is_dir() {
        let mut names: Vec<String> = Vec::new();
        for entry in fs::read_dir(&path)? {
            let inner = entry?.file_name().into_string();
            names.push(format!("{name}/{}", inner.map_err(|name| format!("{name:?}: no text"))?));
        }
        names.sort();
        let mut names = names.iter().filter(|name| *name != LOCAL);
        return names.try_for_each(|name| pack(archive, root, name));
    }
    let bytes = fs::read(&path)?;
    let mut header = Header::new_ustar();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    archive.append_data(&mut header, name, &bytes[..])?;
    Ok(())
}

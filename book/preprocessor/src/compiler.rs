//! The compiler of the playground, fetched for readers whose network does not lead to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Where it is kept between builds of the book, below the workspace.
const KEPT: &str = "target/playground/clang.tgz";

/// What the page fetches; one file says it to the page and here.
#[derive(Deserialize)]
pub struct Package {
    package: String,
    version: String,
    licence: String,
    /// Where it is, seen from the page: next to it, and in the registry.
    addresses: Vec<String>,
    bytes: u64,
    sha256: String,
}

impl Package {
    /// The one that is committed.
    pub fn read() -> Result<Package> {
        serde_json::from_str(include_str!("../../playground/page/compiler.json"))
            .context("book/playground/page/compiler.json")
    }

    /// What was fetched, if it was.
    pub fn kept(&self, root: &Path) -> Option<PathBuf> {
        let file = root.join(KEPT);
        self.is_in(&file).then_some(file)
    }

    /// Whether a file is the package.
    fn is_in(&self, file: &Path) -> bool {
        let has_size = fs::metadata(file).is_ok_and(|known| known.len() == self.bytes);
        let digest = |bytes: Vec<u8>| -> String {
            Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        has_size && fs::read(file).is_ok_and(|bytes| digest(bytes) == self.sha256)
    }
}

/// Fetches the package, and puts it next to the built book's page if there is one; the message says where it is.
///
/// # Errors
/// The network does not lead to it, or what came is another file.
pub fn fetch() -> Result<String> {
    let root = ladder::workspace::root()?;
    let package = Package::read()?;
    let file = root.join(KEPT);
    let Package { package: name, version, licence, .. } = &package;
    if package.kept(&root).is_none() {
        let address = package.addresses.last().context("compiler.json has no address")?;
        fs::create_dir_all(file.parent().unwrap_or(&root))
            .with_context(|| format!("cannot make the folder of {}", file.display()))?;
        let part = file.with_extension("part");
        let ended = Command::new("curl")
            .args(["--fail", "--location", "--progress-bar", "--output"])
            .args([&part, Path::new(address)])
            .status()
            .with_context(|| format!("cannot start curl; fetch {address} to {}", file.display()))?;
        ensure!(
            ended.success(),
            "curl did not fetch {address}; look at the network, or fetch it elsewhere and put it to {}",
            file.display()
        );
        ensure!(
            package.is_in(&part),
            "{address} is another file than the one that compiler.json knows; something on the way changes downloads"
        );
        fs::rename(&part, &file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    let page = root.join("book/build/playground");
    let mut said = format!("{name} {version} is {} (licence: {licence})", file.display());
    if page.is_dir() {
        fs::copy(&file, page.join("clang.tgz")).context("cannot write next to the page")?;
        said += "\nit is next to the built page too";
    }
    Ok(said + "\nevery later build of the book puts it there")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_is_not_the_package() {
        let package = Package::read().expect("the committed settings");
        assert!(package.addresses.last().is_some_and(|it| it.contains(&package.version)));
        let folder = tempfile::tempdir().expect("a folder");
        assert!(package.kept(folder.path()).is_none());
        let file = folder.path().join(KEPT);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(&file, vec![0; package.bytes as usize]).expect("written");
        assert!(package.kept(folder.path()).is_none(), "its digest is another");
    }
}

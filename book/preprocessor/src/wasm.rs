//! Programs as WebAssembly, built for the pages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A program that pages run.
pub struct Wasm {
    /// Its package.
    pub package: &'static str,
    /// What it is compiled for.
    pub target: &'static str,
    /// Which of the package it is, as cargo's options say.
    pub kind: &'static [&'static str],
    /// The profile in the workspace's manifest.
    pub profile: &'static str,
}

impl Wasm {
    /// Builds it: the file that was made. None where this machine has no compiler for it.
    ///
    /// # Errors
    /// What cargo says.
    pub fn build(&self, root: &Path) -> Result<Option<PathBuf>> {
        let Wasm { package, target, kind, profile } = self;
        if !self.has_target() {
            return Ok(None);
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let made = Command::new(cargo)
            .current_dir(root)
            .args(["rustc", "-p", package])
            .args(*kind)
            .args(["--target", target, "--profile", profile, "--quiet"])
            .stdin(Stdio::null())
            .output()
            .with_context(|| {
                format!("cannot start cargo, which compiles {package} for the page")
            })?;
        if !made.status.success() {
            let said = String::from_utf8_lossy(&made.stderr);
            bail!("cannot compile {package} for the page: {said}");
        }
        let built =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        Ok(Some(root.join(built).join(target).join(profile).join(format!("{package}.wasm"))))
    }

    /// What is missing where [`Wasm::build`] makes nothing, and the remedy.
    pub fn missing(&self) -> String {
        format!(
            "this machine has no Rust target {}; add it with `{}` and build the book again",
            self.target,
            self.remedy()
        )
    }

    /// The command that gets what is missing.
    pub fn remedy(&self) -> String {
        format!("rustup target add {}", self.target)
    }

    /// Whether the compiler has the target.
    fn has_target(&self) -> bool {
        let asked = Command::new("rustc")
            .args(["--print", "target-libdir", "--target", self.target])
            .output();
        asked.is_ok_and(|said| {
            let folder = String::from_utf8_lossy(&said.stdout).trim().to_owned();
            said.status.success() && Path::new(&folder).is_dir()
        })
    }
}

//! An archive from which a class builds and runs all of this without network: the source, the crates that it needs, a
//! compiler for this system and the built book.

use std::env::consts::EXE_SUFFIX;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use flate2::{Compression, write::GzEncoder};
use ladder::workspace;
use toolchain::compiler::{self, Maker};
use toolchain::nvrtc;

use ui::Usage;

/// The NVRTC and CUDA's headers that go with the kit: those that `harness setup` gets.
const COMPILER: [&str; 2] = ["target/nvrtc/11.8.89", "target/nvrtc/headers-11.8.89"];

/// The program of the wheel that `harness setup --compiler clang` gets. The rest of the wheel is for other languages.
const CLANG: &str = "target/clang/0.17.1/ziglang/zig";

/// What is at the kit's top, to be read first.
const README: &str = "\
This folder builds and runs without network. It needs Rust (rustc and cargo
1.90 or later) and a C linker; a GPU is not needed.

  cargo run -p harness -- learn     the exercises, from the first on
  cargo run -p harness              the ladders
  cargo run -p harness -- doctor    what this machine has and lacks

Open book/build/index.html in a browser for the book. To edit and run kernels
in it, start a server and open http://localhost:8000/playground.html:

  python3 -m http.server -d book/build
";

/// What makes cargo use the crates that are in the kit.
const SETTINGS: &str = "\
[source.crates-io]
replace-with = \"vendored-sources\"

[source.vendored-sources]
directory = \"vendor\"

[net]
offline = true
";

/// Makes the kit's folder in `out`, and what goes into it; `doing` hears each part.
///
/// # Errors
/// A program is missing or fails, or a folder cannot be written.
pub fn folder(out: &Path, doing: &dyn Fn(&str)) -> Result<PathBuf> {
    let root = workspace::root()?;
    ensure!(
        root.join("Cargo.lock").is_file(),
        Usage("a kit is made in a clone, which has all sources; this program carries only kernels and reports".to_owned())
    );
    let kit = out.join(name());
    ensure!(
        !kit.exists(),
        Usage(format!("{} is there already; remove it, or choose another folder", kit.display()))
    );
    fs::create_dir_all(&kit).with_context(|| format!("cannot make {}", kit.display()))?;
    doing("copying the source");
    source(&root, &kit)?;
    doing("getting the crates");
    crates(&kit)?;
    doing("building the book");
    book(&root, &kit)?;
    doing("copying the compiler");
    compiler(&root, &kit)?;
    write(&kit.join("README-KIT.txt"), README)?;
    Ok(kit)
}

/// The kit's name: the system that its compiler is for.
fn name() -> String {
    format!("ladder-kit-{}-{}", std::env::consts::OS, std::env::consts::ARCH)
}

/// Every file under version control as it is now, and those that were added.
fn source(root: &Path, kit: &Path) -> Result<()> {
    let listed =
        said(Command::new("git").args(["-c", "safe.directory=*", "-C"]).arg(root).args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ]))?;
    for name in listed.split('\0').filter(|name| !name.is_empty()) {
        let from = root.join(name);
        // Removed, and not yet committed.
        if !from.is_file() {
            continue;
        }
        copy(&from, &kit.join(name))?;
    }
    Ok(())
}

/// Every crate of Cargo.lock, and the settings that make cargo use them.
fn crates(kit: &Path) -> Result<()> {
    said(cargo(kit).args(["vendor", "--locked", "--quiet", "vendor"]))?;
    write(&kit.join(".cargo/config.toml"), SETTINGS)
}

/// The pages as they are read, with the compiler that the playground runs.
fn book(root: &Path, kit: &Path) -> Result<()> {
    for command in ["compiler", "build"] {
        said(cargo(root).args(["run", "--quiet", "-p", "book", "--", command]))?;
    }
    copy_folder(&root.join("book/build"), &kit.join("book/build"))
}

/// The compiler: clang where it is chosen, or where this system has no NVRTC.
fn compiler(root: &Path, kit: &Path) -> Result<()> {
    let is_clang = nvrtc::NONE_HERE.is_some() || compiler::chosen()? == Some(Maker::Clang);
    let (parts, setup) = match is_clang {
        true => (vec![format!("{CLANG}{EXE_SUFFIX}")], "setup --compiler clang"),
        false => (COMPILER.map(str::to_owned).to_vec(), "setup"),
    };
    for part in parts {
        let from = root.join(&part);
        ensure!(
            from.exists(),
            "there is no {part} to go with the kit; get it with `cargo run -p harness -- {setup}`"
        );
        let to = kit.join(&part);
        if from.is_dir() { copy_folder(&from, &to)? } else { copy(&from, &to)? }
    }
    Ok(())
}

/// Packs the kit's folder next to it.
///
/// # Errors
/// The archive cannot be written.
pub fn pack(kit: &Path) -> Result<PathBuf> {
    let name = kit.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = kit.with_file_name(format!("{name}.tar.gz"));
    let to = File::create(&file).with_context(|| format!("cannot write {}", file.display()))?;
    let packed = || -> Result<()> {
        let mut archive = tar::Builder::new(GzEncoder::new(to, Compression::fast()));
        archive.follow_symlinks(false);
        archive.append_dir_all(&name, kit)?;
        archive.into_inner()?.finish()?.flush()?;
        Ok(())
    };
    packed().with_context(|| format!("cannot write {}", file.display()))?;
    Ok(file)
}

fn cargo(folder: &Path) -> Command {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(folder);
    cargo
}

/// What a program prints; what it says on standard error is shown.
fn said(command: &mut Command) -> Result<String> {
    let what = format!("{command:?}").replace('"', "");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.with_context(|| format!("cannot start: {what}"))?;
    if !output.status.success() {
        bail!("this failed ({}): {what}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("no text came from: {what}"))
}

fn write(file: &Path, text: &str) -> Result<()> {
    let made = file.parent().map_or(Ok(()), fs::create_dir_all);
    made.and_then(|()| fs::write(file, text))
        .with_context(|| format!("cannot write {}", file.display()))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let made = to.parent().map_or(Ok(()), fs::create_dir_all);
    let copied = made.and_then(|()| fs::copy(from, to));
    copied
        .map(|_| ())
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    let entries = fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))?;
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {}", from.display()))?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy_folder(&path, &to)? } else { copy(&path, &to)? }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kit_is_packed_with_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let kit = folder.path().join(name());
        write(&kit.join("book/build/index.html"), "<p>").expect("written");
        copy_folder(&kit.join("book"), &kit.join("copy")).expect("copied");
        let file = pack(&kit).expect("packed");
        let unpacked = folder.path().join("lab");
        let packed = flate2::read::GzDecoder::new(File::open(file).expect("a file"));
        tar::Archive::new(packed).unpack(&unpacked).expect("unpacked");
        for page in ["book/build/index.html", "copy/build/index.html"] {
            assert_eq!(fs::read_to_string(unpacked.join(name()).join(page)).expect(page), "<p>");
        }
    }

    #[test]
    fn the_source_is_what_git_knows() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = workspace::root().expect("a clone");
        if !root.join(".git").exists() {
            println!("SKIPPED: no git here");
            return;
        }
        source(&root, folder.path()).expect("copied");
        assert!(folder.path().join("kernels/nbody/05-rsqrt.cu").is_file());
        assert!(folder.path().join("Cargo.lock").is_file());
        assert!(!folder.path().join("target").exists() && !folder.path().join(".git").exists());
    }

    #[test]
    fn programs_that_fail_are_named() {
        let error =
            said(Command::new("cargo").arg("--no-such-option")).expect_err("it fails").to_string();
        assert!(error.contains("cargo --no-such-option"), "{error}");
        let error = said(&mut Command::new("no-such-program")).expect_err("none").to_string();
        assert!(error.contains("cannot start"), "{error}");
    }

    #[test]
    fn nothing_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(name())).expect("a folder");
        let error = super::folder(folder.path(), &|_| ()).expect_err("there already");
        assert!(error.to_string().contains("is there already"), "{error}");
    }
}

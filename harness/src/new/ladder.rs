//! A new ladder: the ladder `example` of this workspace under another name.

use std::path::Path;

use anyhow::Result;
use device::Source;
use ladders::LADDERS;
use toolchain::ptx;
use ui::Usage;

use super::files::Files;
use super::names::{check_ladder, title};
use super::text::{after_last, at_end_of, before_first};

/// The crate `steps/example`, which the workspace compiles and tests.
const CRATE: [(&str, &str); 4] = [
    ("Cargo.toml", include_str!("../../../steps/example/Cargo.toml")),
    ("src/lib.rs", include_str!("../../../steps/example/src/lib.rs")),
    ("src/mistakes.txt", include_str!("../../../steps/example/src/mistakes.txt")),
    ("src/problem.rs", include_str!("../../../steps/example/src/problem.rs")),
];
const KERNEL: &str = include_str!("../../../kernels/example/01-naive.cu");
const PTX: &str = include_str!("../../../kernels/example/01-naive.ptx");
const INDEX: &str = include_str!("pages/index.md");
/// The page of a step, by the example's first.
pub(super) const PAGE: &str = include_str!("pages/step.md");

/// The example's first step.
const FIRST: &str = "01-naive";

/// The files of a ladder `name` with one step, and the lines that name it.
///
/// # Errors
/// The name cannot be a ladder's, or is there already; or a file of the workspace is not as it was.
pub fn ladder(root: &Path, name: &str) -> Result<Files> {
    check_ladder(root, name)?;
    if LADDERS.iter().any(|ladder| ladder.name() == name) {
        let said = format!("the workbook has a ladder `{name}`; choose another name");
        return Err(Usage(said).into());
    }
    let mut files = Files::new(root)?;
    let renamed = |text: &str| {
        let text = text.replace("\r\n", "\n").replace("Example", &title(name));
        text.replace("example", name)
    };
    for (file, text) in CRATE {
        files.create(&format!("steps/{name}/{file}"), renamed(text))?;
    }
    let original = source("example", KERNEL.to_owned());
    let kernel = source(name, KERNEL.to_owned());
    let made = ptx::of_copy(&original, PTX, &kernel)
        .map_err(|why| anyhow::anyhow!("{FIRST}.ptx {why}"))?;
    files.create(&format!("kernels/{name}/{FIRST}.cu"), KERNEL.replace("\r\n", "\n"))?;
    files.create(&format!("kernels/{name}/{FIRST}.ptx"), made)?;
    files.create(&format!("book/src/{name}/index.md"), renamed(INDEX))?;
    let page =
        renamed(PAGE).replace("What changes", "The code").replace("ladder diff", "ladder source");
    files.create(&format!("book/src/{name}/{FIRST}.md"), page)?;

    let line = format!("{name}-ladder = {{ path = \"../../steps/{name}\" }}");
    files.edit("harness/ladders/Cargo.toml", |text| {
        after_last(text, &line, |it| it.contains("-ladder = { path = \"../../steps/"))
    })?;
    let line = format!("    &{}_ladder::LADDER,", name.replace('-', "_"));
    files.edit("harness/ladders/src/list.rs", |text| {
        at_end_of(text, &line, "pub const LADDERS", |it| it == "];")
    })?;
    let path = format!("#[path = \"../{name}/src/lib.rs\"]");
    let lines = format!("{path}\npub mod {};", name.replace('-', "_"));
    files.edit("steps/tests/ladders.rs", |text| {
        before_first(text, &lines, |it| it.starts_with("#[path") && *it > *path)
            .or_else(|| after_last(text, &lines, |it| it.starts_with("pub mod ")))
    })?;
    let lines = format!("- [{}]({name}/index.md)\n  - [01 Naive]({name}/{FIRST}.md)", title(name));
    files.edit("book/src/SUMMARY.md", |text| {
        at_end_of(text, &lines, "# Techniques", |it| it.starts_with("# "))
    })?;
    Ok(files)
}

/// The first kernel of a ladder, as the compiler has it.
fn source(ladder: &str, cuda: String) -> Source {
    Source {
        name: format!("{ladder}/{FIRST}"),
        file: format!("kernels/{ladder}/{FIRST}.cu"),
        cuda_name: format!("/kernels/{ladder}/{FIRST}.cu"),
        cuda: Some(cuda),
        ..Source::default()
    }
}

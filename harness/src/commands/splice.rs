//! `splice`: brings the tables in Markdown files up to date with the committed reports they are
//! drawn from.
//!
//! A table stands between two comments, which Markdown does not show:
//!
//! ```text
//! <!-- report: reports/h200 table -->
//! …
//! <!-- end -->
//! ```

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use ladder::files::write_whole;
use ladder::report::Report;
use ladder::workspace;

use crate::cli::SpliceArgs;
use crate::output::say;
use crate::table;

const BEGIN: &str = "<!-- report: ";
const END: &str = "<!-- end -->";

/// Rewrites the files, or with `--check` says which ones would change.
pub fn run(args: &SpliceArgs) -> Result<ExitCode> {
    let root = workspace::root()?;
    // All are read before one is written: a mistake in the second leaves the first as it was.
    let mut changed = Vec::new();
    for file in &args.files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let spliced =
            splice(&text, &root, &up(file, &root)).with_context(|| file.display().to_string())?;
        if spliced != text {
            changed.push((file, spliced));
        }
    }
    for (file, spliced) in &changed {
        if args.check {
            let name = file.display();
            say(&format!(
                "{name} differs from its reports; update it: cargo run -p harness -- splice {name}"
            ));
        } else {
            write_whole(file, |out| out.write_all(spliced.as_bytes()))?;
            say(&format!("wrote {}", file.display()));
        }
    }
    Ok(ExitCode::from(u8::from(args.check && !changed.is_empty())))
}

/// The way from a file's folder up to the workspace's root, as a link begins: `../` for each folder
/// between.
fn up(file: &Path, root: &Path) -> String {
    let absolute = |path: &Path| path.canonicalize().ok();
    let depth = absolute(file).zip(absolute(root)).and_then(|(file, root)| {
        Some(file.parent()?.strip_prefix(root).ok()?.components().count())
    });
    "../".repeat(depth.unwrap_or(0))
}

/// The text with every part between markers drawn anew; `root` is where the reports' paths begin,
/// and `up` leads there in links.
fn splice(text: &str, root: &Path, up: &str) -> Result<String> {
    let mut spliced = String::with_capacity(text.len());
    let mut lines = text.split_inclusive('\n').enumerate();
    while let Some((number, line)) = lines.next() {
        spliced += line;
        let Some(marker) = line.trim().strip_prefix(BEGIN) else { continue };
        let place = || format!("line {}", number + 1);
        let (folder, what) = marker
            .strip_suffix(" -->")
            .and_then(|asked| asked.trim().rsplit_once(' '))
            .with_context(|| {
                format!("{}: write the marker as `{BEGIN}reports/h200 table -->`", place())
            })?;
        if what != "table" {
            bail!("{}: a report has no `{what}`; only `table` can be asked for", place());
        }
        let report = Report::read(&root.join(folder).join("report.json")).with_context(place)?;
        let end = lines
            .find(|(_, line)| line.trim() == END)
            .with_context(|| format!("{}: the part is not closed by `{END}`", place()))?;
        spliced +=
            &table::linked(&report, &|row| Some(format!("{up}steps/{}/{}", row.ladder, row.step)));
        spliced += end.1;
    }
    Ok(spliced)
}

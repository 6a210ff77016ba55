//! Draws what two compilers make of the steps' kernels, from `reports/compilers.json`.

use std::path::Path;

use anyhow::{Context, Result};
use report::compilers::{Compilers, FILE, OfLadder, Row};
use report::{format, split};
use show::table::Table;

/// A row for each step of a ladder, or for each ladder where `part` is `ladders`. `above` leads from the page up to
/// `book/src`.
pub fn part(root: &Path, part: &str, above: &str) -> Result<String> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| {
        format!("cannot read {FILE}; `cargo run -p maintain -- compilers` makes it")
    })?;
    let found: Compilers = serde_json::from_str(&text)
        .with_context(|| format!("{FILE} has no counts of compilers"))?;
    if part == "ladders" {
        return Ok(ladders(&found, above));
    }
    let of = found.ladders.iter().find(|of| of.ladder == part);
    let of = of.with_context(|| format!("{FILE} has no ladder `{part}`"))?;
    Ok(steps(&found.clang, of, above))
}

fn steps(clang: &str, of: &OfLadder, above: &str) -> String {
    let head = ["step", "instructions, NVRTC", &format!("clang {clang}"), "branches", "time"]
        .map(str::to_owned)
        .into_iter()
        .chain(["most of the difference".to_owned()]);
    let rows = of.rows.iter().map(|row| {
        vec![
            format!("[{}]({above}{}/{}.md)", split(&row.step).1, of.ladder, row.step),
            format::count(Some(row.nvrtc.instructions)),
            times(row.instructions()),
            row.branches().map_or_else(|| format::NONE.to_owned(), times),
            times(row.time()),
            reason(row),
        ]
    });
    Table::lines([head.collect()].into_iter().chain(rows).collect(), 1).markdown()
}

fn ladders(found: &Compilers, above: &str) -> String {
    let head = ["ladder", "steps", "instructions", "time", "furthest apart", "time"];
    let head = head.map(str::to_owned).to_vec();
    let rows = found.ladders.iter().map(|of| {
        let worst = of.worst().map_or_else(Default::default, |row| {
            let page = format!("{above}{}/{}.md", of.ladder, row.step);
            [format!("[{}]({page})", split(&row.step).1), times(row.time())]
        });
        let first = [
            format!("[{}]({above}{}/index.md)", of.ladder, of.ladder),
            of.rows.len().to_string(),
            times(of.mean(Row::instructions)),
            times(of.mean(Row::time)),
        ];
        first.into_iter().chain(worst).collect()
    });
    Table::lines([head].into_iter().chain(rows).collect(), 1).markdown()
}

fn times(ratio: f64) -> String {
    format!("{ratio:.2}×")
}

/// The kind of instruction that differs most, in parts of all of NVRTC's.
fn reason(row: &Row) -> String {
    match row.difference() {
        Some(part) => format!("{} {:+.0} %", row.kind, 100.0 * part),
        None => "under 1 %".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_drawn_step_by_step_and_ladder_by_ladder() {
        let root = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(root.path().join("reports")).expect("a folder");
        let text = r#"{"clang":"22.1","ladders":[{"ladder":"scan","rows":[{"step":"02-b",
            "nvrtc":{"instructions":1000,"branches":0,"seconds":2.0},
            "clang":{"instructions":1100,"branches":5,"seconds":2.5},"kind":"move","more":60}]}]}"#;
        std::fs::write(root.path().join(FILE), text).expect("a file");
        let steps = part(root.path(), "scan", "").expect("a table");
        assert!(steps.starts_with("| step | instructions, NVRTC | clang 22.1 |"), "{steps}");
        let row = "| [b](scan/02-b.md) | 1000 | 1.10× | – | 1.25× | move +6 % |";
        assert!(steps.contains(row), "{steps}");
        let ladders = part(root.path(), "ladders", "").expect("a table");
        let row = "| [scan](scan/index.md) | 1 | 1.10× | 1.25× | [b](scan/02-b.md) | 1.25× |";
        assert!(ladders.contains(row), "{ladders}");
        assert!(part(root.path(), "none", "").is_err());
    }
}

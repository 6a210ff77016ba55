// SPDX-License-Identifier: MIT OR Apache-2.0
//! Draws a GPU's report against that of a CPU.

use std::path::Path;

use anyhow::{Result, ensure};
use harness::against::{Entry, folder, table, words};

use crate::report;

/// The picture of `reports/MACHINE` against `reports/MACHINE/cpu`, and its table. Where the CPU was not
/// measured yet, that is what stands there.
pub fn markdown(root: &Path, machine: &str, above: &str) -> Result<String> {
    let gpu = report::read(root, machine)?;
    let folder = root.join("reports").join(machine);
    let Some(against) = folder::below(&gpu, &folder)? else {
        let file = format!("reports/{machine}/{}/report.json", folder::FOLDER);
        ensure!(
            !root.join(&file).exists(),
            "nothing in {file} can be compared with reports/{machine}"
        );
        return Ok(format!(
            "**NOT MEASURED** yet: there is no `{file}`. On that machine this makes it: \
             `cargo run -p harness -- run cpu --out reports/{machine}/{}`.\n",
            folder::FOLDER
        ));
    };
    let word = if against.modelled().0 { "MEASURED AND MODELLED" } else { "MEASURED" };
    let page = |entry: &Entry| Some(format!("{above}{}/{}.md", entry.ladder, entry.step));
    let figure = report::figure(&harness::plot::against(&against).svg()?);
    let table = table::markdown(&against, &page);
    Ok(format!("{figure}\n\n**{word}** {}.\n\n{table}", words::basis(&against)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ladder::report::Report;

    use super::*;

    /// A folder with the committed report of the H200, and what is made of it for a CPU.
    fn copied() -> (tempfile::TempDir, Report) {
        let root = ladder::workspace::root().expect("the workspace");
        let gpu = Report::read(&root.join("reports/h200/report.json")).expect("the report");
        let copy = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(copy.path().join("reports/h200/cpu")).expect("a folder");
        gpu.write(&copy.path().join("reports/h200/report.json")).expect("written");
        let mut cpu = gpu;
        cpu.options.ladder = "cpu".to_owned();
        for (at, row) in cpu.rows.iter_mut().enumerate() {
            row.ladder = "cpu".to_owned();
            row.threads = Some(if at < 6 { 1 } else { 16 });
        }
        (copy, cpu)
    }

    #[test]
    fn the_table_has_the_steps_of_both() {
        let (root, cpu) = copied();
        cpu.write(&root.path().join("reports/h200/cpu/report.json")).expect("written");
        let text = markdown(root.path(), "h200", "../").expect("a comparison");
        assert!(
            text.starts_with("<figure") && text.contains("**MEASURED** on NVIDIA H200"),
            "{text}"
        );
        assert!(text.contains("| [10-fast-math](../cpu/10-fast-math.md): "), "{text}");
        assert!(text.contains("| [10-fast-math](../nbody/10-fast-math.md): "), "{text}");
        assert!(text.contains("CPU, 16 threads"), "{text}");
    }

    #[test]
    fn what_is_not_there_yet_is_said_and_what_is_wrong_is_an_error() {
        let (root, mut cpu) = copied();
        let text = markdown(root.path(), "h200", "").expect("a sentence");
        assert!(
            text.starts_with("**NOT MEASURED** yet") && text.contains("run cpu --out"),
            "{text}"
        );
        cpu.rows.clear();
        cpu.write(&root.path().join("reports/h200/cpu/report.json")).expect("written");
        let message = markdown(root.path(), "h200", "").expect_err("no rows").to_string();
        assert!(message.contains("nothing in reports/h200/cpu/report.json"), "{message}");
        let message = markdown(root.path(), "nonesuch", "").expect_err("no GPU").to_string();
        assert!(message.contains("reports/nonesuch/report.json does not exist"), "{message}");
    }
}

//! Draws a GPU's report against that of a CPU.

use std::path::Path;

use anyhow::{Result, ensure};
use harness::drawing::against_cpu;
use show::against::table;

use crate::report;

/// The picture of `reports/MACHINE` against `reports/MACHINE/cpu`, and its table. Where the CPU was not
/// measured yet, that is what stands there.
pub fn markdown(root: &Path, machine: &str, above: &str) -> Result<String> {
    let gpu = report::read(root, machine)?;
    let Some((against, _)) = against_cpu(&gpu, &root.join("reports").join(machine))? else {
        let file = format!("reports/{machine}/cpu/report.json");
        ensure!(
            !root.join(&file).exists(),
            "nothing in {file} can be compared with reports/{machine}"
        );
        return Ok(format!(
            "**NOT MEASURED** yet: there is no `{file}`. On that machine this makes it: \
             `cargo run -p harness -- run cpu --out reports/{machine}/cpu`.\n"
        ));
    };
    let word = if against.modelled().0 { "MEASURED AND MODELLED" } else { "MEASURED" };
    let figure = report::figure(&pictures::against(&against));
    let table = table(&against, &report::pages(above)).markdown();
    Ok(format!("{figure}\n\n**{word}** {}.\n\n{table}", against.basis()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ::report::Report;

    use super::*;

    #[test]
    fn the_table_has_the_steps_of_both() {
        let root = ladder::workspace::root().expect("the workspace");
        let text = markdown(&root, "h200", "../").expect("a comparison");
        assert!(
            text.starts_with("<figure") && text.contains("**MEASURED** on NVIDIA H200"),
            "{text}"
        );
        assert!(text.contains("| [11-threads](../cpu/11-threads.md): "), "{text}");
        assert!(text.contains("| [10-fast-math](../nbody/10-fast-math.md): "), "{text}");
        assert!(text.contains("CPU, 16 threads"), "{text}");
    }

    #[test]
    fn what_is_not_there_yet_is_said_and_what_is_wrong_is_an_error() {
        let reports = ladder::workspace::root().expect("the workspace").join("reports/h200");
        let root = tempfile::tempdir().expect("a temporary folder");
        let copy = root.path().join("reports/h200");
        fs::create_dir_all(copy.join("cpu")).expect("a folder");
        fs::copy(reports.join("report.json"), copy.join("report.json")).expect("a copy");
        let text = markdown(root.path(), "h200", "").expect("a sentence");
        assert!(
            text.starts_with("**NOT MEASURED** yet") && text.contains("run cpu --out"),
            "{text}"
        );
        let mut cpu = Report::read(&reports.join("cpu/report.json")).expect("the report");
        cpu.rows.clear();
        cpu.write(&copy.join("cpu/report.json")).expect("written");
        let message = markdown(root.path(), "h200", "").expect_err("no rows").to_string();
        assert!(message.contains("nothing in reports/h200/cpu/report.json"), "{message}");
        let message = markdown(root.path(), "nonesuch", "").expect_err("no GPU").to_string();
        assert!(message.contains("reports/nonesuch/report.json does not exist"), "{message}");
    }
}

//! What the simulator finds of the test kernels, next to what compute-sanitizer finds of them on a GPU.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;
use show::table::Table;

const FILE: &str = "harness/simulator/simt/tests/hazards/yardstick.toml";

#[derive(Deserialize)]
struct Yardstick {
    case: Vec<Case>,
}

/// A kernel, and what is found of it; nothing by a tool that is not named.
#[derive(Deserialize)]
struct Case {
    /// File and kernel.
    kernel: String,
    ours: String,
    gpu: Option<String>,
    memcheck: Option<String>,
    racecheck: Option<String>,
    initcheck: Option<String>,
    synccheck: Option<String>,
}

const TOOLS: [&str; 4] = ["memcheck", "racecheck", "initcheck", "synccheck"];

/// What `ours` says of a kernel without hazards.
const CLEAN: &str = "nothing";

impl Case {
    fn tools(&self) -> [Option<&str>; 4] {
        [&self.memcheck, &self.racecheck, &self.initcheck, &self.synccheck].map(Option::as_deref)
    }
}

/// A table of kinds of hazards, and one of all kernels.
pub fn tables(root: &Path) -> Result<String> {
    let text =
        std::fs::read_to_string(root.join(FILE)).with_context(|| format!("cannot read {FILE}"))?;
    let table: Yardstick = toml::from_str(&text).with_context(|| format!("cannot read {FILE}"))?;
    let all = table.case;
    Ok(format!(
        "{}\n\n<details>\n<summary>All {} kernels</summary>\n\n{}\n</details>",
        kinds(&all),
        all.len(),
        each(&all)
    ))
}

/// For each kind of hazard, of how many kernels each tool reports anything.
fn kinds(all: &[Case]) -> String {
    let head = ["hazard", "kernels", "simulator"].into_iter().chain(TOOLS);
    let mut lines = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    let mut kinds: Vec<&str> = Vec::new();
    for case in all {
        if !kinds.contains(&&*case.ours) {
            kinds.push(&case.ours);
        }
    }
    // Those without come last.
    kinds.sort_by_key(|&kind| kind == CLEAN);
    for kind in kinds {
        let of_kind: Vec<&Case> = all.iter().filter(|case| case.ours == kind).collect();
        let name = if kind == CLEAN { "none: reports are false alarms" } else { kind };
        let ours = if kind == CLEAN { 0 } else { of_kind.len() };
        let mut line = vec![name.to_owned(), of_kind.len().to_string(), ours.to_string()];
        line.extend((0..TOOLS.len()).map(|tool| {
            of_kind.iter().filter(|case| case.tools()[tool].is_some()).count().to_string()
        }));
        lines.push(line);
    }
    Table::lines(lines, 1).markdown()
}

/// Every kernel and what is found of it.
fn each(all: &[Case]) -> String {
    let head = ["kernel", "simulator"].into_iter().chain(TOOLS);
    let mut lines = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for case in all {
        let ours = if case.ours == CLEAN { String::new() } else { case.ours.clone() };
        let mut line = vec![format!("`{}`", case.kernel), ours];
        let silent = case.gpu.as_deref().unwrap_or_default();
        line.extend(case.tools().map(|found| found.unwrap_or(silent).to_owned()));
        lines.push(line);
    }
    Table::lines(lines, 6).markdown()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_counted_and_kernels_listed() {
        let root = ladder::workspace::root().expect("the workspace");
        let text = tables(&root).expect("the committed table");
        let (kinds, each) = text.split_once("<details>").expect("two tables");
        let cells = |line: &str| -> Vec<String> {
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        let row = |text: &str, name: &str| {
            let found = text.lines().map(cells).find(|cells| cells[0] == name);
            found.unwrap_or_else(|| panic!("no {name}"))
        };
        // No tool looks for what lies next to an array.
        assert_eq!(row(kinds, "overrun")[1..], ["7", "7", "0", "0", "0", "0"]);
        let clean = row(kinds, "none: reports are false alarms");
        assert_eq!(clean[2], "0");
        assert_eq!(row(each, "`racy/transpose`")[1..], ["race", "", "race", "", ""]);
        assert_eq!(row(each, "`barriers/too_few`")[1..3], ["deadlock", "hangs"]);
        let counted: usize =
            kinds.lines().filter_map(|line| cells(line).get(1)?.parse::<usize>().ok()).sum();
        assert_eq!(each.lines().filter(|line| line.starts_with("| `")).count(), counted);
    }
}

//! Draws the validation of the time model, from `reports/h200-model/model.json`.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use report::format::{self, significant};
use report::split;
use report::validation::{Counter, Ladders, Ratio, Validation, factor, geometric_mean};
use show::table::Table;

use crate::report::figure;

const FILE: &str = "reports/h200-model/model.json";

const LADDERS_FILE: &str = "reports/h200-model/ladders.json";

/// Differences of counters below this are none, in %: they are kept with six digits.
const EQUAL: f64 = 5e-4;

/// Smaller differences are shown as this, in %.
const SMALL: f64 = 0.01;

/// The ladder that was validated.
const LADDER: &str = "nbody";

/// A part of it: `plot`, `summary`, or one of the tables. `above` leads from the page up to `book/src`.
pub fn part(root: &Path, part: &str, above: &str) -> Result<String> {
    if part == "ladders" {
        return ladders(root, above);
    }
    let validation = read(root)?;
    Ok(match part {
        "plot" => figure(&pictures::model(&validation)),
        "summary" => summary(&validation),
        "ratios" => ratios(&validation, above),
        "times" => times(&validation, above),
        "counters" => counters(&validation, above),
        "published" => published(&validation, above),
        _ => bail!(
            "there is no part `{part}` of the validation; there are: plot, summary, ratios, times, \
             counters, published, ladders"
        ),
    })
}

fn read(root: &Path) -> Result<Validation> {
    let text = std::fs::read_to_string(root.join(FILE)).with_context(|| {
        format!("cannot read {FILE}; `cargo run -p maintain -- validate` makes it")
    })?;
    serde_json::from_str(&text).with_context(|| format!("{FILE} is no validation"))
}

/// What the chip's profiler counted of a step, next to what the simulator counts.
pub fn profiled(root: &Path, step: &str) -> Result<String> {
    let validation = read(root)?;
    let of_step: Vec<&Counter> =
        validation.counters.iter().filter(|counter| counter.step == step).collect();
    ensure!(!of_step.is_empty(), "{FILE} has no counters of `{step}`");
    let rows = of_step.iter().map(|counter| {
        let numbers = [counter.chip, counter.simulator].map(|it| format::grouped(it as u64));
        [vec![counter.counter.clone()], numbers.to_vec()].concat()
    });
    Ok(table(&["counted", "on an H200", "by the simulator"], 1, rows))
}

/// How a step compares with its parent, modelled and measured, and the GPU that was measured; `None` where it was not.
pub fn of_step(root: &Path, ladder: &str, step: &str) -> Result<Option<(Ratio, String)>> {
    let (ratios, device) = if ladder == LADDER {
        let of_ladder = read(root)?;
        (of_ladder.ratios, of_ladder.device)
    } else {
        let all = read_ladders(root)?;
        let own = all.ladders.into_iter().find(|of| of.ladder == ladder);
        (own.map_or_else(Vec::new, |of| of.ratios), all.device)
    };
    Ok(ratios.into_iter().find(|ratio| ratio.step == step).map(|ratio| (ratio, device)))
}

fn read_ladders(root: &Path) -> Result<Ladders> {
    let text = std::fs::read_to_string(root.join(LADDERS_FILE)).with_context(|| {
        format!(
            "cannot read {LADDERS_FILE}; `cargo run -p maintain -- validate --ladders` makes it"
        )
    })?;
    serde_json::from_str(&text)
        .with_context(|| format!("{LADDERS_FILE} is no validation of ladders"))
}

/// A row for each technique ladder, and a sentence on all of them.
fn ladders(root: &Path, above: &str) -> Result<String> {
    let found = read_ladders(root)?;
    let rows = found.ladders.iter().map(|of| {
        let worst = of.worst().map_or_else(Default::default, |worst| {
            let page = format!("{above}{}/{}.md", of.ladder, worst.step);
            [
                format!("[{}]({page})", split(&worst.step).1),
                significant(worst.measured),
                significant(worst.modelled),
            ]
        });
        let first = [
            format!("[{}]({above}{}/index.md)", of.ladder, of.ladder),
            match of.ratios.is_empty() {
                true => "–".to_owned(),
                false => percent(of.mean_factor()),
            },
            of.ratios.len().to_string(),
        ];
        first.into_iter().chain(worst).collect()
    });
    let head = ["ladder", "off by", "ratios", "worst step", "measured ×", "modelled ×"];
    let table = table(&head, 1, rows);
    Ok(format!("{table}\nOver all of them ratios are off by {}.\n", percent(found.mean_factor())))
}

/// How well it does, in two sentences.
fn summary(validation: &Validation) -> String {
    let worst = validation.worst().map_or_else(String::new, |worst| {
        format!(
            " The one that is off most is that of {}, by {}.",
            split(&worst.step).1,
            percent(worst.factor())
        )
    });
    format!(
        "**MODELLED** for {}, against what was **MEASURED** on {}. Over {} steps the ratio to the parent is \
         off by {} in the geometric mean.{worst}\n",
        validation.gpu,
        validation.device,
        validation.ratios.len(),
        percent(validation.mean_factor()),
    )
}

fn ratios(validation: &Validation, above: &str) -> String {
    let rows = validation.ratios.iter().map(|ratio| {
        vec![
            link(&ratio.step, above),
            split(&ratio.parent).1.to_owned(),
            ratio.n.to_string(),
            significant(ratio.measured),
            significant(ratio.modelled),
            percent(ratio.factor()),
        ]
    });
    table(&["step", "parent", "n", "measured ×", "modelled ×", "off by"], 2, rows)
}

fn times(validation: &Validation, above: &str) -> String {
    let rows = validation.times.iter().map(|time| {
        vec![
            link(&time.step, above),
            time.binding.clone(),
            time.n.to_string(),
            format::time(Some(time.measured)),
            format::time(Some(time.modelled)),
            percent(factor(time.modelled, time.measured)),
        ]
    });
    table(&["step", "limit in the model", "n", "measured", "modelled", "off by"], 2, rows)
}

/// A row for each step, a column for each counter, of each how far the simulator is from the chip.
fn counters(validation: &Validation, above: &str) -> String {
    let counters = &validation.counters;
    let names = distinct(counters.iter().map(|counter| counter.counter.as_str()));
    let steps = distinct(counters.iter().map(|counter| counter.step.as_str()));
    let rows = steps.into_iter().map(|step| {
        let of_step = || counters.iter().filter(|counter| counter.step == step);
        let n = of_step().next().map(|counter| counter.n);
        let cells = names.iter().map(|name| {
            let found = of_step().find(|counter| counter.counter == *name);
            found.map_or_else(|| format::NONE.to_owned(), difference)
        });
        [link(step, above), format::count(n)].into_iter().chain(cells).collect()
    });
    table(&[&["step", "n"], names.as_slice()].concat(), 1, rows)
}

/// How far the simulator is from the chip; equal up to the digits that are kept is equal.
fn difference(counter: &Counter) -> String {
    let off = 100.0 * (counter.simulator / counter.chip - 1.0);
    if counter.chip == 0.0 && counter.simulator != 0.0 {
        format!("{} for 0", counter.simulator)
    } else if counter.simulator == counter.chip || off.abs() < EQUAL {
        "=".to_owned()
    } else if off.abs() < SMALL {
        format!("< {SMALL} %")
    } else {
        format!("{off:+.2} %")
    }
}

/// A row for each step, for each GPU what was published and what is modelled.
fn published(validation: &Validation, above: &str) -> String {
    let published = &validation.published;
    let gpus = distinct(published.iter().map(|one| one.gpu.as_str()));
    let steps = distinct(published.iter().map(|one| one.step.as_str()));
    let rows = steps.into_iter().map(|step| {
        let cells = gpus.iter().map(|gpu| {
            let found = published.iter().find(|one| one.step == step && one.gpu == *gpu);
            found.map_or_else(
                || format::NONE.to_owned(),
                |one| format!("{} → {}", significant(one.published), significant(one.modelled)),
            )
        });
        [link(step, above)].into_iter().chain(cells).collect()
    });
    let table = table(&[&["published → modelled"], gpus.as_slice()].concat(), 1, rows);
    let mean = geometric_mean(published.iter().map(|one| factor(one.modelled, one.published)));
    format!("{table}\nIn the geometric mean they are off by {}.\n", percent(mean))
}

/// Each once, in the order of their first occurrences.
fn distinct<'t>(all: impl Iterator<Item = &'t str>) -> Vec<&'t str> {
    let mut found = Vec::new();
    for one in all {
        if !found.contains(&one) {
            found.push(one);
        }
    }
    found
}

/// A Markdown table whose first columns are words.
fn table(head: &[&str], words: usize, rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|&head| head.to_owned()).collect();
    Table::lines([head].into_iter().chain(rows).collect(), words).markdown()
}

fn link(step: &str, above: &str) -> String {
    format!("[{}]({above}{LADDER}/{step}.md)", split(step).1)
}

/// How far a factor is from 1.
fn percent(factor: f64) -> String {
    format!("{:.0} %", 100.0 * (factor - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(name: &str) -> Result<String> {
        let root = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir_all(root.path().join("reports/h200-model")).expect("a folder");
        let text = r#"{"gpu":"G","device":"D",
            "times":[{"step":"05-rsqrt","n":1000,"measured":0.01,"modelled":0.008,"binding":"issue"}],
            "ratios":[{"step":"05-rsqrt","parent":"04-constant-params","n":1000,"measured":1.5,"modelled":1.2},
                      {"step":"03-soa","parent":"02-n-threads","n":1000,"measured":1.0,"modelled":1.0}],
            "counters":[{"step":"03-soa","n":1000,"counter":"sectors","chip":200.0,"simulator":202.0},
                        {"step":"03-soa","n":1000,"counter":"requests","chip":1234567.0,"simulator":1234570.0},
                        {"step":"03-soa","n":1000,"counter":"none","chip":0.0,"simulator":0.0},
                        {"step":"03-soa","n":1000,"counter":"some","chip":0.0,"simulator":7.0}],
            "published":[{"step":"03-soa","gpu":"G","published":2.0,"modelled":1.0,"n":1000}]}"#;
        std::fs::write(root.path().join(FILE), text).expect("a file");
        part(root.path(), name, "../")
    }

    #[test]
    fn errors_are_factors_in_percent() {
        let ratios = drawn("ratios").unwrap();
        assert!(
            ratios.contains(
                "| [rsqrt](../nbody/05-rsqrt.md) | constant-params | 1000 | 1.50 | 1.20 | 25 % |"
            ),
            "{ratios}"
        );
        // The root of 1.25 · 1.
        let summary = drawn("summary").unwrap();
        assert!(summary.contains("off by 12 % in the geometric mean"), "{summary}");
        assert!(summary.contains("is that of rsqrt, by 25 %"), "{summary}");
        assert!(drawn("times").unwrap().contains("| issue | 1000 | 10.0 ms | 8.00 ms | 25 % |"));
        let counters = drawn("counters").unwrap();
        assert!(
            counters.starts_with("| step | n | sectors | requests | none | some |\n"),
            "{counters}"
        );
        assert!(counters.contains("| 1000 | +1.00 % | = | = | 7 for 0 |"), "{counters}");
        let published = drawn("published").unwrap();
        assert!(published.starts_with("| published → modelled | G |\n"), "{published}");
        assert!(published.contains("| 2.00 → 1.00 |") && published.contains("off by 100 %"));
    }

    #[test]
    fn a_step_that_was_profiled_has_a_row_for_each_counter() {
        let root = ladder::workspace::root().expect("the workspace");
        let table = profiled(&root, "06-shared-blocking").expect("its counters");
        // 16 blocks read the velocities and old accelerations of 4096 bodies, and all bodies' places, tile by tile.
        assert!(table.contains("| global load requests | 8576 | 8576 |"), "{table}");
        let error = profiled(&root, "99").expect_err("there is none").to_string();
        assert!(error.contains("no counters of `99`"), "{error}");
    }

    #[test]
    fn an_unknown_part_and_a_missing_file_are_named() {
        assert!(drawn("rows").unwrap_err().to_string().contains("there are: plot, summary"));
        let empty = tempfile::tempdir().expect("a temporary folder");
        let message = part(empty.path(), "plot", "").unwrap_err().to_string();
        assert!(message.contains(FILE) && message.contains("validate"), "{message}");
    }
}

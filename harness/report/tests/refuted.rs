//! A bound is a least time. Where a committed report has a longer one than the step took, the count is wrong:
//! such a row shows no limit, and is named here with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use report::Report;

const ALL_ITEMS: &str = "the items come from a counter: the blocks of one multiprocessor, run alone, take all of \
                         them, and were taken for a 132nd of the work";
const ADDED_AT_ONCE: &str = "ATOMS.POPC.INC adds ones of several lanes at once, and was counted at the rate of other shared atomics";
const CACHE_LOSES: &str =
    "between the loads of a record the simulator's L1 loses sectors that the chip's cache keeps";
const FROM_CACHE: &str =
    "all that misses L1 was taken for traffic of the memory, also what L2 serves";
const BOTH_PATHS: &str =
    "the machine instructions of both paths were counted for each warp, which goes through one";
const INSTRUCTIONS: &str = "more machine instructions were counted than the chip can issue in the time; which ones is \
                            not known";

/// Folder of the report, its steps, and why.
const REFUTED: &[(&str, &[&str], &str)] = &[
    ("h200/access", &["06x-records-12", "06x-records-16"], CACHE_LOSES),
    ("h200/divergence", &["02-warps", "03-blocks"], BOTH_PATHS),
    ("h200/divergence", &["01x-length-1"], INSTRUCTIONS),
    ("h200/histogram", &["04-wide-loads", "05-per-bank", "06-two-loads"], ADDED_AT_ONCE),
    (
        "h200-histogram-constant",
        &["02-shared", "03-per-warp", "04-wide-loads", "05-per-bank", "06-two-loads"],
        ADDED_AT_ONCE,
    ),
    (
        "h200-histogram-skewed",
        &["02-shared", "03-per-warp", "04-wide-loads", "05-per-bank", "06-two-loads"],
        ADDED_AT_ONCE,
    ),
    ("h200/queue", &["02-one-by-one", "03-batches", "04-refill"], ALL_ITEMS),
    ("h200/resample", &["01-nearest", "02-linear", "04-volume"], INSTRUCTIONS),
    ("h200/resample", &["09x-unseen-change"], FROM_CACHE),
    ("h200/sparse", &["01-branch", "01x-dense"], INSTRUCTIONS),
    ("h200-sparse-sizes", &["01-branch", "01x-dense", "02-compact-in-blocks"], INSTRUCTIONS),
];

/// The folders below `folder` that have a report, by their paths in `reports`.
fn folders(folder: &Path, name: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let below = path.file_name().and_then(|it| it.to_str()).expect("a name");
        // What was run here and is not committed.
        if !path.is_dir() || below == "local" {
            continue;
        }
        let name = format!("{name}{}{below}", if name.is_empty() { "" } else { "/" });
        folders(&path, &name, found);
        if path.join("report.json").is_file() {
            found.push(name);
        }
    }
}

#[test]
fn no_step_is_faster_than_its_limit_but_those_whose_reason_is_told() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
    let mut names = Vec::new();
    folders(&reports, "", &mut names);
    assert!(names.len() > 30, "the committed reports: {names:?}");
    let mut found = BTreeSet::new();
    let mut shown = 0;
    for name in names {
        let report = Report::read(&reports.join(&name).join("report.json")).expect("a report");
        for row in &report.rows {
            let most = row.bounds().map(|(_, bounds)| bounds[0].fraction);
            assert!(most.is_none_or(|most| most <= 1.05), "{name}, {}: {most:?}", row.step);
            shown += usize::from(most.is_some());
            if row.refuted().is_some() {
                found.insert((name.clone(), row.step.clone()));
            }
        }
    }
    assert!(shown > 100, "rows with limits: {shown}");
    let told =
        REFUTED.iter().flat_map(|(name, steps, _)| steps.iter().map(move |step| (name, step)));
    let told: BTreeSet<_> = told.map(|(name, step)| (name.to_string(), step.to_string())).collect();
    let untold: Vec<_> = found.difference(&told).collect();
    assert!(untold.is_empty(), "refuted without a reason: {untold:?}");
    let sound: Vec<_> = told.difference(&found).collect();
    assert!(sound.is_empty(), "a reason is given, yet the limit is sound: {sound:?}");
}

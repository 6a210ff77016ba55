//! A bound is a least time. Where a committed report has a longer one than the step took, the count is wrong:
//! such a row shows no limit, and is named here with the reason.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use report::Report;

/// Folder of the report, its steps, and why. `maintain recount` counts again where the simulator has learned to
/// count.
const REFUTED: &[(&str, &[&str], &str)] = &[
    (
        "h200/arithmetic",
        &["07-cube-root"],
        "not known: the machine code has 24 special functions, and the profiler saw two thirds of them in their unit",
    ),
    (
        "h200/barnes-hut/few",
        &["01-naive", "01x-lock-first"],
        "not known: blocks of one warp, whose loads are taken to be waited for one after the other",
    ),
    (
        "h200-softmax-short",
        &["02-block", "03-online", "04-vectors", "05-registers", "06-warp-rows"],
        "counted with fewer rows and, in proportion, with 16 elements in each instead of 128",
    ),
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
fn no_step_is_faster_than_its_limit_but_those_with_a_known_reason() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports");
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

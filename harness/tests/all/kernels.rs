//! The form of the steps' code: each is readable alone, and each kernel differs from its parent by little.

use ladder::{Ladder, MOST_LINES, Step, workspace};
use ladders::LADDERS;
use launches::explain::difference::unfolded;
use similar::{ChangeTag, TextDiff};

/// The file of a step's code: kernels, a function in C, or the step's own crate.
fn source(ladder: &dyn Ladder, step: &Step) -> String {
    let path = match step.file() {
        Some(file) => format!("kernels/{}/{file}", ladder.name()),
        None => format!("steps/{}/{}/src/lib.rs", ladder.name(), step.name),
    };
    let path = workspace::root().unwrap().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Every step, its ladder, and its source.
fn steps() -> impl Iterator<Item = (&'static dyn Ladder, Step, String)> {
    LADDERS.iter().flat_map(|ladder| {
        ladder.steps().into_iter().map(move |step| (*ladder, step, source(*ladder, &step)))
    })
}

/// The source below its header.
fn code(source: &str) -> &str {
    source.split_once("\n\n").expect("an empty line below the header").1
}

#[test]
fn a_header_says_what_changed_why_and_what_to_expect() {
    for (_, step, source) in steps() {
        let mut header = source.lines().take_while(|line| !line.is_empty()).collect::<Vec<_>>();
        let name = step.name;
        let comment = if step.file().is_none() { "//! " } else { "// " };
        if step.file().is_some() {
            assert_eq!(header.remove(0), "// SPDX-License-Identifier: MIT OR Apache-2.0", "{name}");
        }
        assert!(header.len() <= 6, "{name}: a header has at most six lines");
        for (line, word) in header.iter().zip(["Changed: ", "Why: ", "Expect: "]) {
            let begins = line.strip_prefix(comment).is_some_and(|text| text.starts_with(word));
            assert!(begins, "{name}: `{line}` should begin with `{comment}{word}`");
        }
        assert!(header.len() >= 3, "{name}: Changed, Why and Expect");
    }
}

#[test]
fn a_step_differs_from_its_parent_by_few_lines_or_gives_a_reason() {
    let mut faults = Vec::new();
    for (ladder, step, alone) in steps().filter(|(ladder, ..)| !ladder.is_for_cpu()) {
        let Some(parent) = step.after else { continue };
        let parent = ladder.step(parent).expect("a parent is in the list");
        let kernels = workspace::root().unwrap().join("kernels").join(ladder.name());
        let [old, new] = [&parent, &step].map(|step| step.source(&kernels).expect("its code"));
        // Without CUDA C++ nothing is included.
        let before = unfolded(&old, &new).unwrap_or_else(|| source(ladder, &parent));
        let text = unfolded(&new, &old).unwrap_or(alone);
        let diff = TextDiff::from_lines(code(&before), code(&text));
        let changed = diff.iter_all_changes().filter(|c| c.tag() != ChangeTag::Equal).count();
        match step.rewrite {
            None if changed > MOST_LINES => faults.push(format!(
                "{} changes {changed} lines of {}: split it, or give the reason as its `rewrite`",
                step.name, parent.name
            )),
            Some(_) if changed <= MOST_LINES => faults.push(format!(
                "{} changes only {changed} lines of {}: it is no rewrite (`rewrite: None`)",
                step.name, parent.name
            )),
            None => {}
            Some(reason) => {
                assert!(reason.len() > 20 && !reason.ends_with('.'), "{}: {reason}", step.name);
            }
        }
        let on_the_host = ladder.on_the_host(&step) != ladder.on_the_host(&parent);
        assert!(changed > 0 || on_the_host, "{} changes nothing", step.name);
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_ladder_is_ordered_and_detours_lead_nowhere() {
    for ladder in LADDERS {
        let steps = ladder.steps();
        for (index, step) in steps.iter().enumerate() {
            let folders = workspace::root().unwrap().join("steps").join(ladder.name());
            // A small ladder is one crate: its steps have no folders.
            let is_one_crate = !folders.join(steps[0].name).is_dir();
            let is_folder = folders.join(step.name).is_dir();
            assert!(is_folder != is_one_crate, "{} is named like its folder", step.name);
            match step.after {
                None => assert_eq!(index, 0, "{}: only the first step has no parent", step.name),
                Some(parent) => {
                    let parent = steps[..index].iter().find(|s| s.name == parent);
                    let parent =
                        parent.unwrap_or_else(|| panic!("{} comes after its parent", step.name));
                    assert!(!parent.detour, "{} stands on the detour {}", step.name, parent.name);
                }
            }
        }
    }
}

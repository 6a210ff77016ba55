//! Every exercise as given fails its check, its solution passes, and every solution that is wrong or half right fails
//! with the words that its reader must get.

use std::fs;
use std::path::Path;

use device::nvrtc;
use harness::learn::check::{Verdict, check};
use harness::learn::exercise::Exercise;

/// Decides what is random in the data.
const SEED: u64 = 7;

/// The verdict on a text as the reader's file.
fn verdict(exercise: &Exercise, folder: &Path, text: &str) -> Verdict {
    let beginning = exercise.beginning().expect("a beginning");
    let ending = beginning.extension().expect("a kernel or an answer");
    let file = folder.join(&exercise.name).with_extension(ending);
    fs::write(&file, text).expect("a file");
    check(exercise, &file, SEED).expect("an exercise in order")
}

#[test]
fn exercises_fail_as_given_and_pass_as_solved_and_half_solutions_say_what_is_missing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let all = Exercise::all().expect("exercises");
    let mut problems = Vec::new();
    for exercise in &all {
        let name = &exercise.name;
        if exercise.needs_compiler() && nvrtc::installed().is_empty() {
            let said =
                verdict(exercise, folder.path(), &exercise.beginning_text().expect("a text"));
            assert!(matches!(&said, Verdict::Impossible(why) if why.contains("setup")), "{said:?}");
            println!("SKIPPED: {name}: no NVRTC here; {}", nvrtc::INSTALL);
            continue;
        }
        let given = verdict(exercise, folder.path(), &exercise.beginning_text().expect("a text"));
        if !matches!(given, Verdict::Wrong(_)) {
            problems.push(format!("{name} as given: {given:?}"));
        }
        let solved = verdict(exercise, folder.path(), &exercise.solution_text().expect("a text"));
        if !matches!(solved, Verdict::Passed(_)) {
            problems.push(format!("{name} solved: {solved:?}"));
        }
        for wrong in &exercise.wrong {
            let text = exercise.wrong_text(wrong).expect("a text");
            match verdict(exercise, folder.path(), &text) {
                Verdict::Wrong(said) if wrong.says.iter().all(|words| said.contains(words)) => {}
                other => problems.push(format!("{name}, `{}`: {other:?}", wrong.with)),
            }
        }
        assert!(!exercise.wrong.is_empty(), "{name} names no wrong solution");
        assert!(exercise.hints.len() >= 2, "{name} has fewer than two hints");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

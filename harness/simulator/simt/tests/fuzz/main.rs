//! Any text is PTX or gives an error with its place: it never makes the simulator panic, run for ever or take all memory.
//!
//! A few hundred mutated files run always. More of them, from another seed if wanted:
//!
//! ```text
//! FUZZ_CASES=100000 FUZZ_SEED=7 cargo test -p simt-tests --test fuzz -- --ignored
//! ```
//!
//! What fails is written to `target/tmp`; made small, it belongs into `tests/fuzz/found`.

mod bytes;
mod corpus;
mod mutate;
mod random;
mod run;

use std::path::Path;

use corpus::Corpus;
use random::Random;

/// Runs mutants of the committed files; the cases that failed.
fn fuzz(cases: u64, seed: u64) -> Vec<String> {
    let corpus = Corpus::of_repository();
    let watch = run::Watchdog::new(&format!("seed-{seed}"));
    let mut failed = Vec::new();
    let (mut accepted, mut refused, mut stopped) = (0, 0, 0);
    for case in 0..cases {
        let mut random = Random::new(seed, case);
        let text = mutate::mutant(&corpus, &mut random);
        let name = format!("fuzz-{seed}-{case}.ptx");
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&name);
        watch.begins(&path, &text);
        match run::run(&text, &mut random) {
            Ok(run::Outcome::Refused) => refused += 1,
            Ok(run::Outcome::Ran { faults }) => {
                accepted += 1;
                stopped += u64::from(faults > 0);
            }
            Err(message) => {
                std::fs::write(&path, &text).expect("a writable target folder");
                failed.push(format!("{}: {message}", path.display()));
            }
        }
    }
    println!(
        "{cases} cases of {} files: {refused} refused, {accepted} ran, of which {stopped} with faults",
        corpus.texts.len()
    );
    failed
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().expect(name))
}

#[test]
fn mutated_files_are_refused_or_run() {
    let failed = fuzz(300, 1);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: FUZZ_CASES of them (100000), from FUZZ_SEED"]
    fn many_mutated_files_are_refused_or_run() {
        let failed = fuzz(number("FUZZ_CASES", 100_000), number("FUZZ_SEED", 2));
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}

#[test]
fn what_was_found_stays_mended() {
    let found = corpus::texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/found"));
    assert!(!found.is_empty(), "the files are committed");
    let watch = run::Watchdog::new("found");
    for (path, text) in found {
        watch.begins(&path, &text);
        for case in 0..4 {
            if let Err(message) = run::run(&text, &mut Random::new(0, case)) {
                panic!("{}: {message}", path.display());
            }
        }
    }
}

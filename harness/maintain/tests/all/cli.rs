//! The command line: mistakes are answered with their remedy, and help fits a narrow terminal.

use std::process::Output;

fn maintain(arguments: &[&str]) -> Output {
    crate::program().args(arguments).output().expect("it runs")
}

#[test]
fn mistakes_exit_with_2_and_name_the_remedy() {
    for (arguments, words) in [
        (&["ptx"][..], &["--write", "--check"][..]),
        (&["ptx", "--check", "--write"], &["cannot be used with"]),
        (&["ptx", "--check", "--steps", "nope"], &["`nope`"]),
        (&["ptx", "--check", "cpu"], &["is for kernels"]),
        (&["sass", "--check", "cpu"], &["is for kernels"]),
        (&["recount"], &["DIR"]),
    ] {
        let output = maintain(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(output.stdout.is_empty(), "{arguments:?} wrote to standard output");
        for word in words {
            assert!(error.contains(word), "{arguments:?} does not say {word:?}: {error}");
        }
    }
}

#[test]
fn help_has_examples_and_fits_a_narrow_terminal() {
    for command in ["ptx", "sass", "splice", "recount", "mutate"] {
        let output = maintain(&[command, "-h"]);
        let text = String::from_utf8_lossy(&output.stdout);
        let examples = text.split("\nExamples").nth(1).expect("examples");
        let wide: Vec<&str> = examples.lines().filter(|line| line.chars().count() > 79).collect();
        assert!(wide.is_empty(), "{command}: {wide:?}");
    }
}

#[test]
fn common_options_have_one_letter_everywhere() {
    for (command, letters) in [("validate", "rgocl"), ("mutate", "knastg")] {
        let output = maintain(&[command, "-h"]);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for letter in letters.chars() {
            assert!(text.contains(&format!("  -{letter}, --")), "{command} has no -{letter}");
        }
    }
}

//! Quizzes, from `book/quizzes/`: a reader opens an answer, and only then reads whether it is right, and why.
//!
//! Each choice is a `<details>`: it is opened with mouse, Enter or Space, and read aloud as what it is, without a script. No
//! arrow key is needed, which would turn the page. An answer that is a number comes from a committed report.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use teaching::learn::answer;
use teaching::learn::question::Question;

use crate::html::escape;

/// How far the right choice may be from what was measured, as a ratio.
const NEAR: f64 = 1.25;

/// How far all others must be.
const FAR: f64 = 1.5;

/// A quiz as it is written down.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Quiz {
    ask: String,
    /// What is read after any answer.
    explain: String,
    #[serde(default, rename = "choice")]
    texts: Vec<Choice>,
    /// What decides between `choices`.
    measured: Option<Question>,
    #[serde(default)]
    choices: Vec<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    text: String,
    #[serde(default)]
    right: bool,
}

/// The quiz `name` as HTML.
pub fn html(root: &Path, name: &str) -> Result<String> {
    let file = root.join("book/quizzes").join(format!("{name}.toml"));
    let text = report::files::read_text(&file)
        .with_context(|| format!("there is no quiz {}", file.display()))?;
    draw(name, &text).with_context(|| format!("{}", file.display()))
}

fn draw(name: &str, text: &str) -> Result<String> {
    let quiz: Quiz = toml::from_str(text)?;
    let measured = quiz.measured.as_ref().map(answer::measured).transpose()?;
    let choices = match measured {
        Some(measured) => numbers(&quiz, measured)?,
        None => quiz.texts.clone(),
    };
    ensure!(choices.len() >= 2, "a quiz has at least two choices");
    let right = choices.iter().filter(|choice| choice.right).count();
    ensure!(right == 1, "a quiz has one right choice, and this has {right}");
    let mut out = format!(
        "<section class=\"quiz\" aria-labelledby=\"quiz-{name}\">\n<p id=\"quiz-{name}\"><strong>Quiz.</strong> {} <em>Open your answer.</em></p>\n",
        escape(&quiz.ask)
    );
    let found = measured
        .map_or_else(String::new, |it| format!("Measured: {}. ", report::format::significant(it)));
    for choice in &choices {
        let verdict = if choice.right { "Right." } else { "No." };
        writeln!(
            out,
            "<details name=\"quiz-{name}\"><summary>{}</summary><p><strong>{verdict}</strong> {found}{}</p></details>",
            escape(&choice.text),
            escape(&quiz.explain)
        )?;
    }
    Ok(out + "</section>\n")
}

/// The numbers to choose from; the right one is near what was measured, and no other is.
fn numbers(quiz: &Quiz, measured: f64) -> Result<Vec<Choice>> {
    ensure!(quiz.texts.is_empty(), "it is either measured or has [[choice]]s");
    let off = |choice: f64| (choice / measured).max(measured / choice);
    let in_doubt = quiz.choices.iter().find(|choice| (NEAR..FAR).contains(&off(**choice)));
    ensure!(in_doubt.is_none(), "{in_doubt:?} is neither near {measured} nor far from it");
    let unit = if matches!(quiz.measured, Some(Question::Gain(_))) { " times" } else { "" };
    let choice =
        |&number: &f64| Choice { text: format!("{number}{unit}"), right: off(number) < NEAR };
    Ok(quiz.choices.iter().map(choice).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_quiz_has_one_right_choice() {
        let root = ladder::workspace::root().expect("the workspace");
        let files = std::fs::read_dir(root.join("book/quizzes")).expect("quizzes");
        let names: Vec<String> = files
            .flatten()
            .map(|file| file.path().file_stem().expect("a name").to_string_lossy().into_owned())
            .collect();
        assert!(names.len() >= 3);
        for name in names {
            let html = html(&root, &name).unwrap_or_else(|error| panic!("{name}: {error:#}"));
            assert_eq!(html.matches("<strong>Right.</strong>").count(), 1, "{html}");
            assert!(!html.trim().contains("\n\n"), "Markdown would end the block: {html}");
            assert_eq!(
                html.matches(&format!("<details name=\"quiz-{name}\">")).count(),
                html.matches("</details>").count()
            );
        }
    }

    #[test]
    fn a_number_is_right_as_the_report_says() {
        let text = |choices: &str| {
            format!(
                "ask = \"<b>\"\nexplain = \"e\"\nchoices = {choices}\n[measured.gain]\nreport = \"h200\"\nstep = \"06-shared-blocking\"\nover = \"05-rsqrt\"\nsize = 131072\n"
            )
        };
        let html = draw("x", &text("[1.1, 2]")).expect("a quiz");
        assert!(
            html.contains("<summary>1.1 times</summary><p><strong>Right.</strong> Measured: 1.1"),
            "{html}"
        );
        assert!(html.contains("<summary>2 times</summary><p><strong>No.</strong>"), "{html}");
        assert!(html.contains("&lt;b&gt;"), "{html}");
        for (choices, words) in [
            ("[2, 3]", "one right choice"),
            ("[1.1, 1.2]", "has 2"),
            ("[1.1, 1.5]", "neither near"),
        ] {
            let error = draw("x", &text(choices)).expect_err(choices).to_string();
            assert!(error.contains(words), "{choices}: {error}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        let root = ladder::workspace::root().expect("the workspace");
        assert!(html(&root, "none").expect_err("none").to_string().contains("there is no quiz"));
        assert!(draw("x", "ask = \"a\"\nexplain = \"b\"\n").is_err());
        assert!(draw("x", "ask = 3").is_err());
    }
}

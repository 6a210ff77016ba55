//! Exercises: the check of `harness learn`.

use std::path::PathBuf;

use anyhow::Result;
use show::message::painted;
use show::table::terminal;
use teaching::learn::check::{self, Recorded};
use teaching::learn::exercise::Exercise;
use teaching::learn::findings::Verdict;

use crate::answer::{Answer, RECORDED, write};

/// Whether a text passes an exercise, or its own solution does.
///
/// # Errors
/// There is no such exercise, or it is not in order.
pub fn check(name: &str, text: Option<&str>, seed: u64) -> Result<Answer> {
    let (exercise, file) = opened(name, text)?;
    Ok(match check::check(&exercise, &file, seed)? {
        Verdict::Passed(goals) => {
            let goals = goals.iter().map(|goal| format!("  {goal}\n")).collect::<String>();
            let learned = terminal::wrap(&exercise.learned, terminal::width());
            Answer::right(format!("✓ {name} passed\n{goals}\n{learned}"))
        }
        Verdict::Wrong(why) => Answer::wrong(painted(&why, terminal::width())),
        Verdict::Impossible(why) => Answer::impossible(why),
    })
}

/// What the first warps do at the smallest size.
///
/// # Errors
/// As of [`check`].
pub fn steps(name: &str, text: Option<&str>, seed: u64) -> Result<Answer> {
    let (exercise, file) = opened(name, text)?;
    match check::record(&exercise, &file, seed, RECORDED)? {
        Recorded::Launches(profiles) => Answer::steps(&profiles),
        Recorded::Refused(why) => Ok(Answer::wrong(painted(&why, terminal::width()))),
    }
}

/// An exercise, and the file with a reader's text, or with the solution.
fn opened(name: &str, text: Option<&str>) -> Result<(Exercise, PathBuf)> {
    let folder = ladder::workspace::root()?.join("steps/exercises").join(name);
    let exercise = Exercise::read(&folder)?;
    let Some(text) = text else {
        let solution = exercise.solution()?;
        return Ok((exercise, solution));
    };
    let beginning = exercise.beginning()?;
    let file = write(name, &beginning.extension().unwrap_or_default().to_string_lossy(), text)?;
    Ok((exercise, file))
}

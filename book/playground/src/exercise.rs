//! Exercises: the check of `harness learn`.

use anyhow::Result;
use teaching::learn::check;
use teaching::learn::exercise::Exercise;
use teaching::learn::findings::Verdict;

use crate::answer::{Answer, write};

/// Whether a text passes an exercise.
///
/// # Errors
/// There is no such exercise, or it is not in order.
pub fn check(name: &str, text: &str, seed: u64) -> Result<Answer> {
    let folder = ladder::workspace::root()?.join("steps/exercises").join(name);
    let exercise = Exercise::read(&folder)?;
    let beginning = exercise.beginning()?;
    let file = write(name, &beginning.extension().unwrap_or_default().to_string_lossy(), text)?;
    Ok(match check::check(&exercise, &file, seed)? {
        Verdict::Passed(goals) => {
            let goals = goals.iter().map(|goal| format!("  {goal}\n")).collect::<String>();
            Answer::right(format!("✓ {name} passed\n{goals}\n{}", exercise.learned))
        }
        Verdict::Wrong(why) => Answer::wrong(why),
        Verdict::Impossible(why) => Answer::impossible(why),
    })
}

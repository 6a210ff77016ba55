//! What speed and error come to, in sentences.

use super::{Accuracies, BOUND, Point};
use crate::accounting::account::FLOP;
use crate::plot::numbers;
use crate::table::figures;

/// The message of the picture.
pub fn message(accuracies: &Accuracies) -> String {
    let bound = bound();
    match (accuracies.within(BOUND), accuracies.nearest()) {
        (Some(fast), _) => {
            format!("{} is the fastest with an error of at most {bound}: {}", fast.step, flop(fast))
        }
        (None, Some(near)) => {
            format!("No step has an error of at most {bound}: {} has {}", near.step, error(near))
        }
        (None, None) => "Speed and error".to_owned(),
    }
}

/// What stands below the table of a run, but for its first word.
pub fn sentence(accuracies: &Accuracies) -> String {
    let parts = [Some(bounded(accuracies)), tutorial(accuracies), fastest(accuracies)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    format!(
        "at n = {}, by the relative error (rms) against f64: {}. All at 20 operations an interaction.",
        numbers::count(accuracies.n),
        parts.join("; ")
    )
}

/// Which steps are not compared, if there are any.
pub fn absent(accuracies: &Accuracies) -> Option<String> {
    let steps = accuracies.absent.iter();
    let steps: Vec<String> =
        steps.map(|(step, n)| format!("{step} (n = {})", numbers::count(*n))).collect();
    (!steps.is_empty()).then(|| format!("Not timed with so many bodies: {}.", steps.join(", ")))
}

/// 10¹² operations per second by the field's convention of 20 an interaction.
pub fn tera(rate: f64) -> f64 {
    FLOP * rate / 1e12
}

/// The bound as it is written.
pub fn bound() -> String {
    format!("{BOUND:e}")
}

/// A step's error as it is written.
pub fn error(point: &Point) -> String {
    figures::error(Some(point.error))
}

fn flop(point: &Point) -> String {
    match tera(point.rate) {
        few if few < 1.0 => format!("{} GFLOP/s", figures::significant(1e3 * few)),
        many => format!("{} TFLOP/s", figures::significant(many)),
    }
}

/// A step, its speed and its error: "14-pairs with 57.8 TFLOP/s, 2.5e-7".
fn told(point: &Point) -> String {
    let detour = if point.detour { " (a detour)" } else { "" };
    format!("{}{detour} with {}, {}", point.step, flop(point), error(point))
}

fn bounded(accuracies: &Accuracies) -> String {
    let bound = bound();
    match (accuracies.within(BOUND), accuracies.nearest()) {
        (Some(fast), _) => format!("of at most {bound} the fastest is {}", told(fast)),
        (None, near) => {
            let near = near.map(|near| format!(", the nearest is {}", told(near)));
            format!("none has at most {bound}{}", near.unwrap_or_default())
        }
    }
}

/// The fastest that is no worse than the tutorial's last step.
fn tutorial(accuracies: &Accuracies) -> Option<String> {
    let name = accuracies.tutorial?;
    let Some(last) = accuracies.last_of_tutorial() else {
        return Some(format!("the tutorial's last step, {name}, is not among them"));
    };
    let best = accuracies.no_worse(last)?;
    let intro = format!("no worse than the tutorial's last step, {name} ({}),", error(last));
    Some(if best.step == last.step {
        format!("{intro} none is faster than it, {}", flop(last))
    } else {
        format!("{intro} the fastest is {}", told(best))
    })
}

/// The fastest of all, where it was not named yet.
fn fastest(accuracies: &Accuracies) -> Option<String> {
    let fastest = accuracies.fastest()?;
    let last = accuracies.last_of_tutorial();
    let best = last.and_then(|last| accuracies.no_worse(last));
    let bounded = accuracies.within(BOUND).or(accuracies.nearest());
    let is_named = [bounded, best].into_iter().flatten().any(|named| named.step == fastest.step);
    (!is_named).then(|| format!("the fastest of all is {}", told(fastest)))
}

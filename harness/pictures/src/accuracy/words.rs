//! What speed and error come to, in sentences.

use report::accuracy::{Accuracies, BOUND, Point};
use report::format;

use crate::kit::unit::with_unit;

/// What stands above the picture.
pub fn message(accuracies: &Accuracies) -> String {
    let speed = |point: &Point| match accuracies.figure.tflops(point.rate) {
        Some(few) if few < 1.0 => format!("{} GFLOP/s", format::significant(1e3 * few)),
        Some(many) => format!("{} TFLOP/s", format::significant(many)),
        None => with_unit(accuracies.figure.rate(point.rate), &accuracies.figure.unit),
    };
    match (accuracies.within(BOUND), accuracies.nearest()) {
        (Some(fast), _) => {
            format!("Fastest with error ≤ {BOUND:e}: {}, {}", fast.step, speed(fast))
        }
        (None, Some(near)) => {
            let error = format::error(Some(near.error));
            format!("No step has an error ≤ {BOUND:e}: {} has {error}", near.step)
        }
        (None, None) => "Speed and error".to_owned(),
    }
}

/// What a reader must know.
pub fn notes(accuracies: &Accuracies, far: &[Point]) -> [String; 3] {
    let first = "Right is faster, down is nearer to f64. Full marks and the line: no other step is at \
                 least as fast and at least as near. Diamonds: detours.";
    let mut second = format!("Dashed: an error of {BOUND:e}.");
    if let Some(last) = accuracies.last_published() {
        second +=
            &format!(" Dotted: that of {}'s last step, {}.", accuracies.published.name, last.step);
    }
    let far = far.iter().map(|point| {
        let rate = format::quantity(accuracies.figure.rate(point.rate));
        format!("{} ({rate}, {})", point.step, format::error(Some(point.error)))
    });
    let far: Vec<String> = far.collect();
    if !far.is_empty() {
        second += &format!(" Too slow to be shown: {}.", far.join(", "));
    }
    let absent = accuracies.absent.iter();
    let absent = absent.map(|(step, n)| format!("{step} (n = {})", format::grouped(*n)));
    let third = match absent.collect::<Vec<String>>().as_slice() {
        [] => String::new(),
        steps => format!("Not timed at this size: {}.", steps.join(", ")),
    };
    [first.to_owned(), second, third]
}

//! Speed and error of a report's steps together: a table, and what it comes to in sentences.

use report::accuracy::{Accuracies, BOUND, Point};
use report::format::{self, grouped};
use report::split;

use crate::steps::idea;
use crate::table::{Field, Table};
use crate::{Link, words};

/// The steps that were timed at the same size.
pub fn table(accuracies: &Accuracies, link: Link) -> Table {
    let figure = accuracies.figure;
    let name = |point: &Point| {
        let link = link(&point.ladder, &point.step);
        idea(split(&point.step).1, link, point.detour, &point.changes)
    };
    let flop = figure.flop.map_or_else(String::new, |flop| format!(" at {flop}"));
    let fields = vec![
        Field::text("step", name),
        Field::number(figure.unit.as_str(), |point: &Point| {
            format::number(Some(figure.rate(point.rate)))
        }),
        Field::number(format!("TFLOP/s{flop}"), |point: &Point| {
            figure.tflops(point.rate).map(format::significant)
        }),
        Field::number("error", |point: &Point| error(point)),
        Field::number("worst", |point: &Point| format::error(point.worst)),
        Field::text("front", |point: &Point| if point.front { "●" } else { "" }).centred(),
    ];
    Table::of(&accuracies.points, fields)
        .named("Speed and error", format!("Speed and error {}", sentence(accuracies)))
}

/// What the steps come to, without the first words.
pub fn sentence(accuracies: &Accuracies) -> String {
    let parts = [Some(bounded(accuracies)), published(accuracies), fastest(accuracies)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let convention = words::convention(accuracies.figure);
    let of_others = match accuracies.verified {
        same if same == accuracies.n => String::new(),
        other => format!(" at n = {}", grouped(other)),
    };
    format!(
        "at n = {}, by the relative error (rms) against f64{of_others}: {}.{}",
        grouped(accuracies.n),
        parts.join("; "),
        convention.map_or_else(String::new, |it| format!(" Speeds {it}.")),
    )
}

/// Which steps are not compared; nothing where all are.
pub fn absent(accuracies: &Accuracies) -> String {
    let steps = accuracies.absent.iter();
    let steps = steps.map(|(step, n)| format!("{step} (n = {})", grouped(*n)));
    words::listing("Not timed at that size", steps)
}

fn error(point: &Point) -> String {
    format::error(Some(point.error))
}

/// A step, its speed and its error: "14-pairs, 57.8 TFLOP/s, 2.5e-7".
fn reached(accuracies: &Accuracies, point: &Point) -> String {
    let detour = if point.detour { " (a detour)" } else { "" };
    let speed = words::speed(accuracies.figure, point.rate);
    format!("{}{detour}, {speed}, {}", point.step, error(point))
}

fn bounded(accuracies: &Accuracies) -> String {
    match (accuracies.within(BOUND), accuracies.nearest()) {
        (Some(fast), _) => {
            format!("fastest with error ≤ {BOUND:e}: {}", reached(accuracies, fast))
        }
        (None, near) => {
            let near = near.map(|near| format!(", the nearest is {}", reached(accuracies, near)));
            format!("no step has an error ≤ {BOUND:e}{}", near.unwrap_or_default())
        }
    }
}

/// The fastest that is no worse than the last published step.
fn published(accuracies: &Accuracies) -> Option<String> {
    let last = accuracies.last_published()?;
    let best = accuracies.no_worse(last)?;
    let name =
        format!("{}'s last step, {} ({})", accuracies.published.name, last.step, error(last));
    let named = accuracies.within(BOUND).or(accuracies.nearest());
    Some(if best.step == last.step {
        let speed = words::speed(accuracies.figure, last.rate);
        format!("no step is both faster than {name} and as accurate: {speed}")
    } else if named.is_some_and(|named| named.step == best.step) {
        format!("the same is the fastest that is at least as accurate as {name}")
    } else {
        format!("fastest at least as accurate as {name}: {}", reached(accuracies, best))
    })
}

/// The fastest of all, where it was not named yet.
fn fastest(accuracies: &Accuracies) -> Option<String> {
    let fastest = accuracies.fastest()?;
    let best = accuracies.last_published().and_then(|last| accuracies.no_worse(last));
    let bounded = accuracies.within(BOUND).or(accuracies.nearest());
    let is_named = [bounded, best].into_iter().flatten().any(|named| named.step == fastest.step);
    (!is_named).then(|| format!("fastest of all: {}", reached(accuracies, fastest)))
}

#[cfg(test)]
mod tests {
    use report::published::Published;
    use report::{Report, synthetic};

    use super::*;
    use crate::says;

    fn said(report: &Report) -> String {
        let talk = synthetic::published(&[("10-fast-math", 1, "parent", None, ["1.2", "1.3"])]);
        sentence(&Accuracies::of(report, &talk).expect("steps that were timed"))
    }

    #[test]
    fn the_sentence_names_the_fastest_of_each_kind() {
        assert_eq!(
            said(&synthetic::accuracies()),
            "at n = 10\u{2009}000, by the relative error (rms) against f64: fastest with error ≤ \
             1e-6: 14-pairs, 58.0 TFLOP/s, 2.5e-7; fastest at least as accurate as the talk's last \
             step, 10-fast-math (5.2e-6): 17-tensor-distances, 80.0 TFLOP/s, 3.0e-6; fastest of \
             all: 18-longer-sums, 88.0 TFLOP/s, 9.0e-6. Speeds at 20 flop per pair."
        );
    }

    #[test]
    fn where_there_is_none_that_is_said() {
        let mut report = synthetic::accuracies();
        report.rows.truncate(4);
        let text = said(&report);
        let none =
            "no step has an error ≤ 1e-6, the nearest is 10-fast-math, 34.5 TFLOP/s, 5.2e-6; ";
        says(&text, &[none, "(5.2e-6) and as accurate: 34.5 TFLOP/s."]);
        assert!(!text.contains("of all"), "{text}");
        report.rows.pop();
        let text = said(&report);
        assert!(
            !text.contains("talk") && text.contains("09x-unroll-128 (a detour), 33.2"),
            "{text}"
        );
    }

    #[test]
    fn the_table_marks_the_front() {
        let (report, none) = (synthetic::accuracies(), Published::default());
        let found = Accuracies::of(&report, &none).expect("steps");
        let text = table(&found, &|ladder, step| Some(format!("{ladder}/{step}.md"))).markdown();
        let line = |start: &str| text.lines().find(|line| line.starts_with(start)).expect(start);
        let pairs = line("| [pairs](pairs/14-pairs.md): what 14-pairs changes |");
        assert!(pairs.ends_with("| 2900 | 58.0 | 2.5e-7 | 9.0e-6 | ● |"), "{pairs}");
        let detour = line("| [unroll-128](pairs/09x-unroll-128.md) (detour)");
        assert!(detour.ends_with("| 9.0e-6 |  |"), "{detour}");
        assert_eq!(text.lines().count(), 2 + 8);
        assert_eq!(absent(&found), "Not timed at that size: 01-one-thread (n = 4096).");
    }
}

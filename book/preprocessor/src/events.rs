//! What the simulator counts of a step and of its parent, and what the time model makes of it.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use ladder::{Ladder, Step};
use launches::explain::compare::{Row, UNITS, compare};
use launches::explain::pass::not_modelled;
use launches::explain::running::Side;
use launches::explain::text::{changed, figure};
use launches::explain::verdict::{Known, verdict};
use launches::facts::resident;
use report::format;
use report::validation::Ratio;

use crate::html::escape;
use crate::validation;

/// Figures that change by less are shown folded: a twentieth or so.
const HARDLY: f64 = 0.05;

/// The figures that head the table, whether they change or not.
const ALWAYS: [&str; 2] = ["machine instructions", "PTX instructions"];

/// Bounds of less than this share of the time are not drawn.
const SMALL: f64 = 0.02;

/// A step next to its parent, with what the reports below `root` say of their times.
pub fn compared(
    root: &Path,
    ladder: &dyn Ladder,
    (parent, before): (&Step, &Side),
    (step, after): (&Step, &Side),
) -> Result<String> {
    let left_out = not_modelled(ladder, Some(parent), Some(step));
    let validated = validation::of_step(root, ladder.name(), step.name)?;
    let known = match (&left_out, &validated) {
        (Some(why), _) => Known::NotModelled(why),
        (None, Some((ratio, _))) => Known::Modelled(ratio.modelled),
        (None, None) => Known::Watched,
    };
    Ok(markdown(before, after, known, validated.as_ref()))
}

/// A step next to its parent. `known` is what the model has of a run, and `validated` what that was held against: on which GPU.
fn markdown(
    before: &Side,
    after: &Side,
    known: Known<'_>,
    validated: Option<&(Ratio, String)>,
) -> String {
    let rows = compare(before, after);
    let (shown, folded): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| row.weight >= HARDLY || ALWAYS.contains(&row.metric.name));
    let mut shown = shown;
    shown.sort_by_key(|row| !ALWAYS.contains(&row.metric.name));
    let measured = validated.map_or_else(String::new, |(ratio, device)| {
        let (n, times) = (format::grouped(ratio.n), format::factor(ratio.measured));
        format!(" On an {device}, {times} was measured at n = {n}.")
    });
    let mut out = format!("> {}{measured}\n\n", verdict(before, after, known, &rows));
    out += &conditions(&[before, after]);
    out += &table(&shown, before, after);
    out += &bounds(&[before, after]);
    out += &resident(&[before, after]);
    if !folded.is_empty() {
        let _ = write!(
            out,
            "\n<details>\n<summary>What hardly changed</summary>\n\n{}\n</details>\n",
            table(&folded, before, after)
        );
    }
    out
}

/// The first step alone.
pub fn alone(side: &Side) -> String {
    let mut rows = compare(side, side);
    rows.sort_by_key(|row| !ALWAYS.contains(&row.metric.name));
    let mut out = conditions(&[side]);
    let _ = write!(out, "| for each {} | {} |\n|:--|--:|\n", units(side), side.name);
    for row in rows {
        let _ = writeln!(out, "| {} | {} |", row.metric.name, figure(row.metric, row.after));
    }
    out + &bounds(&[side]) + &resident(&[side])
}

/// What counts are given for: "32 interactions".
pub fn units(side: &Side) -> String {
    format!("{UNITS} {}", side.figure.work)
}

/// How it was run.
fn conditions(sides: &[&Side]) -> String {
    let mut sizes: Vec<String> =
        sides.iter().map(|side| format!("{}: n = {}", side.name, side.size)).collect();
    if sides.windows(2).all(|pair| pair[0].size == pair[1].size) {
        sizes = vec![format!("n = {}", sides[0].size)];
    }
    format!(
        "**SIMULATED**, {}. Counts are for {}, one for each lane of a warp. Times are **MODELLED** for {}.\n\n",
        sizes.join(", "),
        units(sides[0]),
        sides[0].facts.model.gpu
    )
}

fn table(rows: &[&Row], before: &Side, after: &Side) -> String {
    let mut out = format!(
        "| for each {} | {} | {} | change |\n|:--|--:|--:|--:|\n",
        units(after),
        before.name,
        after.name
    );
    for row in rows {
        let value = |value| match figure(row.metric, value) {
            none if none.is_empty() => "–".to_owned(),
            figure => figure,
        };
        let change = changed(row.change);
        let change = if row.weight >= HARDLY { format!("**{change}**") } else { change };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "| {} | {} | {} | {change} |",
            row.metric.name,
            value(row.before),
            value(row.after)
        );
    }
    out
}

/// The bounds of the model as bars, as long as the time that each alone would take for equal work: that of the last.
fn bounds(sides: &[&Side]) -> String {
    let Some(last) = sides.last() else { return String::new() };
    let scaled = |side: &Side, seconds: f64| seconds * last.work / side.work;
    let time = |side: &&Side| scaled(side, side.facts.model.seconds);
    let longest = sides.iter().map(time).fold(f64::MIN_POSITIVE, f64::max);
    let note = if sides.iter().all(|side| side.size == last.size) {
        String::new()
    } else {
        format!("; times are for equal work, that of n = {}", last.size)
    };
    let mut names: Vec<&str> = Vec::new();
    for model in sides.iter().map(|side| &side.facts.model) {
        for bound in &model.bounds {
            let counts = bound.seconds >= SMALL * model.seconds;
            if counts && !names.contains(&bound.name) {
                names.push(bound.name);
            }
        }
    }
    // The limit first: the step's own.
    let own = |name: &str| last.facts.model.bound(name);
    names.sort_by(|one, other| own(other).total_cmp(&own(one)));
    let limits: Vec<String> = sides
        .iter()
        .map(|side| {
            let binding = side.facts.model.binding.unwrap_or("nothing");
            format!("{} is limited by {binding}", side.name)
        })
        .collect();
    let mut out = format!(
        "\n<figure class=\"bounds\" role=\"group\" aria-label=\"{}\">\n\
         <figcaption>Bounds of the time model; the longest is the limit (◀){note}</figcaption>\n",
        escape(&limits.join("; "))
    );
    for name in names {
        let _ = writeln!(out, "<div class=\"bound\"><span class=\"name\">{}</span>", escape(name));
        for (place, side) in sides.iter().enumerate() {
            let model = &side.facts.model;
            let seconds = scaled(side, model.bound(name));
            let class = if place + 1 == sides.len() { "after" } else { "before" };
            let mark = if model.binding == Some(name) { " ◀" } else { "" };
            let _ = writeln!(
                out,
                "<span class=\"{class}\">{}{}{mark}</span>",
                bar(seconds / longest),
                format::time(Some(seconds).filter(|seconds| *seconds > 0.0)),
            );
        }
        out += "</div>\n";
    }
    let key = sides.iter().enumerate().map(|(place, side)| {
        let class = if place + 1 == sides.len() { "after" } else { "before" };
        let time = format::time(Some(time(side)));
        format!("<span class=\"{class}\"><i></i>{}: {time}</span>", escape(&side.name))
    });
    let _ = writeln!(out, "<div class=\"key\">{}</div>\n</figure>", key.collect::<String>());
    out
}

/// A bar of this share of the longest; none of nothing.
fn bar(share: f64) -> String {
    if share > 0.0 {
        // The rest of the line is for the figure.
        format!("<i style=\"width:{:.1}%\"></i>", 66.0 * share)
    } else {
        String::new()
    }
}

/// How many warps there are to fill waits with, and why no more.
fn resident(sides: &[&Side]) -> String {
    let of = |side: &&Side| format!("- {}: {}\n", side.name, resident::sentence(&side.facts));
    format!("\nResident at a time:\n\n{}", sides.iter().map(of).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladders::LADDERS;
    use launches::explain::running::{self, Task};
    use simt::model::Gpu;

    /// A step at few bodies.
    fn side(name: &str) -> Side {
        let kernels = LADDERS[0].kernels().expect("the kernels");
        let gpu = Gpu::named("h200").expect("a GPU that is known");
        let ladder = LADDERS[0];
        let step = &ladder.step(name).expect("a step");
        let kernels = &kernels;
        let task = Task {
            ladder,
            step,
            file: None,
            kernels,
            size: 512,
            gpu: &gpu,
            timeline: false,
            whole: false,
        };
        running::run(&task).expect("a run")
    }

    #[test]
    fn what_changed_is_shown_and_the_rest_folded() {
        let text = markdown(&side("05-rsqrt"), &side("06-shared-blocking"), Known::Watched, None);
        let (open, folded) = text.split_once("<details>").expect("something did not change");
        // Each body of a tile is loaded once a block of 256 instead of by each of its 8 warps 256 times.
        assert!(open.contains("| global requests | 4.") && open.contains("× fewer**"), "{open}");
        assert!(open.contains("| barriers | 0 |"), "{open}");
        assert!(folded.contains("| special functions | 1.00 | 1.00 | = |"), "{folded}");
        assert!(open.contains("n = 512") && open.contains("for NVIDIA H200"), "{open}");
    }

    #[test]
    fn bars_are_as_long_as_their_bounds() {
        let side = side("05-rsqrt");
        let html = bounds(&[&side, &side]);
        // Overheads of the launch are in the time and in no bound.
        let longest: f64 = html
            .split("width:")
            .skip(1)
            .filter_map(|rest| rest.split_once('%')?.0.parse::<f64>().ok())
            .fold(0.0, f64::max);
        assert!(longest > 0.0 && longest <= 66.0, "{html}");
        assert_eq!(html.matches(" ◀").count(), 2, "{html}");
        assert!(html.trim().lines().all(|line| !line.is_empty()), "{html}");
    }

    #[test]
    fn different_sizes_are_compared_for_equal_work() {
        let (own, mut smaller) = (side("05-rsqrt"), side("05-rsqrt"));
        // Half the bodies and a quarter of the time: the bars are the same.
        smaller.size /= 2;
        smaller.work /= 4.0;
        smaller.facts.model.seconds /= 4.0;
        smaller.facts.model.bounds.iter_mut().for_each(|bound| bound.seconds /= 4.0);
        let html = bounds(&[&smaller, &own]);
        assert!(html.contains("equal work, that of n = 512"), "{html}");
        assert!(!bounds(&[&own, &own]).contains("equal work"));
        let lines = |class: &str| -> Vec<String> {
            let start = format!("<span class=\"{class}\">");
            html.lines().filter_map(|line| line.strip_prefix(&start).map(str::to_owned)).collect()
        };
        assert!(!lines("before").is_empty());
        assert_eq!(lines("before"), lines("after"));
    }

    #[test]
    fn the_first_step_stands_alone() {
        let text = alone(&side("01-one-thread"));
        assert!(text.contains("| active lanes | 3.1 % |"), "{text}");
        assert!(!text.contains("change"), "{text}");
    }
}

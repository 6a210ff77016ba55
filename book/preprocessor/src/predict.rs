//! Asks a reader what a step gains over its parent, before the page shows it; and single numbers of reports within a sentence.
//!
//! The right choice comes from the report. The wrong ones lie a factor above or below it, a small one where the gain is small;
//! where no difference was shown, that is what is right.
//! Which of the three places the right one has follows from the step's name, so that it varies from page to page and never
//! from build to build. Choices are those of a quiz: without a script they are opened and read all the same; with one, the
//! reader's choice is remembered.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use report::statistics::Verdict;
use report::{Row, format};

use crate::html::escape;
use crate::report::{Of, own, read};

/// The question about a step's gain at this size, or else at the largest, with three choices.
pub fn html(root: &Path, machine: &str, of: Of, size: Option<u64>) -> Result<String> {
    let report = read(root, machine)?;
    let row = own(&report, machine, of)?;
    let compared = match size {
        Some(n) => row.at(n).and_then(|timed| timed.parent).map(|ratio| (n, ratio)),
        None => row.parent(),
    };
    let (n, ratio) = compared.with_context(|| {
        format!(
            "reports/{machine} does not compare {} with a step before it: nothing can be predicted",
            row.step
        )
    })?;
    let parent = row.after.as_deref().unwrap_or_default();
    let name = format!("{}/{}", row.ladder, row.step);
    let device = report.device.as_ref().map_or("this machine", |device| device.name.as_str());
    let size = format::grouped(n);
    let mut out = format!(
        "<section class=\"quiz\" data-predict=\"{name}\" aria-labelledby=\"predict-{id}\">\n\
         <p id=\"predict-{id}\">How many times as fast as <code>{}</code> is it, for n = {size} on {}? \
         <em>Open your answer before you read on.</em></p>\n",
        escape(parent),
        escape(device),
        id = row.step
    );
    let (right, measured) = match (ratio.verdict, format::factor(ratio.ratio)) {
        (Verdict::NoDifference, factor) => (1.0, format!("{factor}, which shows no difference")),
        (_, factor) => (ratio.ratio, factor),
    };
    let (choices, right) = choices(&name, right);
    for (place, choice) in choices.into_iter().enumerate() {
        let verdict = if place == right { "Right." } else { "No." };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<details name=\"predict-{}\"><summary>{}</summary><p><strong>{verdict}</strong> Measured: {measured}.</p></details>",
            row.step,
            words(choice),
        );
    }
    Ok(out + "</section>\n")
}

/// Three factors from the least on, and the place of the right one.
fn choices(name: &str, right: f64) -> ([f64; 3], usize) {
    // FNV-1a: as good as any for a number from 0 to 2.
    let digest = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    let apart = match right.max(1.0 / right) {
        near if near < 1.5 => 1.3,
        near if near < 10.0 => 1.8,
        _ => 5.0,
    };
    let around = |place: i32| [0, 1, 2].map(|at| right * f64::powi(apart, at - place));
    // Where a gain is small, the first question is whether it is one: not all choices are slower, nor all faster.
    let is_open = |place: i32| (around(place)[0]..=around(place)[2]).contains(&1.0);
    let places: Vec<i32> = (0..3).filter(|place| apart > 1.5 || is_open(*place)).collect();
    let place = places[(digest >> 32) as usize % places.len()];
    (around(place), place as usize)
}

/// A factor as somebody would guess it.
fn words(factor: f64) -> String {
    let few = || format!("{factor:.2}").trim_end_matches('0').trim_end_matches('.').to_owned();
    match factor {
        less if less < 0.1 => format!("1 ⁄ {} of the speed", many(1.0 / less)),
        less if less < 0.995 => format!("{} times as fast: slower", few()),
        same if same < 1.005 => "just as fast".to_owned(),
        more if more < 10.0 => format!("{} times as fast", few()),
        more => format!("{} times as fast", many(more)),
    }
}

/// A factor of 10 or more, to two digits.
fn many(factor: f64) -> String {
    let unit = 10f64.powi(factor.log10().floor() as i32 - 1);
    format::grouped(((factor / unit).round() * unit) as u64)
}

/// A number of a step in a report, as it stands in a sentence.
pub fn value(root: &Path, machine: &str, of: Of, what: &str) -> Result<String> {
    let report = read(root, machine)?;
    let row = own(&report, machine, of)?;
    let found = match what {
        "gain" => row.parent().map(|(_, ratio)| format::factor(ratio.ratio)),
        "first" => row.times_first.map(format::factor),
        "n" => row.n().map(format::grouped),
        "time" => row.seconds().map(|seconds| format::time(Some(seconds))),
        "rate" => rate(&report, row),
        "error" => row.accuracy().map(|errors| format::error(errors.rms)),
        other => bail!("unknown value `{other}`; there are: gain, first, n, time, rate, error"),
    };
    found.with_context(|| format!("reports/{machine} has no {what} of {}", row.step))
}

fn rate(report: &report::Report, row: &Row) -> Option<String> {
    let figure = show::words::figure(report)?;
    let unit = &figure.unit;
    let times = if unit.starts_with("10") { "× " } else { "" };
    Some(format!("{} {times}{unit}", format::quantity(figure.rate(row.rate()?))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_choice_is_one_of_three_that_can_be_told_apart() {
        let mut places = [0; 3];
        for (at, gain) in
            [0.018, 0.6, 0.98, 1.0, 1.14, 1.7, 3.2, 12.0, 54_700.0].into_iter().enumerate()
        {
            for name in ["nbody/02-n-threads", "nbody/06-shared-blocking", "nbody/14-pairs", "x"] {
                let (all, right) = choices(&format!("{name}{at}"), gain);
                assert_eq!(all[right], gain);
                assert!(all.is_sorted() && all[1] / all[0] > 1.25, "{all:?}");
                let words = all.map(words);
                assert!(
                    words[0] != words[1] && words[1] != words[2] && words[2] != words[0],
                    "{words:?}"
                );
                places[right] += 1;
            }
        }
        assert!(places.iter().all(|count| *count > 4), "{places:?}");
    }

    #[test]
    fn factors_are_as_somebody_would_say_them() {
        for (factor, expected) in [
            (1.136, "1.14 times as fast"),
            (1.003, "just as fast"),
            (0.038, "1 ⁄ 26 of the speed"),
            (0.85, "0.85 times as fast: slower"),
            (37.4, "37 times as fast"),
        ] {
            assert_eq!(words(factor), expected);
        }
        assert!(words(54_712.0).starts_with("55\u{2009}000 "), "{}", words(54_712.0));
    }

    #[test]
    fn questions_and_values_come_from_the_report() {
        let root = ladder::workspace::root().expect("the workspace");
        let ladder = ladders::ladder("nbody").expect("a ladder");
        let step = ladder.step("06-shared-blocking").expect("a step");
        let html = html(&root, "h200", (ladder, &step), None).expect("a question");
        assert_eq!(html.matches("<strong>Right.</strong>").count(), 1, "{html}");
        assert_eq!(html.matches("<details").count(), 3);
        assert!(html.contains("<code>05-rsqrt</code>") && !html.trim().contains("\n\n"), "{html}");
        let gain = value(&root, "h200", (ladder, &step), "gain").expect("a gain");
        assert!(html.contains(&format!("Measured: {gain}.")), "{gain}");
        for what in ["first", "n", "time", "rate", "error"] {
            value(&root, "h200", (ladder, &step), what).unwrap_or_else(|error| panic!("{error:#}"));
        }
        let rate = value(&root, "h200", (ladder, &step), "rate").expect("a rate");
        assert!(rate.len() < 30 && rate.ends_with(" × 10⁹ interactions/s"), "{rate}");
        assert!(value(&root, "h200", (ladder, &step), "luck").is_err());
        let first = ladder.step("01-one-thread").expect("a step");
        assert!(super::html(&root, "h200", (ladder, &first), None).is_err());
        let same = ladder.step("11-float4").expect("a step");
        let same = super::html(&root, "h200", (ladder, &same), None).expect("a question");
        let right =
            "just as fast</summary><p><strong>Right.</strong> Measured: 1.01×, which shows no";
        assert!(same.contains(right), "{same}");
        let few = super::html(&root, "h200-sizes", (ladder, &step), Some(1024)).expect("a size");
        assert!(few.contains("for n = 1024 on"), "{few}");
        assert!(super::html(&root, "h200-sizes", (ladder, &step), Some(77)).is_err());
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Asks a reader what a step gains over its parent, before the page shows it; and single numbers of reports within a sentence.
//!
//! The right choice comes from the report. The wrong ones lie a factor above or below it, a small one where the gain is small.
//! Which of the three places the right one has follows from the step's name, so that it varies from page to page and never
//! from build to build. Choices are those of a quiz: without a script they are opened and read all the same; with one, the
//! reader's choice is remembered.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use report::{Row, format};

use crate::html::escape;
use crate::report::{Of, own, read};

/// The question about a step's gain, with three choices.
pub fn html(root: &Path, machine: &str, of: Of) -> Result<String> {
    let report = read(root, machine)?;
    let row = own(&report, machine, of)?;
    let (n, ratio) = row.parent().with_context(|| {
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
         <p id=\"predict-{id}\"><strong>Predict.</strong> How many times as fast as <code>{}</code> is it, for n = {size} on {}? \
         <em>Open your answer before you read on.</em></p>\n",
        escape(parent),
        escape(device),
        id = row.step
    );
    let (choices, right) = choices(&name, ratio.ratio);
    for (place, choice) in choices.into_iter().enumerate() {
        let verdict = if place == right { "Right." } else { "No." };
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "<details name=\"predict-{}\"><summary>{}</summary><p><strong>{verdict}</strong> Measured: {}. What follows says why.</p></details>",
            row.step,
            words(choice),
            format::factor(ratio.ratio)
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
    let place = ((digest >> 32) % 3) as usize;
    let apart = match right.max(1.0 / right) {
        near if near < 1.5 => 1.3,
        near if near < 10.0 => 1.8,
        _ => 5.0,
    };
    let choice = |at: usize| right * f64::powi(apart, at as i32 - place as i32);
    ([choice(0), choice(1), choice(2)], place)
}

/// A factor with as many digits as somebody would guess.
fn words(factor: f64) -> String {
    let text = match factor {
        few if few < 10.0 => {
            format!("{few:.2}").trim_end_matches('0').trim_end_matches('.').to_owned()
        }
        many => {
            let unit = 10f64.powi(many.log10().floor() as i32 - 1);
            format::grouped(((many / unit).round() * unit) as u64)
        }
    };
    let slower = if factor < 0.995 { ": slower" } else { "" };
    format!("{text} times as fast{slower}")
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
    let unit = &show::words::figure(report)?.unit;
    Some(format!("{} {unit}", format::quantity(row.rate()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_right_choice_is_one_of_three_that_can_be_told_apart() {
        let mut places = [0; 3];
        for (at, gain) in [0.6, 0.98, 1.0, 1.14, 1.7, 3.2, 12.0, 54_700.0].into_iter().enumerate() {
            for name in ["nbody/02-n-threads", "nbody/06-shared-blocking", "nbody/14-pairs", "x"] {
                let (all, right) = choices(&format!("{name}{at}"), gain);
                assert_eq!(all[right], gain);
                assert!(all.is_sorted() && all[1] / all[0] > 1.25, "{all:?}");
                let words = all.map(words);
                assert!(words[0] != words[1] && words[1] != words[2], "{words:?}");
                places[right] += 1;
            }
        }
        assert!(places.iter().all(|count| *count > 4), "{places:?}");
    }

    #[test]
    fn factors_are_as_somebody_would_say_them() {
        for (factor, expected) in [
            (1.136, "1.14 times as fast"),
            (1.0, "1 times as fast"),
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
        let ladder = harness::names::ladder("nbody").expect("a ladder");
        let step = ladder.step("06-shared-blocking").expect("a step");
        let html = html(&root, "h200", (ladder, &step)).expect("a question");
        assert_eq!(html.matches("<strong>Right.</strong>").count(), 1, "{html}");
        assert_eq!(html.matches("<details").count(), 3);
        assert!(html.contains("<code>05-rsqrt</code>") && !html.trim().contains("\n\n"), "{html}");
        let gain = value(&root, "h200", (ladder, &step), "gain").expect("a gain");
        assert!(html.contains(&format!("Measured: {gain}.")), "{gain}");
        for what in ["first", "n", "time", "rate", "error"] {
            value(&root, "h200", (ladder, &step), what).unwrap_or_else(|error| panic!("{error:#}"));
        }
        assert!(value(&root, "h200", (ladder, &step), "luck").is_err());
        let first = ladder.step("01-one-thread").expect("a step");
        assert!(super::html(&root, "h200", (ladder, &first)).is_err());
    }
}

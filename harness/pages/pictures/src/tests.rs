//! Pictures of reports made up for the purpose.

mod accuracy;
mod against;
mod ladder;
mod legible;
mod machines;
mod shown;

use report::published::Published;
use report::{Report, synthetic};

use crate::{Context, Picture, of_report};

/// The pictures of a report by itself.
fn of(report: &Report) -> Vec<Picture> {
    of_report(report, &Context { published: &published(), against: None })
}

fn picture(report: &Report, name: &str) -> Picture {
    let found = of(report).into_iter().find(|picture| picture.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// The picture writes all of these.
fn says(picture: &Picture, wanted: &[&str]) {
    for wanted in wanted {
        assert!(picture.words.contains(wanted), "{wanted} in {}", picture.words);
    }
}

/// Two GPUs, with ratios over the parent at two sizes and over one CPU thread.
fn published() -> Published {
    synthetic::published(&[
        ("01-one-thread", 28, "one CPU thread", Some(10_000), ["1/72.4", "1/36.7"]),
        ("02-n-threads", 31, "one CPU thread", None, ["107.5", "176.7"]),
        ("02-n-threads", 31, "parent", None, ["7781", "12150"]),
        ("03-soa", 33, "parent", Some(100_000), ["0.83", "0.82"]),
        ("04-constant-params", 34, "parent", Some(1000), ["1.015", "0.971"]),
        ("05-rsqrt", 35, "parent", Some(100_000), ["0.99", "1.64"]),
        ("10-fast-math", 40, "parent", Some(100_000), ["1.00", "1.15"]),
    ])
}

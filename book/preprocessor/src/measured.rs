//! Checks that no page holds a measured number that somebody typed: a time, a rate, a share or a ratio.
//!
//! Such a number goes out of date with the next report, so a directive writes it. It is recognised by its unit: `ms`,
//! `GB/s`, `%`, `1.4×`, `3 times faster`. Three kinds may be typed: a number next to a citation (a link to
//! `sources.md` or to a site, in the same paragraph), those that define something on every page ([`DEFINED`]), and
//! those in [`TYPED`], each with its reason. Numbers without such a unit are free: lanes, threads, bytes, dimensions.

use crate::prose;

/// Units of what is measured.
const UNITS: [&str; 18] = [
    "ns",
    "µs",
    "μs",
    "us",
    "ms",
    "s",
    "seconds",
    "MB/s",
    "GB/s",
    "TB/s",
    "GFlop/s",
    "GFLOP/s",
    "TFLOP/s",
    "clocks",
    "cycles",
    "%",
    "percent",
    "interactions/s",
];

/// Words after `times` with which it compares two speeds.
const COMPARED: [&str; 6] = ["faster", "slower", "as fast", "as slow", "as long", "the speed"];

/// The whole; the confidence of every interval; the least effect that counts.
const DEFINED: [&str; 3] = ["100 %", "95 %", "1 %"];

/// Pages on which any number may be typed, and why.
const PAGES: &[(&str, &str)] = &[
    ("how-it-is-measured.md", "explains its thresholds with examples that it says are made up"),
    ("sources.md", "says what each source claims"),
];

const ARITHMETIC: &str = "arithmetic that the page shows";
const RULE: &str = "part of a rule, and nothing that was measured";

/// Pages, numbers in them that nothing can write, and why.
const TYPED: &[(&str, &str, &str)] = &[
    ("barnes-hut/17-few.md", "32 times", ARITHMETIC),
    ("cpu/index.md", "12 cycles", ARITHMETIC),
    ("limits.md", "13 clocks", ARITHMETIC),
    ("limits.md", "9 clocks", ARITHMETIC),
    ("limits.md", "20 clocks", "the tutorial's slide 49, named in the paragraph"),
    ("limits.md", "5 %", RULE),
    ("nbody/13x-compensated.md", "32 times", ARITHMETIC),
    ("reading-events.md", "25 %", ARITHMETIC),
    ("reading-events.md", "75 %", ARITHMETIC),
    ("reports.md", "99.875 %", ARITHMETIC),
    ("reports.md", "10 %", RULE),
    ("resample/index.md", "2 %", "the problem's tolerance"),
    ("sparse/01-branch.md", "1.4 %", ARITHMETIC),
    ("your-own-kernel.md", "32 cycles", "how the runtime's clock is defined"),
];

/// Measured numbers of the page (`book/src/…`, with slashes) that were typed: the line, and what to do.
pub fn numbers(page: &str, text: &str) -> Vec<(usize, String)> {
    if PAGES.iter().any(|(exempt, _)| *exempt == page) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (at, (prose, written)) in prose::prose(text).lines().zip(text.lines()).enumerate() {
        if is_citing(written) {
            continue;
        }
        for number in measured(prose) {
            let is_known = DEFINED.contains(&number.as_str())
                || TYPED.iter().any(|(of, typed, _)| (*of, *typed) == (page, &*number));
            if !is_known {
                found.push((
                    at + 1,
                    format!(
                        "`{number}` was typed: write it by {{{{#ladder value …}}}} or {{{{#ladder gpu …}}}}, cite its source, say it in words, \
                         or give a reason in measured.rs"
                    ),
                ));
            }
        }
    }
    found
}

/// Whether a paragraph says where its numbers come from.
fn is_citing(paragraph: &str) -> bool {
    ["sources.md", "](https://", "](http://"].iter().any(|link| paragraph.contains(link))
}

/// The numbers of a line that have a unit of measurement, with it.
fn measured(line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || "—|".contains(c)).collect();
    let words: Vec<&str> = words.into_iter().map(bare).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let after = words.get(at + 1).copied().unwrap_or_default();
        // A ratio has one number; with two it is a shape, 32 × 32.
        if *word == "×" && is_number(before) != is_number(after) {
            found.push(format!("{} ×", if is_number(before) { before } else { after }));
        } else if let Some(ratio) = word.strip_prefix('×').filter(|ratio| is_number(ratio)) {
            found.push(format!("{ratio} ×"));
        }
        let Some((number, attached)) = split(word) else { continue };
        if attached == "×" && !is_number(after) {
            found.push(format!("{number} ×"));
        }
        let unit = if attached.is_empty() { after } else { attached };
        let is_ratio = || {
            let rest = words[at + 1..].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
            unit == "times" && COMPARED.iter().any(|compared| rest.starts_with(compared))
        };
        if UNITS.contains(&unit) || is_ratio() {
            found.push(format!("{number} {unit}"));
        }
    }
    found
}

/// A word without the marks around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !(c.is_alphanumeric() || "%×".contains(c)))
}

fn is_number(word: &str) -> bool {
    split(word).is_some_and(|(_, rest)| rest.is_empty())
}

/// A word's number, and what follows it in the same word: `3.5` and `ms` of `3.5ms`.
fn split(word: &str) -> Option<(&str, &str)> {
    let end =
        word.find(|c: char| !(c.is_ascii_digit() || ".,–-".contains(c))).unwrap_or(word.len());
    let number = word[..end].trim_end_matches(['-', '–']);
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| (number, &word[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_unit_of_measurement_is_found() {
        let found = measured(
            "It takes 3.5 ms (65ms before), 14%, 1.4× or × 1.6, 3 times faster, 70 to 85 % and 40 clocks.",
        );
        let expected =
            ["3.5 ms", "65 ms", "14 %", "1.4 ×", "1.6 ×", "3 times", "85 %", "40 clocks"];
        assert_eq!(found, expected);
    }

    #[test]
    fn shapes_sizes_and_counts_are_free() {
        let free = "32 lanes, 256 threads, a tile of 32 × 33 words, 48 KiB, unrolled 8 times, 1.5 GB of it, H200, step 06, \
                    100 000 bodies, 16 times as many registers.";
        assert_eq!(measured(free), Vec::<String>::new());
    }

    #[test]
    fn what_a_page_may_type_is_cited_defined_or_no_prose() {
        let page = "any.md";
        let text = "# 05 ms\n\nIt took 557 s ([sources](sources.md)).\n95 % of it, `3 ms`, {{#ladder value h200 05 time}}.\n";
        assert_eq!(numbers(page, text), Vec::new());
        let found = numbers(page, "# A page\n\nA line.\nIt took 557 s.\n");
        assert!(
            found.len() == 1 && found[0].0 == 4 && found[0].1.starts_with("`557 s`"),
            "{found:?}"
        );
    }

    #[test]
    fn reasons_are_for_numbers_that_are_there() {
        let source = ladder::workspace::root().expect("the workspace").join("book/src");
        for (page, number, reason) in TYPED {
            let text = std::fs::read_to_string(source.join(page)).expect("a page");
            let held: Vec<String> = prose::prose(&text).lines().flat_map(measured).collect();
            assert!(held.iter().any(|it| it == number), "{page}: {number}: {reason}");
        }
        for (page, reason) in PAGES {
            assert!(source.join(page).exists(), "{page}: {reason}");
        }
    }
}

//! Numbers in sentences.

use crate::format::{grouped, quantity, significant};
use crate::{Figure, Report, Row, Timed};

/// The most letters of a reason that tables, pictures and pages show.
const REASON: usize = 400;

/// "a", "a and b", "a, b and c".
pub fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// "Skipped: a, b."; nothing where there is none.
pub fn listing(what: &str, names: impl IntoIterator<Item: ToString>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| name.to_string()).collect();
    if names.is_empty() { String::new() } else { format!("{what}: {}.", names.join(", ")) }
}

/// Sentences one after the other, those that are empty left out.
pub fn sentences(all: impl IntoIterator<Item = String>) -> String {
    let said = all.into_iter().filter(|sentence| !sentence.is_empty());
    said.collect::<Vec<_>>().join(" ")
}

/// "1 thread", "16 threads".
pub fn count(number: impl Into<u64>, noun: &str) -> String {
    match number.into() {
        1 => format!("1 {noun}"),
        number => format!("{number} {noun}s"),
    }
}

/// What a report's tables call a size: "n", or "m × n × k".
pub fn size_names(report: &Report) -> String {
    let first = report.rows.iter().flat_map(|row| &row.timed).next();
    first.map_or_else(|| "n".to_owned(), Timed::size_names)
}

/// A size of a report, and what it counts: "n = 4 096 elements", or "m × n × k = 512 × 256 × 64".
pub fn size(report: &Report, n: u64, counted: &str) -> String {
    let mut all = report.rows.iter().flat_map(|row| &row.timed);
    match all.find(|timed| timed.n == n && !timed.sizes.is_empty()) {
        Some(timed) => format!("{} = {}", timed.size_names(), timed.size_text()),
        None => format!("n = {} {counted}", grouped(n)).trim_end().to_owned(),
    }
}

/// One unit of a figure's work: "byte" of "bytes".
pub fn unit(figure: &Figure) -> &str {
    figure.work.strip_suffix('s').unwrap_or(&figure.work)
}

/// A rate in the figure's unit: "3950 GB/s", "1.20·10⁹ elements/s".
pub fn rate(figure: &Figure, work_per_second: f64) -> String {
    let times = if figure.unit.starts_with("10") { "·" } else { " " };
    format!("{}{times}{}", quantity(figure.rate(work_per_second)), figure.unit)
}

/// A rate in operations per second where the figure counts them, else in its own unit:
/// "58.0 TFLOP/s", "3950 GB/s".
pub fn speed(figure: &Figure, work_per_second: f64) -> String {
    match figure.tflops(work_per_second) {
        Some(few) if few < 1.0 => format!("{} GFLOP/s", significant(1e3 * few)),
        Some(many) => format!("{} TFLOP/s", significant(many)),
        None => rate(figure, work_per_second),
    }
}

/// What [`speed`] counts, where that is a convention: "at 20 flop per pair".
pub fn convention(figure: &Figure) -> Option<String> {
    figure.flop.map(|flop| format!("at {flop} flop per {}", unit(figure)))
}

/// The figure of a report's ladder; where it has rows of several, the one that was asked for.
pub fn figure(report: &Report) -> Option<&Figure> {
    let asked = report.figures.get(&report.options.ladder);
    asked.or_else(|| report.rows.first().map(|row| report.figure(row)))
}

/// A step, in a sweep with its variant: "05-rsqrt (256)"; or the kernel that took its place: "mine.cu in place of 05".
pub fn subject(row: &Row) -> String {
    let suffix = row.variant().suffix();
    match &row.kernel {
        None => format!("{}{suffix}", row.step),
        Some(file) if row.number().is_empty() => format!("{file} in place of {}{suffix}", row.step),
        Some(file) => format!("{file} in place of {}{suffix}", row.number()),
    }
}

/// "verified up to n = 4096 (01: 512)" of a report some of whose times are of a larger size; `None` where all was
/// verified as it was timed.
pub fn verified(report: &Report) -> Option<String> {
    let usual = report.verified_size()?;
    let own = |row: &Row| Some((row.number().to_owned(), row.main()?.verified()?));
    let others = report.verified().filter_map(own).filter(|(_, n)| *n != usual);
    let mut others: Vec<String> =
        others.map(|(number, n)| format!("{number}: {}", grouped(n))).collect();
    others.dedup();
    let others =
        if others.is_empty() { others.concat() } else { format!(" ({})", others.join(", ")) };
    Some(format!("verified up to n = {}{others}", grouped(usual)))
}

/// How what was drawn at random is drawn again; nothing where that is not known.
pub fn seed(seed: u64) -> String {
    match seed {
        0 => String::new(),
        seed => format!(" Seed {seed} drew what was random in that: --seed {seed} repeats it."),
    }
}

/// A reason as it is shown: a compiler's messages can be as long as a book.
pub fn reason(text: &str) -> String {
    match text.char_indices().nth(REASON) {
        None => text.to_owned(),
        Some((end, _)) => {
            let more = text[end..].chars().count();
            format!("{}…, {more} more characters in report.json", &text[..end])
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::synthetic::{exact, figure as pairs, modelled, sweep, verified_up_to};

    use super::*;

    #[test]
    fn parts_are_joined_and_counted() {
        let parts = |count: usize| ["a", "b", "c"][..count].iter().map(|it| (*it).to_owned());
        let list = |count| list(&parts(count).collect::<Vec<_>>());
        assert_eq!([list(0), list(1), list(2), list(3)], ["", "a", "a and b", "a, b and c"]);
        assert_eq!(listing("Skipped", ["a", "b"]), "Skipped: a, b.");
        let none = listing("Skipped", [""; 0]);
        assert_eq!(sentences([none, "One.".to_owned(), "Two.".to_owned()]), "One. Two.");
        assert_eq!([count(1u32, "thread"), count(2u32, "thread")], ["1 thread", "2 threads"]);
    }

    #[test]
    fn a_speed_is_in_the_unit_of_its_figure() {
        assert_eq!(speed(&pairs(), 2.9e12), "58.0 TFLOP/s");
        assert_eq!(speed(&pairs(), 2.9e9), "58.0 GFLOP/s");
        assert_eq!(convention(&pairs()).as_deref(), Some("at 20 flop per pair"));
        let mut bytes = figure(&exact()).expect("a figure").clone();
        assert_eq!((speed(&bytes, 3.95e12), convention(&bytes)), ("3950 GB/s".to_owned(), None));
        bytes.unit = "10⁹ elements/s".to_owned();
        assert_eq!(speed(&bytes, 1.2e9), "1.20·10⁹ elements/s");
    }

    #[test]
    fn what_was_verified_is_said_where_it_is_less_than_what_was_timed() {
        assert_eq!(verified(&modelled(sweep())), None);
        let less = verified(&verified_up_to(4096, sweep()));
        assert_eq!(less.as_deref(), Some("verified up to n = 4096 (01: 2048)"));
    }

    #[test]
    fn long_reasons_are_cut() {
        let text = "é".repeat(450);
        assert_eq!(reason(&text[..800]), text[..800]);
        let cut = format!("{}…, 50 more characters in report.json", &text[..800]);
        assert_eq!(reason(&text), cut);
    }
}

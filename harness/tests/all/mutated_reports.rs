//! Report files that something has spoiled: each is refused with a message, or is a report that
//! everything can be made of. Nothing panics.

use std::path::Path;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use report::Report;
use report::accuracy::Accuracies;
use report::published::Published;
use serde_json::{Value, json};
use show::compare::{Comparison, EFFECT, text};
use show::page::Page;
use show::{NO_LINK, accuracy, export, heuristics, limits, steps, summary, tuning};

const REPORT: &str = include_str!("../../core/report/tests/data/report.json");

/// Mutations of either kind.
const MUTATIONS: usize = 1000;

fn below(random: &mut ChaCha8Rng, end: usize) -> usize {
    (random.next_u64() % end.max(1) as u64) as usize
}

/// Bytes changed, cut off, doubled or left out.
fn spoil_bytes(text: &str, random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=below(random, 2) {
        let at = below(random, bytes.len());
        match below(random, 5) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, random.next_u64() as u8),
            2 => drop(bytes.drain(at..(at + below(random, 40)).min(bytes.len()))),
            3 => {
                let end = (at + below(random, 300)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy);
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    // A digit where it can be: more of these are still JSON.
                    let digit = b'0' + below(random, 10) as u8;
                    *byte = if byte.is_ascii_digit() { digit } else { random.next_u64() as u8 };
                }
            }
        }
    }
    bytes
}

/// Fields removed, emptied, doubled, exchanged, or of another type or magnitude.
fn spoil_values(text: &str, random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut json: Value = serde_json::from_str(text).expect("JSON");
    for _ in 0..=below(random, 2) {
        spoil(&mut json, random);
    }
    // What JSON cannot say stands as text here until now.
    let mut text = json.to_string();
    for number in ["NaN", "1e999", "-Infinity"] {
        text = text.replace(&format!("\"<{number}>\""), number);
    }
    text.into_bytes()
}

fn spoil(value: &mut Value, random: &mut ChaCha8Rng) {
    // Down to somewhere.
    let children = match value {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 0,
    };
    if children > 0 && below(random, 8) > 0 {
        let at = below(random, children);
        let child = match value {
            Value::Array(items) => items.get_mut(at),
            Value::Object(fields) => fields.values_mut().nth(at),
            _ => None,
        };
        return child.map_or((), |child| spoil(child, random));
    }
    match value {
        Value::Array(items) if below(random, 2) == 0 => match below(random, 3) {
            0 => drop(items.pop()),
            1 => items.extend(items.clone()),
            _ => items.reverse(),
        },
        Value::Object(fields) if below(random, 2) == 0 => {
            let names: Vec<String> = fields.keys().cloned().collect();
            if let Some(name) = names.get(below(random, names.len())) {
                fields.remove(name);
            }
        }
        other => *other = replacement(other, random),
    }
}

fn replacement(value: &Value, random: &mut ChaCha8Rng) -> Value {
    let number = value.as_f64().unwrap_or(1.0);
    let nested = |depth| (0..depth).fold(json!(1), |inner, _| json!([inner]));
    match below(random, 22) {
        0 => Value::Null,
        1 => json!(-number),
        2 => json!(number * 1e-300),
        3 => json!(number * 1e300),
        4 => json!(0),
        5 => json!(u64::MAX),
        6 => json!(f64::MAX),
        7 => json!(5e-324),
        8 => json!("<NaN>"),
        9 => json!("<1e999>"),
        10 => json!("<-Infinity>"),
        11 => json!(""),
        12 => json!("x".repeat(5000)),
        13 => json!("line\n| two |\u{1b}[31m\u{0}\u{202e}ü"),
        14 => json!([]),
        15 => json!({}),
        16 => nested(100),
        17 => nested(200),
        18 => json!(true),
        19 => json!("faster"),
        20 => json!(number * 1.5),
        _ => json!(number as i64 / 2),
    }
}

/// Everything that is made of a report, for a terminal of this width.
fn draw_everything(report: &Report, other: &Report, width: usize) {
    let published = &Published::default();
    steps::table(report).terminal(width);
    summary::summary(report, published, width);
    tuning::text(report, width);
    heuristics::text(report, width);
    steps::linked(report, NO_LINK).markdown();
    limits::markdown(report, NO_LINK);
    if let Some(accuracies) = Accuracies::of(report, published) {
        accuracy::sentence(&accuracies);
    }
    export::markdown(report, published);
    export::csv(report);
    export::samples_csv(report);
    Page { report, published, against: None, pictures: &[] }.html();
    for (a, b) in [(report, other), (other, report)] {
        let comparison = Comparison::of(("a", a), ("b", b), EFFECT);
        text::terminal(&comparison, width);
        text::markdown(&comparison);
        text::csv(&comparison);
        text::json(&comparison);
    }
}

#[test]
fn a_spoiled_report_is_refused_or_still_a_report() {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let (mut refused, mut accepted) = (0, 0);
    let good = Report::from_json(REPORT.as_bytes(), Path::new("r.json")).expect("a report");
    for _ in 0..MUTATIONS {
        for spoil in [spoil_bytes, spoil_values] {
            let text = spoil(REPORT, &mut random);
            match Report::from_json(&text, Path::new("r.json")) {
                Ok(report) => {
                    accepted += 1;
                    assert_eq!(report.check(), Ok(()));
                    draw_everything(&report, &good, [1, 80, 120][accepted % 3]);
                    let again = Report::from_json(report.to_json().as_bytes(), "r".as_ref());
                    assert_eq!(again.expect("what is written is read"), report);
                }
                Err(error) => {
                    refused += 1;
                    assert!(error.to_string().starts_with("r.json "), "{error}");
                }
            }
        }
    }
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 400 && accepted > 40, "{refused} refused, {accepted} accepted");
}

/// Cut anywhere, a report is none.
#[test]
fn a_truncated_report_is_refused() {
    let text = REPORT.trim_end();
    for end in (0..text.len()).step_by(7) {
        let error = Report::from_json(&text.as_bytes()[..end], Path::new("r.json"));
        assert!(error.is_err(), "the first {end} bytes");
    }
}

//! Every text lies within its picture and beside every other.

use crate::plot::drawn::Drawn;
use crate::plot::font::{CENTRE_CAPITALS, Lettering};
use crate::plot::style::INK;
use crate::plot::{Plot, of};
use crate::synthetic::{self, at, timed};
use ::report::Report;

/// A line of text and the box around its capitals.
#[derive(Debug)]
pub struct Text {
    pub text: String,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// The texts that an SVG draws.
pub fn texts(svg: &str) -> Vec<Text> {
    let mut texts = Vec::new();
    for element in svg.split("<text ").skip(1) {
        let (attributes, rest) = element.split_once('>').unwrap();
        let text = rest.split_once("</text>").unwrap().0.trim();
        let text = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&apos;", "'")
            .replace("&quot;", "\"");
        let text = text.replace("&amp;", "&");
        let attribute = |name: &str| {
            let from = attributes.split_once(&format!("{name}=\"")).map(|(_, from)| from);
            from.and_then(|from| from.split_once('"')).map(|(value, _)| value)
        };
        let number = |name: &str| attribute(name).unwrap().parse::<f64>().unwrap();
        let em = number("font-size");
        let lettering =
            Lettering { bold: attribute("font-weight").is_some(), ..Lettering::new(em, INK) };
        let wide = f64::from(lettering.width(&text));
        let left = match attribute("text-anchor").unwrap() {
            "start" => number("x"),
            "middle" => number("x") - wide / 2.0,
            _ => number("x") - wide,
        };
        let middle = number("y") - em * CENTRE_CAPITALS;
        let (top, bottom) = (middle - 0.36 * em, middle + 0.36 * em);
        texts.push(Text { text, left, right: left + wide, top, bottom });
    }
    texts
}

/// Every text is inside and beside every other.
pub fn check(plot: &Plot) {
    let (width, height) = plot.extent();
    let svg = plot.svg().unwrap();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let texts = texts(&svg);
    assert!(texts.len() > 3, "{svg}");
    for (place, one) in texts.iter().enumerate() {
        let inside = one.left >= 0.0
            && one.right <= f64::from(width)
            && one.top >= 0.0
            && one.bottom <= f64::from(height);
        assert!(inside, "{}: outside: {one:?}", plot.stem);
        for other in &texts[..place] {
            let apart = one.right <= other.left + 1.0
                || other.right <= one.left + 1.0
                || one.bottom <= other.top + 1.0
                || other.bottom <= one.top + 1.0;
            assert!(apart, "{}: {one:?} lies over {other:?}", plot.stem);
        }
    }
}

fn all(report: &Report, stems: &[&str]) {
    let plots = of(report);
    assert_eq!(plots.iter().map(|plot| plot.stem).collect::<Vec<_>>(), stems);
    plots.iter().for_each(check);
}

const ALL: [&str; 6] = ["ladder", "bounds", "roofline", "accuracy", "sizes", "spread"];

#[test]
fn texts_of_a_sweep_keep_apart() {
    all(&synthetic::sweep(), &ALL);
    all(&synthetic::blocks(), &["blocks", "spread"]);
    all(&synthetic::tuning(), &["tuning", "spread"]);
}

/// Names as long as anyone likes, forty steps, and numbers from the ends of what there is.
#[test]
fn texts_of_odd_reports_keep_apart() {
    let mut report = synthetic::sweep();
    let long = "a name that does not end ".repeat(20);
    for row in &mut report.rows {
        row.step = format!("{}-{long}", row.step);
        row.title.clone_from(&long);
    }
    report.revision = Some(long.clone());
    report.device.as_mut().unwrap().name.clone_from(&long);
    all(&report, &ALL);

    let mut report = synthetic::sweep();
    let one = report.rows.pop().unwrap();
    report.rows = (0..40)
        .map(|at| {
            let mut row = one.clone();
            row.step = format!("{at:02}-step");
            row
        })
        .collect();
    all(&report, &ALL);

    let mut report = synthetic::sweep();
    for (place, row) in report.rows.iter_mut().enumerate() {
        for timed in &mut row.timed {
            timed.seconds *= 10f64.powi(place as i32 * 60 - 200);
            timed.interval = None;
        }
    }
    of(&report).iter().for_each(check);
}

/// A single step, sizes without samples, limits without bounds.
#[test]
fn partial_reports_are_drawn() {
    let mut alone = synthetic::sweep();
    alone.rows.truncate(1);
    // Its speed and error cannot be held against any other.
    let stems: Vec<&str> = ALL.into_iter().filter(|stem| *stem != "accuracy").collect();
    all(&alone, &stems);
    let mut bare = timed("01-one", None, 1000, 1e-3);
    bare.timed.extend([at(2000, 3e-3), at(4000, 0.02)]);
    let mut limits = alone.rows[0].limits.clone().unwrap();
    limits.bounds.clear();
    limits.l2_bytes = 0.0;
    bare.limits = Some(limits);
    all(&synthetic::report(vec![bare], false), &["ladder", "sizes"]);
    all(&synthetic::report(vec![], false), &["ladder"]);
}

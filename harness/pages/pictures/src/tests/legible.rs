//! Every text lies within its picture and apart from every other.

use std::path::Path;

use report::Report;
use report::synthetic::{self, at, timed};

use super::of;
use crate::Picture;
use crate::kit::lettering::{CENTRE_CAPITALS, Lettering};
use crate::kit::style::{INK, Paper};

/// A line of text and the box around its capitals.
#[derive(Debug)]
pub struct Text {
    pub text: String,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

/// A number that an element has.
pub fn number(element: &str, name: &str) -> f64 {
    let from = element.split_once(&format!(" {name}=\"")).expect(name).1;
    from.split_once('"').expect("an end").0.parse().expect("a number")
}

/// All elements of a kind, each up to the next tag: its attributes and its text.
pub fn elements<'s>(svg: &'s str, kind: &'s str) -> impl Iterator<Item = &'s str> {
    let elements = svg.split('<').filter_map(move |tag| tag.strip_prefix(kind));
    elements.filter(|element| element.starts_with(' '))
}

/// The texts that an SVG draws.
pub fn texts(svg: &str) -> Vec<Text> {
    let of = |element: &str| {
        let (attributes, text) = element.split_once('>').expect("a tag");
        let mut text = text.trim().to_owned();
        for (escape, sign) in
            [("&lt;", "<"), ("&gt;", ">"), ("&apos;", "'"), ("&quot;", "\""), ("&amp;", "&")]
        {
            text = text.replace(escape, sign);
        }
        let em = number(attributes, "font-size");
        let bold = attributes.contains("font-weight");
        let wide = f64::from(Lettering { bold, ..Lettering::new(em, INK) }.width(&text));
        let left = number(attributes, "x")
            - match attributes.split_once("text-anchor=\"").expect("an anchor").1 {
                start if start.starts_with("start") => 0.0,
                middle if middle.starts_with("middle") => wide / 2.0,
                _ => wide,
            };
        let middle = number(attributes, "y") - em * CENTRE_CAPITALS;
        let (top, bottom) = (middle - 0.36 * em, middle + 0.36 * em);
        Text { text, left, right: left + wide, top, bottom }
    };
    elements(svg, "text").map(of).collect()
}

/// Every text is inside and apart from every other, on both papers.
pub fn check(picture: &Picture) {
    check_on(Paper::Wide, picture.name, &picture.svg);
    if let Some(narrow) = &picture.narrow {
        check_on(Paper::Narrow, picture.name, narrow);
    }
}

fn check_on(paper: Paper, name: &str, svg: &str) {
    let root = &svg[..svg.find('>').expect("a tag")];
    let height = number(root, "height");
    let edges = root.split_once("viewBox=\"").expect("a box").1;
    let top: f64 = edges.split(' ').nth(1).expect("a top").parse().expect("a number");
    let (left, right) = paper.edges();
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let texts = texts(svg);
    assert!(texts.len() > 3, "{svg}");
    for (place, one) in texts.iter().enumerate() {
        let inside = one.left >= f64::from(left)
            && one.right <= f64::from(right)
            && one.top >= top
            && one.bottom <= top + height;
        assert!(inside, "{name}, {paper:?}: outside: {one:?}");
        for other in &texts[..place] {
            let apart = one.right <= other.left + 1.0
                || other.right <= one.left + 1.0
                || one.bottom <= other.top + 1.0
                || other.bottom <= one.top + 1.0;
            assert!(apart, "{name}, {paper:?}: {one:?} lies over {other:?}");
        }
    }
}

fn all(report: &Report, names: &[&str]) {
    let pictures = of(report);
    assert_eq!(pictures.iter().map(|it| it.name).collect::<Vec<_>>(), names);
    pictures.iter().for_each(check);
}

const ALL: [&str; 6] = ["ladder", "bounds", "roofline", "accuracy", "sizes", "spread"];

#[test]
fn texts_of_a_sweep_keep_apart() {
    all(&synthetic::sweep(), &ALL);
    all(&synthetic::blocks(), &["blocks", "spread"]);
    all(&synthetic::tuning(), &["tuning", "spread"]);
    // No operations, no errors.
    all(&synthetic::exact(), &["ladder", "bounds", "spread"]);
}

#[test]
fn texts_of_committed_reports_keep_apart() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports");
    for name in ["epyc-zen4", "h100", "h200", "h200-blocks", "h200-sizes", "simt-h200-n4096"] {
        let report = Report::read(&reports.join(name).join("report.json")).expect(name);
        of(&report).iter().for_each(check);
    }
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
    report.device.as_mut().expect("a device").name.clone_from(&long);
    all(&report, &ALL);

    let mut report = synthetic::sweep();
    let one = report.rows.pop().expect("a row");
    let row = |at| {
        let mut row = one.clone();
        row.step = format!("{at:02}-step");
        row
    };
    report.rows = (0..40).map(row).collect();
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
    // Its speed and error cannot be compared with any other's.
    let names: Vec<&str> = ALL.into_iter().filter(|name| *name != "accuracy").collect();
    all(&alone, &names);
    let mut bare = timed("01-one", None, 1000, 1e-3);
    bare.timed.extend([at(2000, 3e-3), at(4000, 0.02)]);
    let mut limits = alone.rows[0].limits.clone().expect("limits");
    limits.bounds.clear();
    limits.l2_bytes = 0.0;
    bare.limits = Some(limits);
    all(&synthetic::report(vec![bare], false), &["ladder", "sizes"]);
    all(&synthetic::report(vec![], false), &["ladder"]);
}

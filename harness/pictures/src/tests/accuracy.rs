//! Speed and error lie where their scales say, and the front goes along the best.

use report::Report;
use report::synthetic::{accuracies, host, reaching};

use super::legible::{Text, check, elements, number, texts};
use super::of;
use crate::Picture;

fn picture(report: &Report) -> Picture {
    super::picture(report, "accuracy")
}

/// Middles of the full discs in the plane, in the order in which they are drawn.
fn discs(svg: &str) -> Vec<(f64, f64)> {
    let circles = elements(svg, "circle").map(|rest| rest.split_once('>').expect("a tag").0);
    let blue = circles.filter(|it| it.contains("#0072B2"));
    let middles = blue.map(|it| (number(it, "cx"), number(it, "cy")));
    middles.filter(|it| it.0 < 1050.0).collect()
}

/// Where the middle of a text lies.
fn middle(texts: &[Text], text: &str) -> (f64, f64) {
    let found = texts.iter().find(|it| it.text == text);
    let found = found.unwrap_or_else(|| panic!("{text}: {texts:?}"));
    ((found.left + found.right) / 2.0, (found.top + found.bottom) / 2.0)
}

#[test]
fn points_lie_at_their_speed_and_error() {
    let svg = picture(&accuracies()).svg;
    let texts = texts(&svg);
    // Two ticks of each axis tell where everything must be.
    let (x1, x2) = (middle(&texts, "2000").0, middle(&texts, "5000").0);
    let (y1, y2) = (middle(&texts, "5e-7").1, middle(&texts, "5e-6").1);
    let x = |rate: f64| x1 + (x2 - x1) * (rate / 2000.0).log(2.5);
    let y = |error: f64| y1 + (y2 - y1) * (error / 5e-7).log10();
    let mut expected = [(1500.0, 2.1e-7), (2900.0, 2.5e-7), (4000.0, 3e-6), (4400.0, 9e-6)]
        .map(|(rate, error)| (x(rate), y(error)));
    let mut found = discs(&svg);
    found.sort_by(|one, other| one.0.total_cmp(&other.0));
    expected.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert_eq!(found.len(), 4, "{found:?}");
    for (found, expected) in found.iter().zip(&expected) {
        let off = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
        assert!(off <= 2.0, "{found:?} instead of {expected:?}");
    }
    assert!(y(1e-7) > y(1e-5), "small errors are below");
    // 100 TFLOP/s at 20 operations are 5000·10⁹ pairs.
    assert!((middle(&texts, "100").0 - x2).abs() <= 2.0);
}

#[test]
fn the_line_goes_along_the_front() {
    let svg = picture(&accuracies()).svg;
    let mut lines = elements(&svg, "polyline").map(|rest| rest.split_once('>').expect("a tag").0);
    let line = lines.find(|it| it.contains("#0072B2")).expect("a line");
    let points = line.split_once("points=\"").expect("points").1.split_once('"').expect("end").0;
    let corners: Vec<(f64, f64)> = points
        .split_whitespace()
        .map(|point| point.split_once(',').expect("two numbers"))
        .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
        .collect();
    let discs = discs(&svg);
    assert!(discs.iter().all(|disc| corners.contains(disc)), "{discs:?} in {corners:?}");
    assert_eq!(corners.len(), 2 + discs.len() + (discs.len() - 1));
    for pair in corners.windows(2) {
        assert!(pair[1].0 >= pair[0].0 && pair[1].1 <= pair[0].1, "right and up: {corners:?}");
        assert!(pair[1].0 == pair[0].0 || pair[1].1 == pair[0].1, "level or upright: {corners:?}");
    }
}

#[test]
fn every_step_has_its_number_and_its_name() {
    for report in [accuracies(), host()] {
        let picture = picture(&report);
        check(&picture);
        let texts = texts(&picture.svg);
        let has = |wanted: &str| texts.iter().any(|text| text.text == wanted);
        for row in report.rows.iter().filter(|row| row.n() != Some(4096)) {
            assert!(has(&row.step) && has(row.number()), "{}: {texts:?}", row.step);
        }
    }
}

/// A number alone would not tell them apart.
#[test]
fn steps_of_one_number_have_their_names() {
    let mut report = accuracies();
    report.rows.extend(
        [("13x-double", 30.0, 3e-8), ("13x-compensated", 900.0, 1e-7)]
            .map(|(step, rate, error)| reaching(step, rate, error)),
    );
    let picture = picture(&report);
    check(&picture);
    let texts = texts(&picture.svg);
    let count = |wanted: &str| texts.iter().filter(|text| text.text == wanted).count();
    assert_eq!((count("13x-double"), count("13x-compensated")), (2, 2), "{texts:?}");
    assert_eq!((count("13"), count("13x")), (1, 0), "{texts:?}");
}

/// Twenty steps, of which fifteen have one error and speeds that differ little.
#[test]
fn a_crowd_keeps_apart() {
    let mut report = accuracies();
    report.rows.extend(
        (20..32).map(|at| reaching(&format!("{at}-more"), 1000.0 * 1.04f64.powi(at - 20), 5.2e-6)),
    );
    let picture = picture(&report);
    check(&picture);
    let texts = texts(&picture.svg);
    assert!((20..32).all(|at| texts.iter().any(|text| text.text == at.to_string())), "{texts:?}");
}

#[test]
fn it_says_which_steps_it_cannot_show() {
    let mut report = accuracies();
    report.rows.push(reaching("18-slow", 1.0, 1e-8));
    let picture = picture(&report);
    let texts = texts(&picture.svg);
    let has = |wanted: &str| texts.iter().any(|text| text.text.contains(wanted));
    assert!(has("Too slow to be shown: 18-slow (1.00, 1.0e-8)."), "{texts:?}");
    assert!(has("Not timed at this size: 01-one-thread (n = 4096)."), "{texts:?}");
    assert!(has("Dotted: that of the talk's last step, 10-fast-math."), "{texts:?}");
    report.rows.truncate(2);
    assert!(of(&report).iter().all(|it| it.name != "accuracy"), "one step is no picture");
}

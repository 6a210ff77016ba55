//! Speed and error lie where their scales say, and the front goes along the best.

use report::synthetic::{accuracies, host, reaching};

use super::legible::{Text, check, elements, number, texts};
use super::{of, picture};

/// Where the middle of a text lies.
fn middle(texts: &[Text], text: &str) -> (f64, f64) {
    let found = texts.iter().find(|it| it.text == text).expect(text);
    ((found.left + found.right) / 2.0, (found.top + found.bottom) / 2.0)
}

#[test]
fn points_and_the_front_lie_at_their_speed_and_error() {
    let svg = picture(&accuracies(), "accuracy").svg;
    let texts = texts(&svg);
    // Two ticks of each axis tell where everything must be.
    let (x1, x2) = (middle(&texts, "2000").0, middle(&texts, "5000").0);
    let (y1, y2) = (middle(&texts, "5e-7").1, middle(&texts, "5e-6").1);
    let expected = [(1500.0f64, 2.1e-7f64), (2900.0, 2.5e-7), (4000.0, 3e-6), (4400.0, 9e-6)];
    let expected = expected.map(|(rate, error)| {
        let x = x1 + (x2 - x1) * (rate / 2000.0).log(2.5);
        (x, y1 + (y2 - y1) * (error / 5e-7).log10())
    });
    // The full discs in the plane.
    let blue = elements(&svg, "circle").filter(|it| it.contains("#0072B2"));
    let discs = blue.map(|it| (number(it, "cx"), number(it, "cy"))).filter(|it| it.0 < 1050.0);
    let mut discs: Vec<(f64, f64)> = discs.collect();
    discs.sort_by(|one, other| one.0.total_cmp(&other.0));
    assert_eq!(discs.len(), expected.len(), "{discs:?}");
    for (found, expected) in discs.iter().zip(&expected) {
        let off = (found.0 - expected.0).abs().max((found.1 - expected.1).abs());
        assert!(off <= 2.0, "{found:?} instead of {expected:?}");
    }
    // 100 TFLOP/s at 20 operations are 5000·10⁹ pairs.
    assert!((middle(&texts, "100").0 - x2).abs() <= 2.0);

    let line = elements(&svg, "polyline").find(|it| it.contains("#0072B2")).expect("a line");
    let points = line.split_once("points=\"").expect("points").1.split_once('"').expect("end").0;
    let point = |point: &str| {
        let (x, y) = point.split_once(',').expect("two numbers");
        (x.parse().expect("a number"), y.parse().expect("a number"))
    };
    let corners: Vec<(f64, f64)> = points.split_whitespace().map(point).collect();
    assert!(discs.iter().all(|disc| corners.contains(disc)), "{discs:?} in {corners:?}");
    for pair in corners.windows(2) {
        assert!(pair[1].0 >= pair[0].0 && pair[1].1 <= pair[0].1, "right and up: {corners:?}");
        assert!(pair[1].0 == pair[0].0 || pair[1].1 == pair[0].1, "level or upright: {corners:?}");
    }
}

/// The number at the mark and the name at the right; names twice where a number is not enough.
#[test]
fn every_step_has_its_number_and_its_name() {
    let (mut like, mut crowd) = (accuracies(), accuracies());
    like.rows.extend([reaching("13x-double", 30.0, 3e-8), reaching("13x-sums", 900.0, 1e-7)]);
    let more = |at| reaching(&format!("{at}-more"), 1000.0 * 1.04f64.powi(at - 20), 5.2e-6);
    crowd.rows.extend((20..32).map(more));
    for report in [accuracies(), host(), like, crowd] {
        let picture = picture(&report, "accuracy");
        check(&picture);
        let texts = texts(&picture.svg);
        let count = |wanted: &str| texts.iter().filter(|text| text.text == wanted).count();
        for row in report.rows.iter().filter(|row| row.n() != Some(4096)) {
            let is_one_of_two = row.number() == "13x";
            assert_eq!(count(&row.step), if is_one_of_two { 2 } else { 1 }, "{}", row.step);
            assert_eq!(count(row.number()) == 0, is_one_of_two, "{}", row.step);
        }
    }
}

#[test]
fn it_says_which_steps_it_cannot_show() {
    let mut report = accuracies();
    report.rows.push(reaching("18-slow", 1.0, 1e-8));
    let words = picture(&report, "accuracy").words;
    assert!(words.contains("Too slow to be shown: 18-slow (1.00, 1.0e-8)."), "{words}");
    let absent = "Not timed at this size: 01-one-thread (n = 4096). 2026-11-20 · revision";
    assert!(words.contains(absent), "{words}");
    assert!(words.contains("Dotted: that of the talk's last step, 10-fast-math."), "{words}");
    report.rows.truncate(2);
    assert!(of(&report).iter().all(|it| it.name != "accuracy"), "one step is no picture");
}

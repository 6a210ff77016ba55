//! Bars of bounds that can be read with as many bounds as a real run has.

use super::legible::{Text, texts};
use crate::plot::of;
use crate::synthetic;

/// A filled rectangle: left, top, width, height.
type Rect = [f64; 4];

fn rects(svg: &str) -> Vec<Rect> {
    let elements = svg.split("<rect ").skip(1).map(|rest| rest.split_once('>').unwrap().0);
    elements
        .map(|attributes| {
            ["x", "y", "width", "height"].map(|name| {
                let from = attributes.split_once(&format!("{name}=\"")).unwrap().1;
                from.split_once('"').unwrap().0.parse().unwrap()
            })
        })
        .collect()
}

fn bounds() -> (Vec<Rect>, Vec<Text>) {
    let report = synthetic::sweep();
    let most = report.rows.iter().map(|row| row.limits.as_ref().unwrap().bounds.len()).max();
    assert!(most >= Some(12), "a real run has twelve bounds, this one {most:?}");
    let plot = of(&report).into_iter().find(|plot| plot.stem == "bounds").unwrap();
    let svg = plot.svg().unwrap();
    // Below the box that says what was measured; neither the card nor lines of one pixel.
    let is_bar = |rect: &Rect| rect[1] > 150.0 && rect[3] > 4.0 && rect[3] < 40.0;
    (rects(&svg).into_iter().filter(is_bar).collect(), texts(&svg))
}

/// A whole bar is 100 pixels at least, 50 where the picture is shown 800 wide.
#[test]
fn bars_are_wide_enough_to_be_compared() {
    let (bars, _) = bounds();
    // Each bar is a track with what is full of it drawn over.
    let (tracks, full): (Vec<_>, Vec<_>) =
        bars.chunks(2).map(|pair| (pair[0], *pair.last().unwrap())).unzip();
    assert_eq!(tracks.len(), full.len());
    assert!(tracks.len() > 40, "{}", tracks.len());
    for (track, full) in tracks.iter().zip(&full) {
        assert!(track[2] >= 100.0 && track[3] >= 10.0, "{track:?}");
        assert!(full[0] == track[0] && full[1] == track[1] && full[2] <= track[2], "{full:?}");
    }
    // 07-unroll does 41 % of the peak, 43 % of a bar no less.
    assert!(full.iter().any(|bar| bar[2] > 60.0));
}

#[test]
fn names_of_bounds_are_whole_and_no_text_lies_over_a_bar() {
    let (bars, texts) = bounds();
    assert!(texts.iter().all(|text| !text.text.contains('…')), "{texts:?}");
    let has = |wanted: &str| texts.iter().any(|text| text.text == wanted);
    for head in ["issue", "FP32 peak", "FP32 pipe", "MUFU", "memory", "load/store", "latency"] {
        assert!(has(head), "{head}: {texts:?}");
    }
    let not_shown = "below 1\u{2009}% for every step: L2, integer multiply, DRAM, constants.";
    assert!(texts.iter().any(|text| text.text.ends_with(not_shown)), "{texts:?}");
    for text in &texts {
        for bar @ [left, top, wide, high] in &bars {
            let apart = text.right <= *left
                || text.left >= left + wide
                || text.bottom <= *top
                || text.top >= top + high;
            assert!(apart, "{text:?} lies over {bar:?}");
        }
    }
}

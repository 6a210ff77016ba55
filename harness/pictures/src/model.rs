//! Modelled times next to measured ones, step by step.

use report::format;
use report::validation::{Ratio, Time, Validation};

use super::Picture;
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Plane};
use crate::kit::lettering::{Lettering, second};
use crate::kit::scale::Scale;
use crate::kit::sheet;
use crate::kit::style::{CARD, END, GAIN, INK, LOSS, MARGIN, MUTED, RAIL, size};

/// Above the first row, between rows, and below the last.
const HEAD: i32 = 214;
const PITCH: i32 = 58;
const FOOT: i32 = 170;
/// Width of each column of ratios at the right.
const COLUMN: i32 = 130;
/// The ends of the axis.
const LEFT: i32 = 360;
const RIGHT: i32 = END - 2 * COLUMN - 40;
/// A ratio that is further off than this is marked.
const FAR_OFF: f64 = 1.35;

/// The picture of a validation.
pub fn model(validation: &Validation) -> Picture {
    let percent = 100.0 * (validation.mean_factor() - 1.0);
    let title = format!(
        "The model predicts a step's gain over its parent within {percent:.0} % (geometric mean)"
    );
    let times = &validation.times;
    sheet::picture("model", title, |canvas| {
        head(canvas, validation);
        let bottom = HEAD + times.len() as i32 * PITCH;
        let plane = Plane { left: LEFT, right: RIGHT, top: HEAD, bottom };
        let milliseconds = |time: &Time| [1e3 * time.measured, 1e3 * time.modelled];
        let values: Vec<f64> = times.iter().flat_map(milliseconds).collect();
        if let Some(scale) = Scale::with_cut(&values, LEFT, RIGHT) {
            let unit = "milliseconds for one pass, logarithmic";
            plane.level(canvas, &grid::ticks(&scale), unit);
            for (at, time) in (0..).zip(times) {
                let y = HEAD + at * PITCH + PITCH / 2;
                plane.line(canvas, y, 2);
                let ratio = validation.ratios.iter().find(|ratio| ratio.step == time.step);
                row(canvas, &scale, y, (time, ratio));
            }
            plane.gap(canvas, &scale, bottom + 26);
        }
        let note = Lettering::new(size::NOTE, MUTED);
        let text = "× parent: speed over that of the step it comes from, both at the same n. \
                    Under each name: the bound that limits it, as the model has it. //: the axis is cut.";
        canvas.text((MARGIN, bottom + 116), &note, text);
        bottom + FOOT
    })
}

fn head(canvas: &mut Canvas, validation: &Validation) {
    let large = Lettering::new(size::LARGE, INK);
    canvas.dot((MARGIN + 10, 123), 7, INK);
    let measured = format!("measured on {}", validation.device);
    canvas.text((MARGIN + 32, 123), &large, &measured);
    let next = MARGIN + 32 + large.width(&measured) + 48;
    ring(canvas, (next, 123));
    let modelled = format!("modelled for {} from simulated events", validation.gpu);
    canvas.text((next + 22, 123), &large, &modelled);
    let head = second().right();
    canvas.text((END - COLUMN / 2, HEAD - 56), &head.centred(), "× parent");
    canvas.text((END - COLUMN, HEAD - 24), &head, "measured");
    canvas.text((END, HEAD - 24), &head, "modelled");
}

fn row(canvas: &mut Canvas, scale: &Scale, y: i32, (time, ratio): (&Time, Option<&Ratio>)) {
    let name = Lettering::new(size::LARGE, INK).bold();
    canvas.text((MARGIN, y - 10), &name, &time.step);
    let limit = Lettering::new(size::NOTE, MUTED);
    let below = format!("n = {}, {} binds", format::grouped(time.n), time.binding);
    canvas.text((MARGIN, y + 16), &limit, &below);
    let (measured, modelled) = (scale.at(1e3 * time.measured), scale.at(1e3 * time.modelled));
    canvas.line((measured.min(modelled), y), (measured.max(modelled), y), 5, RAIL);
    // The full one over the open one: where they meet, both are seen.
    ring(canvas, (modelled, y));
    canvas.dot((measured, y), 7, INK);
    if let Some(ratio) = ratio {
        let number = |colour| Lettering::new(size::LARGE, colour).right();
        let colour = if ratio.factor() > FAR_OFF { LOSS } else { INK };
        canvas.text((END - COLUMN, y), &number(INK), &format::factor(ratio.measured));
        canvas.text((END, y), &number(colour), &format::factor(ratio.modelled));
    }
}

/// An open circle, which differs from a full one in grey too.
fn ring(canvas: &mut Canvas, at: Point) {
    canvas.dot(at, 13, GAIN);
    canvas.dot(at, 9, CARD);
}

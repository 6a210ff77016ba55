//! Modelled times next to measured ones, step by step.

use report::format;
use report::validation::{Ratio, Time, Validation};

use super::Picture;
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Plane};
use crate::kit::lettering::{Lettering, second};
use crate::kit::rows::{Name, Table};
use crate::kit::scale::Scale;
use crate::kit::sheet;
use crate::kit::style::{CARD, GAIN, INK, LOSS, MARGIN, MUTED, Paper, RAIL, size};

/// Above the first row, between rows, and below the last.
const HEAD: i32 = 214;
const PITCH: i32 = 58;
const FOOT: i32 = 170;
const TABLE: Table = Table { widest: 264, columns: 2, column: 130, gap: 40 };
/// What the head needs on a narrow paper beyond one line.
const OVER: i32 = 64;
/// A ratio that is further off than this is marked.
const FAR_OFF: f64 = 1.35;

/// The picture of a validation.
pub fn model(validation: &Validation) -> Picture {
    let percent = 100.0 * (validation.mean_factor() - 1.0);
    let title = format!(
        "The model predicts a step's gain over its parent within {percent:.0} % (geometric mean)"
    );
    let times = &validation.times;
    sheet::picture("model", title, OVER, |canvas| {
        head(canvas, validation);
        let (left, right) = TABLE.ends(canvas.paper, TABLE.widest);
        let (pitch, half) = TABLE.pitch(canvas.paper, PITCH);
        let bottom = HEAD + times.len() as i32 * pitch;
        let plane = Plane { left, right, top: HEAD, bottom };
        let milliseconds = |time: &Time| [1e3 * time.measured, 1e3 * time.modelled];
        let values: Vec<f64> = times.iter().flat_map(milliseconds).collect();
        if let Some(scale) = Scale::with_cut(&values, left, right) {
            let unit = "milliseconds for one pass, logarithmic";
            plane.level(canvas, &grid::ticks(&scale), unit);
            for (at, time) in (0..).zip(times) {
                let y = HEAD + (at + 1) * pitch - half;
                plane.line(canvas, y, 2);
                let ratio = validation.ratios.iter().find(|ratio| ratio.step == time.step);
                row(canvas, &scale, y, (time, ratio));
            }
            match canvas.paper {
                Paper::Wide => plane.gap(canvas, &scale, bottom + 26),
                // Numbers stand in the way.
                Paper::Narrow => grid::slashes(canvas, &scale, bottom),
            }
        }
        let note = Lettering::new(size::NOTE, MUTED);
        let below = match canvas.paper {
            Paper::Wide => "Under each name: the bound that limits it, as the model has it. ",
            Paper::Narrow => "",
        };
        let text = format!(
            "× parent: speed over that of the step it comes from, both at the same n. {below}//: the axis is cut."
        );
        let lines = note.wrapped(&text, canvas.paper.room(), 8);
        for (at, line) in (0..).zip(&lines) {
            canvas.text((MARGIN, bottom + 116 + 32 * at), &note, line);
        }
        bottom + FOOT + 32 * (lines.len() as i32 - 1)
    })
}

fn head(canvas: &mut Canvas, validation: &Validation) {
    let large = Lettering::new(size::LARGE, INK);
    let measured = format!("measured on {}", validation.device);
    let modelled = format!("modelled for {} from simulated events", validation.gpu);
    // The second after the first, or below it.
    let (first, next) = match canvas.paper {
        Paper::Wide => ((MARGIN + 10, 123), (MARGIN + 80 + large.width(&measured), 123)),
        Paper::Narrow => ((MARGIN + 10, 123 - OVER), (MARGIN + 10, 123 - OVER / 2)),
    };
    canvas.dot(first, 7, INK);
    canvas.text((first.0 + 22, first.1), &large, &measured);
    ring(canvas, next);
    let left = next.0 + 22;
    for (y, line) in
        (next.1..).step_by(32).zip(large.wrapped(&modelled, canvas.paper.end() - left, 2))
    {
        canvas.text((left, y), &large, &line);
    }
    let middle = canvas.paper.end() - TABLE.width(canvas.paper) / 2;
    canvas.text((middle, HEAD - 56), &second().centred(), "× parent");
    TABLE.heads(canvas, HEAD - 24, &["measured", "modelled"]);
}

fn row(canvas: &mut Canvas, scale: &Scale, y: i32, (time, ratio): (&Time, Option<&Ratio>)) {
    if canvas.paper.is_narrow() {
        TABLE.name(canvas, y, &Name { step: &time.step, detour: false, below: String::new() });
    } else {
        let name = Lettering::new(size::LARGE, INK).bold();
        canvas.text((MARGIN, y - 10), &name, &time.step);
        let limit = Lettering::new(size::NOTE, MUTED);
        let below = format!("n = {}, {} binds", format::grouped(time.n), time.binding);
        canvas.text((MARGIN, y + 16), &limit, &below);
    }
    let (measured, modelled) = (scale.at(1e3 * time.measured), scale.at(1e3 * time.modelled));
    canvas.line((measured.min(modelled), y), (measured.max(modelled), y), 5, RAIL);
    // The full one over the open one: where they meet, both are seen.
    ring(canvas, (modelled, y));
    canvas.dot((measured, y), 7, INK);
    if let Some(ratio) = ratio {
        let end = canvas.paper.end();
        let number = |colour| Lettering::new(size::LARGE, colour).right();
        let colour = if ratio.factor() > FAR_OFF { LOSS } else { INK };
        let y = Table::numbers_at(canvas.paper, y);
        let column = TABLE.width(canvas.paper);
        canvas.text((end - column, y), &number(INK), &format::factor(ratio.measured));
        canvas.text((end, y), &number(colour), &format::factor(ratio.modelled));
    }
}

/// An open circle, which differs from a full one in grey too.
fn ring(canvas: &mut Canvas, at: Point) {
    canvas.dot(at, 13, GAIN);
    canvas.dot(at, 9, CARD);
}

//! How much slower the end of a climb is without each of its ideas, as measured and as published for another processor.

use report::provenance::Provenance;
use report::{Report, format};

use super::Picture;
use crate::kit::canvas::Canvas;
use crate::kit::grid::{self, Plane};
use crate::kit::lettering::{Lettering, second};
use crate::kit::marks::Shape;
use crate::kit::rows::{Name, Table};
use crate::kit::scale::Scale;
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{GAIN, INK, MARGIN, RAIL, size};

/// Above the first row, between rows, and below the last.
const HEAD: i32 = sheet::HEIGHT + 64;
const PITCH: i32 = 50;
const FOOT: i32 = 116;
const TABLE: Table = Table { widest: 324, columns: 2, column: 130, gap: 40 };
/// Radius of a mark.
const RADIUS: i32 = 9;

/// An idea.
#[derive(Debug, Clone)]
pub struct Idea {
    /// What it is called.
    pub name: String,
    /// How many times as long it takes without, on another processor.
    pub published: f64,
    /// The same in the report; none where it was not measured.
    pub measured: Option<f64>,
}

/// The picture of ideas at a size; `other` is the processor of what was published.
pub fn ablation(report: &Report, n: u64, other: &str, ideas: &[Idea]) -> Picture {
    let most = ideas.iter().filter(|idea| idea.measured.is_some());
    let most = most.max_by(|a, b| a.measured.unwrap_or(0.0).total_cmp(&b.measured.unwrap_or(0.0)));
    let title = match most {
        Some(Idea { name, measured: Some(times), .. }) => {
            format!("Without {name} it takes {} times as long", format::near_one(*times))
        }
        _ => "Without an idea it takes so many times as long".to_owned(),
    };
    let more = format!(", n = {}", format::grouped(n));
    let note = format!("Full: measured here. Open: published for {other}.");
    let sheet = Sheet::of(Provenance::of(report), "ablation", title, &more, [note]);
    sheet.picture(|canvas| {
        let (left, right) = TABLE.ends(canvas.paper, TABLE.widest);
        let (pitch, half) = TABLE.pitch(canvas.paper, PITCH);
        let bottom = HEAD + ideas.len() as i32 * pitch;
        let plane = Plane { left, right, top: HEAD, bottom };
        TABLE.heads(canvas, HEAD - 16, &["published", "here"]);
        let all = ideas.iter().flat_map(|idea| [Some(1.0), Some(idea.published), idea.measured]);
        if let Some(scale) = Scale::logarithmic(all.flatten(), left + 24, right - 24) {
            plane.level(canvas, &grid::ticks(&scale), "times as long without it, logarithmic");
            let one = scale.at(1.0);
            canvas.line((one, HEAD), (one, bottom), 3, RAIL);
            for (at, idea) in (0..).zip(ideas) {
                row(canvas, &plane, &scale, HEAD + (at + 1) * pitch - half, idea);
            }
        }
        bottom + FOOT
    })
}

fn row(canvas: &mut Canvas, plane: &Plane, scale: &Scale, y: i32, idea: &Idea) {
    if canvas.paper.is_narrow() {
        TABLE.name(canvas, y, &Name { step: &idea.name, detour: false, below: String::new() });
    } else {
        let name = Lettering::new(size::LARGE, INK).bold();
        canvas.text((MARGIN, y), &name, &name.fit(&idea.name, TABLE.widest + 20));
    }
    plane.line(canvas, y, 2);
    if let Some(times) = idea.measured {
        canvas.line((scale.at(1.0), y), (scale.at(times), y), 6, GAIN);
        Shape::Disc.draw(canvas, (scale.at(times), y), RADIUS, GAIN);
    }
    Shape::OpenDiamond.draw(canvas, (scale.at(idea.published), y), RADIUS, INK);
    let here = idea.measured.map(format::near_one).unwrap_or_default();
    let texts = [format::near_one(idea.published), here];
    TABLE.numbers(canvas, y, &second(), &texts);
}

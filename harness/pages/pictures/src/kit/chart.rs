//! Curves over a common axis, in panels one below the other, each curve named at its right end.

use report::format;
use report::provenance::Provenance;

use super::canvas::{Canvas, Point};
use super::curve::{Curve, Value};
use super::grid::{Plane, Tick};
use super::lettering::second;
use super::marks::{Look, RADIUS};
use super::scale::Scale;
use super::sheet::{self, Sheet};
use super::style::{HAIR, MARGIN, Paper};
use super::{labels, names};
use crate::Picture;

/// Room above a panel for what it shows, and below the last for the axis.
const OVER: i32 = 70;
const AXIS: i32 = 116;
/// Least height of a panel.
const LEAST: i32 = 400;
/// Height of a second line of the unit.
const UNIT: i32 = 26;
/// What upright bars mean.
pub const BARS: &str = "Bars: 95 % intervals that are wider than the mark.";

pub struct Chart {
    pub title: String,
    pub provenance: Provenance,
    /// What lies along the common axis.
    pub along: String,
    pub marks: Marks,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    pub notes: [String; 2],
}

/// The labels of a common axis.
pub enum Marks {
    /// Round values of a logarithmic axis.
    Round,
    /// These values of a logarithmic axis.
    Values(Vec<f64>),
    /// What stands at 0, 1, 2 … at equal distances.
    Names(Vec<String>),
}

/// Curves with a common unit.
pub struct Panel {
    pub unit: String,
    pub up: Up,
    pub curves: Vec<Curve>,
}

#[derive(Clone, Copy)]
pub enum Up {
    Logarithmic,
    FromZero,
    /// From zero to a hundred.
    Percent,
}

/// The panels' left and right edges: there is room for the labels of the upright axis, and for names, which a narrow paper
/// has above a panel.
fn edges(paper: Paper) -> (i32, i32) {
    match paper {
        Paper::Wide => (MARGIN + 110, paper.end() - 484),
        Paper::Narrow => (MARGIN + 84, paper.end() - 40),
    }
}

impl Panel {
    fn values(&self) -> impl Iterator<Item = Value> {
        self.curves.iter().flat_map(|curve| curve.points.iter().copied())
    }

    /// Where it lies below the height `top`.
    fn plane(&self, paper: Paper, top: i32) -> Plane {
        let (left, right) = edges(paper);
        let names = names::GAP * (self.curves.len() as i32 + 1);
        let (top, height) = match paper {
            Paper::Wide => (top + OVER, LEAST.max(names)),
            Paper::Narrow => (top + OVER + names + UNIT, LEAST),
        };
        Plane { left, right, top, bottom: top + height }
    }

    fn scale(&self, Plane { top, bottom, .. }: Plane) -> Option<Scale> {
        let interval = |value: Value| value.interval.unwrap_or((value.y, value.y));
        let ends = self.values().flat_map(|value| [value.y, interval(value).0, interval(value).1]);
        match self.up {
            Up::Logarithmic => Scale::logarithmic(ends, bottom, top),
            Up::FromZero => {
                let most = ends.max_by(f64::total_cmp)?;
                Some(Scale::linear(0.0, 1.02 * most, bottom, top))
            }
            Up::Percent => Some(Scale::linear(0.0, 100.0, bottom, top)),
        }
    }

    fn draw(&self, canvas: &mut Canvas, x: &Scale, ticks: &[Tick], plane: Plane) {
        let Some(y) = self.scale(plane) else { return };
        if canvas.paper.is_narrow() {
            let names = self.curves.iter().map(|curve| names::of_curve(curve, (0, 0)));
            let names: Vec<names::Name> = names.collect();
            let first = plane.top - names::GAP * names.len() as i32 - 10;
            let unit = second().wrapped(&self.unit, canvas.paper.room(), 2);
            for (y, line) in (first - 8 - UNIT * unit.len() as i32..).step_by(26).zip(&unit) {
                canvas.text((MARGIN, y), &second(), line);
            }
            names::list(canvas, &names, first);
        } else {
            canvas.text((MARGIN, plane.top - 26), &second(), &self.unit);
        }
        for (at, _) in ticks {
            canvas.line((*at, plane.top), (*at, plane.bottom), 2, HAIR);
        }
        plane.upright(canvas, &y, format::tick);
        plane.edges(canvas);
        let place = |value: &Value| (x.at(value.x), y.at(value.y));
        let path = |curve: &Curve| curve.points.iter().map(place).collect();
        let paths: Vec<Vec<Point>> = self.curves.iter().map(path).collect();
        // The first lie on top: the others are compared with them.
        for (curve, points) in self.curves.iter().zip(&paths).rev() {
            let look = Look::of(curve.place);
            look.line(canvas, points);
            for (value, &point) in curve.points.iter().zip(points) {
                whisker(canvas, &y, value, point, &look);
                look.mark(canvas, point);
            }
        }
        if !canvas.paper.is_narrow() {
            names::of_curves(canvas, &self.curves, &paths, plane);
        }
    }
}

impl Chart {
    pub fn picture(self, name: &'static str) -> Picture {
        let Chart { title, provenance, along, marks, panels, notes } = self;
        Sheet::of(provenance, name, title, "", notes).picture(|canvas| {
            let mut bottom = sheet::HEIGHT;
            let (left, right) = edges(canvas.paper);
            if let Some(x) = marks.scale(&panels, (left, right)) {
                let ticks = marks.ticks(&x);
                for panel in &panels {
                    let plane = panel.plane(canvas.paper, bottom);
                    panel.draw(canvas, &x, &ticks, plane);
                    bottom = plane.bottom;
                }
                let axis = Plane { left, right, top: bottom, bottom };
                axis.level(canvas, &ticks, &along);
            }
            // The values of the curves, which are not written.
            for panel in &panels {
                canvas.say(&format!("{}, by {along}:", panel.unit));
                for curve in &panel.curves {
                    let at =
                        |it: &Value| format!("{} at {}", format::quantity(it.y), marks.word(it.x));
                    let points: Vec<String> = curve.points.iter().map(at).collect();
                    canvas.say(&format!("{}: {}.", curve.name, points.join(", ")));
                }
            }
            bottom + AXIS
        })
    }
}

impl Marks {
    fn scale(&self, panels: &[Panel], (left, right): (i32, i32)) -> Option<Scale> {
        match self {
            Marks::Names(names) => Some(Scale::linear(-0.5, names.len() as f64 - 0.5, left, right)),
            _ => {
                let values = panels.iter().flat_map(Panel::values);
                Scale::logarithmic(values.map(|value| value.x), left, right)
            }
        }
    }

    fn word(&self, x: f64) -> String {
        match self {
            Marks::Names(names) => names.get(x as usize).cloned().unwrap_or_default(),
            _ => format::tick(x),
        }
    }

    /// The labels that have room: powers of ten before others.
    fn ticks(&self, x: &Scale) -> Vec<Tick> {
        let mut values = match self {
            Marks::Round => x.ticks(),
            Marks::Values(values) => values.clone(),
            Marks::Names(names) => (0..names.len()).map(|at| at as f64).collect(),
        };
        if !matches!(self, Marks::Names(_)) {
            values.sort_by_key(|value| value.log10().fract() != 0.0);
        }
        labels::fitting(values.into_iter().map(|value| (x.at(value), self.word(value))))
    }
}

/// An interval, where it is wider than the mark.
fn whisker(canvas: &mut Canvas, y: &Scale, value: &Value, (x, middle): Point, look: &Look) {
    let Some((low, high)) = value.interval else { return };
    let (bottom, top) = (y.at(low), y.at(high));
    if bottom - middle > RADIUS || middle - top > RADIUS {
        canvas.line((x, top), (x, bottom), 3, look.colour);
        for end in [top, bottom] {
            canvas.line((x - 7, end), (x + 7, end), 3, look.colour);
        }
    }
}

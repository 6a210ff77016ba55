//! Curves over a common axis, in panels one below the other, each curve named at its right end.

pub mod names;

use report::format;
use report::scene::Scene;

use super::canvas::{Canvas, Point};
use super::lettering::second;
use super::marks::{Look, RADIUS};
use super::scale::Scale;
use super::style::{END, HAIR, MARGIN};
use super::{caption, grid, labels};
use crate::Picture;

/// The panels' edges: there is room for the labels of the upright axis, and for names.
const LEFT: i32 = MARGIN + 110;
const RIGHT: i32 = END - 484;
/// From a name to the next.
const GAP: i32 = 30;
/// Room above a panel for what it shows, and below the last for the axis.
const OVER: i32 = 70;
const AXIS: i32 = 116;
/// Least height of a panel.
const LEAST: i32 = 400;
/// What upright bars mean.
pub const BARS: &str = "Bars: 95 % intervals that are wider than the mark.";

/// A picture of curves.
pub struct Chart {
    pub title: String,
    pub scene: Scene,
    /// What lies along the common axis.
    pub along: String,
    pub marks: Marks,
    /// From top to bottom.
    pub panels: Vec<Panel>,
    /// What a reader must know.
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

/// An upright axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    /// Equal factors are equally high.
    Logarithmic,
    FromZero,
    /// From zero to a hundred percent.
    Percent,
}

/// One series.
pub struct Curve {
    pub name: String,
    /// A value in words, next to the name.
    pub value: String,
    /// Its place among the looks: the same in every panel.
    pub place: usize,
    /// From left to right.
    pub points: Vec<Value>,
}

/// A point of a curve.
#[derive(Debug, Clone, Copy)]
pub struct Value {
    /// Along the common axis.
    pub x: f64,
    /// In the panel's unit.
    pub y: f64,
    /// Its 95% interval.
    pub interval: Option<(f64, f64)>,
}

impl Curve {
    /// The point with the greatest value.
    pub fn best(&self) -> Option<&Value> {
        self.points.iter().max_by(|a, b| a.y.total_cmp(&b.y))
    }
}

impl Panel {
    fn height(&self) -> i32 {
        LEAST.max(GAP * self.curves.len() as i32 + GAP)
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        self.curves.iter().flat_map(|curve| curve.points.iter().copied())
    }

    fn scale(&self, top: i32) -> Option<Scale> {
        let bottom = top + self.height();
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

    fn draw(&self, canvas: &mut Canvas, x: &Scale, ticks: &[(i32, String)], top: i32) {
        let Some(y) = self.scale(top) else { return };
        let bottom = top + self.height();
        canvas.text((MARGIN, top - 26), &second(), &self.unit);
        for (at, _) in ticks {
            canvas.line((*at, top), (*at, bottom), 2, HAIR);
        }
        grid::upright(canvas, &y, (LEFT, RIGHT), format::tick);
        grid::edges(canvas, (LEFT, top), (RIGHT, bottom));
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
        names::of_curves(canvas, &self.curves, &paths, (top, bottom));
    }
}

impl Chart {
    pub fn picture(self, name: &'static str) -> Picture {
        Picture::draw(name, self.title.clone(), |canvas| self.draw(canvas))
    }

    fn draw(&self, canvas: &mut Canvas) -> i32 {
        caption::scene(canvas, &self.scene, "");
        let mut bottom = caption::HEIGHT;
        if let Some(x) = self.x() {
            let ticks = self.ticks(&x);
            for panel in &self.panels {
                panel.draw(canvas, &x, &ticks, bottom + OVER);
                bottom += OVER + panel.height();
            }
            grid::level(canvas, &ticks, (bottom, bottom), (LEFT, RIGHT), &self.along);
        }
        self.say(canvas);
        let notes = self.notes.each_ref().map(String::as_str);
        caption::notes(canvas, bottom + AXIS, &notes, &self.scene.source)
    }

    fn x(&self) -> Option<Scale> {
        if let Marks::Names(names) = &self.marks {
            return Some(Scale::linear(-0.5, names.len() as f64 - 0.5, LEFT, RIGHT));
        }
        let all = self.panels.iter().flat_map(Panel::values).map(|value| value.x);
        Scale::logarithmic(all, LEFT, RIGHT)
    }

    /// What a value of the common axis is called.
    fn word(&self, x: f64) -> String {
        match &self.marks {
            Marks::Names(names) => names.get(x as usize).cloned().unwrap_or_default(),
            Marks::Round | Marks::Values(_) => format::tick(x),
        }
    }

    /// Pixel and text of each label of the common axis that has room: powers of ten before others.
    fn ticks(&self, x: &Scale) -> Vec<(i32, String)> {
        let mut values = match &self.marks {
            Marks::Round => x.ticks(),
            Marks::Values(values) => values.clone(),
            Marks::Names(names) => (0..names.len()).map(|at| at as f64).collect(),
        };
        if !matches!(self.marks, Marks::Names(_)) {
            values.sort_by_key(|value| value.log10().fract() != 0.0);
        }
        labels::fitting(values.into_iter().map(|value| (x.at(value), self.word(value))))
    }

    /// The values of the curves, which are not written.
    fn say(&self, canvas: &mut Canvas) {
        for panel in &self.panels {
            canvas.say(&format!("{}, by {}:", panel.unit, self.along));
            for curve in &panel.curves {
                let points = curve.points.iter();
                let points =
                    points.map(|at| format!("{} at {}", format::quantity(at.y), self.word(at.x)));
                let points: Vec<String> = points.collect();
                canvas.say(&format!("{}: {}.", curve.name, points.join(", ")));
            }
        }
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

//! Curves over a common axis, in panels one below the other, each curve named at its right end.

mod names;

use anyhow::Result;

use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::head::{self, Notes};
use super::labels;
use super::marks::{Look, RADIUS};
use super::numbers;
use super::rows::second;
use super::scale::Scale;
use super::scene::Scene;
use super::style::{CARD, HAIR, MARGIN, RAIL, WIDTH};

/// Room for names right of the panels, and from the panel to them.
const NAMES: i32 = 440;
const LEADER: i32 = 44;
/// From a name to the next.
const GAP: i32 = 30;
/// Room above a panel for what it shows, and below the last for the axis.
const OVER: i32 = 70;
const AXIS: i32 = 92;
/// Least height of a panel.
const LEAST: i32 = 400;
/// Room for the labels of the upright axis.
const TICKS: i32 = 110;

/// A picture of curves.
pub struct Chart {
    /// Its message.
    pub title: String,
    /// Where its numbers are from.
    pub scene: Scene,
    /// What follows the device.
    pub rest: String,
    /// What lies along the common axis.
    pub along: String,
    /// What that axis is labelled with.
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
    /// What stands at 0, 1, 2 … beside each other.
    Names(Vec<String>),
}

/// Curves with a common unit.
pub struct Panel {
    /// The unit.
    pub unit: String,
    /// Its upright axis.
    pub up: Up,
    /// What is drawn.
    pub curves: Vec<Curve>,
}

/// An upright axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    /// Equal factors are equally high.
    Logarithmic,
    /// From zero up.
    FromZero,
    /// From zero to a hundred percent.
    Percent,
}

/// One series.
pub struct Curve {
    /// Its name.
    pub name: String,
    /// A value in words, beside the name.
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
}

impl Chart {
    fn left() -> i32 {
        MARGIN + TICKS
    }

    fn right() -> i32 {
        WIDTH - MARGIN - NAMES - LEADER
    }

    fn x(&self) -> Option<Scale> {
        if let Marks::Names(names) = &self.marks {
            let last = names.len() as f64 - 0.5;
            return Some(Scale::linear(-0.5, last, Chart::left(), Chart::right()));
        }
        let all = self.panels.iter().flat_map(Panel::values).map(|value| value.x);
        Scale::logarithmic(all, Chart::left(), Chart::right())
    }

    fn bottom(&self) -> i32 {
        let panels = self.panels.iter();
        head::HEIGHT + panels.map(|panel| OVER + panel.height()).sum::<i32>()
    }

    fn notes(&self) -> Notes {
        Notes::of(&self.notes.each_ref().map(String::as_str), &self.scene)
    }

    fn height(&self) -> i32 {
        self.bottom() + AXIS + 44 + self.notes().height()
    }

    fn panel<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        x: &Scale,
        (panel, top): (&Panel, i32),
    ) -> Result<()> {
        let Some(y) = panel.scale(top) else { return Ok(()) };
        let (left, right, bottom) = (Chart::left(), Chart::right(), top + panel.height());
        canvas.text((MARGIN, top - 26), &second(), &panel.unit)?;
        for (at, _) in self.ticks(x) {
            canvas.line((at, top), (at, bottom), 2, HAIR)?;
        }
        for tick in y.ticks() {
            let at = y.at(tick);
            canvas.line((left, at), (right, at), 2, HAIR)?;
            canvas.text((left - 14, at), &second().right(), &numbers::tick(tick))?;
        }
        canvas.line((left, top), (left, bottom), 3, RAIL)?;
        canvas.line((left, bottom), (right, bottom), 3, RAIL)?;
        let place = |value: &Value| (x.at(value.x), y.at(value.y));
        // The first lie on top: they are what the others are compared with.
        for curve in panel.curves.iter().rev() {
            let look = Look::of(curve.place);
            let points: Vec<Point> = curve.points.iter().map(place).collect();
            look.line(canvas, &points)?;
            for (value, &point) in curve.points.iter().zip(&points) {
                whisker(canvas, &y, value, point, &look)?;
                look.mark(canvas, point)?;
            }
        }
        let paths: Vec<Vec<Point>> =
            panel.curves.iter().map(|curve| curve.points.iter().map(place).collect()).collect();
        names::draw(canvas, &panel.curves, &paths, (top, bottom))
    }

    /// What a value of the common axis is called.
    fn word(&self, x: f64) -> String {
        match &self.marks {
            Marks::Names(names) => names.get(x as usize).cloned().unwrap_or_default(),
            Marks::Round | Marks::Values(_) => numbers::tick(x),
        }
    }

    /// Pixel and text of each label of the common axis that has room: powers of ten before others.
    fn ticks(&self, x: &Scale) -> Vec<(i32, String)> {
        let mut values = match &self.marks {
            Marks::Round => x.ticks(),
            Marks::Values(values) => values.clone(),
            Marks::Names(names) => {
                let names = names.iter().enumerate();
                return labels::fitting(names.map(|(at, name)| (x.at(at as f64), name.clone())));
            }
        };
        values.sort_by_key(|value| value.log10().fract() != 0.0);
        labels::fitting(values.into_iter().map(|value| (x.at(value), numbers::tick(value))))
    }
}

impl Drawn for Chart {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        head::message(canvas, &self.title)?;
        head::basis(canvas, self.scene.basis, &format!("{}{}", self.scene.rest(), self.rest))?;
        let bottom = self.bottom();
        if let Some(x) = self.x() {
            let mut top = head::HEIGHT;
            for panel in &self.panels {
                self.panel(canvas, &x, (panel, top + OVER))?;
                top += OVER + panel.height();
            }
            for (at, text) in self.ticks(&x) {
                canvas.text((at, bottom + 26), &second().centred(), &text)?;
            }
            let middle = (Chart::left() + Chart::right()) / 2;
            canvas.text((middle, bottom + 60), &second().centred(), &self.along)?;
        }
        self.notes().draw(canvas, bottom + AXIS + 24)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for panel in &self.panels {
            lines.push(format!("{}, by {}:", panel.unit, self.along));
            for curve in &panel.curves {
                let points = curve.points.iter();
                let points =
                    points.map(|at| format!("{} at {}", numbers::quantity(at.y), self.word(at.x)));
                lines.push(format!("{}: {}.", curve.name, points.collect::<Vec<_>>().join(", ")));
            }
        }
        lines.join("\n")
    }
}

/// An interval, where it is wider than the mark.
fn whisker<DB: Surface>(
    canvas: &mut Canvas<DB>,
    y: &Scale,
    value: &Value,
    (x, middle): Point,
    look: &Look,
) -> Result<()> {
    let Some((low, high)) = value.interval else { return Ok(()) };
    let (bottom, top) = (y.at(low), y.at(high));
    if bottom - middle <= RADIUS && middle - top <= RADIUS {
        return Ok(());
    }
    canvas.line((x, top), (x, bottom), 3, look.colour)?;
    for end in [top, bottom] {
        canvas.line((x - 7, end), (x + 7, end), 3, look.colour)?;
    }
    Ok(())
}

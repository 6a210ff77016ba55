//! Modelled beside measured times, step by step.

use anyhow::Result;
use plotters::style::RGBColor;

use super::axis::Axis;
use super::canvas::{Canvas, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::numbers;
use super::style::{CARD, GAIN, HAIR, INK, LOSS, MARGIN, MUTED, RAIL, WIDTH, size};
use crate::validation::Validation;
use crate::validation::data::{Ratio, Time};

/// Above the first row, between rows, and below the last.
const HEAD: i32 = 214;
const PITCH: i32 = 58;
const FOOT: i32 = 170;
/// Width of each column of ratios at the right.
const COLUMN: i32 = 130;
/// Left edge of the axis.
const LEFT: i32 = 360;
const RIGHT: i32 = WIDTH - MARGIN - 2 * COLUMN - 40;
const MEASURED: RGBColor = INK;
const MODELLED: RGBColor = GAIN;

/// What the picture shows.
pub struct Comparison<'v> {
    validation: &'v Validation,
    title: String,
}

impl<'v> Comparison<'v> {
    /// The picture of a validation.
    pub fn of(validation: &'v Validation) -> Comparison<'v> {
        let percent = 100.0 * (validation.mean_factor() - 1.0);
        let title = format!(
            "The model tells a step's gain over its parent within {percent:.0} % (geometric mean)"
        );
        Comparison { validation, title }
    }

    fn ratio(&self, step: &str) -> Option<&Ratio> {
        self.validation.ratios.iter().find(|ratio| ratio.step == step)
    }

    fn bottom(&self) -> i32 {
        HEAD + self.validation.times.len() as i32 * PITCH
    }

    fn head<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        let title = Lettering::new(size::TITLE, INK).bold();
        canvas.text((MARGIN, 64), &title, &title.fit(&self.title, WIDTH - 2 * MARGIN))?;
        let body = Lettering::new(size::BODY, INK);
        canvas.dot((MARGIN + 10, 123), 7, MEASURED)?;
        let measured = format!("measured on {}", self.validation.device);
        canvas.text((MARGIN + 32, 123), &body, &measured)?;
        let next = MARGIN + 32 + body.width(&measured) + 48;
        ring(canvas, (next, 123))?;
        let modelled = format!("modelled for {} from simulated events", self.validation.gpu);
        canvas.text((next + 22, 123), &body, &modelled)?;
        let head = Lettering::new(size::SMALL, MUTED).right();
        let over = WIDTH - MARGIN - COLUMN / 2;
        canvas.text((over, HEAD - 56), &head.centred(), "× parent")?;
        canvas.text((WIDTH - MARGIN - COLUMN, HEAD - 24), &head, "measured")?;
        canvas.text((WIDTH - MARGIN, HEAD - 24), &head, "modelled")
    }

    fn row<DB: Surface>(
        &self,
        canvas: &mut Canvas<DB>,
        axis: &Axis,
        at: usize,
        time: &Time,
    ) -> Result<()> {
        let y = HEAD + at as i32 * PITCH + PITCH / 2;
        canvas.line((LEFT, y), (RIGHT, y), 2, HAIR)?;
        let name = Lettering::new(size::BODY, INK).bold();
        canvas.text((MARGIN, y - 10), &name, &time.step)?;
        let limit = Lettering::new(size::NOTE, MUTED);
        let n = numbers::count(time.n);
        canvas.text((MARGIN, y + 16), &limit, &format!("n = {n}, {} binds", time.binding))?;
        let (measured, modelled) = (axis.x(1e3 * time.measured), axis.x(1e3 * time.modelled));
        canvas.line((measured.min(modelled), y), (measured.max(modelled), y), 5, RAIL)?;
        // The full one over the open one: where they meet, both are seen.
        ring(canvas, (modelled, y))?;
        canvas.dot((measured, y), 7, MEASURED)?;
        if let Some(ratio) = self.ratio(&time.step) {
            let figure = Lettering::new(size::BODY, INK).right();
            let off = if ratio.factor() > 1.35 { LOSS } else { INK };
            let right = WIDTH - MARGIN;
            canvas.text((right - COLUMN, y), &figure, &numbers::factor(ratio.measured))?;
            let figure = Lettering::new(size::BODY, off).right();
            canvas.text((right, y), &figure, &numbers::factor(ratio.modelled))?;
        }
        Ok(())
    }

    fn axis<DB: Surface>(&self, canvas: &mut Canvas<DB>, axis: &Axis) -> Result<()> {
        let bottom = self.bottom();
        let label = Lettering::new(size::SMALL, MUTED).centred();
        let mut free = LEFT;
        for value in axis.ticks() {
            let (x, text) = (axis.x(value), numbers::tick(value));
            let half = label.width(&text) / 2;
            if x - half >= free {
                free = x + half + 14;
                canvas.line((x, HEAD), (x, bottom), 2, HAIR)?;
                canvas.text((x, bottom + 26), &label, &text)?;
            }
        }
        let unit = "milliseconds for one force evaluation, logarithmic";
        canvas.text(((LEFT + RIGHT) / 2, bottom + 62), &label, unit)
    }
}

impl Drawn for Comparison<'_> {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, (self.bottom() + FOOT) as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.bottom() + FOOT), CARD)?;
        self.head(canvas)?;
        let times = &self.validation.times;
        let values: Vec<f64> =
            times.iter().flat_map(|time| [1e3 * time.measured, 1e3 * time.modelled]).collect();
        if let Some(axis) = Axis::new(&values, LEFT, RIGHT) {
            self.axis(canvas, &axis)?;
            for (at, time) in times.iter().enumerate() {
                self.row(canvas, &axis, at, time)?;
            }
            if let Some((from, to)) = axis.cut() {
                let middle = (from + to) / 2;
                canvas.fill((middle - 14, HEAD), (middle + 14, self.bottom()), CARD)?;
                let mark = Lettering::new(size::BODY, MUTED).centred();
                canvas.text((middle, self.bottom() + 26), &mark, "//")?;
            }
        }
        let note = Lettering::new(size::NOTE, MUTED);
        let text = "× parent: speed over that of the step it comes from, both at the same n. \
                    Under each name: the bound that limits it, as the model has it. //: the axis is cut.";
        canvas.text((MARGIN, self.bottom() + 116), &note, text)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}.", self.title)];
        for time in &self.validation.times {
            let (measured, modelled) = (1e3 * time.measured, 1e3 * time.modelled);
            lines.push(format!(
                "{} at {} bodies: measured {} ms, modelled {} ms, limited by {}.",
                time.step,
                time.n,
                numbers::quantity(measured),
                numbers::quantity(modelled),
                time.binding
            ));
        }
        lines.join("\n")
    }
}

/// An open circle: told from a full one in grey too.
fn ring<DB: Surface>(canvas: &mut Canvas<DB>, at: (i32, i32)) -> Result<()> {
    canvas.dot(at, 13, MODELLED)?;
    canvas.dot(at, 9, CARD)
}

//! Drawing in the picture's own pixels on any of plotters' backends.

use anyhow::Result;
use plotters::style::{Color, RGBColor};
use plotters_backend::DrawingBackend;

use super::font::{CENTRE_CAPITALS, Lettering};

/// A point of the picture, from its upper left corner.
pub type Point = (i32, i32);

/// A backend of plotters whose errors can be passed on.
pub trait Surface: DrawingBackend<ErrorType: 'static> {}

impl<DB: DrawingBackend<ErrorType: 'static>> Surface for DB {}

/// A backend, drawn on `scale` times as large as the picture is.
pub struct Canvas<'b, DB> {
    backend: &'b mut DB,
    scale: i32,
}

impl<'b, DB: Surface> Canvas<'b, DB> {
    /// A canvas that multiplies every length by `scale`.
    pub fn new(backend: &'b mut DB, scale: i32) -> Self {
        Canvas { backend, scale }
    }

    /// A filled rectangle between two opposite corners.
    pub fn fill(&mut self, from: Point, to: Point, colour: RGBColor) -> Result<()> {
        let upper = self.scaled((from.0.min(to.0), from.1.min(to.1)));
        let lower = self.scaled((from.0.max(to.0), from.1.max(to.1)));
        Ok(self.backend.draw_rect(upper, lower, &colour.filled(), true)?)
    }

    /// A horizontal or vertical line.
    pub fn line(&mut self, from: Point, to: Point, width: i32, colour: RGBColor) -> Result<()> {
        let half = width / 2;
        if from.1 == to.1 {
            let upper = from.1 - half;
            self.fill((from.0, upper), (to.0, upper + width), colour)
        } else {
            let left = from.0 - half;
            self.fill((left, from.1), (left + width, to.1), colour)
        }
    }

    /// A horizontal or vertical line of dashes with gaps as long as `gap`.
    pub fn dashes(
        &mut self,
        from: Point,
        to: Point,
        width: i32,
        (dash, gap): (i32, i32),
        colour: RGBColor,
    ) -> Result<()> {
        let horizontal = from.1 == to.1;
        let (start, end) = if horizontal {
            (from.0.min(to.0), from.0.max(to.0))
        } else {
            (from.1.min(to.1), from.1.max(to.1))
        };
        for at in (start..end).step_by((dash + gap) as usize) {
            let stop = (at + dash).min(end);
            if horizontal {
                self.line((at, from.1), (stop, from.1), width, colour)?;
            } else {
                self.line((from.0, at), (from.0, stop), width, colour)?;
            }
        }
        Ok(())
    }

    /// A filled circle.
    pub fn dot(&mut self, centre: Point, radius: i32, colour: RGBColor) -> Result<()> {
        let centre = self.scaled(centre);
        let radius = (radius * self.scale) as u32;
        Ok(self.backend.draw_circle(centre, radius, &colour.filled(), true)?)
    }

    /// A filled shape with straight edges.
    pub fn polygon(&mut self, corners: &[Point], colour: RGBColor) -> Result<()> {
        let corners: Vec<Point> = corners.iter().map(|&corner| self.scaled(corner)).collect();
        Ok(self.backend.fill_polygon(corners, &colour.filled())?)
    }

    /// A line of text, its capitals centred at the height of `at`.
    pub fn text(&mut self, at: Point, lettering: &Lettering, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let lettering = Lettering { em: lettering.em * f64::from(self.scale), ..*lettering };
        let (x, y) = self.scaled(at);
        let lower = (lettering.em * CENTRE_CAPITALS).round() as i32;
        Ok(self.backend.draw_text(text, &lettering, (x, y + lower))?)
    }

    fn scaled(&self, (x, y): Point) -> Point {
        (x * self.scale, y * self.scale)
    }
}

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

    /// A line through points.
    pub fn path(&mut self, points: &[Point], width: i32, colour: RGBColor) -> Result<()> {
        let mut points: Vec<Point> = points.iter().map(|&point| self.scaled(point)).collect();
        points.dedup();
        if points.len() < 2 {
            return Ok(());
        }
        let style = colour.stroke_width((width * self.scale) as u32);
        Ok(self.backend.draw_path(points, &style)?)
    }

    /// A line of dashes through points.
    pub fn dashed_path(
        &mut self,
        points: &[Point],
        width: i32,
        rhythm: (i32, i32),
        colour: RGBColor,
    ) -> Result<()> {
        for dash in dashes_along(points, rhythm) {
            self.path(&dash, width, colour)?;
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

    /// A line of text, its capitals centred at the height of `at`. What no line can hold (line ends,
    /// control signs: names come from files) becomes a space.
    pub fn text(&mut self, at: Point, lettering: &Lettering, text: &str) -> Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        let text = &text.replace(char::is_control, " ");
        let lettering = Lettering { em: lettering.em * f64::from(self.scale), ..*lettering };
        let (x, y) = self.scaled(at);
        let lower = (lettering.em * CENTRE_CAPITALS).round() as i32;
        Ok(self.backend.draw_text(text, &lettering, (x, y + lower))?)
    }

    fn scaled(&self, (x, y): Point) -> Point {
        (x * self.scale, y * self.scale)
    }
}

/// The dashes of a line through points: pieces as long as the first of `rhythm`, with gaps as long
/// as the second. A dash bends where the line does.
fn dashes_along(points: &[Point], (dash, gap): (i32, i32)) -> Vec<Vec<Point>> {
    let (dash, gap) = (f64::from(dash.max(1)), f64::from(gap.max(1)));
    let mut dashes = Vec::new();
    // What is left of the dash or gap that the pen is in.
    let (mut drawing, mut left) = (true, dash);
    let mut piece: Vec<Point> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let [(x0, y0), (x1, y1)] = [pair[0], pair[1]].map(|(x, y)| (f64::from(x), f64::from(y)));
        let length = (x1 - x0).hypot(y1 - y0);
        let mut gone = 0.0;
        while length - gone > left {
            gone += left;
            let share = gone / length;
            let at = ((x0 + (x1 - x0) * share).round(), (y0 + (y1 - y0) * share).round());
            piece.push((at.0 as i32, at.1 as i32));
            if drawing {
                dashes.push(std::mem::take(&mut piece));
            } else {
                piece = piece.split_off(piece.len() - 1);
            }
            drawing = !drawing;
            left = if drawing { dash } else { gap };
        }
        left -= length - gone;
        if drawing {
            piece.push(pair[1]);
        }
    }
    if drawing {
        dashes.push(piece);
    }
    dashes
}

#[cfg(test)]
mod tests {
    use super::dashes_along;

    #[test]
    fn dashes_keep_their_rhythm_and_bend_with_the_line() {
        let straight = dashes_along(&[(0, 0), (25, 0)], (10, 5));
        assert_eq!(straight, [vec![(0, 0), (10, 0)], vec![(15, 0), (25, 0)]]);
        let bent = dashes_along(&[(0, 0), (5, 0), (5, 30)], (10, 5));
        assert_eq!(bent[0], [(0, 0), (5, 0), (5, 5)]);
        assert_eq!(bent[1], [(5, 10), (5, 20)]);
        assert!(dashes_along(&[], (10, 5)).iter().all(Vec::is_empty));
    }
}

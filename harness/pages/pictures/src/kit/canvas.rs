//! Drawing in the picture's own pixels, with plotters' SVG backend.

use std::cmp::Ordering;

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::{Color, RGBColor};

use super::lettering::{FAMILY, Lettering};
use super::style::{CARD, Paper};

/// A point of the picture, from its upper left corner.
pub type Point = (i32, i32);

/// Digits of one width, as labels are measured; never wider than its page.
const STYLE: &str = "max-width: 100%; height: auto; font-variant-numeric: tabular-nums";

/// What is drawn on. The backend's results are ignored: a string takes everything.
pub struct Canvas<'s> {
    backend: SVGBackend<'s>,
    pub paper: Paper,
    /// All that is written, for those who do not see it: a line for texts that follow each other
    /// to the right.
    words: String,
    /// Where the last text stood.
    last: i32,
}

/// The text of an SVG that scales with its page and speaks to screen readers, and its words.
/// `draw` returns the picture's upper and lower edge.
pub fn svg(
    title: &str,
    paper: Paper,
    draw: impl FnOnce(&mut Canvas) -> (i32, i32),
) -> (String, String) {
    let mut text = String::new();
    let (left, right) = paper.edges();
    let width = right - left;
    let backend = SVGBackend::with_string(&mut text, (width as u32, 0));
    let mut canvas = Canvas { backend, paper, words: String::new(), last: 0 };
    let (top, bottom) = draw(&mut canvas);
    let height = bottom - top;
    let words = std::mem::take(&mut canvas.words);
    drop(canvas);
    // Ours in the place of the element that plotters begins before the height is known.
    let drawn = text.split_once('>').map_or("", |(_, drawn)| drawn);
    // The root has it, for all texts.
    let drawn = drawn.replace(&format!(" font-family=\"{FAMILY}\""), "");
    let drawn = drawn.replace(" opacity=\"1\"", "");
    let RGBColor(red, green, blue) = CARD;
    let origin =
        if (left, top) == (0, 0) { String::new() } else { format!(" x=\"{left}\" y=\"{top}\"") };
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{width}\" \
         height=\"{height}\" viewBox=\"{left} {top} {width} {height}\" font-family=\"{FAMILY}\" \
         style=\"{STYLE}\">\n<title>{}</title>\n<desc>{}</desc>\n\
         <rect{origin} width=\"100%\" height=\"100%\" fill=\"#{red:02X}{green:02X}{blue:02X}\"/>{drawn}",
        escaped(title),
        escaped(&words)
    );
    (svg, words)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

impl Canvas<'_> {
    /// A filled rectangle between two opposite corners.
    pub fn fill(&mut self, from: Point, to: Point, colour: RGBColor) {
        let upper = (from.0.min(to.0), from.1.min(to.1));
        let lower = (from.0.max(to.0), from.1.max(to.1));
        self.backend.draw_rect(upper, lower, &colour.filled(), true).ok();
    }

    pub fn line(&mut self, from: Point, to: Point, width: i32, colour: RGBColor) {
        let half = width / 2;
        if from.1 == to.1 {
            let upper = from.1 - half;
            self.fill((from.0, upper), (to.0, upper + width), colour);
        } else {
            let left = from.0 - half;
            self.fill((left, from.1), (left + width, to.1), colour);
        }
    }

    pub fn path(&mut self, points: &[Point], width: i32, colour: RGBColor) {
        let mut points = points.to_vec();
        points.dedup();
        if points.len() > 1 {
            self.backend.draw_path(points, &colour.stroke_width(width as u32)).ok();
        }
    }

    /// A line of dashes through points, as long as the first of `rhythm`, with gaps as long as the
    /// second.
    pub fn dashes(&mut self, points: &[Point], width: i32, rhythm: (i32, i32), colour: RGBColor) {
        for dash in dashes_along(points, rhythm) {
            self.path(&dash, width, colour);
        }
    }

    pub fn dot(&mut self, centre: Point, radius: i32, colour: RGBColor) {
        self.backend.draw_circle(centre, radius as u32, &colour.filled(), true).ok();
    }

    /// A filled shape with straight edges.
    pub fn polygon(&mut self, corners: &[Point], colour: RGBColor) {
        self.backend.fill_polygon(corners.to_vec(), &colour.filled()).ok();
    }

    /// A line of text, its capitals centred at the height of `at`. What no line can hold (line ends,
    /// control characters: names come from files) becomes a space.
    pub fn text(&mut self, (x, y): Point, lettering: &Lettering, text: &str) {
        if !text.is_empty() {
            let text = text.replace(char::is_control, " ");
            let lower = (lettering.em * super::lettering::CENTRE_CAPITALS).round() as i32;
            self.backend.draw_text(&text, &lettering.style(), (x, y + lower)).ok();
            self.words += match x.cmp(&self.last) {
                _ if self.words.is_empty() => "",
                Ordering::Less => "\n",
                Ordering::Equal => " ",
                Ordering::Greater if self.words.ends_with('.') => " ",
                Ordering::Greater => ", ",
            };
            self.words += &text;
            self.last = x;
        }
    }

    /// A label of a level axis, centred; left out where it would be cut off.
    pub fn tick(&mut self, at: Point, text: &str) {
        let (label, (left, right)) = (super::lettering::second().centred(), self.paper.edges());
        let half = label.width(text) / 2 + 1;
        if left + half <= at.0 && at.0 <= right - half {
            self.text(at, &label, text);
        }
    }

    /// A line that is said and not drawn.
    pub fn say(&mut self, text: &str) {
        self.words += &format!("\n{text}");
        self.last = self.paper.edges().1;
    }

    /// A line of text that begins at `at`, the grid cleared under it.
    pub fn label(&mut self, (x, y): Point, lettering: &Lettering, text: &str) {
        if !text.is_empty() {
            let right = x + lettering.width(text);
            self.fill((x - 6, y - 14), (right + 6, y + 14), CARD);
            self.text((x, y), lettering, text);
        }
    }
}

/// The dashes of a line through points. A dash bends where the line does.
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

//! What figures are drawn with: boxes, lines, arrows and words, in the page's own colours.
//!
//! A fill is `busy`, `load`, or nothing.

use std::fmt::{Display, Write};

use crate::html::escape;

/// Where a drawing begins, and how wide it is: a phone shows it whole, with all words legible.
const LEFT: f64 = 2.0;
const WIDTH: f64 = 356.0;
/// Size of all words, and from one line of them to the next.
const SIZE: f64 = 12.9;
const LINE: f64 = 16.0;

/// A place in a drawing, or the size of a box.
pub type Point = (f64, f64);

/// A part of a row over time: its fill, where it begins and ends, and its name.
pub type Part<'a> = (&'a str, f64, f64, &'a str);

/// Shapes, and the words that stand for them.
pub struct Drawing {
    height: f64,
    words: String,
    shapes: String,
}

impl Drawing {
    /// An empty one, so high; `words` say what it shows to those who do not see it.
    pub fn new(height: f64, words: impl Into<String>) -> Drawing {
        Drawing { height, words: words.into(), shapes: String::new() }
    }

    /// A shape as SVG. Writing to a String cannot fail.
    fn shape(&mut self, shape: impl Display) {
        let _ = writeln!(self.shapes, "{shape}");
    }

    fn rect(&mut self, (x, y): Point, (width, height): Point, look: &str) {
        self.shape(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>"
        ));
    }

    /// A rectangle filled whole.
    pub fn filled(&mut self, fill: &str, corner: Point, size: Point) {
        self.rect(corner, size, &format!("class=\"{fill}\""));
    }

    /// A rectangle filled lightly, so that words on it are read.
    pub fn tinted(&mut self, fill: &str, corner: Point, size: Point) {
        self.rect(corner, size, &format!("class=\"{fill}\" fill-opacity=\".4\""));
    }

    /// A frame, its corners rounded.
    pub fn outline(&mut self, corner: Point, size: Point) {
        self.rect(corner, size, "rx=\"2\" fill=\"none\" stroke=\"currentColor\"");
    }

    /// A frame of dashes with a name in its middle.
    pub fn dashed(&mut self, corner: Point, size: Point, name: &str) {
        let look = "rx=\"2\" fill=\"none\" stroke=\"currentColor\" stroke-dasharray=\"4 3\"";
        self.rect(corner, size, look);
        self.name(corner, size, name);
    }

    /// A frame, filled lightly, with a name in its middle.
    pub fn cell(&mut self, fill: &str, corner: Point, size: Point, name: &str) {
        if !fill.is_empty() {
            self.tinted(fill, corner, size);
        }
        self.outline(corner, size);
        self.name(corner, size, name);
    }

    fn name(&mut self, (x, y): Point, (width, height): Point, name: &str) {
        if !name.is_empty() {
            let lines = name.lines().count() as f64;
            self.middle((x + width / 2.0, y + (height - LINE * (lines - 1.0)) / 2.0 + 4.0), name);
        }
    }

    /// Cells of one size side by side, each with its fill and its name.
    pub fn row<N: Display>(
        &mut self,
        (x, y): Point,
        size: Point,
        cells: impl IntoIterator<Item = (&'static str, N)>,
    ) {
        for (place, (fill, name)) in cells.into_iter().enumerate() {
            self.cell(fill, (x + size.0 * place as f64, y), size, &name.to_string());
        }
    }

    /// Parts over time, in a row so high.
    pub fn bars(&mut self, top: f64, height: f64, parts: &[Part]) {
        for (fill, from, to, name) in parts {
            self.cell(fill, (*from, top), (to - from, height), name);
        }
    }

    /// What a fill means.
    pub fn legend(&mut self, (x, y): Point, fill: &str, words: &str) {
        self.cell(fill, (x, y - 10.0), (12.0, 12.0), "");
        self.text((x + 18.0, y), words);
    }

    pub fn line(&mut self, from: Point, to: Point) {
        self.path("stroke=\"currentColor\" stroke-opacity=\".6\"", [from, to]);
    }

    /// A line with a head.
    pub fn arrow(&mut self, from: Point, to: Point) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let (angle, head) = (dy.atan2(dx), dx.hypot(dy).min(16.0) / 2.0);
        let back =
            |turn: f64| (to.0 - head * (angle + turn).cos(), to.1 - head * (angle + turn).sin());
        let look = "stroke=\"currentColor\" stroke-width=\"1.2\"";
        self.path(look, [from, to, back(0.45), to, back(-0.45)]);
    }

    /// Lines from place to place.
    pub fn path(&mut self, look: &str, points: impl IntoIterator<Item = Point>) {
        let mut way = String::new();
        for (x, y) in points {
            let _ = write!(way, "{}{x:.1} {y:.1}", if way.is_empty() { 'M' } else { 'L' });
        }
        self.shape(format_args!("<path d=\"{way}\" fill=\"none\" {look}/>"));
    }

    pub fn dot(&mut self, fill: &str, (x, y): Point, radius: f64) {
        self.shape(format_args!(
            "<circle class=\"{fill}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        ));
    }

    /// Words that begin at a place; each line of them is one below.
    pub fn text(&mut self, at: Point, words: &str) {
        self.anchored(at, "start", words);
    }

    /// Words about a place.
    pub fn middle(&mut self, at: Point, words: &str) {
        self.anchored(at, "middle", words);
    }

    /// Words that end at a place.
    pub fn end(&mut self, at: Point, words: &str) {
        self.anchored(at, "end", words);
    }

    fn anchored(&mut self, (x, y): Point, anchor: &str, words: &str) {
        for (below, words) in words.lines().enumerate() {
            let y = y + LINE * below as f64;
            self.shape(format_args!(
                "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{SIZE}\" text-anchor=\"{anchor}\" fill=\"currentColor\">{}</text>",
                escape(words)
            ));
        }
    }

    pub fn html(self) -> String {
        format!("<figure class=\"drawing\">\n{}</figure>", self.svg())
    }

    /// The picture alone.
    pub fn svg(&self) -> String {
        format!(
            "<svg viewBox=\"{LEFT} 0 {WIDTH} {}\" role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            self.height,
            escape(&self.words),
            self.shapes
        )
    }
}

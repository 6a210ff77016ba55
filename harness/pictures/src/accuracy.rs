//! Speed against error: where each step lies, and which ones none beats in both.
//!
//! To the right is faster, downwards is nearer to f64. The line goes along the steps in front: what
//! lies above and left of it is beaten by one of them.

use report::Report;

use anyhow::Result;

use super::beside::{Area, beside};
use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::{self, Notes};
use super::labels;
use super::marks::{RADIUS, Shape};
use super::numbers;
use super::rows::second;
use super::scale::Scale;
use super::scene::Scene;
use super::style::{CARD, GAIN, HAIR, INK, LOSS, MARGIN, MUTED, RAIL, WIDTH, size};
use crate::accuracy::{Accuracies, BOUND, Point as Reached, words};
use crate::names;
use crate::table::figures;

/// The plane's edges: there is room for a second axis above it, and for names right of it.
const TOP: i32 = head::HEIGHT + 96;
const LEFT: i32 = MARGIN + 92;
const RIGHT: i32 = WIDTH - MARGIN - 500;
const NAMES: i32 = RIGHT + 40;
/// Columns of numbers beside the names end here.
const ERROR: i32 = WIDTH - MARGIN - 96;
const RATE: i32 = WIDTH - MARGIN;
/// Least height of the plane, and from there to the notes.
const LEAST: i32 = 620;
const FOOT: i32 = 116;
/// From a name to the next.
const GAP: i32 = 30;
/// Height of a label at a mark, and the widest that there is.
const HIGH: i32 = 22;
const WIDEST: i32 = 220;
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 1000.0;
/// Fewer steps than these are no picture.
const LEAST_STEPS: usize = 2;

/// Steps by speed and error.
pub struct Scatter {
    title: String,
    scene: Scene,
    accuracies: Accuracies,
    /// Steps that have no room.
    far: Vec<Reached>,
}

impl Scatter {
    /// The picture of a report; none where fewer than two steps can be compared.
    pub fn of(report: &Report) -> Option<Scatter> {
        let mut accuracies = Accuracies::of(report)?;
        let title = words::message(&accuracies);
        let most = accuracies.fastest()?.rate;
        let (near, far) =
            accuracies.points.into_iter().partition(|point| point.rate * FAR_BELOW >= most);
        accuracies.points = near;
        let is_picture = accuracies.points.len() >= LEAST_STEPS;
        is_picture.then(|| Scatter { title, scene: Scene::of(report), accuracies, far })
    }

    /// The plane's lower edge: there is room for every name beside it.
    fn bottom(&self) -> i32 {
        TOP + LEAST.max(GAP * (1 + self.accuracies.points.len()) as i32)
    }

    fn height(&self) -> i32 {
        self.bottom() + FOOT - 24 + self.notes().height()
    }

    /// Along, 10⁹ interactions per second; upwards, errors.
    fn scales(&self) -> Option<(Scale, Scale)> {
        let points = &self.accuracies.points;
        // Room for the labels of the outermost.
        let wide = |value: f64, by: f64| [value / by, value * by];
        let rates = points.iter().flat_map(|point| wide(point.rate / 1e9, 1.1));
        let errors = points.iter().map(Reached::shown).chain([BOUND]);
        let errors = errors.flat_map(|error| wide(error, 1.3));
        let x = Scale::logarithmic(rates, LEFT, RIGHT)?;
        Some((x, Scale::logarithmic(errors, self.bottom(), TOP)?))
    }

    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, (x, y): (&Scale, &Scale)) -> Result<()> {
        let (bottom, label) = (self.bottom(), second().centred());
        canvas.text((MARGIN, TOP - 62), &second(), "relative error (rms)")?;
        for tick in y.ticks() {
            let at = y.at(tick);
            canvas.line((LEFT, at), (RIGHT, at), 2, HAIR)?;
            canvas.text((LEFT - 14, at), &second().right(), &format!("{tick:.0e}"))?;
        }
        let ticks = x.ticks().into_iter().map(|tick| (x.at(tick), numbers::tick(tick)));
        for (at, text) in labels::fitting(ticks) {
            canvas.line((at, TOP), (at, bottom), 2, HAIR)?;
            canvas.text((at, bottom + 26), &label, &text)?;
        }
        for (at, text) in labels::fitting(self.tera(x)) {
            canvas.line((at, TOP - 8), (at, TOP), 3, RAIL)?;
            canvas.text((at, TOP - 25), &label, &text)?;
        }
        let middle = (LEFT + RIGHT) / 2;
        canvas.text((middle, TOP - 62), &label, "TFLOP/s at 20 operations an interaction")?;
        let along = "10⁹ interactions per second, logarithmic as the upright axis";
        canvas.text((middle, bottom + 60), &label, along)?;
        canvas.line((LEFT, TOP), (RIGHT, TOP), 3, RAIL)?;
        canvas.line((LEFT, TOP), (LEFT, bottom), 3, RAIL)?;
        canvas.line((LEFT, bottom), (RIGHT, bottom), 3, RAIL)
    }

    /// Pixel and text of round numbers of operations.
    fn tera(&self, x: &Scale) -> Vec<(i32, String)> {
        let per_rate = words::tera(1e9);
        let (low, high) = x.ends();
        let ends = [low, high].map(|end| end * per_rate);
        let Some(own) = Scale::logarithmic(ends, LEFT, RIGHT) else { return Vec::new() };
        let ticks = own.ticks().into_iter().filter(|tick| (ends[0]..=ends[1]).contains(tick));
        ticks.map(|tick| (x.at(tick / per_rate), numbers::tick(tick))).collect()
    }

    /// The bound dashed, the error of the tutorial's last step dotted.
    fn errors<DB: Surface>(&self, canvas: &mut Canvas<DB>, y: &Scale) -> Result<()> {
        let at = |error: f64| ((LEFT, y.at(error)), (RIGHT, y.at(error)));
        let (from, to) = at(BOUND);
        canvas.dashes(from, to, 3, (16, 8), LOSS)?;
        if let Some(last) = self.accuracies.last_of_tutorial() {
            let (from, to) = at(last.shown());
            canvas.dashes(from, to, 3, (4, 8), LOSS)?;
        }
        Ok(())
    }

    /// The corners of the line along the steps in front, from the left edge to the upper one.
    fn front(&self, x: &Scale, y: &Scale) -> Vec<Point> {
        let places: Vec<Point> =
            self.accuracies.front().into_iter().map(|point| place(point, x, y)).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return Vec::new() };
        let mut corners = vec![(LEFT, first.1)];
        for pair in places.windows(2) {
            corners.extend([pair[0], (pair[0].0, pair[1].1)]);
        }
        corners.extend([*last, (last.0, TOP)]);
        corners
    }

    fn steps<DB: Surface>(&self, canvas: &mut Canvas<DB>, (x, y): (&Scale, &Scale)) -> Result<()> {
        let corners = self.front(x, y);
        canvas.path(&corners, 3, GAIN)?;
        // Those in front over the others, and named before them.
        let mut order: Vec<&Reached> = self.accuracies.points.iter().collect();
        order.sort_by_key(|point| !point.front);
        let marks: Vec<Point> = order.iter().map(|point| place(point, x, y)).collect();
        for (point, mark) in order.iter().zip(&marks).rev() {
            draw(point, canvas, *mark)?;
        }
        let texts = order.iter().map(|point| {
            let letters = letters(point);
            (letters, letters.fit(short(point, &self.accuracies.points), WIDEST))
        });
        let texts: Vec<(Lettering, String)> = texts.collect();
        let sizes: Vec<(i32, i32)> =
            texts.iter().map(|(letters, text)| (letters.width(text) + 4, HIGH)).collect();
        let inside = (LEFT + 4, TOP + 4, RIGHT - 4, self.bottom() - 4);
        let labels = beside(&marks, RADIUS + 1, &sizes, inside, &lines(&corners));
        for ((label, (letters, text)), (wide, _)) in labels.iter().zip(&texts).zip(&sizes) {
            let Some(label) = label else { continue };
            if let Some((from, to)) = label.leader {
                canvas.path(&[from, to], 1, MUTED)?;
            }
            let ((x, y), half) = (label.middle, wide / 2);
            canvas.fill((x - half, y - HIGH / 2), (x + half, y + HIGH / 2), CARD)?;
            canvas.text(label.middle, &letters.centred(), text)?;
        }
        Ok(())
    }

    /// Names, errors and speeds right of the plane, in the order of the ladder.
    fn names<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        let head = second().right();
        canvas.text((ERROR, TOP - 12), &head, "error")?;
        canvas.text((RATE, TOP - 12), &head, "10⁹/s")?;
        for (y, point) in (TOP + 20..).step_by(GAP as usize).zip(&self.accuracies.points) {
            draw(point, canvas, (NAMES + RADIUS, y))?;
            let left = NAMES + 2 * RADIUS + 12;
            let letters = letters(point);
            let room = ERROR - 90 - left;
            canvas.text((left, y), &letters, &letters.fit(&point.step, room))?;
            let value = Lettering::new(size::SMALL, INK).right();
            canvas.text((ERROR, y), &value, &words::error(point))?;
            let rate = value.fit(&numbers::quantity(point.rate / 1e9), RATE - ERROR - 10);
            canvas.text((RATE, y), &value, &rate)?;
        }
        Ok(())
    }

    fn notes(&self) -> Notes {
        let first = "Right is faster, down is nearer to f64. Full marks and the line: no other step is at least as fast and at \
                     least as near. Diamonds: detours.";
        let mut second = format!("Dashed: an error of {}.", words::bound());
        if let Some(last) = self.accuracies.last_of_tutorial() {
            second += &format!(" Dotted: that of the tutorial's last step, {}.", last.step);
        }
        let far = self.far.iter();
        let far: Vec<String> = far
            .map(|point| {
                let rate = numbers::quantity(point.rate / 1e9);
                format!("{} ({rate}, {})", point.step, words::error(point))
            })
            .collect();
        if !far.is_empty() {
            second += &format!(" Too slow to be shown: {}.", far.join(", "));
        }
        let third = words::absent(&self.accuracies).unwrap_or_default();
        Notes::of(&[first, &second, &third], &self.scene)
    }
}

/// Where a step lies: equal errors on one line, as they are compared.
fn place(point: &Reached, x: &Scale, y: &Scale) -> Point {
    (x.at(point.rate / 1e9), y.at(point.shown()))
}

fn draw<DB: Surface>(point: &Reached, canvas: &mut Canvas<DB>, at: Point) -> Result<()> {
    let (shape, colour) = match (point.front, point.detour) {
        (true, false) => (Shape::Disc, GAIN),
        (true, true) => (Shape::Diamond, GAIN),
        (false, false) => (Shape::OpenDisc, INK),
        (false, true) => (Shape::OpenDiamond, MUTED),
    };
    shape.draw(canvas, at, RADIUS - i32::from(point.detour), colour)
}

fn letters(point: &Reached) -> Lettering {
    match (point.front, point.detour) {
        (true, _) => Lettering::new(size::SMALL, INK).bold(),
        (false, false) => Lettering::new(size::SMALL, INK),
        (false, true) => Lettering::new(size::SMALL, MUTED),
    }
}

/// What stands at a step's mark: its number, or its name where another has that number too.
fn short<'p>(point: &'p Reached, points: &[Reached]) -> &'p str {
    let number = names::split(&point.step).0;
    let same = points.iter().filter(|other| names::split(&other.step).0 == number);
    if same.count() > 1 { &point.step } else { number }
}

/// Where a line with these corners, level and upright in turns, lies.
fn lines(corners: &[Point]) -> Vec<Area> {
    let area = |pair: &[Point]| {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        (x0.min(x1) - 2, y0.min(y1) - 2, x0.max(x1) + 2, y0.max(y1) + 2)
    };
    corners.windows(2).map(area).collect()
}

impl Drawn for Scatter {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        head::message(canvas, &self.title)?;
        let n = numbers::count(self.accuracies.n);
        let rest = format!("{} · n = {n} bodies · against f64", self.scene.rest());
        head::basis(canvas, self.scene.basis, &rest)?;
        if let Some((x, y)) = self.scales() {
            self.grid(canvas, (&x, &y))?;
            self.errors(canvas, &y)?;
            self.steps(canvas, (&x, &y))?;
        }
        self.names(canvas)?;
        self.notes().draw(canvas, self.bottom() + FOOT)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        lines.push(format!("With n = {} bodies:", numbers::count(self.accuracies.n)));
        for point in self.accuracies.points.iter().chain(&self.far) {
            lines.push(format!(
                "{}: {}·10⁹ interactions per second, {} TFLOP/s at 20 operations an interaction, relative error {}{}.",
                point.step,
                numbers::quantity(point.rate / 1e9),
                figures::significant(words::tera(point.rate)),
                words::error(point),
                if point.front { ", in front" } else { "" }
            ));
        }
        lines.extend(words::absent(&self.accuracies));
        lines.join("\n")
    }
}

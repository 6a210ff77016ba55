//! Speed against error: where each step lies, and which ones no other beats in both.
//!
//! To the right is faster, downwards is nearer to f64. The line goes along the steps in front: what
//! lies above and left of it is beaten by one of them.

use report::accuracy::{Accuracies, BOUND, Point as Reached};
use report::provenance::Provenance;
use report::published::Published;
use report::{Report, format, split, words};

use super::Picture;
use crate::kit::canvas::{Canvas, Point};
use crate::kit::grid::{self, Plane, Tick};
use crate::kit::labels;
use crate::kit::lettering::{Lettering, second};
use crate::kit::marks::{RADIUS, Shape};
use crate::kit::names::GAP;
use crate::kit::places::{Area, places};
use crate::kit::scale::Scale;
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{CARD, GAIN, INK, LOSS, MARGIN, MUTED, Paper, short_unit, size};

/// The plane's edges: there is room for a second axis above it, and for names right of it or below.
const TOP: i32 = sheet::HEIGHT + 96;
const LEFT: i32 = MARGIN + 92;
/// On a narrow paper the upright axis is named above the second level one.
const OVER: i32 = 40;
/// From the end of the column of errors to the end of that of rates.
const RATE: i32 = 96;
/// Least height of the plane, and from there to the notes.
const LEAST: i32 = 620;
const FOOT: i32 = 116;
/// Height of a label at a mark, and the widest that there is.
const HIGH: i32 = 22;
const WIDEST: i32 = 220;
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 1000.0;
/// Fewer steps than these are no picture.
const LEAST_STEPS: usize = 2;

/// Steps by speed and error, those that have no room left out.
struct Drawing<'r> {
    accuracies: &'r Accuracies<'r>,
    plane: Plane,
    x: Scale,
    y: Scale,
}

/// The picture of a report; `None` where fewer than two steps can be compared.
pub fn accuracy(report: &Report, published: &Published) -> Option<Picture> {
    let mut accuracies = Accuracies::of(report, published)?;
    let (n, title) = (format::grouped(accuracies.n), message(&accuracies));
    let size = &accuracies.figure.size;
    let more = match accuracies.verified {
        same if same == accuracies.n => format!(" · n = {n} {size} · against f64"),
        other => {
            format!(" · n = {n} {size} · errors against f64 with {} {size}", format::grouped(other))
        }
    };
    let most = accuracies.fastest()?.rate;
    let far = accuracies.points.extract_if(.., |point| point.rate * FAR_BELOW < most).collect();
    let notes = notes(&accuracies, far);
    // Whether there is enough depends on no paper.
    Drawing::of(&accuracies, Paper::Wide)?;
    // What was verified is what errors are of.
    let provenance = Provenance { verified: None, ..Provenance::of(report) };
    let sheet = Sheet::of(provenance, "accuracy", title, &more, notes);
    Some(Sheet { over: OVER, ..sheet }.picture(|canvas| {
        let Some(drawing) = Drawing::of(&accuracies, canvas.paper) else { return TOP };
        drawing.draw_axes(canvas);
        drawing.draw_steps(canvas);
        drawing.draw_names(canvas)
    }))
}

impl<'r> Drawing<'r> {
    fn of(accuracies: &'r Accuracies<'r>, paper: Paper) -> Option<Drawing<'r>> {
        let points = &accuracies.points;
        // There is room for every name at the right, and for the labels of the outermost marks.
        let (right, height) = match paper {
            Paper::Wide => (paper.end() - 500, LEAST.max(GAP * (1 + points.len()) as i32)),
            Paper::Narrow => (paper.end() - 10, LEAST),
        };
        let bottom = TOP + height;
        let plane = Plane { left: LEFT, right, top: TOP, bottom };
        let wide = |value: f64, by: f64| [value / by, value * by];
        let figure = accuracies.figure;
        let rates = points.iter().flat_map(|point| wide(figure.rate(point.rate), 1.1));
        let errors = points.iter().map(Reached::shown).chain([BOUND]);
        let x = Scale::logarithmic(rates, LEFT, right)?;
        let y = Scale::logarithmic(errors.flat_map(|error| wide(error, 1.3)), bottom, TOP)?;
        let is_enough = points.len() >= LEAST_STEPS;
        is_enough.then_some(Drawing { accuracies, plane, x, y })
    }

    /// Where a step lies: equal errors on one line, as they are compared.
    fn place(&self, point: &Reached) -> Point {
        (self.x.at(self.accuracies.figure.rate(point.rate)), self.y.at(point.shown()))
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let (figure, plane) = (self.accuracies.figure, self.plane);
        let over = if canvas.paper.is_narrow() { OVER } else { 0 };
        canvas.text((MARGIN, TOP - 60 - over), &second(), "relative error (rms)");
        plane.upright(canvas, &self.y, |tick| format!("{tick:.0e}"));
        let along = format!("{}, logarithmic as the upright axis", figure.unit);
        plane.level(canvas, &grid::ticks(&self.x), &along);
        if let Some(flop) = figure.flop {
            let along = format!("TFLOP/s: {} × {flop} operations", figure.work);
            plane.above(canvas, &self.tera(), &along);
        }
        plane.edges(canvas);
        // The bound dashed, the error of the last published step dotted.
        let last = self.accuracies.last_published().map(|last| (last.shown(), (4, 8)));
        for (error, rhythm) in [(BOUND, (16, 8))].into_iter().chain(last) {
            let y = self.y.at(error);
            canvas.dashes(&[(LEFT, y), (plane.right, y)], 3, rhythm, LOSS);
        }
    }

    /// Round numbers of operations.
    fn tera(&self) -> Vec<Tick> {
        let figure = self.accuracies.figure;
        let per_rate = figure.tflops(figure.scale).unwrap_or(1.0);
        let (low, high) = self.x.ends();
        let ends = [low, high].map(|end| end * per_rate);
        let Some(own) = Scale::logarithmic(ends, LEFT, self.plane.right) else { return Vec::new() };
        let ticks = own.ticks().into_iter().filter(|tick| (ends[0]..=ends[1]).contains(tick));
        labels::fitting(ticks.map(|tick| (self.x.at(tick / per_rate), format::tick(tick))))
    }

    /// The corners of the line along the steps in front, from the left edge to the upper one.
    fn front(&self) -> Vec<Point> {
        let front = self.accuracies.front();
        let places: Vec<Point> = front.into_iter().map(|point| self.place(point)).collect();
        let (Some(first), Some(last)) = (places.first(), places.last()) else { return Vec::new() };
        let mut corners = vec![(LEFT, first.1)];
        for pair in places.windows(2) {
            corners.extend([pair[0], (pair[0].0, pair[1].1)]);
        }
        corners.extend([*last, (last.0, TOP)]);
        corners
    }

    fn draw_steps(&self, canvas: &mut Canvas) {
        let corners = self.front();
        canvas.path(&corners, 3, GAIN);
        // Those in front over the others, and named before them.
        let mut order: Vec<&Reached> = self.accuracies.points.iter().collect();
        order.sort_by_key(|point| !point.front);
        let marks: Vec<Point> = order.iter().map(|point| self.place(point)).collect();
        for (point, mark) in order.iter().zip(&marks).rev() {
            draw_mark(point, canvas, *mark);
        }
        let texts = order.iter().map(|point| {
            let letters = letters(point);
            (letters, letters.fit(short(point, &self.accuracies.points), WIDEST))
        });
        let texts: Vec<(Lettering, String)> = texts.collect();
        let sizes: Vec<(i32, i32)> =
            texts.iter().map(|(letters, text)| (letters.width(text) + 4, HIGH)).collect();
        let inside = (LEFT + 4, TOP + 4, self.plane.right - 4, self.plane.bottom - 4);
        let labels = places(&marks, RADIUS + 1, &sizes, inside, &lines(&corners));
        for ((label, (letters, text)), (wide, _)) in labels.iter().zip(&texts).zip(&sizes) {
            let Some(label) = label else { continue };
            if let Some((from, to)) = label.leader {
                canvas.path(&[from, to], 1, MUTED);
            }
            let ((x, y), half) = (label.middle, wide / 2);
            canvas.fill((x - half, y - HIGH / 2), (x + half, y + HIGH / 2), CARD);
            canvas.text(label.middle, &letters.centred(), text);
        }
    }

    /// Names, errors and speeds right of the plane or below, in the order of the ladder; returns the height of the notes.
    fn draw_names(&self, canvas: &mut Canvas) -> i32 {
        let (figure, head, end) = (self.accuracies.figure, second().right(), canvas.paper.end());
        let below = self.plane.bottom + FOOT;
        let (start, top) = match canvas.paper {
            Paper::Wide => (self.plane.right + 40, TOP),
            Paper::Narrow => (MARGIN, below + 12),
        };
        let error = end - RATE;
        canvas.text((error, top - 12), &head, "error");
        canvas.text((end, top - 12), &head, &short_unit(&figure.unit));
        for (y, point) in (top + 20..).step_by(GAP as usize).zip(&self.accuracies.points) {
            draw_mark(point, canvas, (start + RADIUS, y));
            let (left, letters) = (start + 2 * RADIUS + 12, letters(point));
            canvas.text((left, y), &letters, &letters.fit(&point.step, error - 90 - left));
            let value = Lettering::new(size::SMALL, INK).right();
            canvas.text((error, y), &value, &format::error(Some(point.error)));
            let rate = format::quantity(figure.rate(point.rate));
            canvas.text((end, y), &value, &value.fit(&rate, RATE - 10));
        }
        match canvas.paper {
            Paper::Wide => below,
            Paper::Narrow => top + 20 + GAP * (1 + self.accuracies.points.len()) as i32,
        }
    }
}

fn draw_mark(point: &Reached, canvas: &mut Canvas, at: Point) {
    let (shape, colour) = match (point.front, point.detour) {
        (true, false) => (Shape::Disc, GAIN),
        (true, true) => (Shape::Diamond, GAIN),
        (false, false) => (Shape::OpenDisc, INK),
        (false, true) => (Shape::OpenDiamond, MUTED),
    };
    shape.draw(canvas, at, RADIUS - i32::from(point.detour), colour);
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
    let number = split(&point.step).0;
    let same = points.iter().filter(|other| split(&other.step).0 == number);
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

fn message(accuracies: &Accuracies) -> String {
    match (accuracies.within(BOUND), accuracies.nearest()) {
        (Some(fast), _) => {
            let speed = words::speed(accuracies.figure, fast.rate);
            format!("Fastest with error ≤ {BOUND:e}: {}, {speed}", fast.step)
        }
        (None, Some(near)) => {
            let error = format::error(Some(near.error));
            format!("No step has an error ≤ {BOUND:e}: {} has {error}", near.step)
        }
        (None, None) => "Speed and error".to_owned(),
    }
}

fn notes(accuracies: &Accuracies, far: Vec<Reached>) -> [String; 3] {
    let first = "Right is faster, down is nearer to f64. Full marks and the line: no other step is at \
                 least as fast and at least as near. Diamonds: detours.";
    let talk = &accuracies.published.name;
    let last = accuracies.last_published();
    let dotted = last.map(|last| format!("Dotted: that of {talk}'s last step, {}.", last.step));
    let far = far.iter().map(|point| {
        let rate = format::quantity(accuracies.figure.rate(point.rate));
        format!("{} ({rate}, {})", point.step, format::error(Some(point.error)))
    });
    let second = words::sentences([
        format!("Dashed: an error of {BOUND:e}."),
        dotted.unwrap_or_default(),
        words::listing("Too slow to be shown", far),
    ]);
    let absent = accuracies.absent.iter();
    let absent = absent.map(|(step, n)| format!("{step} (n = {})", format::grouped(*n)));
    [first.to_owned(), second, words::listing("Not timed at this size", absent)]
}

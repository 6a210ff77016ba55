//! Where each step lies under the roofs of the chip: operations per byte against operations per
//! second.

mod roofs;

use report::scene::Scene;
use report::{Report, format, words};

use super::{Picture, bounds};
use crate::kit::canvas::Canvas;
use crate::kit::grid::{self, Plane};
use crate::kit::labels;
use crate::kit::lettering::{Lettering, second};
use crate::kit::marks::{Look, RADIUS};
use crate::kit::names::{self, GAP, Name};
use crate::kit::scale::Scale;
use crate::kit::sheet::{self, Sheet};
use crate::kit::style::{END, INK, MARGIN, MUTED, RAIL, size};
use roofs::{MEMORIES, Step, slopes};

/// The plane's edges, and the room for names right of it.
const TOP: i32 = sheet::HEIGHT + 66;
const LEFT: i32 = MARGIN + 92;
const RIGHT: i32 = END - 440;
/// Least height of the plane, and from there to the notes.
const LEAST: i32 = 640;
const FOOT: i32 = 116;
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 200.0;
const NO_DRAM: &str = "DRAM has no marks: all data stays in the L2 cache";

/// The roofs of a chip and the steps under them.
struct Roofline<'r> {
    /// The fastest step, whose instructions allow no more than the other roofs.
    fastest: &'r Step<'r>,
    /// Name and 10¹² operations per second of these, the highest first.
    roofs: Vec<(String, f64)>,
    /// Name and 10¹² bytes per second.
    slopes: Vec<(&'static str, f64)>,
    steps: Vec<&'r Step<'r>>,
    plane: Plane,
}

/// The picture of a report; `None` where nothing is known of any step's limits.
pub fn roofline(report: &Report) -> Option<Picture> {
    let known: Vec<Step> = report.own().filter_map(Step::of).collect();
    let fastest = known.iter().max_by(|a, b| a.rate.total_cmp(&b.rate))?;
    let (steps, far): (Vec<_>, Vec<_>) =
        known.iter().partition(|step| step.rate * FAR_BELOW >= fastest.rate);
    let (roofs, slopes) = (fastest.roofs(), slopes(fastest.limits));
    let names = (1 + roofs.len() + steps.len()) as i32;
    let plane = Plane { left: LEFT, right: RIGHT, top: TOP, bottom: TOP + LEAST.max(GAP * names) };
    let line = Roofline { fastest, roofs, slopes, steps, plane };
    let title = format!(
        "{} executes {} of {}·10¹² FP32 operations per second, {} of the peak",
        fastest.name,
        format::quantity(fastest.rate),
        format::quantity(fastest.peak),
        bounds::percent(fastest.rate / fastest.peak)
    );
    let limits = fastest.limits;
    let more = format!(" · roofs of {} at {:.0} MHz", limits.gpu, limits.clock_mhz);
    let sheet = Sheet::of(Scene::of(report), "roofline", title, &more, line.notes(&far));
    Some(sheet.picture(|canvas| {
        if let Some((x, y)) = line.scales() {
            line.draw_axes(canvas, &x, &y);
            line.draw_roofs(canvas, &x, &y);
            line.draw_steps(canvas, &x, &y);
        }
        plane.bottom + FOOT
    }))
}

impl Roofline<'_> {
    fn scales(&self) -> Option<(Scale, Scale)> {
        let rates = self.steps.iter().map(|step| step.rate);
        let roofs = self.roofs.iter().map(|roof| roof.1).chain([self.fastest.peak]);
        let low = rates.clone().fold(f64::INFINITY, f64::min) / 2.0;
        let y = Scale::logarithmic(rates.chain(roofs).chain([low]), self.plane.bottom, TOP)?;
        let (low, _) = y.ends();
        let intensities = self.steps.iter().flat_map(|step| step.intensity).flatten();
        // From where the first slope rises.
        let feet = self.slopes.iter().map(|slope| low / slope.1);
        Some((Scale::logarithmic(intensities.chain(feet), LEFT, RIGHT)?, y))
    }

    fn draw_axes(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        canvas.text((MARGIN, TOP - 26), &second(), "10¹² FP32 operations per second");
        self.plane.upright(canvas, y, format::tick);
        let along = "FP32 operations executed per byte moved, logarithmic as the upright axis";
        self.plane.level(canvas, &grid::ticks(x), along);
        self.plane.edges(canvas);
    }

    /// Slopes of the memories and the peak as whole lines, the roofs of one step dashed.
    fn draw_roofs(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let ((least, _), peak) = (y.ends(), self.fastest.peak);
        let words = Lettering::new(size::SMALL, INK);
        let share = |place: usize| if place == 0 { 0.85 } else { 0.24 };
        let rate = |place: usize| least * (peak / least).powf(share(place));
        let wanted: Vec<i32> = (0..self.slopes.len()).map(|place| y.at(rate(place))).collect();
        let heights = labels::apart(&wanted, GAP, (TOP + 14, self.plane.bottom - 14));
        let mut ridge = RIGHT;
        for (place, (name, bandwidth)) in self.slopes.iter().enumerate() {
            let line = |rate: f64| (x.at(rate / bandwidth), y.at(rate));
            canvas.path(&[line(least), line(peak)], 3, INK);
            ridge = ridge.min(line(peak).0);
            let text = format!("{name} {}·10¹² B/s", format::quantity(*bandwidth));
            let wide = words.width(&text);
            // The first on the left of its slope if there is room, the others on the right and lower.
            let slope = line(rate(place)).0;
            let is_left = place == 0 && slope - 24 - wide > LEFT;
            let x = if is_left { slope - 16 - wide } else { slope + 16 };
            canvas.label((x, heights[place]), &words, &text);
        }
        canvas.path(&[(ridge, y.at(peak)), (RIGHT, y.at(peak))], 3, INK);
        for (_, rate) in &self.roofs {
            let (from, to) = ((ridge, y.at(*rate)), (RIGHT, y.at(*rate)));
            canvas.dashes(&[from, to], 3, (14, 8), MUTED);
        }
        if !self.has_dram() {
            let left = RIGHT - 16 - second().width(NO_DRAM);
            canvas.label((left, self.plane.bottom - 26), &second(), NO_DRAM);
        }
    }

    fn draw_steps(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let name = |text, rate, end, look| Name { text, value: format::quantity(rate), end, look };
        let roof = |text, rate| name(text, rate, (RIGHT, y.at(rate)), None);
        let mut names = vec![roof("FP32 peak", self.fastest.peak)];
        names.extend(self.roofs.iter().map(|(text, rate)| roof(text, *rate)));
        for (place, step) in self.steps.iter().enumerate() {
            let (height, look) = (y.at(step.rate), Look::of(place));
            let points = step.intensity.map(|at| at.map(|at| (x.at(at), height)));
            if let [Some(from), Some(to)] = points {
                canvas.path(&[from, to], 1, RAIL);
            }
            for (point, (_, radius)) in points.iter().zip(MEMORIES) {
                if let Some(point) = point {
                    look.shape.draw(canvas, *point, radius, look.colour);
                }
            }
            let end = points.iter().flatten().map(|point| point.0).max().unwrap_or(LEFT);
            names.push(name(step.name, step.rate, (end + RADIUS + 4, height), Some(look)));
        }
        names::draw(canvas, &names, self.plane);
    }

    fn has_dram(&self) -> bool {
        self.steps.iter().any(|step| step.intensity[1].is_some())
    }

    fn notes(&self, far: &[&Step]) -> [String; 2] {
        let dram = if self.has_dram() { "; a small one: from and to DRAM" } else { "" };
        let first = format!(
            "A mark: operations per byte from and to L2{dram}. An FMA is two operations, a special \
             function none: it has units of its own."
        );
        let dashed = format!("Dashed: what the instructions of {} allow.", self.fastest.name);
        let dashed = if self.roofs.is_empty() { String::new() } else { dashed };
        let far = far.iter().map(|it| format!("{} ({})", it.name, format::quantity(it.rate)));
        [first, words::sentences([dashed, words::listing("Too slow to be shown", far)])]
    }
}

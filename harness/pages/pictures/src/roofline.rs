//! Where each step lies under the roofs of the chip: operations per byte against operations per
//! second.

mod roofs;

use report::provenance::Provenance;
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
use crate::kit::style::{INK, MARGIN, MUTED, Paper, RAIL, size};
use roofs::{MEMORIES, Step, slopes};

/// The plane's upper edge.
const TOP: i32 = sheet::HEIGHT + 66;
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
}

/// What is drawn, with room for names right of it or below.
fn plane(paper: Paper, names: i32) -> Plane {
    let (left, right, height) = match paper {
        Paper::Wide => (MARGIN + 92, paper.end() - 440, LEAST.max(GAP * names)),
        Paper::Narrow => (MARGIN + 100, paper.end() - 10, LEAST),
    };
    Plane { left, right, top: TOP, bottom: TOP + height }
}

/// The picture of a report; `None` where nothing is known of any step's limits.
pub fn roofline(report: &Report) -> Option<Picture> {
    let known: Vec<Step> = report.own().filter_map(Step::of).collect();
    let fastest = known.iter().max_by(|a, b| a.rate.total_cmp(&b.rate))?;
    let (steps, far): (Vec<_>, Vec<_>) =
        known.iter().partition(|step| step.rate * FAR_BELOW >= fastest.rate);
    let (roofs, slopes) = (fastest.roofs(), slopes(fastest.limits));
    let names = (1 + roofs.len() + steps.len()) as i32;
    let line = Roofline { fastest, roofs, slopes, steps };
    let title = format!(
        "{} executes {} of {}·10¹² FP32 operations per second, {} of the peak",
        fastest.name,
        format::quantity(fastest.rate),
        format::quantity(fastest.peak),
        bounds::percent(fastest.rate / fastest.peak)
    );
    let limits = fastest.limits;
    let more = format!(" · roofs of {} at {:.0} MHz", limits.gpu, limits.clock_mhz);
    let sheet = Sheet::of(Provenance::of(report), "roofline", title, &more, line.notes(&far));
    Some(sheet.picture(|canvas| {
        let plane = plane(canvas.paper, names);
        let Some((x, y)) = line.scales(plane) else { return plane.bottom + FOOT };
        line.draw_axes(canvas, plane, (&x, &y));
        line.draw_roofs(canvas, plane, (&x, &y));
        line.draw_steps(canvas, plane, (&x, &y))
    }))
}

impl Roofline<'_> {
    fn scales(&self, plane: Plane) -> Option<(Scale, Scale)> {
        let rates = self.steps.iter().map(|step| step.rate);
        let roofs = self.roofs.iter().map(|roof| roof.1).chain([self.fastest.peak]);
        let low = rates.clone().fold(f64::INFINITY, f64::min) / 2.0;
        let y = Scale::logarithmic(rates.chain(roofs).chain([low]), plane.bottom, TOP)?;
        let (low, _) = y.ends();
        let intensities = self.steps.iter().flat_map(|step| step.intensity).flatten();
        // From where the first slope rises.
        let feet = self.slopes.iter().map(|slope| low / slope.1);
        Some((Scale::logarithmic(intensities.chain(feet), plane.left, plane.right)?, y))
    }

    fn draw_axes(&self, canvas: &mut Canvas, plane: Plane, (x, y): (&Scale, &Scale)) {
        canvas.text((MARGIN, TOP - 26), &second(), "10¹² FP32 operations per second");
        plane.upright(canvas, y, format::tick);
        let along = "FP32 operations executed per byte moved, logarithmic as the upright axis";
        plane.level(canvas, &grid::ticks(x), along);
        plane.edges(canvas);
    }

    /// Slopes of the memories and the peak as whole lines, the roofs of one step dashed.
    fn draw_roofs(&self, canvas: &mut Canvas, plane: Plane, (x, y): (&Scale, &Scale)) {
        let Plane { left, right, top, bottom } = plane;
        let ((least, _), peak) = (y.ends(), self.fastest.peak);
        let words = Lettering::new(size::SMALL, INK);
        let share = |place: usize| if place == 0 { 0.85 } else { 0.24 };
        let rate = |place: usize| least * (peak / least).powf(share(place));
        let wanted: Vec<i32> = (0..self.slopes.len()).map(|place| y.at(rate(place))).collect();
        let heights = labels::apart(&wanted, GAP, (top + 14, bottom - 14));
        let mut ridge = right;
        for (place, (name, bandwidth)) in self.slopes.iter().enumerate() {
            let line = |rate: f64| (x.at(rate / bandwidth), y.at(rate));
            canvas.path(&[line(least), line(peak)], 3, INK);
            ridge = ridge.min(line(peak).0);
            let text = format!("{name} {}·10¹² B/s", format::quantity(*bandwidth));
            let wide = words.width(&text);
            // The first on the left of its slope if there is room, the others on the right and lower.
            let slope = line(rate(place)).0;
            let is_left = place == 0 && slope - 24 - wide > left;
            let x = if is_left { slope - 16 - wide } else { slope + 16 };
            let x = x.min(canvas.paper.end() - wide);
            canvas.label((x, heights[place]), &words, &text);
        }
        canvas.path(&[(ridge, y.at(peak)), (right, y.at(peak))], 3, INK);
        for (_, rate) in &self.roofs {
            let (from, to) = ((ridge, y.at(*rate)), (right, y.at(*rate)));
            canvas.dashes(&[from, to], 3, (14, 8), MUTED);
        }
        if !self.has_dram() {
            let left = right - 16 - second().width(NO_DRAM);
            canvas.label((left, bottom - 26), &second(), NO_DRAM);
        }
    }

    /// Returns the height of the notes.
    fn draw_steps(&self, canvas: &mut Canvas, plane: Plane, (x, y): (&Scale, &Scale)) -> i32 {
        let name = |text, rate, end, look| Name { text, value: format::quantity(rate), end, look };
        let roof = |text, rate| name(text, rate, (plane.right, y.at(rate)), None);
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
            let end = points.iter().flatten().map(|point| point.0).max().unwrap_or(plane.left);
            names.push(name(step.name, step.rate, (end + RADIUS + 4, height), Some(look)));
        }
        if canvas.paper.is_narrow() {
            return names::list(canvas, &names, plane.bottom + FOOT) + GAP;
        }
        names::draw(canvas, &names, plane);
        plane.bottom + FOOT
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

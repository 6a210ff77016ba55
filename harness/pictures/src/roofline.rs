//! Where each step lies under the roofs of the chip: operations per byte against operations per
//! second.

mod roofs;

use report::scene::Scene;
use report::{Report, format};

use super::{Picture, bounds};
use crate::kit::canvas::Canvas;
use crate::kit::chart::names::{self, Name};
use crate::kit::lettering::{Lettering, second};
use crate::kit::marks::{Look, RADIUS};
use crate::kit::scale::Scale;
use crate::kit::style::{END, INK, MARGIN, MUTED, RAIL, size};
use crate::kit::{caption, grid, labels};
use roofs::{MEMORIES, Step, slopes};

/// The plane's edges, and the room for names right of it.
const TOP: i32 = caption::HEIGHT + 66;
const LEFT: i32 = MARGIN + 92;
const RIGHT: i32 = END - 440;
/// Least height of the plane, and from there to the notes.
const LEAST: i32 = 640;
const FOOT: i32 = 116;
/// From a name to the next.
const GAP: i32 = 30;
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 200.0;

/// The roofs of a chip and the steps under them.
struct Roofline<'r> {
    /// The fastest step, whose instructions allow no more than the other roofs.
    fastest: &'r Step<'r>,
    /// Name and 10¹² operations per second of these, the highest first.
    roofs: Vec<(String, f64)>,
    /// Name and 10¹² bytes per second.
    slopes: Vec<(&'static str, f64)>,
    steps: Vec<&'r Step<'r>>,
    /// Steps that have no room.
    far: Vec<&'r Step<'r>>,
    bottom: i32,
}

/// The picture of a report; `None` where nothing is known of any step's limits.
pub fn roofline(report: &Report) -> Option<Picture> {
    let rows = report.rows.iter().filter(|row| row.outcome.is_verified() && row.is_own());
    let known: Vec<Step> = rows.filter_map(Step::of).collect();
    let fastest = known.iter().max_by(|a, b| a.rate.total_cmp(&b.rate))?;
    let (steps, far): (Vec<_>, Vec<_>) =
        known.iter().partition(|step| step.rate * FAR_BELOW >= fastest.rate);
    let roofs = fastest.roofs();
    let names = (1 + roofs.len() + steps.len()) as i32;
    let slopes = slopes(fastest.limits);
    let bottom = TOP + LEAST.max(GAP * names);
    let line = Roofline { fastest, roofs, slopes, steps, far, bottom };
    let title = format!(
        "{} executes {} of {}·10¹² FP32 operations per second, {} of the peak",
        fastest.name,
        format::quantity(fastest.rate),
        format::quantity(fastest.peak),
        bounds::percent(fastest.rate / fastest.peak)
    );
    let scene = Scene::of(report);
    Some(Picture::draw("roofline", title, |canvas| {
        let limits = fastest.limits;
        let chip = format!(" · roofs of {} at {:.0} MHz", limits.gpu, limits.clock_mhz);
        caption::scene(canvas, &scene, &chip);
        if let Some((x, y)) = line.scales() {
            line.draw_plane(canvas, &x, &y);
            line.draw_roofs(canvas, &x, &y);
            line.draw_steps(canvas, &x, &y);
        }
        let notes = line.notes();
        let notes = notes.each_ref().map(String::as_str);
        caption::notes(canvas, bottom + FOOT, &notes, &scene.source)
    }))
}

impl Roofline<'_> {
    fn scales(&self) -> Option<(Scale, Scale)> {
        let rates = self.steps.iter().map(|step| step.rate);
        let roofs = self.roofs.iter().map(|roof| roof.1).chain([self.fastest.peak]);
        let low = rates.clone().fold(f64::INFINITY, f64::min) / 2.0;
        let y = Scale::logarithmic(rates.chain(roofs).chain([low]), self.bottom, TOP)?;
        let (low, _) = y.ends();
        let intensities = self.steps.iter().flat_map(|step| step.intensity).flatten();
        // From where the first slope rises.
        let feet = self.slopes.iter().map(|slope| low / slope.1);
        Some((Scale::logarithmic(intensities.chain(feet), LEFT, RIGHT)?, y))
    }

    fn draw_plane(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        canvas.text((MARGIN, TOP - 26), &second(), "10¹² FP32 operations per second");
        grid::upright(canvas, y, (LEFT, RIGHT), format::tick);
        let along = "FP32 operations executed per byte moved, logarithmic as the upright axis";
        grid::level(canvas, &grid::ticks(x), (TOP, self.bottom), (LEFT, RIGHT), along);
        grid::edges(canvas, (LEFT, TOP), (RIGHT, self.bottom));
    }

    /// Slopes of the memories and the peak as whole lines, the roofs of one step dashed.
    fn draw_roofs(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let ((least, _), peak) = (y.ends(), self.fastest.peak);
        let words = Lettering::new(size::SMALL, INK);
        let share = |place: usize| if place == 0 { 0.85 } else { 0.24 };
        let rate = |place: usize| least * (peak / least).powf(share(place));
        let wanted: Vec<i32> = (0..self.slopes.len()).map(|place| y.at(rate(place))).collect();
        let heights = labels::apart(&wanted, GAP, (TOP + 14, self.bottom - 14));
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
        if let Some(text) = self.no_dram() {
            let left = RIGHT - 16 - second().width(&text);
            canvas.label((left, self.bottom - 26), &second(), &text);
        }
    }

    fn draw_steps(&self, canvas: &mut Canvas, x: &Scale, y: &Scale) {
        let name = |text, rate, end, look| Name { text, value: format::quantity(rate), end, look };
        let roof = |text, rate| name(text, rate, (RIGHT, y.at(rate)), None);
        let mut names = vec![roof("FP32 peak", self.fastest.peak)];
        names.extend(self.roofs.iter().map(|(text, rate)| roof(text, *rate)));
        for (place, step) in self.steps.iter().enumerate() {
            let height = y.at(step.rate);
            let look = Look::of(place);
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
        names::draw(canvas, &names, RIGHT, (TOP, self.bottom));
    }

    /// Why one of the memories has no marks.
    fn no_dram(&self) -> Option<String> {
        let is_none = self.steps.iter().all(|step| step.intensity[1].is_none());
        is_none.then(|| "DRAM has no marks: all data stays in the L2 cache".to_owned())
    }

    fn notes(&self) -> [String; 2] {
        let dram = if self.no_dram().is_none() { "; a small one: from and to DRAM" } else { "" };
        let first = format!(
            "A mark: operations per byte from and to L2{dram}. An FMA is two operations, a special \
             function none: it has units of its own."
        );
        let mut second = Vec::new();
        if !self.roofs.is_empty() {
            second.push(format!("Dashed: what the instructions of {} allow.", self.fastest.name));
        }
        if !self.far.is_empty() {
            let far = self.far.iter();
            let far = far.map(|it| format!("{} ({})", it.name, format::quantity(it.rate)));
            let far: Vec<String> = far.collect();
            second.push(format!("Too slow to be shown: {}.", far.join(", ")));
        }
        [first, second.join(" ")]
    }
}

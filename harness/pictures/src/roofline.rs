//! Where each step lies under the roofs of the chip: operations per byte against operations per
//! second.

mod known;

use report::Report;

use anyhow::Result;

use super::bounds;
use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head::{self, Notes};
use super::labels;
use super::marks::{Look, RADIUS};
use super::numbers;
use super::rows::second;
use super::scale::Scale;
use super::scene::Scene;
use super::style::{CARD, HAIR, INK, MARGIN, MUTED, RAIL, WIDTH, size};
use known::{Known, MEMORIES, Step, peak, roofs, slopes};

/// The plane's edges, and the room for names right of it.
const TOP: i32 = head::HEIGHT + 66;
const LEFT: i32 = MARGIN + 92;
const RIGHT: i32 = WIDTH - MARGIN - 440;
const NAMES: i32 = RIGHT + 48;
/// Least height of the plane, and from there to the notes.
const LEAST: i32 = 640;
const FOOT: i32 = 116;
/// From a name to the next.
const GAP: i32 = 30;
/// Why a memory has no marks.
const NO_DRAM: &str = "DRAM has no marks: all bodies stay in the L2 cache";
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 200.0;

/// The roofs of a chip and the steps under them.
pub struct Roofline {
    title: String,
    scene: Scene,
    /// Of what the roofs are, and at which clock.
    chip: String,
    /// The chip's peak in 10¹² operations per second.
    peak: f64,
    /// The fastest step, whose instructions allow no more than the other roofs.
    fastest: String,
    /// Name and 10¹² operations per second of the other roofs, the highest first.
    roofs: Vec<(String, f64)>,
    /// Name and 10¹² bytes per second.
    slopes: Vec<(String, f64)>,
    steps: Vec<Step>,
    /// Steps that have no room: name and 10¹² operations per second.
    far: Vec<(String, f64)>,
}

impl Roofline {
    /// The picture of a report; none where nothing is known of any step's limits.
    pub fn of(report: &Report) -> Option<Roofline> {
        let rows = report.rows.iter();
        let rows = rows.filter(|row| row.outcome.is_verified() && row.is_own());
        let known: Vec<Known> = rows.filter_map(Known::of).collect();
        let fastest = known.iter().max_by(|a, b| a.rate.total_cmp(&b.rate))?;
        let (limits, best) = (fastest.limits, fastest.rate);
        let peak = peak(limits)? / 1e12;
        let title = format!(
            "{} executes {} of {}·10¹² FP32 operations per second, {} of the peak",
            fastest.name,
            numbers::quantity(best),
            numbers::quantity(peak),
            bounds::percent(best / peak)
        );
        let (near, far): (Vec<_>, Vec<_>) =
            known.iter().partition(|step| step.rate * FAR_BELOW >= best);
        Some(Roofline {
            title,
            scene: Scene::of(report),
            chip: format!("{} at {:.0} MHz", limits.gpu, limits.clock_mhz),
            peak,
            fastest: fastest.name.to_owned(),
            roofs: roofs(fastest, peak),
            slopes: slopes(limits),
            steps: near.iter().map(|step| step.step()).collect(),
            far: far.iter().map(|step| (step.name.to_owned(), step.rate)).collect(),
        })
    }

    /// The plane's lower edge: there is room for every name beside it.
    fn bottom(&self) -> i32 {
        TOP + LEAST.max(GAP * (1 + self.roofs.len() + self.steps.len()) as i32)
    }

    fn height(&self) -> i32 {
        self.bottom() + FOOT - 24 + self.notes().height()
    }

    fn scales(&self) -> Option<(Scale, Scale)> {
        let rates = self.steps.iter().map(|step| step.rate);
        let roofs = self.roofs.iter().map(|roof| roof.1).chain([self.peak]);
        let low = rates.clone().fold(f64::INFINITY, f64::min) / 2.0;
        let y = Scale::logarithmic(rates.chain(roofs).chain([low]), self.bottom(), TOP)?;
        let (low, _) = y.ends();
        let intensities = self.steps.iter().flat_map(|step| step.intensity).flatten();
        // From where the first slope rises.
        let feet = self.slopes.iter().map(|slope| low / slope.1);
        Some((Scale::logarithmic(intensities.chain(feet), LEFT, RIGHT)?, y))
    }

    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        canvas.text((MARGIN, TOP - 26), &second(), "10¹² FP32 operations per second")?;
        for tick in y.ticks() {
            let at = y.at(tick);
            canvas.line((LEFT, at), (RIGHT, at), 2, HAIR)?;
            canvas.text((LEFT - 14, at), &second().right(), &numbers::tick(tick))?;
        }
        let ticks = x.ticks().into_iter().map(|tick| (x.at(tick), numbers::tick(tick)));
        for (at, text) in labels::fitting(ticks) {
            canvas.line((at, TOP), (at, self.bottom()), 2, HAIR)?;
            canvas.text((at, self.bottom() + 26), &second().centred(), &text)?;
        }
        canvas.line((LEFT, TOP), (LEFT, self.bottom()), 3, RAIL)?;
        canvas.line((LEFT, self.bottom()), (RIGHT, self.bottom()), 3, RAIL)?;
        let along = "FP32 operations executed per byte moved, logarithmic as the upright axis";
        canvas.text(((LEFT + RIGHT) / 2, self.bottom() + 60), &second().centred(), along)
    }

    /// Slopes of the memories and the peak as whole lines, the roofs of one step dashed.
    fn roofs<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        let (least, _) = y.ends();
        let words = Lettering::new(size::SMALL, INK);
        let share = |place: usize| if place == 0 { 0.85 } else { 0.24 };
        let rate = |place: usize| least * (self.peak / least).powf(share(place));
        let wanted: Vec<i32> = (0..self.slopes.len()).map(|place| y.at(rate(place))).collect();
        let heights = labels::apart(&wanted, GAP, (TOP + 14, self.bottom() - 14));
        let mut ridge = RIGHT;
        for (place, (name, bandwidth)) in self.slopes.iter().enumerate() {
            let line = |rate: f64| (x.at(rate / bandwidth), y.at(rate));
            canvas.path(&[line(least), line(self.peak)], 3, INK)?;
            ridge = ridge.min(line(self.peak).0);
            let text = format!("{name} {}·10¹² B/s", numbers::quantity(*bandwidth));
            let wide = words.width(&text);
            // The first on the left of its slope if there is room, the others on the right and lower.
            let (slope, y) = (line(rate(place)).0, heights[place]);
            let is_left = place == 0 && slope - 24 - wide > LEFT;
            let x = if is_left { slope - 16 - wide } else { slope + 16 };
            canvas.fill((x - 4, y - 14), (x + wide + 4, y + 14), CARD)?;
            canvas.text((x, y), &words, &text)?;
        }
        canvas.path(&[(ridge, y.at(self.peak)), (RIGHT, y.at(self.peak))], 3, INK)?;
        for (_, rate) in &self.roofs {
            let (from, to) = ((ridge, y.at(*rate)), (RIGHT, y.at(*rate)));
            canvas.dashed_path(&[from, to], 3, (14, 8), MUTED)?;
        }
        if self.has_no_dram() {
            let (right, y) = (RIGHT - 16, self.bottom() - 26);
            let left = right - second().width(NO_DRAM);
            canvas.fill((left - 8, y - 14), (right + 8, y + 14), CARD)?;
            canvas.text((left, y), &second(), NO_DRAM)?;
        }
        Ok(())
    }

    /// Whether nothing comes from DRAM.
    fn has_no_dram(&self) -> bool {
        self.steps.iter().all(|step| step.intensity[1].is_none())
    }

    fn steps<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        let peak = ("FP32 peak", self.peak);
        let roofs = self.roofs.iter().map(|(name, rate)| (name.as_str(), *rate));
        let mut names: Vec<Name> = [peak]
            .into_iter()
            .chain(roofs)
            .map(|(text, rate)| Name { text, rate, end: (RIGHT, y.at(rate)), look: None })
            .collect();
        for (place, step) in self.steps.iter().enumerate() {
            let height = y.at(step.rate);
            let look = Look::of(place);
            let points = step.intensity.map(|at| at.map(|at| (x.at(at), height)));
            if let [Some(from), Some(to)] = points {
                canvas.path(&[from, to], 1, RAIL)?;
            }
            for (point, (_, radius)) in points.iter().zip(MEMORIES) {
                if let Some(point) = point {
                    look.shape.draw(canvas, *point, radius, look.colour)?;
                }
            }
            let end = points.iter().flatten().map(|point| point.0).max().unwrap_or(LEFT);
            let end = (end + RADIUS + 4, height);
            names.push(Name { text: &step.name, rate: step.rate, end, look: Some(look) });
        }
        let wanted: Vec<i32> = names.iter().map(|name| name.end.1).collect();
        let places = labels::apart(&wanted, GAP, (TOP, self.bottom()));
        for (name, &place) in names.iter().zip(&places) {
            let end = name.end;
            canvas.path(&[end, (RIGHT + 6, end.1), (NAMES - 6, place)], 1, RAIL)?;
            let mut left = NAMES + 4;
            if let Some(look) = &name.look {
                look.mark(canvas, (left + RADIUS, place))?;
                left += 2 * RADIUS + 12;
            }
            let value = Lettering::new(size::SMALL, MUTED).right();
            let text = numbers::quantity(name.rate);
            let room = WIDTH - MARGIN - left - value.width(&text) - 20;
            let colour = if name.look.is_some() { INK } else { MUTED };
            let words = Lettering::new(size::SMALL, colour);
            canvas.text((left, place), &words, &words.fit(name.text, room))?;
            canvas.text((WIDTH - MARGIN, place), &value, &text)?;
        }
        Ok(())
    }

    fn notes(&self) -> Notes {
        let mut first = "A mark: operations per byte from and to L2".to_owned();
        if !self.has_no_dram() {
            first.push_str("; a small one: from and to DRAM");
        }
        first.push_str(
            ". An FMA is two operations, a special function none: it has units of its own.",
        );
        let mut second = Vec::new();
        if !self.roofs.is_empty() {
            second.push(format!("Dashed: what the instructions of {} allow.", self.fastest));
        }
        if !self.far.is_empty() {
            let far = self.far.iter();
            let far: Vec<_> =
                far.map(|(name, rate)| format!("{name} ({})", numbers::quantity(*rate))).collect();
            second.push(format!("Too slow to be shown: {}.", far.join(", ")));
        }
        Notes::of(&[&first, &second.join(" ")], &self.scene)
    }
}

/// What stands right of the plane for a roof or for a step, which has a mark.
struct Name<'r> {
    text: &'r str,
    rate: f64,
    /// From where a line leads to it.
    end: Point,
    look: Option<Look>,
}

impl Drawn for Roofline {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, self.height() as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.height()), CARD)?;
        head::message(canvas, &self.title)?;
        let rest = format!("{} · roofs of {}", self.scene.rest(), self.chip);
        head::basis(canvas, self.scene.basis, &rest)?;
        if let Some((x, y)) = self.scales() {
            self.grid(canvas, &x, &y)?;
            self.roofs(canvas, &x, &y)?;
            self.steps(canvas, &x, &y)?;
        }
        self.notes().draw(canvas, self.bottom() + FOOT)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        lines.push(format!("FP32 peak: {}·10¹² per second.", numbers::quantity(self.peak)));
        for (name, rate) in &self.roofs {
            let (rate, step) = (numbers::quantity(*rate), &self.fastest);
            lines.push(format!("Roof of {step}: {name}, {rate}·10¹² per second."));
        }
        for (name, rate) in &self.slopes {
            lines.push(format!("{name}: {}·10¹² bytes per second.", numbers::quantity(*rate)));
        }
        if self.has_no_dram() {
            lines.push(format!("{NO_DRAM}."));
        }
        for step in &self.steps {
            let intensity = step.intensity.iter().zip(MEMORIES).filter_map(|(at, (name, _))| {
                Some(format!(", {} per byte of {name}", numbers::quantity((*at)?)))
            });
            let rate = numbers::quantity(step.rate);
            let intensity: String = intensity.collect();
            lines.push(format!("{}: {rate}·10¹² operations per second{intensity}.", step.name));
        }
        lines.join("\n")
    }
}

//! Where each step lies under the roofs of the chip: operations per byte against operations per
//! second.

use ladder::report::{Limits, Report};

use anyhow::Result;

use super::bounds::percent;
use super::canvas::{Canvas, Point, Surface};
use super::drawn::Drawn;
use super::font::Lettering;
use super::head;
use super::labels;
use super::marks::{Look, RADIUS, Shape};
use super::numbers;
use super::rows::second;
use super::scale::Scale;
use super::scene::Scene;
use super::style::{CARD, HAIR, INK, MARGIN, MUTED, RAIL, WIDTH, size};

/// The plane's edges, and the room for names right of it.
const TOP: i32 = head::HEIGHT + 66;
const LEFT: i32 = MARGIN + 92;
const RIGHT: i32 = WIDTH - MARGIN - 440;
const NAMES: i32 = RIGHT + 48;
/// Least height of the plane, and what lies below it.
const LEAST: i32 = 640;
const FOOT: i32 = 92 + head::FOOT;
/// From a name to the next.
const GAP: i32 = 30;
/// Steps this many times slower than the fastest have no room.
const FAR_BELOW: f64 = 200.0;
/// Roofs this many times above the highest that binds are left out.
const FAR_ABOVE: f64 = 3.0;
/// The bound that holds for every step alike.
const PEAK: &str = "FP32 peak";

/// The roofs of a chip and the steps under them.
pub struct Roofline {
    title: String,
    scene: Scene,
    gpu: String,
    /// Name and 10¹² operations per second, the highest first.
    roofs: Vec<(String, f64)>,
    /// Name and 10¹² bytes per second.
    slopes: Vec<(String, f64)>,
    steps: Vec<Step>,
    /// Steps that have no room: name and 10¹² operations per second.
    far: Vec<(String, f64)>,
}

struct Step {
    name: String,
    /// 10¹² operations per second.
    rate: f64,
    /// Operations per byte of L2 and of DRAM; none where nothing moves.
    intensity: [Option<f64>; 2],
}

/// The two memories, the nearer first, and their shapes of marks.
const MEMORIES: [(&str, Shape); 2] = [("L2", Shape::Disc), ("DRAM", Shape::OpenSquare)];

/// Bytes that a step moves from and to L2 and DRAM.
fn bytes(limits: &Limits) -> [f64; 2] {
    [limits.l2_bytes, limits.dram_bytes]
}

fn operations(limits: &Limits) -> f64 {
    limits.flop_executed * (limits.n as f64).powi(2)
}

impl Roofline {
    /// The picture of a report; none where nothing is known of any step's limits.
    pub fn of(report: &Report) -> Option<Roofline> {
        let known: Vec<(&str, &Limits, f64)> = report
            .rows
            .iter()
            .filter(|row| row.outcome.is_verified() && row.block.is_none())
            .filter_map(|row| {
                let limits = row.limits.as_ref()?;
                let rate = operations(limits) / row.at(limits.n)?.seconds / 1e12;
                (rate.is_normal() && rate > 0.0).then_some((row.step.as_str(), limits, rate))
            })
            .collect();
        let &(fastest, limits, best) = known.iter().max_by(|a, b| a.2.total_cmp(&b.2))?;
        let roofs = roofs(limits);
        let (_, peak) = roofs.iter().find(|(name, _)| name == PEAK)?;
        let title = format!(
            "{fastest} executes {} of {}·10¹² operations per second, {} of the peak",
            numbers::quantity(best),
            numbers::quantity(*peak),
            percent(best / peak)
        );
        let (near, far): (Vec<_>, Vec<_>) =
            known.iter().partition(|(_, _, rate)| rate * FAR_BELOW >= best);
        let steps = near.iter().map(|(name, limits, rate)| Step {
            name: (*name).to_owned(),
            rate: *rate,
            intensity: bytes(limits)
                .map(|bytes| Some(operations(limits) / bytes).filter(|at| at.is_finite())),
        });
        Some(Roofline {
            title,
            scene: Scene::of(report),
            gpu: limits.gpu.clone(),
            roofs: named(roofs, fastest),
            slopes: slopes(limits),
            steps: steps.collect(),
            far: far.iter().map(|(name, _, rate)| ((*name).to_owned(), *rate)).collect(),
        })
    }

    /// The plane's lower edge: there is room for every name beside it.
    fn bottom(&self) -> i32 {
        TOP + LEAST.max(GAP * (self.roofs.len() + self.steps.len()) as i32)
    }

    fn scales(&self) -> Option<(Scale, Scale)> {
        let rates = self.steps.iter().map(|step| step.rate);
        let roofs = self.roofs.iter().map(|roof| roof.1);
        let low = rates.clone().fold(f64::INFINITY, f64::min) / 2.0;
        let y = Scale::logarithmic(rates.chain(roofs).chain([low]), self.bottom(), TOP)?;
        let (low, _) = y.ends();
        let intensities = self.steps.iter().flat_map(|step| step.intensity).flatten();
        // Left of where the slopes rise, room for the name of the first.
        let feet = self.slopes.iter().map(|slope| low / slope.1 / 12.0);
        Some((Scale::logarithmic(intensities.chain(feet), LEFT, RIGHT)?, y))
    }

    fn grid<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        canvas.text((MARGIN, TOP - 26), &second(), "10¹² operations per second")?;
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
        let along = "operations executed per byte moved, logarithmic as the upright axis";
        canvas.text(((LEFT + RIGHT) / 2, self.bottom() + 60), &second().centred(), along)
    }

    /// Slopes of the memories and the peak as whole lines, the roofs of one step dashed.
    fn roofs<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        let top = self.roofs.iter().find(|(name, _)| name == PEAK).map_or(0.0, |roof| roof.1);
        let (least, _) = y.ends();
        let mut ridge = RIGHT;
        for (place, (name, bandwidth)) in self.slopes.iter().enumerate() {
            let line = |rate: f64| (x.at(rate / bandwidth), y.at(rate));
            canvas.path(&[line(least), line(top)], 3, INK)?;
            ridge = ridge.min(line(top).0);
            let text = format!("{name} {}·10¹² B/s", numbers::quantity(*bandwidth));
            // The first on the left of its slope, the others on the right and lower.
            let words = Lettering::new(size::SMALL, INK);
            let share = if place == 0 { 0.62 } else { 0.24 };
            let at = line(least * (top / least).powf(share));
            let wide = words.width(&text);
            let x = if place == 0 { at.0 - 16 - wide } else { at.0 + 16 };
            canvas.fill((x - 4, at.1 - 14), (x + wide + 4, at.1 + 14), CARD)?;
            canvas.text((x, at.1), &words, &text)?;
        }
        for (name, rate) in &self.roofs {
            let (from, to) = ((ridge, y.at(*rate)), (RIGHT, y.at(*rate)));
            if name == PEAK {
                canvas.path(&[from, to], 3, INK)?;
            } else {
                canvas.dashed_path(&[from, to], 3, (14, 8), MUTED)?;
            }
        }
        Ok(())
    }

    fn steps<DB: Surface>(&self, canvas: &mut Canvas<DB>, x: &Scale, y: &Scale) -> Result<()> {
        let mut ends: Vec<Point> = self.roofs.iter().map(|roof| (RIGHT, y.at(roof.1))).collect();
        for (place, step) in self.steps.iter().enumerate() {
            let height = y.at(step.rate);
            let colour = Look::of(place).colour;
            let points = step.intensity.map(|at| at.map(|at| (x.at(at), height)));
            if let [Some(from), Some(to)] = points {
                canvas.path(&[from, to], 1, RAIL)?;
            }
            for (point, (_, shape)) in points.iter().zip(MEMORIES) {
                if let Some(point) = point {
                    shape.draw(canvas, *point, RADIUS, colour)?;
                }
            }
            let end = points.iter().flatten().map(|point| point.0).max().unwrap_or(LEFT);
            ends.push((end + RADIUS + 4, height));
        }
        let wanted: Vec<i32> = ends.iter().map(|end| end.1).collect();
        let places = labels::apart(&wanted, GAP, (TOP, self.bottom()));
        let steps = self.steps.iter().map(|step| (step.name.as_str(), step.rate, INK));
        let roofs = self.roofs.iter().map(|(name, rate)| (name.as_str(), *rate, MUTED));
        for (((name, rate, colour), end), &place) in roofs.chain(steps).zip(ends).zip(&places) {
            canvas.path(&[end, (RIGHT + 6, end.1), (NAMES - 6, place)], 1, RAIL)?;
            let value = Lettering::new(size::SMALL, MUTED).right();
            let text = numbers::quantity(rate);
            let room = WIDTH - MARGIN - NAMES - value.width(&text) - 20;
            let words = Lettering::new(size::SMALL, colour);
            canvas.text((NAMES + 4, place), &words, &words.fit(name, room))?;
            canvas.text((WIDTH - MARGIN, place), &value, &text)?;
        }
        Ok(())
    }
}

impl Drawn for Roofline {
    fn extent(&self) -> (u32, u32) {
        (WIDTH as u32, (self.bottom() + FOOT) as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        canvas.fill((0, 0), (WIDTH, self.bottom() + FOOT), CARD)?;
        head::message(canvas, &self.title)?;
        let rest = format!("{} · roofs of {}", self.scene.rest(), self.gpu);
        head::basis(canvas, self.scene.basis, &rest)?;
        if let Some((x, y)) = self.scales() {
            self.grid(canvas, &x, &y)?;
            self.roofs(canvas, &x, &y)?;
            self.steps(canvas, &x, &y)?;
        }
        let first = "Discs: operations per byte from and to L2; squares: from and to DRAM. An FMA is \
                     two operations, a special function one.";
        let mut second = "Dashed: what that step's mix of instructions allows.".to_owned();
        if !self.far.is_empty() {
            let far = self.far.iter();
            let far: Vec<_> =
                far.map(|(name, rate)| format!("{name} ({})", numbers::quantity(*rate))).collect();
            second = format!("{second} Too slow to be shown: {}.", far.join(", "));
        }
        head::notes(canvas, self.bottom() + 116, [first, &second], &self.scene)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for (name, rate) in &self.roofs {
            lines.push(format!("Roof: {name}, {}·10¹² per second.", numbers::quantity(*rate)));
        }
        for (name, rate) in &self.slopes {
            lines.push(format!("{name}: {}·10¹² bytes per second.", numbers::quantity(*rate)));
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

/// What a step's own instructions allow: every bound that is not a memory's, as 10¹² operations
/// per second, the highest first. Those far above the others bind nothing.
fn roofs(limits: &Limits) -> Vec<(String, f64)> {
    let bounds = limits.bounds.iter();
    let mut roofs: Vec<(String, f64)> = bounds
        .filter(|bound| MEMORIES.iter().all(|(name, _)| *name != bound.name))
        .map(|bound| (bound.name.clone(), operations(limits) / bound.seconds / 1e12))
        .filter(|(_, rate)| rate.is_finite() && *rate > 0.0)
        .collect();
    roofs.sort_by(|a, b| b.1.total_cmp(&a.1));
    let peak = roofs.iter().find(|(name, _)| name == PEAK).map_or(0.0, |roof| roof.1);
    roofs.retain(|(_, rate)| *rate <= FAR_ABOVE * peak);
    roofs
}

/// The same, each with the step whose instructions it is a roof for.
fn named(roofs: Vec<(String, f64)>, step: &str) -> Vec<(String, f64)> {
    let named = |(name, rate): (String, f64)| {
        let name = if name == PEAK { name } else { format!("{name} bound of {step}") };
        (name, rate)
    };
    roofs.into_iter().map(named).collect()
}

/// Bandwidths of the memories.
fn slopes(limits: &Limits) -> Vec<(String, f64)> {
    let memories = MEMORIES.iter().zip(bytes(limits));
    let slopes = memories.filter_map(|((name, _), bytes)| {
        let bound = limits.bounds.iter().find(|bound| bound.name == *name)?;
        let bandwidth = bytes / bound.seconds / 1e12;
        (bandwidth.is_normal() && bandwidth > 0.0).then(|| ((*name).to_owned(), bandwidth))
    });
    slopes.collect()
}

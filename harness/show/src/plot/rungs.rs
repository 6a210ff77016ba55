//! What a report says, as the rungs of a picture: no pixel here, no row there.

use report::{Outcome, Report, Row};

use super::numbers;
use super::scene::{Scene, is_modelled};

/// A picture's words and rungs.
pub struct Picture {
    /// Its message.
    pub title: String,
    /// What was measured on what, and when.
    pub scene: Scene,
    /// The size at which most steps were timed.
    pub usual_n: Option<u64>,
    /// The steps in ladder order.
    pub rungs: Vec<Rung>,
}

/// One step.
#[derive(Debug, PartialEq)]
pub struct Rung {
    /// The step's folder.
    pub name: String,
    /// Its idea in a word or two.
    pub title: String,
    /// Tried and not kept.
    pub detour: bool,
    /// Its parent's place among the rungs.
    pub parent: Option<usize>,
    /// How far it came.
    pub state: State,
}

/// How far a step came.
#[derive(Debug, PartialEq)]
pub enum State {
    /// Verified and timed.
    Timed(Climb),
    /// Without a time, for this reason.
    Empty(Outcome, String),
}

/// The speed of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Climb {
    /// 10⁹ interactions per second.
    pub speed: f64,
    /// Bodies.
    pub n: Option<u64>,
    /// Whether the time is the model's.
    pub modelled: bool,
    /// How many times its parent's speed.
    pub times_parent: Option<f64>,
    /// Bodies at which the two were compared.
    pub times_parent_n: Option<u64>,
    /// How many times the first step's speed.
    pub times_first: Option<f64>,
}

/// How a rung rises from its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lift {
    /// The parent's speed, in 10⁹ interactions per second.
    pub from: f64,
    /// How many times that, at equal n.
    pub times: f64,
    /// Whether the two speeds are of equal n, so that their ratio is `times`.
    pub level: bool,
}

impl Rung {
    /// Its speed, where it has one.
    pub fn climb(&self) -> Option<&Climb> {
        match &self.state {
            State::Timed(climb) => Some(climb),
            State::Empty(..) => None,
        }
    }
}

impl Picture {
    /// The picture of a report: of the steps with the blocks that they ask for.
    pub fn of(report: &Report) -> Picture {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.is_own()).collect();
        let rungs: Vec<Rung> = (0..rows.len()).map(|at| rung(&rows, at)).collect();
        let scene = Scene::of(report);
        Picture {
            title: message(scene.ladder(), &scene.place(), &rungs),
            scene,
            usual_n: usual_n(&rungs),
            rungs,
        }
    }

    /// The nearest step on the way down that has a speed.
    pub fn stands_on(&self, at: usize) -> Option<usize> {
        let mut below = self.rungs[at].parent?;
        while self.rungs[below].climb().is_none() {
            below = self.rungs[below].parent?;
        }
        Some(below)
    }

    /// How a rung rises from its parent; none where the two were not compared.
    pub fn lift(&self, at: usize) -> Option<Lift> {
        let climb = self.rungs[at].climb()?;
        let from = self.rungs[self.rungs[at].parent?].climb()?.speed;
        let times = climb.times_parent?;
        let level = (from * times / climb.speed - 1.0).abs() < 0.01;
        Some(Lift { from, times, level })
    }

    /// The picture in words, for those who do not see it.
    pub fn in_words(&self) -> String {
        let mut lines = vec![format!("{}. {}.", self.title, self.scene.sentence())];
        for rung in &self.rungs {
            let state = match &rung.state {
                State::Empty(outcome, reason) => format!("{outcome}: {reason}"),
                State::Timed(climb) => {
                    let parent = climb.times_parent.map(numbers::factor);
                    let parent = parent.map_or(String::new(), |times| format!("{times}, "));
                    let speed = numbers::quantity(climb.speed);
                    format!("{parent}{speed}·10⁹ interactions per second")
                }
            };
            lines.push(format!("{}: {state}.", rung.name));
        }
        lines.join("\n")
    }
}

fn rung(rows: &[&Row], at: usize) -> Rung {
    let row = rows[at];
    // Only rows before: so the way down always ends, whatever a report says.
    let parent = row.after.as_ref().and_then(|after| {
        let mut below = rows[..at].iter();
        below.position(|other| other.ladder == row.ladder && other.step == *after)
    });
    Rung {
        name: row.step.clone(),
        title: row.title.clone(),
        detour: row.detour,
        parent,
        state: state(row),
    }
}

fn state(row: &Row) -> State {
    let reason = row.reason.clone().unwrap_or_default();
    let positive = |value: Option<f64>| value.filter(|value| value.is_finite() && *value > 0.0);
    match positive(row.interactions_per_second()) {
        Some(speed) if row.outcome.is_verified() => State::Timed(Climb {
            speed: speed / 1e9,
            n: row.n(),
            modelled: is_modelled(row),
            times_parent: positive(row.parent().map(|(_, parent)| parent.ratio)),
            times_parent_n: row.parent().map(|(n, _)| n),
            times_first: positive(row.times_first),
        }),
        _ => State::Empty(row.outcome, reason),
    }
}

/// The most frequent size; the greater of two that are as frequent.
fn usual_n(rungs: &[Rung]) -> Option<u64> {
    let sizes = || rungs.iter().filter_map(|rung| rung.climb()?.n);
    sizes().max_by_key(|&n| (sizes().filter(|&other| other == n).count(), n))
}

/// What the picture says: how much faster the last kept step is than the first.
fn message(ladder: &str, place: &str, rungs: &[Rung]) -> String {
    let kept = || (0..rungs.len()).rev().filter(|&at| !rungs[at].detour);
    let from_first = |&at: &usize| rungs[at].climb().is_some_and(|it| it.times_first.is_some());
    // Where some steps were left out, as far down as steps were compared.
    let climbed = kept()
        .filter(from_first)
        .chain(kept())
        .map(|last| (last, climbed_from(rungs, last)))
        .find(|&(last, (first, _))| first != last);
    if let Some((last, (first, times))) = climbed {
        let (from, to) = (&rungs[first].name, &rungs[last].name);
        return format!("{ladder}: {} from {from} to {to} on {place}", numbers::factor(times));
    }
    match rungs.iter().filter(|rung| rung.climb().is_some()).count() {
        0 => format!("{ladder} on {place}: no step was timed"),
        1 => format!("{ladder} on {place}: one step was timed"),
        timed => format!("{ladder} on {place}: {timed} steps were timed"),
    }
}

/// The lowest step on the way down from `last` that it can be compared with, and the product of
/// × parent from there.
fn climbed_from(rungs: &[Rung], last: usize) -> (usize, f64) {
    let (mut first, mut times) = (last, 1.0);
    while let (Some(parent), Some(climb)) = (rungs[first].parent, rungs[first].climb())
        && let Some(times_parent) = climb.times_parent
    {
        times *= times_parent;
        first = parent;
    }
    (first, times)
}

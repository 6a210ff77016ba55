//! What a report says, as the rungs of a picture: no pixel here, no row there.

use report::provenance::Provenance;
use report::statistics::commonest;
use report::{Outcome, Report, Row, format, words};

/// A ladder's words and rungs.
pub struct Ladder<'r> {
    pub title: String,
    pub provenance: Provenance,
    pub unit: &'r str,
    /// The size at which most steps were timed, in words: "n = 4 096 elements".
    pub usual_size: String,
    /// The size at which most steps were timed.
    pub usual_n: Option<u64>,
    /// The steps in ladder order. Those that were skipped are here, for others come from them, but
    /// have no place in the picture.
    pub rungs: Vec<Rung<'r>>,
    /// Functions of libraries that have a speed, with it.
    pub libraries: Vec<(&'r Row, f64)>,
}

pub struct Rung<'r> {
    pub row: &'r Row,
    /// Its parent's place among the rungs.
    pub parent: Option<usize>,
    /// `None` if it has no speed.
    pub climb: Option<Climb>,
}

/// The speed of a step.
#[derive(Debug, Clone, PartialEq)]
pub struct Climb {
    /// In the unit of the figure.
    pub speed: f64,
    pub n: u64,
    pub modelled: bool,
    /// How many times its parent's speed, and the size at which the two were compared.
    pub times_parent: Option<(u64, f64)>,
    /// How many times the first step's speed.
    pub times_first: Option<f64>,
}

/// How a rung rises from its parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lift {
    /// The parent's speed.
    pub from: f64,
    /// How many times that, at equal n.
    pub times: f64,
    /// Whether the two speeds are of equal n, so that their ratio is `times`.
    pub level: bool,
}

impl Rung<'_> {
    pub fn is_shown(&self) -> bool {
        self.row.outcome != Outcome::Skipped
    }
}

impl Ladder<'_> {
    /// The ladder of a report: the steps as they are by themselves, without the variants of sweeps.
    pub fn of(report: &Report) -> Ladder<'_> {
        let rows: Vec<&Row> = report.rows.iter().filter(|row| row.is_own()).collect();
        let rungs: Vec<Rung> = (0..rows.len()).map(|at| rung(report, &rows, at)).collect();
        let provenance = Provenance::of(report);
        let figure = rows.first().map(|row| report.figure(row));
        let speed = |row: &'_ Row| Some(report.figure(row).rate(row.shown_rate()?));
        let libraries = report.libraries.iter().filter_map(|row| Some((row, speed(row)?)));
        let usual_n = commonest(rungs.iter().filter_map(|rung| Some(rung.climb.as_ref()?.n)));
        Ladder {
            title: message(&provenance, &rungs),
            provenance,
            unit: figure.map_or("", |figure| &figure.unit),
            usual_size: usual_n.map_or_else(String::new, |n| {
                words::size(report, n, figure.map_or("", |figure| &figure.size))
            }),
            usual_n,
            rungs,
            libraries: libraries.collect(),
        }
    }

    /// The places of the rungs in the picture.
    pub fn shown(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.rungs.len()).filter(|&at| self.rungs[at].is_shown())
    }

    /// The nearest step on the way back that has a speed.
    pub fn stands_on(&self, at: usize) -> Option<usize> {
        let mut below = self.rungs[at].parent?;
        while self.rungs[below].climb.is_none() {
            below = self.rungs[below].parent?;
        }
        Some(below)
    }

    /// How a rung rises from its parent; `None` if the two were not compared.
    pub fn lift(&self, at: usize) -> Option<Lift> {
        let climb = self.rungs[at].climb.as_ref()?;
        let from = self.rungs[self.rungs[at].parent?].climb.as_ref()?.speed;
        let (_, times) = climb.times_parent?;
        let level = (from * times / climb.speed - 1.0).abs() < 0.01;
        Some(Lift { from, times, level })
    }
}

fn rung<'r>(report: &Report, rows: &[&'r Row], at: usize) -> Rung<'r> {
    let row = rows[at];
    // Only rows before: so the way down always ends, whatever a report says.
    let parent = row.after.as_ref().and_then(|after| {
        let mut below = rows[..at].iter();
        below.position(|other| other.ladder == row.ladder && other.step == *after)
    });
    let positive = |value: f64| value.is_finite() && value > 0.0;
    let rate = row.rate().filter(|rate| positive(*rate) && row.outcome.is_verified());
    let climb = rate.zip(row.n()).map(|(rate, n)| Climb {
        speed: report.figure(row).rate(rate),
        n,
        modelled: row.is_modelled(),
        times_parent: row.parent().map(|(n, it)| (n, it.ratio)).filter(|(_, it)| positive(*it)),
        times_first: row.times_first.filter(|times| positive(*times)),
    });
    Rung { row, parent, climb }
}

/// How far a ladder goes.
#[derive(Debug, Clone, Copy)]
pub struct Reach<'r> {
    /// The lower step.
    pub from: &'r Row,
    /// The higher one.
    pub to: &'r Row,
    /// The speed of the higher over that of the lower.
    pub times: f64,
}

/// From the lowest step to the last that was kept; where some steps were left out, as far down as
/// steps were compared.
pub fn reach<'r>(rungs: &[Rung<'r>]) -> Option<Reach<'r>> {
    let kept = || (0..rungs.len()).rev().filter(|&at| !rungs[at].row.detour);
    let from_first =
        |&at: &usize| rungs[at].climb.as_ref().is_some_and(|climb| climb.times_first.is_some());
    let climbed = kept().filter(from_first).chain(kept());
    let mut climbed = climbed.map(|last| (last, climbed_from(rungs, last)));
    let (last, (first, times)) = climbed.find(|&(last, (first, _))| first != last)?;
    Some(Reach { from: rungs[first].row, to: rungs[last].row, times })
}

/// What the picture says: how much faster the last kept step is than the first.
fn message(provenance: &Provenance, rungs: &[Rung]) -> String {
    let (ladder, place) = (&provenance.title, provenance.place());
    if let Some(Reach { from, to, times }) = reach(rungs) {
        let times = format::factor(times);
        return format!("{ladder}: {times} from {} to {} on {place}", from.step, to.step);
    }
    match rungs.iter().filter(|rung| rung.climb.is_some()).count() {
        0 => format!("{ladder} on {place}: no step was timed"),
        1 => format!("{ladder} on {place}: one step was timed"),
        timed => format!("{ladder} on {place}: {timed} steps were timed"),
    }
}

/// The lowest step on the way down from `last` that it can be compared with, and how many times its speed it has: the
/// first step, or as far as the product of × parent goes.
fn climbed_from(rungs: &[Rung], last: usize) -> (usize, f64) {
    let times_first = rungs[last].climb.as_ref().and_then(|climb| climb.times_first);
    if let Some(times) = times_first {
        let mut first = last;
        while let Some(parent) = rungs[first].parent {
            first = parent;
        }
        return (first, times);
    }
    let (mut first, mut times) = (last, 1.0);
    while let (Some(parent), Some(climb)) = (rungs[first].parent, &rungs[first].climb)
        && let Some((_, times_parent)) = climb.times_parent
    {
        times *= times_parent;
        first = parent;
    }
    (first, times)
}

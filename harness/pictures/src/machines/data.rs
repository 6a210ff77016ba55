//! How each machine climbs the ladder, from reports and from what was published.

use ::report::Report;
use ::report::statistics::Verdict;
use anyhow::Result;

use crate::ladders::LADDERS;
use crate::plot::numbers;
use crate::plot::scene::{Scene, is_modelled};
use crate::published::Line;

/// The climb of one machine.
pub struct Machine {
    /// The GPU or processor.
    pub name: String,
    /// "measured", "modelled" or "published".
    pub kind: &'static str,
    /// What is known of its steps, at most one gain each.
    pub gains: Vec<Gain>,
}

/// How a step's speed rises over that of its parent.
pub struct Gain {
    /// The step's folder.
    pub step: String,
    /// How many times the parent's speed; none of the first step.
    pub times: Option<f64>,
    /// The same in words: as it was printed where it was published.
    pub text: Option<String>,
    /// Bodies at which they were compared; none where that is not stated.
    pub n: Option<u64>,
    /// Whether samples say that there is no difference.
    pub is_none: bool,
    /// The product of all from the first step up; none where one is missing.
    pub total: Option<f64>,
}

/// A step that some machine climbed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its folder.
    pub name: String,
    /// Its idea in a word or two.
    pub title: String,
    /// Tried and not kept.
    pub detour: bool,
}

impl Machine {
    /// The climb in a report; none where nothing was timed.
    pub fn of(report: &Report) -> Option<Machine> {
        let rows = || {
            let timed = |row: &&report::Row| {
                row.outcome.is_verified() && row.is_own() && row.main().is_some()
            };
            report.rows.iter().filter(timed)
        };
        let gains: Vec<Gain> = rows()
            .map(|row| {
                let parent = row.parent();
                Gain {
                    step: row.step.clone(),
                    times: parent.map(|(_, parent)| parent.ratio),
                    text: parent.map(|(_, parent)| numbers::factor(parent.ratio)),
                    n: parent.map(|(n, _)| n),
                    is_none: parent.is_some_and(|(_, it)| it.verdict == Verdict::NoDifference),
                    total: row.times_first,
                }
            })
            .collect();
        let kind = if rows().any(is_modelled) { "modelled" } else { "measured" };
        (!gains.is_empty()).then(|| Machine { name: Scene::of(report).device, kind, gains })
    }

    /// The climbs of each GPU of a published table, in its order.
    ///
    /// # Errors
    /// A ratio is no number.
    pub fn published(lines: &[Line]) -> Result<Vec<Machine>> {
        let steps = LADDERS.iter().find(|ladder| ladder.name == "nbody").map(|it| it.steps);
        let mut machines: Vec<Machine> = Vec::new();
        for line in lines {
            let place = machines.iter().position(|machine| machine.name == line.gpu);
            let place = place.unwrap_or_else(|| {
                machines.push(Machine { name: line.gpu.clone(), kind: "published", gains: vec![] });
                machines.len() - 1
            });
            let gains = &mut machines[place].gains;
            let step = steps.and_then(|steps| steps.iter().find(|step| step.name == line.step));
            let after = step.and_then(|step| step.after);
            let times = line.times_parent()?;
            let total = match (after, times) {
                (None, None) if step.is_some() => Some(1.0),
                (Some(after), Some(times)) => {
                    let parent = gains.iter().find(|gain| gain.step == after);
                    parent.and_then(|parent| parent.total).map(|total| total * times)
                }
                // Over something else than the parent.
                _ => continue,
            };
            let (step, n) = (line.step.clone(), line.n);
            let text = times.map(|_| format!("×{}", line.ratio));
            gains.push(Gain { step, times, text, n, is_none: false, total });
        }
        Ok(machines)
    }

    /// What is known of a step.
    pub fn gain(&self, step: &str) -> Option<&Gain> {
        self.gains.iter().find(|gain| gain.step == step)
    }

    /// The size at which most steps were compared.
    pub fn usual_n(&self) -> Option<u64> {
        let sizes = || self.gains.iter().filter(|gain| gain.times.is_some()).filter_map(|it| it.n);
        sizes().max_by_key(|&n| (sizes().filter(|&other| other == n).count(), n))
    }

    /// What stands below a ratio that was not taken at the usual size.
    pub fn other_n(&self, gain: &Gain) -> Option<String> {
        match gain.n {
            _ if gain.times.is_none() => None,
            None => Some("n not stated".to_owned()),
            n if n == self.usual_n() => None,
            Some(n) => Some(format!("n = {}", numbers::count(n))),
        }
    }

    /// Whether the product along the way up is one of ratios at different n.
    pub fn mixes_n(&self) -> bool {
        self.gains.iter().any(|gain| self.other_n(gain).is_some())
    }

    /// The highest kept step that has a total.
    pub fn top<'g>(&'g self, steps: &[Step]) -> Option<&'g Gain> {
        let kept = steps.iter().rev().filter(|step| !step.detour);
        let mut totals = kept.filter_map(|step| self.gain(&step.name));
        totals.find(|gain| gain.total.is_some())
    }
}

/// The steps that any of the machines climbed: in the order of the report, then those that only
/// others have, in the ladder's.
pub fn steps(report: &Report, machines: &[Machine]) -> Vec<Step> {
    let known = LADDERS.iter().find(|ladder| ladder.name == report.options.ladder);
    let known = known.iter().flat_map(|ladder| ladder.steps).map(|step| Step {
        name: step.name.to_owned(),
        title: step.title.to_owned(),
        detour: step.detour,
    });
    let own = report.rows.iter().map(|row| Step {
        name: row.step.clone(),
        title: row.title.clone(),
        detour: row.detour,
    });
    let mut steps: Vec<Step> = Vec::new();
    for step in known.chain(own) {
        let climbed = machines.iter().any(|machine| machine.gain(&step.name).is_some());
        if climbed && steps.iter().all(|other| other.name != step.name) {
            steps.push(step);
        }
    }
    steps
}

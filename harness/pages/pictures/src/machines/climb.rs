//! How each machine climbs the ladder, from reports and from what was published.

use report::provenance::Provenance;
use report::published::Published;
use report::statistics::{Verdict, commonest};
use report::{Report, Row, format};

pub struct Machine {
    /// The GPU or processor.
    pub name: String,
    /// "measured", "modelled" or "published".
    pub kind: &'static str,
    /// What is known of its steps, at most one gain each.
    pub gains: Vec<Gain>,
}

/// How a step's speed rises over that of its parent.
#[derive(Default)]
pub struct Gain {
    pub step: String,
    /// How many times the parent's speed; `None` of the first step.
    pub times: Option<f64>,
    /// The same in words: as it was printed where it was published.
    pub text: Option<String>,
    /// The size at which they were compared; `None` where that is not stated.
    pub n: Option<u64>,
    /// Whether samples say that there is no difference.
    pub is_none: bool,
    /// The product of all from the first step up; `None` where one is missing.
    pub total: Option<f64>,
}

impl Machine {
    /// The climb in a report; `None` where nothing was timed.
    pub fn of(report: &Report) -> Option<Machine> {
        let rows = || report.own().filter(|row| row.main().is_some());
        let gain = |row: &Row| {
            let parent = row.parent();
            Gain {
                step: row.step.clone(),
                times: parent.map(|(_, parent)| parent.ratio),
                text: parent.map(|(_, parent)| format::factor(parent.ratio)),
                n: parent.map(|(n, _)| n),
                is_none: parent.is_some_and(|(_, it)| it.verdict == Verdict::NoDifference),
                total: row.times_first,
            }
        };
        let gains: Vec<Gain> = rows().map(gain).collect();
        let kind = if rows().any(Row::is_modelled) { "modelled" } else { "measured" };
        (!gains.is_empty()).then(|| Machine { name: Provenance::of(report).device, kind, gains })
    }

    /// The climbs of each GPU of a published table, in its order, over these steps.
    pub fn published(published: &Published, steps: &[&Row]) -> Vec<Machine> {
        let mut machines: Vec<Machine> = Vec::new();
        for line in &published.lines {
            if machines.iter().all(|machine| machine.name != line.gpu) {
                machines.push(Machine { name: line.gpu.clone(), kind: "published", gains: vec![] });
            }
        }
        for machine in &mut machines {
            for row in steps {
                machine.gains.extend(machine.published_gain(published, row));
            }
        }
        machines
    }

    fn published_gain(&self, published: &Published, row: &Row) -> Option<Gain> {
        let first = Gain { step: row.step.clone(), total: Some(1.0), ..Gain::default() };
        let Some(after) = &row.after else { return Some(first) };
        let mut lines = published.times_parent(&row.step);
        let (times, line) = lines.find(|(_, line)| line.gpu == self.name)?;
        let total = self.gain(after).and_then(|parent| parent.total);
        Some(Gain {
            times: Some(times),
            text: Some(format!("{}×", line.ratio)),
            n: line.n,
            total: total.map(|total| total * times),
            ..first
        })
    }

    pub fn gain(&self, step: &str) -> Option<&Gain> {
        self.gains.iter().find(|gain| gain.step == step)
    }

    /// The size at which most steps were compared.
    pub fn usual_n(&self) -> Option<u64> {
        commonest(self.gains.iter().filter(|gain| gain.times.is_some()).filter_map(|it| it.n))
    }

    /// What stands below a ratio that was not taken at the usual size.
    pub fn other_n(&self, gain: &Gain) -> Option<String> {
        match gain.n {
            _ if gain.times.is_none() => None,
            None => Some("n not stated".to_owned()),
            n if n == self.usual_n() => None,
            Some(n) => Some(format!("n = {}", format::grouped(n))),
        }
    }

    /// Whether the product along the way up is one of ratios at different n.
    pub fn mixes_n(&self) -> bool {
        self.gains.iter().any(|gain| self.other_n(gain).is_some())
    }
}

/// The steps of these reports, as rows of the first that has them, in the order of the ladder: a
/// step that only a later report has follows the one before it there.
pub fn steps<'r>(reports: impl Iterator<Item = &'r Report>) -> Vec<&'r Row> {
    let mut steps: Vec<&Row> = Vec::new();
    for report in reports {
        let mut next = 0;
        for row in report.rows.iter().filter(|row| row.is_own()) {
            match steps.iter().position(|known| known.step == row.step) {
                Some(place) => next = place + 1,
                None => {
                    steps.insert(next, row);
                    next += 1;
                }
            }
        }
    }
    steps
}

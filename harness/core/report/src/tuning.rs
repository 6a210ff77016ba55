//! What a sweep over variants found: with which blocks and which values of its kernel's parameters
//! a step is fastest.

use crate::relate::{Sampling, compare};
use crate::statistics::Verdict;
use crate::{Figure, Report, Row, Timed};

/// Variants of a step that were timed at the same size.
#[derive(Debug)]
pub struct Tuning<'r> {
    /// What their rates are.
    pub figure: &'r Figure,
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: &'r str,
    /// Problem size `n`.
    pub n: u64,
    /// What was timed, in the order of the report; at least two.
    pub trials: Vec<Trial<'r>>,
}

/// A variant and its time.
#[derive(Debug, Clone, Copy)]
pub struct Trial<'r> {
    /// Its row.
    pub row: &'r Row,
    /// What was timed at that size.
    pub timed: &'r Timed,
}

impl Tuning<'_> {
    /// What a report has of them, in its order.
    pub fn of(report: &Report) -> Vec<Tuning<'_>> {
        let mut tunings: Vec<Tuning> = Vec::new();
        let rows = report.rows.iter().filter(|row| row.outcome.is_verified() && !row.is_own());
        for trial in rows.flat_map(|row| row.timed.iter().map(move |timed| Trial { row, timed })) {
            let (step, n) = (trial.row.step.as_str(), trial.timed.n);
            match tunings.iter_mut().find(|it| (it.step, it.n) == (step, n)) {
                Some(tuning) => tuning.trials.push(trial),
                None => {
                    let figure = report.figure(trial.row);
                    tunings.push(Tuning { figure, step, n, trials: vec![trial] });
                }
            }
        }
        tunings.retain(|tuning| tuning.trials.len() > 1);
        tunings
    }

    /// The step, the size and what the times are.
    pub fn title(&self) -> String {
        let times = if self.trials.iter().all(|trial| trial.row.is_modelled()) {
            "MODELLED"
        } else {
            "MEASURED"
        };
        format!("{} at n = {}, {times}", self.step, self.n)
    }

    /// The trial with the shortest time.
    pub fn best(&self) -> Option<&Trial<'_>> {
        self.trials.iter().min_by(|a, b| a.timed.seconds.total_cmp(&b.timed.seconds))
    }

    /// Whether a trial is the fastest, or no slower than the fastest.
    pub fn rank(&self, trial: &Trial) -> Rank {
        match self.best() {
            Some(best) if std::ptr::eq(trial.row, best.row) => Rank::Best,
            Some(best) if trial.against(best) != Verdict::Slower => Rank::NoSlower,
            _ => Rank::Slower,
        }
    }
}

/// How a trial compares with the fastest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// It is the fastest.
    Best,
    /// No difference was shown.
    NoSlower,
    /// It is slower.
    Slower,
}

impl Trial<'_> {
    /// How this compares with another in speed.
    pub fn against(&self, other: &Trial) -> Verdict {
        compare(other.timed, self.timed, Sampling::of(other.row, self.row)).verdict
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic;

    #[test]
    fn the_best_is_marked_and_so_is_what_is_no_slower() {
        let mut report = synthetic::tuning();
        let marks = |report: &Report| -> Vec<(String, Rank)> {
            let tuning = Tuning::of(report).remove(0);
            let ranks =
                tuning.trials.iter().map(|it| (it.row.variant().to_string(), tuning.rank(it)));
            ranks.filter(|(_, rank)| *rank != Rank::Slower).collect()
        };
        let pair = |name: &str, rank| (name.to_owned(), rank);
        assert_eq!(Tuning::of(&report).len(), 2);
        assert_eq!(marks(&report), [pair("UNROLL=4, FLUSH=2", Rank::Best)]);
        let of = |report: &Report, name: &str| {
            report.rows.iter().position(|row| row.variant().to_string() == name).expect("a row")
        };
        let (one, other) = (of(&report, "UNROLL=4, FLUSH=2"), of(&report, "UNROLL=1, FLUSH=1"));
        report.rows[other].timed = report.rows[one].timed.clone();
        let marked = marks(&report);
        assert!(marked.contains(&pair("UNROLL=4, FLUSH=2", Rank::NoSlower)), "{marked:?}");
        assert!(marked.contains(&pair("UNROLL=1, FLUSH=1", Rank::Best)), "{marked:?}");
        assert!(Tuning::of(&synthetic::sweep()).is_empty());
    }
}

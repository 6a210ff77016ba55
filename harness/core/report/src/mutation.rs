//! Which mutants of the kernels verification found: the record of `mutate`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::{ReportError, io, json};

/// The version of the format.
pub const SCHEMA: u32 = 1;

/// Which mutants of a ladder's kernels verification found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mutation {
    /// Version of this format.
    pub schema: u32,
    /// Day of the run, year-month-day.
    pub date: String,
    /// Git revision of the code; none where it is not known.
    pub revision: Option<String>,
    /// Name of the ladder.
    pub ladder: String,
    /// Mutants that were drawn of each step; none where all were run.
    pub sample: Option<u64>,
    /// Seed of the drawing, and of the inputs that verification drew.
    pub seed: u64,
    /// The kinds of mutants that were asked for.
    pub kinds: Vec<String>,
    /// Whether the run was stopped before all mutants were run.
    pub interrupted: bool,
    /// A row a step, in ladder order.
    pub rows: Vec<Row>,
    /// Mutants that passed, though they compute something else or nobody has said why not.
    pub survivors: Vec<Survivor>,
    /// Mutants that passed and compute the same.
    pub equivalents: Vec<Equivalent>,
}

/// The outcomes of a step's mutants.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Git revision of the code, where it is not the report's: an earlier run made this row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Mutants that there are, of which some may be no PTX.
    pub candidates: u64,
    /// Mutants that were drawn and are PTX.
    pub mutants: u64,
    /// Those that verification found, by what it found.
    pub killed: Killed,
    /// Those that passed and compute the same.
    pub equivalent: u64,
    /// Those that passed and are not known to compute the same.
    pub survived: u64,
}

/// Mutants that verification found, by what it found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Killed {
    /// Results that differ from the reference.
    pub results: u64,
    /// A hazard: a race, a read of what nothing has written, a barrier in divergent code.
    pub hazard: u64,
    /// A fault: an access outside of memory, a deadlock.
    pub fault: u64,
    /// No end in many times the time that the step takes.
    pub hang: u64,
    /// A launch or a kernel that is refused.
    pub refused: u64,
    /// The end of the simulator's process: a defect of its own.
    pub crash: u64,
}

/// What verification found of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cause {
    /// As [`Killed::results`].
    Results,
    /// As [`Killed::hazard`].
    Hazard,
    /// As [`Killed::fault`].
    Fault,
    /// As [`Killed::hang`].
    Hang,
    /// As [`Killed::refused`].
    Refused,
    /// As [`Killed::crash`].
    Crash,
}

impl Killed {
    /// Counts one more.
    pub fn count(&mut self, cause: Cause) {
        *match cause {
            Cause::Results => &mut self.results,
            Cause::Hazard => &mut self.hazard,
            Cause::Fault => &mut self.fault,
            Cause::Hang => &mut self.hang,
            Cause::Refused => &mut self.refused,
            Cause::Crash => &mut self.crash,
        } += 1;
    }

    /// All mutants that verification found.
    pub fn all(&self) -> u64 {
        let Killed { results, hazard, fault, hang, refused, crash } = self;
        results + hazard + fault + hang + refused + crash
    }
}

/// A mutant, as people find it again: PTX that is made anew has other lines, and mostly the same instructions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Mutant {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// The kernel or device function.
    pub kernel: String,
    /// The kind of its mistake.
    pub kind: String,
    /// The instruction, as it should be.
    pub original: String,
    /// What the mutant has in its place.
    pub mutant: String,
}

/// A mutant that passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Survivor {
    /// Which mutant it is.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// The instruction's line in the PTX.
    pub line: u32,
    /// File and line of the CUDA source.
    pub source: Option<String>,
    /// How often warps executed the instruction while the step was verified; none where that was not counted.
    pub executed: Option<u64>,
    /// In how many inputs the results had other bits, and how many were compared; none where none were.
    pub differs: Option<(u64, u64)>,
}

/// A mutant that passed and computes the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Equivalent {
    /// Which mutant it is.
    #[serde(flatten)]
    pub mutant: Mutant,
    /// Its line in the PTX, where the kernel has the same instruction several times and not all mutants of these compute the
    /// same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Why it computes the same.
    pub reason: String,
}

/// Two runs that drew different mutants, which cannot be one report; in words which they drew.
#[derive(Debug, thiserror::Error)]
#[error("it has {its}, and this run {own}")]
pub struct OtherMutants {
    /// Those of the earlier run.
    pub its: String,
    /// Those of this one.
    pub own: String,
}

impl Mutation {
    /// Reads one.
    ///
    /// # Errors
    /// It cannot be read, or is no such report.
    pub fn read(file: &Path) -> Result<Mutation, ReportError> {
        io::read_version(file, SCHEMA)
    }

    /// The report as JSON text, with a final line end.
    ///
    /// # Panics
    /// Never: it holds nothing that JSON has not.
    pub fn to_json(&self) -> String {
        json::to_text(self).expect("data is JSON")
    }

    /// Adds what an earlier run found of those of `steps` that this one left out. The rows are in the order of `steps` then.
    ///
    /// # Errors
    /// The earlier run drew other mutants.
    pub fn add_earlier(&mut self, earlier: Mutation, steps: &[&str]) -> Result<(), OtherMutants> {
        let drawn = |it: &Mutation| {
            let sample =
                it.sample.map_or("all mutants".to_owned(), |n| format!("{n} mutants of each step"));
            format!("{sample} of {}, {}, with seed {}", it.ladder, it.kinds.join(" "), it.seed)
        };
        let (own, its) = (drawn(self), drawn(&earlier));
        if own != its {
            return Err(OtherMutants { its, own });
        }
        let Mutation { revision, rows, survivors, equivalents, interrupted, .. } = earlier;
        let missing: Vec<Row> = rows
            .into_iter()
            .filter(|row| {
                steps.contains(&row.step.as_str())
                    && !self.rows.iter().any(|own| own.step == row.step)
            })
            .map(|row| Row { revision: row.revision.or_else(|| revision.clone()), ..row })
            .collect();
        let is_missing = |it: &Mutant| missing.iter().any(|row| row.step == it.step);
        let place = |step: &str| steps.iter().position(|it| *it == step);
        self.survivors.extend(survivors.into_iter().filter(|it| is_missing(&it.mutant)));
        self.equivalents.extend(equivalents.into_iter().filter(|it| is_missing(&it.mutant)));
        self.interrupted |= interrupted;
        self.rows.extend(missing);
        self.survivors.sort_by_key(|it| place(&it.mutant.step));
        self.equivalents.sort_by_key(|it| place(&it.mutant.step));
        self.rows.sort_by_key(|it| place(&it.step));
        Ok(())
    }

    /// The sums of all rows.
    pub fn total(&self) -> Row {
        let mut total = Row { step: "all".to_owned(), ..Row::default() };
        for row in &self.rows {
            let (sum, own) = (&mut total.killed, row.killed);
            sum.results += own.results;
            sum.hazard += own.hazard;
            sum.fault += own.fault;
            sum.hang += own.hang;
            sum.refused += own.refused;
            sum.crash += own.crash;
            total.candidates += row.candidates;
            total.mutants += row.mutants;
            total.equivalent += row.equivalent;
            total.survived += row.survived;
        }
        total
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    #[test]
    fn rows_add_up_and_come_back_from_json() {
        let mut killed = Killed::default();
        for cause in [Cause::Results, Cause::Results, Cause::Hazard, Cause::Hang] {
            killed.count(cause);
        }
        let row = |step: &str| Row {
            step: step.to_owned(),
            revision: None,
            candidates: 90,
            mutants: 6,
            killed,
            equivalent: 1,
            survived: 1,
        };
        let mutant = Mutant {
            step: "01-a".to_owned(),
            kernel: "k".to_owned(),
            kind: "drop".to_owned(),
            original: "st.global.u32 [%rd1], %r1;".to_owned(),
            mutant: String::new(),
        };
        let survivor = Survivor {
            mutant: mutant.clone(),
            line: 7,
            source: Some("a.cu:3".to_owned()),
            executed: Some(4),
            differs: Some((1, 14)),
        };
        let report = Mutation {
            schema: SCHEMA,
            date: "2026-11-22".to_owned(),
            revision: None,
            ladder: "toy".to_owned(),
            sample: Some(6),
            seed: 7,
            kinds: vec!["drop".to_owned()],
            interrupted: false,
            rows: vec![row("01-a"), row("02-b")],
            survivors: vec![survivor],
            equivalents: vec![Equivalent {
                mutant,
                line: None,
                reason: "it is the same".to_owned(),
            }],
        };
        let mut later = Mutation {
            revision: Some("b".to_owned()),
            rows: vec![row("02-b"), row("03-c")],
            survivors: Vec::new(),
            equivalents: Vec::new(),
            ..report.clone()
        };
        let earlier = Mutation { revision: Some("a".to_owned()), ..report.clone() };
        let steps = ["01-a", "02-b", "03-c"];
        let other = Mutation { seed: 8, ..earlier.clone() };
        assert!(
            later.add_earlier(other, &steps).expect_err("other mutants").its.contains("seed 8")
        );
        later.add_earlier(earlier, &steps).expect("the same mutants");
        let rows: Vec<_> =
            later.rows.iter().map(|row| (row.step.as_str(), row.revision.as_deref())).collect();
        assert_eq!(rows, [("01-a", Some("a")), ("02-b", None), ("03-c", None)]);
        assert_eq!((later.survivors.len(), later.equivalents.len()), (1, 1));
        let total = report.total();
        assert_eq!((total.mutants, total.killed.all(), total.survived), (12, 8, 2));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("toy.json");
        std::fs::write(&file, report.to_json()).expect("a file");
        assert_eq!(Mutation::read(&file).expect("a report"), report);
    }
}

//! What two compilers make of the steps' kernels, as data: the record of `maintain compilers`.

use serde::{Deserialize, Serialize};

use crate::validation::geometric_mean;

/// Where it is kept, from the workspace's root.
pub const FILE: &str = "reports/compilers.json";

/// What NVRTC's committed PTX and clang's do in a pass, step by step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compilers {
    /// The version of clang, e.g. "22.1.8".
    pub clang: String,
    /// A ladder each, in the order of the program.
    pub ladders: Vec<OfLadder>,
}

/// The steps of a ladder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfLadder {
    /// Name of the ladder.
    pub ladder: String,
    /// Its steps with a kernel for one GPU, in ladder order.
    pub rows: Vec<Row>,
}

/// A step, compiled by both compilers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Counts of one pass with NVRTC's PTX.
    pub nvrtc: Counts,
    /// Counts of one pass with clang's PTX.
    pub clang: Counts,
    /// The kind of instruction of which the two issue most differently many.
    pub kind: String,
    /// How many more of that kind clang's PTX issues.
    pub more: i64,
}

/// What the simulator counts in a pass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    /// PTX instructions issued by warps.
    pub instructions: u64,
    /// Branches among them.
    pub branches: u64,
    /// Modelled time in seconds, without machine code, to six digits.
    pub seconds: f64,
}

impl Row {
    /// How many times NVRTC's instructions clang's PTX issues.
    pub fn instructions(&self) -> f64 {
        self.clang.instructions as f64 / self.nvrtc.instructions as f64
    }

    /// How many times NVRTC's branches, if that has any.
    pub fn branches(&self) -> Option<f64> {
        let [clang, nvrtc] = [self.clang, self.nvrtc].map(|counts| counts.branches as f64);
        (nvrtc > 0.0).then(|| clang / nvrtc)
    }

    /// How many times as long it takes, as the model has it.
    pub fn time(&self) -> f64 {
        self.clang.seconds / self.nvrtc.seconds
    }

    /// The part of NVRTC's instructions that its one kind makes more or fewer, if that is at least a hundredth.
    pub fn difference(&self) -> Option<f64> {
        let part = self.more as f64 / self.nvrtc.instructions as f64;
        (part.abs() >= 0.01).then_some(part)
    }
}

impl OfLadder {
    /// The geometric mean over the steps of what `of` says of each.
    pub fn mean(&self, of: fn(&Row) -> f64) -> f64 {
        geometric_mean(self.rows.iter().map(of))
    }

    /// The step whose modelled time differs most.
    pub fn worst(&self) -> Option<&Row> {
        let off = |row: &&Row| row.time().ln().abs();
        self.rows.iter().max_by(|a, b| off(a).total_cmp(&off(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_clangs_over_nvrtcs() {
        let counts = |instructions, branches, seconds| Counts { instructions, branches, seconds };
        let row = Row {
            step: "02-b".to_owned(),
            nvrtc: counts(200, 0, 2.0),
            clang: counts(250, 10, 1.0),
            kind: "integer".to_owned(),
            more: 40,
        };
        assert_eq!((row.instructions(), row.branches(), row.time()), (1.25, None, 0.5));
        assert_eq!(row.difference(), Some(0.2));
        let same = Row { clang: row.nvrtc, more: -1, ..row.clone() };
        assert_eq!(same.difference(), None);
        let of = OfLadder { ladder: "a".to_owned(), rows: vec![same, row.clone()] };
        assert_eq!(of.worst(), Some(&row));
        assert!((of.mean(Row::time) - 0.5_f64.sqrt()).abs() < 1e-12);
    }
}

//! Code that no verification of a step executes, and why that is right.

use std::fmt;

use simt::{Gaps, Line};

use crate::sources::Sources;

/// Why code need not be executed while steps are verified.
#[derive(Debug, Clone, Copy)]
pub struct Excuse {
    /// What need not happen.
    pub gap: Gap,
    /// Text of the line in the source, or of it and those before it.
    pub line: &'static str,
    /// The reason.
    pub why: &'static str,
    /// Whether it happens in some runs.
    pub varies: bool,
}

/// What a verification leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gap {
    /// The line is never executed.
    Never,
    /// The loop whose rounds end at the line never runs a second round.
    Once,
}

impl Excuse {
    /// For a line that is never executed.
    pub const fn never(line: &'static str, why: &'static str) -> Excuse {
        Excuse { gap: Gap::Never, line, why, varies: false }
    }

    /// For a loop that ends after one round. The line is the one where its rounds end.
    pub const fn once(line: &'static str, why: &'static str) -> Excuse {
        Excuse { gap: Gap::Once, line, why, varies: false }
    }

    /// For what some runs do and others do not.
    pub const fn varies(self) -> Excuse {
        Excuse { varies: true, ..self }
    }

    fn is_for(&self, gap: Gap, line: &Line, sources: &mut Sources) -> bool {
        self.gap == gap && sources.has(line, self.line)
    }
}

/// What verifications of a ladder's steps left out.
#[derive(Default)]
pub(super) struct Found {
    sources: Sources,
    /// The step, what was left out, and where.
    all: Vec<(String, Gap, Line)>,
}

impl Found {
    /// Adds what verification of a step left out.
    pub(super) fn add(&mut self, step: &str, gaps: &[Gaps]) {
        for gaps in gaps {
            let once = gaps.loops.iter().map(|line| (Gap::Once, line.clone()));
            let never = gaps.lines.iter().flat_map(|(first, last)| {
                (first.line..=*last).map(|line| (Gap::Never, Line { line, ..first.clone() }))
            });
            self.all.extend(never.chain(once).map(|(gap, line)| (step.to_owned(), gap, line)));
        }
    }

    /// Fails unless each line has an excuse, and each excuse a line.
    ///
    /// # Panics
    /// One has none.
    pub(super) fn expect_excused(mut self, excuses: &[Excuse]) {
        let mut is_needed = vec![false; excuses.len()];
        let mut unknown = Vec::new();
        for (step, gap, line) in &self.all {
            let mut is_excused = false;
            for (excuse, is_needed) in excuses.iter().zip(&mut is_needed) {
                if excuse.is_for(*gap, line, &mut self.sources) {
                    (is_excused, *is_needed) = (true, true);
                }
            }
            if !is_excused {
                let Line { file, line: number } = line;
                unknown.push(format!("{step}: {file}:{number} {gap}: {}", self.sources.text(line)));
            }
        }
        assert!(unknown.is_empty(), "verification leaves code out: {unknown:#?}");
        for (excuse, is_needed) in excuses.iter().zip(is_needed) {
            assert!(is_needed || excuse.varies, "no step needs it any more: {excuse:?}");
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Gap::Never => "is never executed",
            Gap::Once => "ends a loop that never runs a second round",
        })
    }
}

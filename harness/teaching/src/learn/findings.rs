//! What was found in a reader's file, part by part, and the verdict that follows from it.

use serde::{Deserialize, Serialize};

/// A part of a check. Each asks for more than the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The file can be read, compiled and loaded.
    Compiles,
    /// It runs to its end with the right results, or answers rightly.
    Results,
    /// Nothing in it races, reads what nobody wrote, or misses a barrier.
    Hazards,
    /// Its events are within the limits.
    Goals,
}

impl Part {
    /// All, in their order.
    pub const ALL: [Part; 4] = [Part::Compiles, Part::Results, Part::Hazards, Part::Goals];

    /// As it is written in points files and tables.
    pub fn name(self) -> &'static str {
        match self {
            Part::Compiles => "compiles",
            Part::Results => "results",
            Part::Hazards => "hazards",
            Part::Goals => "goals",
        }
    }
}

/// What was found, in the order of [`Part::ALL`]; a part that was not come to is open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings([Option<Result<(), String>>; 4]);

/// What is said of a reader's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Verdict {
    /// It passes. What its events are, for each goal.
    Passed(Vec<String>),
    /// It does not; why, as compilers write it.
    Wrong(String),
    /// It cannot be checked on this machine; why, and what to do.
    Impossible(String),
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Checked {
    /// The findings, and what the events are.
    Done(Findings, Vec<String>),
    /// It cannot be checked on this machine; why, and what to do.
    Impossible(String),
}

impl Findings {
    /// Every part passed.
    pub fn right() -> Findings {
        Findings([const { Some(Ok(())) }; 4])
    }

    /// Every part passed as far as `part`, which did not.
    pub fn wrong(part: Part, why: String) -> Findings {
        let mut findings = Findings::default();
        for earlier in Part::ALL.into_iter().filter(|it| *it < part) {
            findings.set(earlier, Ok(()));
        }
        findings.set(part, Err(why));
        findings
    }

    /// Enters what was found of a part, unless something was found before.
    pub fn set(&mut self, part: Part, found: Result<(), String>) {
        self.0[part as usize].get_or_insert(found);
    }

    /// What was found of a part.
    pub fn of(&self, part: Part) -> Option<&Result<(), String>> {
        self.0[part as usize].as_ref()
    }

    /// With at most so many characters of each reason: compilers can be made to say much.
    #[must_use]
    pub fn shortened(mut self, most: usize) -> Findings {
        for why in self.0.iter_mut().flatten().filter_map(|it| it.as_mut().err()) {
            if let Some((end, _)) = why.char_indices().nth(most) {
                why.truncate(end);
                why.push_str("\n…");
            }
        }
        self
    }

    /// The verdict; `reached` is what the events are.
    pub fn verdict(&self, reached: Vec<String>) -> Verdict {
        let problems: Vec<&str> = self
            .0
            .iter()
            .flatten()
            .filter_map(|it| it.as_ref().err())
            .map(String::as_str)
            .collect();
        match problems.is_empty() {
            true => Verdict::Passed(reached),
            false => Verdict::Wrong(problems.join("\n")),
        }
    }
}

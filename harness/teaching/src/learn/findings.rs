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

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// In the order of [`Part::ALL`]; a part that was not come to is open.
    parts: [Option<Found>; 4],
    /// Whether the work is not divided among the threads as the exercise asks.
    pub is_undivided: bool,
}

/// What was found of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Found {
    Right,
    /// Why it is not.
    Wrong(String),
}

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
        Findings { parts: [const { Some(Found::Right) }; 4], is_undivided: false }
    }

    /// Every part passed as far as `part`, which did not.
    pub fn wrong(part: Part, why: String) -> Findings {
        let mut findings = Findings::default();
        Part::ALL.into_iter().filter(|it| *it < part).for_each(|earlier| findings.pass(earlier));
        findings.fail(part, why);
        findings
    }

    /// A part passed, unless something was found of it before.
    pub fn pass(&mut self, part: Part) {
        self.parts[part as usize].get_or_insert(Found::Right);
    }

    /// A part did not pass, unless something was found of it before.
    pub fn fail(&mut self, part: Part, why: String) {
        self.parts[part as usize].get_or_insert(Found::Wrong(why));
    }

    /// Whether a part was not come to.
    pub fn is_open(&self, part: Part) -> bool {
        self.parts[part as usize].is_none()
    }

    /// Whether a part passed.
    pub fn is_right(&self, part: Part) -> bool {
        self.parts[part as usize] == Some(Found::Right)
    }

    /// Why a part did not pass.
    pub fn why(&self, part: Part) -> Option<&str> {
        match &self.parts[part as usize] {
            Some(Found::Wrong(why)) => Some(why),
            _ => None,
        }
    }

    /// With at most so many characters of each reason: compilers can be made to say much.
    #[must_use]
    pub fn shortened(mut self, most: usize) -> Findings {
        for found in self.parts.iter_mut().flatten() {
            if let Found::Wrong(why) = found
                && let Some((end, _)) = why.char_indices().nth(most)
            {
                why.truncate(end);
                why.push_str("\n…");
            }
        }
        self
    }

    /// The verdict; `reached` is what the events are.
    pub fn verdict(&self, reached: Vec<String>) -> Verdict {
        let problems: Vec<&str> = Part::ALL.into_iter().filter_map(|part| self.why(part)).collect();
        match problems.is_empty() {
            true => Verdict::Passed(reached),
            false => Verdict::Wrong(problems.join("\n")),
        }
    }
}

//! A part: what a reader turns, and what is asked of the simulator then.

use std::collections::BTreeMap;

use crate::answer::Answer;
use crate::error::Error;

/// Something that a reader chooses.
#[derive(Debug, Clone, Copy)]
pub struct Knob {
    /// Its key in [`Values`].
    pub name: &'static str,
    /// What the page calls it.
    pub label: &'static str,
    /// What may be chosen.
    pub choices: &'static [&'static str],
    /// What is chosen at first.
    pub start: &'static str,
}

/// What is chosen of each knob, by its name.
#[derive(Debug, Clone, Default, serde::Deserialize)]
#[serde(transparent)]
pub struct Values(pub BTreeMap<String, String>);

/// How the page draws an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The words of memory that one access of a warp asks for.
    Memory,
    /// The lanes that are active, row by row in time.
    Lanes,
    /// Places for warps, taken and free.
    Places,
    /// Warps step by step.
    Warps,
    /// Counts of each source line.
    Lines,
}

/// A part of a page.
#[derive(Debug)]
pub struct Part {
    /// What directives call it.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What to try.
    pub text: &'static str,
    /// How its answer is drawn.
    pub kind: Kind,
    /// What is chosen.
    pub knobs: &'static [Knob],
    /// The knob over whose choices a page without JavaScript has a table.
    pub table: Option<&'static str>,
    pub(crate) ask: fn(&Values) -> Result<Answer, Error>,
}

impl Kind {
    /// Its name in the page.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Memory => "memory",
            Kind::Lanes => "lanes",
            Kind::Places => "places",
            Kind::Warps => "warps",
            Kind::Lines => "lines",
        }
    }
}

impl Values {
    /// The value of a knob.
    pub(crate) fn text(&self, name: &str) -> Result<&str, Error> {
        let value = self.0.get(name).map(String::as_str);
        value.ok_or_else(|| Error::Missing(name.to_owned()))
    }

    /// The value of a knob that is a number.
    pub(crate) fn number(&self, name: &str) -> Result<u32, Error> {
        let text = self.text(name)?;
        let wrong = |_| Error::Number { value: text.to_owned(), knob: name.to_owned() };
        text.parse().map_err(wrong)
    }
}

impl Part {
    /// Each knob at its start.
    pub fn start(&self) -> Values {
        let all = self.knobs.iter().map(|knob| (knob.name.to_owned(), knob.start.to_owned()));
        Values(all.collect())
    }

    /// The answer to a choice of values.
    ///
    /// # Errors
    /// A value is missing or is none of its knob's; the launch is not possible.
    pub fn answer(&self, values: &Values) -> Result<Answer, Error> {
        for knob in self.knobs {
            let value = values.text(knob.name)?;
            if !knob.choices.contains(&value) {
                let (value, choices) = (value.to_owned(), knob.choices.join(", "));
                return Err(Error::Choice { value, knob: knob.name, choices });
            }
        }
        (self.ask)(values)
    }
}

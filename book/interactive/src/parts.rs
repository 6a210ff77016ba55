//! All parts, in the order in which the book has them.

mod branch;
mod file;
mod lines;
mod nbody;
mod occupancy;
mod padding;
mod stride;
mod warps;

use crate::part::Part;

/// The parts.
pub const PARTS: &[&Part] = &[
    &branch::PART,
    &occupancy::PART,
    &stride::PART,
    &padding::PART,
    &warps::N_THREADS,
    &lines::N_THREADS,
    &warps::SHARED_BLOCKING,
    &warps::PAIRS,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Every choice of every knob, the others at their start.
    #[test]
    fn every_choice_has_an_answer() {
        for part in PARTS {
            for knob in part.knobs {
                assert!(knob.choices.contains(&knob.start), "{}: {}", part.name, knob.name);
                for choice in knob.choices {
                    let mut values = part.start();
                    values.0.insert(knob.name.to_owned(), (*choice).to_owned());
                    let answer = part.answer(&values);
                    let is_refused = matches!(&answer, Err(crate::Error::Residency(_)));
                    let refuses = part.name == "occupancy" && is_refused;
                    assert!(answer.is_ok() || refuses, "{} {values:?}: {answer:?}", part.name);
                }
            }
        }
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        let mut values = PARTS[0].start();
        values.0.insert(PARTS[0].knobs[0].name.to_owned(), "0".to_owned());
        let error = PARTS[0].answer(&values).expect_err("0 is no choice").to_string();
        assert!(error.contains("`0` is no choice of `run`"), "{error}");
        assert!(PARTS[0].answer(&crate::Values::default()).is_err());
    }
}

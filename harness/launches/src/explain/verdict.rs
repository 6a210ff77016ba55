//! What a comparison comes to, in words.

use std::cmp::Ordering;

use report::LEAST_EFFECT;
use report::format::{factor, significant};

use super::compare::{Change, Row, UNITS};
use super::metrics::Subject;
use super::running::Side;
use crate::format::{percent, ratio};

/// Changes that weigh less are left out: a fourth more or less.
const WORTH_SAYING: f64 = 0.223;

/// Subjects that are named, and figures of each.
const MOST: (usize, usize) = (3, 2);

/// A part of a time that is as good as nothing.
const NOTHING: f64 = 1e-3;

/// What is known of the times of whole passes, beside what was watched.
#[derive(Debug, Clone, Copy)]
pub enum Known<'k> {
    /// Nothing: the times are those of what was watched.
    Watched,
    /// How many times as fast the model has the new step, at the size of a run.
    Modelled(f64),
    /// Why the model says nothing, and what was measured.
    NotModelled(&'k str),
}

/// The verdict on `after`, which was compared with `before` in `rows` (what changed most first): how
/// the modelled times compare, because of what, and what else changed.
pub fn verdict(before: &Side, after: &Side, known: Known<'_>, rows: &[Row]) -> String {
    let mut parts = events(rows, &after.figure.work);
    if parts.is_empty() {
        parts.push("no count changed by a fourth or more".to_owned());
    }
    parts.extend(resident(before, after));
    let times = match known {
        Known::Watched => times(before, after),
        Known::Modelled(times) => times,
        Known::NotModelled(why) => {
            let parts = sentence(&parts);
            return format!("{} against {} is {why}. {parts}.", after.name, before.name);
        }
    };
    let because = because(before, after).map_or(String::new(), |why| format!(", because {why}"));
    format!("{}{because}. {}.", time((&before.name, &after.name), times), sentence(&parts))
}

/// Parts of a sentence, the first with a capital letter.
fn sentence(parts: &[String]) -> String {
    let parts = parts.join("; ");
    let mut letters = parts.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// What changed most, each subject once; `work` names the units of work.
fn events(rows: &[Row], work: &str) -> Vec<String> {
    let worth: Vec<&Row> = rows.iter().filter(|row| row.weight >= WORTH_SAYING).collect();
    let mut subjects: Vec<Subject> = Vec::new();
    for row in &worth {
        if !subjects.contains(&row.metric.subject) {
            subjects.push(row.metric.subject);
        }
    }
    let of = |subject: Subject| {
        let own = worth.iter().filter(|row| row.metric.subject == subject);
        let mut own: Vec<&&Row> = own.take(MOST.1).collect();
        // What is said of all requests of a kind need not be said of their parts.
        own.dedup_by(|next, row| next.change == row.change);
        let said = own.into_iter().enumerate().filter_map(|(place, row)| {
            let name = if place == 0 { row.metric.name } else { row.metric.short };
            words(row, name, work)
        });
        said.collect::<Vec<_>>().join(", ")
    };
    subjects.into_iter().map(of).filter(|said| !said.is_empty()).take(MOST.0).collect()
}

/// How a figure changed.
fn words(row: &Row, name: &str, work: &str) -> Option<String> {
    Some(match row.change {
        Change::Same => return None,
        Change::New => format!("adds {} {name} per {UNITS} {work}", ratio(row.after)),
        Change::Gone => format!("no {name} any more"),
        Change::Factor(factor) => {
            let verb = if factor < 1.0 { "fell" } else { "rose" };
            format!("{name} {verb} {}", by(factor))
        }
        Change::Points(points) => {
            let verb = if points < 0.0 { "fell" } else { "rose" };
            format!("{name} {verb} from {} to {} %", percent(row.before), percent(row.after))
        }
    })
}

/// By how much something rose or fell that is so many times what it was.
fn by(factor: f64) -> String {
    match factor {
        ..0.5 => format!("{}×", significant(1.0 / factor)),
        2.0.. => format!("{}×", significant(factor)),
        _ => format!("by {:.0} %", 100.0 * (factor - 1.0).abs()),
    }
}

/// Whether an SM holds more warps or fewer.
fn resident(before: &Side, after: &Side) -> Option<String> {
    let (old, new) = (&before.facts.residency, &after.facts.residency);
    let verb = match new.warps.cmp(&old.warps) {
        Ordering::Less => "fell",
        Ordering::Equal => return None,
        Ordering::Greater => "rose",
    };
    let (from, to, limit) = (old.warps, new.warps, new.limit);
    Some(format!("resident warps {verb} from {from} to {to}, limited by {limit}"))
}

/// How the time of the part that was the limit before has changed, for equal work.
pub(super) fn because(before: &Side, after: &Side) -> Option<String> {
    let (old, new) = (before.facts.model.binding?, after.facts.model.binding?);
    let each = |side: &Side| side.facts.model.bound(old) / side.work;
    let (from, to) = (limit_in_words(old), limit_in_words(new));
    let change = match each(after) / each(before) {
        none if none < NOTHING => "nearly vanishes".to_owned(),
        same if (same - 1.0).abs() < LEAST_EFFECT => "stays the same".to_owned(),
        less if less < 1.0 => format!("falls {}", by(less)),
        more => format!("rises {}", by(more)),
    };
    Some(match old == new {
        true => format!("both are bound by {from}, whose time {change}"),
        false => format!("the bound moves from {from}, whose time {change}, to {to}"),
    })
}

/// A bound's name where a sentence has it.
fn limit_in_words(bound: &str) -> &str {
    match bound {
        "issue" => "instruction issue",
        "latency" => "instruction latency",
        other => other,
    }
}

/// How many times as fast the model has it, for equal work.
pub fn times(before: &Side, after: &Side) -> f64 {
    let each = |side: &Side| side.facts.model.seconds / side.work;
    each(before) / each(after)
}

/// The same in words.
fn time((old, new): (&str, &str), times: f64) -> String {
    if (times - 1.0).abs() < LEAST_EFFECT {
        format!("{new} is modelled at the speed of {old}")
    } else {
        format!("{new} is modelled at {} the speed of {old}", factor(times))
    }
}

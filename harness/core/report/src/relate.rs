//! How rows compare: × parent and × first.

use std::collections::BTreeMap;

use crate::device::TimeSource;
use crate::row::Row;
use crate::statistics::{Speed, paired, unpaired, verdict};
use crate::timed::{Ratio, Samples, Timed};

/// Confidence of every interval in a report.
pub const CONFIDENCE: f64 = 0.95;

/// The least difference of a step to its parent that counts: 1%.
pub const LEAST_EFFECT: f64 = 0.01;

/// The same where samples are too few for an interval: a GPU's clock may well have changed by that
/// much from one sample to another.
pub const LEAST_EFFECT_OF_FEW: f64 = 0.1;

/// Fills in how each row compares with its parent's and the first step's speed. Rows stay in their
/// order, which is the ladder's: parents before children.
///
/// Rows are compared at every size at which both were timed, as the same variant. Only
/// verified rows are compared, and only times of the same source: a modelled time says nothing of a
/// measured one, and a library's function has no parent. × first goes along the greatest common sizes, past steps of which the model says nothing.
pub fn relate(rows: &mut [Row]) {
    for index in 0..rows.len() {
        let (before, rest) = rows.split_at_mut(index);
        let row = &mut rest[0];
        row.times_first = None;
        row.timed.iter_mut().for_each(|timed| timed.parent = None);
        if !row.outcome.is_verified() || row.is_library() {
            continue;
        }
        let Some(after) = row.after.as_deref() else {
            row.times_first = Some(1.0);
            continue;
        };
        let is_parent = |other: &&Row| {
            (&other.ladder, other.step.as_str()) == (&row.ladder, after)
                && other.has_variant_of(row)
        };
        let parent = before.iter().find(is_parent);
        let Some(parent) = parent
            .filter(|parent| parent.outcome.is_verified() && parent.time_source == row.time_source)
        else {
            continue;
        };
        let sampling = Sampling::of(parent, row);
        for timed in &mut row.timed {
            let compared = parent.at(timed.n);
            timed.parent = compared.map(|parent| compare(parent, timed, sampling));
        }
        let base = modelled(before, parent, row);
        let over_base = if std::ptr::eq(base, parent) {
            row.parent().map(|(_, ratio)| ratio)
        } else {
            let sampling = Sampling::of(base, row);
            let compared = row.main().and_then(|timed| Some((base.at(timed.n)?, timed)));
            compared.map(|(base, timed)| compare(base, timed, sampling))
        };
        row.times_first = base.times_first.zip(over_base).map(|(first, it)| first * it.ratio);
    }
}

/// The nearest of a row's ancestors, from its parent on, of which the model says something.
fn modelled<'r>(before: &'r [Row], parent: &'r Row, row: &Row) -> &'r Row {
    let mut found = parent;
    while found.not_modelled.is_some()
        && let Some(next) = before.iter().find(|other| {
            other.ladder == found.ladder
                && Some(&other.step) == found.after.as_ref()
                && other.has_variant_of(row)
        })
    {
        found = next;
    }
    found
}

/// How the samples of two rows belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sampling {
    /// They were taken in turns, in the same rounds of one session.
    SameRounds,
    /// They were taken in sessions of their own.
    Apart,
    /// They are no samples but what the time model says.
    Modelled,
}

impl Sampling {
    /// That of a row and of another with times of the same source.
    pub fn of(parent: &Row, row: &Row) -> Sampling {
        match row.time_source {
            Some(TimeSource::Model) => Sampling::Modelled,
            _ if parent.session == row.session => Sampling::SameRounds,
            _ => Sampling::Apart,
        }
    }
}

/// How `timed` compares with its parent at the same size: in pairs of samples of the same rounds
/// where there are enough of them, else without pairs.
pub fn compare(parent: &Timed, timed: &Timed, sampling: Sampling) -> Ratio {
    let (of_parent, own) = (&parent.samples, &timed.samples);
    let in_pairs = || {
        let (others, times) = pairs(of_parent, own);
        paired(&others, &times, CONFIDENCE)
    };
    let speed = (sampling == Sampling::SameRounds)
        .then(in_pairs)
        .flatten()
        .filter(|speed| speed.interval.is_some())
        .or_else(|| unpaired(&of_parent.seconds, &own.seconds, CONFIDENCE))
        .unwrap_or(Speed { ratio: parent.seconds / timed.seconds, interval: None });
    let is_certain = speed.interval.is_some() || sampling == Sampling::Modelled;
    let effect = if is_certain { LEAST_EFFECT } else { LEAST_EFFECT_OF_FEW };
    Ratio { ratio: speed.ratio, interval: speed.interval, verdict: verdict(speed, effect) }
}

/// Samples of the same rounds.
fn pairs(parent: &Samples, own: &Samples) -> (Vec<f64>, Vec<f64>) {
    let of_parent: BTreeMap<u32, f64> =
        parent.round.iter().copied().zip(parent.seconds.iter().copied()).collect();
    let own = own.round.iter().zip(&own.seconds);
    own.filter_map(|(round, &seconds)| Some((*of_parent.get(round)?, seconds))).unzip()
}

//! What every picture of a report says beside its message: whether the times were measured, on
//! what, and when.

use report::{Outcome, Report, Row, TimeSource};

use crate::ladders::LADDERS;
use crate::scaling::data::{Row as ScalingRow, Scaling};

/// Where the numbers of a picture are from.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Whether its times were measured.
    pub basis: Basis,
    /// The GPU or processor whose speed is drawn.
    pub device: String,
    /// Day and revision of the report.
    pub source: String,
    /// The ladder's name.
    ladder: String,
}

/// Where the times of a picture come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// A clock.
    Measured,
    /// The simulator's model.
    Modelled,
    /// Some from a clock, some from the model.
    Mixed,
    /// There are none.
    Nothing,
}

impl Scene {
    /// The scene of a report.
    pub fn of(report: &Report) -> Scene {
        Scene {
            basis: Basis::of(&report.rows),
            device: device(report),
            source: source(report),
            ladder: report.options.ladder.clone(),
        }
    }

    /// The scene of times on several GPUs.
    pub fn of_scaling(scaling: &Scaling) -> Scene {
        let source = |row: &ScalingRow| row.timed.as_ref().map(|timed| timed.source);
        let sources: Vec<TimeSource> = scaling.rows.iter().filter_map(source).collect();
        let basis = match (sources.is_empty(), sources.contains(&TimeSource::Model)) {
            (true, _) => Basis::Nothing,
            (_, true) => Basis::Modelled,
            _ => Basis::Measured,
        };
        let timed = scaling.rows.iter().filter(|row| row.timed.is_some());
        let most = timed.map(|row| row.gpus).max().unwrap_or(0);
        let gpu = scaling.gpu.as_deref().unwrap_or("GPU");
        let exchange = scaling.exchange.as_deref().unwrap_or("nothing");
        let source = scaling.revision.iter().map(|revision| format!(" · revision {revision}"));
        Scene {
            basis,
            device: format!("up to {most} {gpu}, data through {exchange}"),
            source: scaling.date.clone() + &source.collect::<String>(),
            ladder: "nbody".to_owned(),
        }
    }

    /// The ladder's title; its name where the workbook has no such ladder any more.
    pub fn ladder(&self) -> &str {
        let known = LADDERS.iter().find(|ladder| ladder.name == self.ladder);
        known.map_or(&self.ladder, |ladder| ladder.title)
    }

    /// The device as it stands in a message.
    pub fn place(&self) -> String {
        match self.basis {
            Basis::Modelled => format!("a modelled {}", self.device),
            _ => self.device.clone(),
        }
    }

    /// What follows the basis's word.
    pub fn rest(&self) -> String {
        let device = &self.device;
        match self.basis {
            Basis::Measured | Basis::Nothing => format!("on {device}"),
            Basis::Modelled => format!("for {device} (simulated)"),
            Basis::Mixed => format!("on {device}, some modelled"),
        }
    }

    /// The word and what follows it.
    pub fn sentence(&self) -> String {
        format!("{} {}", self.basis.word(), self.rest())
    }
}

impl Basis {
    /// Where the times of these rows come from.
    pub fn of(rows: &[Row]) -> Basis {
        let timed = || rows.iter().filter(|row| row.outcome.is_verified() && !row.timed.is_empty());
        match (timed().any(|row| !is_modelled(row)), timed().any(is_modelled)) {
            (true, true) => Basis::Mixed,
            (true, false) => Basis::Measured,
            (false, true) => Basis::Modelled,
            (false, false) => Basis::Nothing,
        }
    }

    /// The word that a picture shows most clearly.
    pub fn word(self) -> &'static str {
        match self {
            Basis::Measured => "MEASURED",
            Basis::Modelled => "MODELLED",
            Basis::Mixed => "MEASURED AND MODELLED",
            Basis::Nothing => "NOT TIMED",
        }
    }
}

/// Whether the times of a row are the model's.
pub fn is_modelled(row: &Row) -> bool {
    row.time_source == Some(TimeSource::Model) || row.outcome == Outcome::Simulated
}

fn device(report: &Report) -> String {
    let recorded = report.device.as_ref();
    let name = recorded.map(|device| device.modelled.as_ref().unwrap_or(&device.name));
    let of_rows = || report.rows.iter().find_map(|row| row.device.as_ref());
    match name.or_else(of_rows) {
        Some(name) => name.clone(),
        None => "no device".to_owned(),
    }
}

fn source(report: &Report) -> String {
    match &report.revision {
        Some(revision) => format!("{} · revision {revision}", report.date),
        None => report.date.clone(),
    }
}

//! What stands above every picture and page: whether the times were measured, on what, and when.

use crate::scaling::{Row as ScalingRow, Scaling};
use crate::{Report, Row, TimeSource, words};

/// Where the numbers of a picture or page are from.
#[derive(Debug, Clone)]
pub struct Provenance {
    /// Where its times come from.
    pub basis: Basis,
    /// The GPU or processor whose speed is shown.
    pub device: String,
    /// Day and revision of the report.
    pub source: String,
    /// Up to which size results were verified, where they were timed at a larger one.
    pub verified: Option<String>,
    /// The ladder's title; its name where the report has no rows of it.
    pub title: String,
}

/// Where times come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// All times are from a clock.
    Measured,
    /// All times are from the simulator's time model.
    Modelled,
    /// Some from a clock, some from the model.
    Mixed,
    /// There are no times.
    Nothing,
}

impl Provenance {
    /// The provenance of a report.
    pub fn of(report: &Report) -> Provenance {
        let name = &report.options.ladder;
        let title = report.figures.get(name).map(|figure| figure.title.clone());
        Provenance {
            basis: Basis::of(&report.rows),
            device: device(report),
            source: source(&report.date, report.revision.as_deref()),
            verified: words::verified(report),
            title: title.unwrap_or_else(|| name.clone()),
        }
    }

    /// The provenance of times on several GPUs.
    pub fn of_scaling(scaling: &Scaling) -> Provenance {
        let source_of = |row: &ScalingRow| row.timed.as_ref().map(|timed| timed.source);
        let sources: Vec<TimeSource> = scaling.rows.iter().filter_map(source_of).collect();
        let basis = match (sources.is_empty(), sources.contains(&TimeSource::Model)) {
            (true, _) => Basis::Nothing,
            (_, true) => Basis::Modelled,
            _ => Basis::Measured,
        };
        let timed = scaling.rows.iter().filter(|row| row.timed.is_some());
        let most = timed.map(|row| row.gpus).max().unwrap_or(0);
        let gpu = scaling.gpu.as_deref().unwrap_or("GPU");
        let exchange = scaling.exchange.as_deref().unwrap_or("nothing");
        Provenance {
            basis,
            device: format!("up to {most} {gpu}, data through {exchange}"),
            source: source(&scaling.date, scaling.revision.as_deref()),
            verified: None,
            title: scaling.figure.title.clone(),
        }
    }

    /// The device as it stands in a sentence.
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

    /// What is said of times, and up to which size results were verified.
    pub fn with_verified(&self, said: String) -> String {
        match &self.verified {
            Some(verified) => format!("{said} · {verified}"),
            None => said,
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
        match (timed().any(|row| !row.is_modelled()), timed().any(Row::is_modelled)) {
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

fn device(report: &Report) -> String {
    let recorded = report.device.as_ref();
    let name = recorded.map(|device| device.modelled.as_ref().unwrap_or(&device.name));
    let of_rows = || report.rows.iter().find_map(|row| row.device.as_ref());
    name.or_else(of_rows).cloned().unwrap_or_else(|| "no device".to_owned())
}

fn source(date: &str, revision: Option<&str>) -> String {
    revision.map_or_else(|| date.to_owned(), |revision| format!("{date} · revision {revision}"))
}

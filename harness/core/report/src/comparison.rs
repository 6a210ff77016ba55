//! Which reports can be compared.

use crate::Report;

/// Why reports cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComparisonError {
    /// There is no report.
    #[error("there is no report")]
    NoReport,
    /// No option differs from report to report, or several do.
    #[error("the reports do not differ in the value of one option")]
    NoOption,
    /// The reports are of several devices.
    #[error("times of {0} and of {1} say nothing together")]
    SeveralDevices(String, String),
    /// No step was verified and timed.
    #[error("nothing was timed")]
    NothingTimed,
    /// No step was verified and timed at this size.
    #[error("no step was verified and timed at n = {0}")]
    NothingAt(u64),
    /// No report has a figure of merit for the ladder.
    #[error("a ladder has no figure")]
    NoFigure,
}

/// Checks that all reports are of one device, or model the same.
pub(crate) fn check_device<'r>(
    reports: impl Iterator<Item = &'r Report>,
) -> Result<(), ComparisonError> {
    let mut names = reports.map(|report| {
        let device = report.device.as_ref();
        device.map(|it| it.modelled.as_ref().unwrap_or(&it.name))
    });
    let first = names.next().flatten();
    match names.find(|name| *name != first) {
        Some(other) => {
            let word =
                |name: Option<&String>| name.cloned().unwrap_or_else(|| "no device".to_owned());
            Err(ComparisonError::SeveralDevices(word(first), word(other)))
        }
        None => Ok(()),
    }
}

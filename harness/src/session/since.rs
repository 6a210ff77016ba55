//! What changed since the last run of the same steps.

use report::runs::Run;
use report::{Info, Report};
use show::compare::{Comparison, EFFECT};

use crate::runs::earlier;

/// The last run before this one that timed all its steps at the same sizes, on the same device and in the same way,
/// and what is faster or slower now. `None` where there is none.
pub fn since(run: &Run, report: &Report) -> Option<(Run, Comparison)> {
    earlier(run, |other| {
        let comparison = Comparison::of(("A", other), ("B", report), EFFECT);
        let mut points =
            report.verified().flat_map(|row| row.timed.iter().map(|at| (&row.step, at.n)));
        let is_whole =
            points.all(|(step, n)| comparison.rows.iter().any(|line| line.is_of(step, n)));
        let is_whole = is_whole && !comparison.rows.is_empty() && is_alike(other, report);
        is_whole.then_some(comparison)
    })
}

/// Whether only the code can have made two runs differ, or its compiler and driver.
fn is_alike(a: &Report, b: &Report) -> bool {
    let device = |report: &Report| {
        let of = |Info { kind, name, modelled, .. }: &Info| {
            (kind.clone(), name.clone(), modelled.clone())
        };
        report.device.as_ref().map(of)
    };
    let (x, y) = (&a.options, &b.options);
    device(a) == device(b)
        && (x.threads, &x.vectors, &x.scheduling) == (y.threads, &y.vectors, &y.scheduling)
        && (&x.problem, &x.replacement) == (&y.problem, &y.replacement)
}

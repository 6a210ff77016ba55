//! Pages of reports made up for the purpose.

use super::page;
use crate::plot;
use crate::synthetic;
use ::ladder::report::{Outcome, Report};

fn of(report: &Report) -> String {
    page(report, &plot::of(report)).unwrap()
}
#[test]
fn look() {
    for (name, report) in [("sweep", synthetic::sweep()), ("blocks", synthetic::blocks())] {
        let mut report = report;
        report.rows[2].outcome = Outcome::Wrong;
        report.rows[2].reason =
            Some("accelerations at n = 33: error 1e-2 > 1e-6; worst body 7".into());
        std::fs::write(format!("/tmp/d/{name}.html"), of(&report)).unwrap();
    }
}

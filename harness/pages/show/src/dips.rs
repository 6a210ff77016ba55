//! Sizes at which a step is far slower than at both neighbours.

use report::{Report, Row, Timed, format};

use crate::words;

/// A speed below this part of those at the next smaller and the next larger size is not a property of
/// the step. The machine was probably busy with other work.
const DIP: f64 = 0.8;

/// A size at which a step is far slower than at both neighbours.
pub struct Dip<'r> {
    row: &'r Row,
    timed: &'r Timed,
    /// Its speed over the lower one of the neighbours'.
    part: f64,
}

impl Dip<'_> {
    /// Whether it is at this size of this row.
    pub fn is(&self, row: &Row, timed: &Timed) -> bool {
        std::ptr::eq(self.row, row) && std::ptr::eq(self.timed, timed)
    }
}

/// Sizes whose times were probably disturbed.
pub fn dips(report: &Report) -> Vec<Dip<'_>> {
    let mut found = Vec::new();
    for row in report.verified().filter(|row| !row.is_modelled()) {
        let mut sizes: Vec<&Timed> = row.timed.iter().collect();
        sizes.sort_by_key(|timed| timed.n);
        for three in sizes.windows(3) {
            let [below, rate, above] = [0, 1, 2].map(|at| three[at].rate());
            let part = rate / below.min(above);
            if part < DIP {
                found.push(Dip { row, timed: three[1], part });
            }
        }
    }
    found
}

/// A sentence that lists them, each as "11x-gcc at n = 512 (41 %)"; empty without any.
pub fn sentence(report: &Report) -> String {
    let about = "SUSPECT sizes, far slower than at both neighbouring ones; was the machine under \
                 load? Time them again";
    let all = dips(report).into_iter().map(|Dip { row, timed, part }| {
        let (step, n) = (words::subject(row), format::grouped(timed.n));
        format!("{step} at n = {n} ({:.0} %)", 100.0 * part)
    });
    words::listing(about, all)
}

#[cfg(test)]
mod tests {
    use report::synthetic::{at, modelled, report, timed};

    use super::*;
    use crate::{plain, says, steps};

    /// A step whose speed is the same at three sizes, but for the middle one.
    fn with(slower: f64) -> Report {
        let mut row = timed("11x-gcc", None, 512, slower * 0.000_262_144);
        row.timed.extend([at(256, 0.000_065_536), at(1024, 0.001_048_576)]);
        report(vec![row], false)
    }

    #[test]
    fn a_size_that_was_timed_under_load_is_marked() {
        let text = sentence(&with(2.5));
        says(&text, &["SUSPECT sizes", ": 11x-gcc at n = 512 (40 %)."]);
        let table = plain(&steps::sizes(&with(2.5)).terminal(80));
        assert_eq!(table.matches('?').count(), 1, "{table}");
        assert_eq!(sentence(&with(1.1)), "");
        assert_eq!(sentence(&modelled(with(2.5))), "");
    }
}

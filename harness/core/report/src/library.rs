//! How steps compare with functions of libraries.

use crate::relate::{Sampling, compare};
use crate::row::Row;
use crate::{Committed, Report};

/// Fills in how each row compares with a library's function at the row's own size: the one that its step names, else the
/// first. Both are verified, and timed by the same clock.
pub fn relate_to_libraries(rows: &mut [Row], libraries: &[Row]) {
    for row in rows {
        row.times_library = None;
        row.library = row.library.take().or(libraries.first().map(|first| first.step.clone()));
        let library = libraries.iter().find(|other| {
            Some(&other.step) == row.library.as_ref()
                && other.ladder == row.ladder
                && other.outcome.is_verified()
                && row.outcome.is_verified()
                && other.time_source == row.time_source
        });
        let Some((library, own)) = library.zip(row.main()) else { continue };
        let sampling = Sampling::of(library, row);
        row.times_library = library.at(own.n).map(|it| compare(it, own, sampling));
    }
}

impl Report {
    /// The library that steps are compared with, in a word; "the library" where there are several.
    pub fn library(&self) -> Option<&str> {
        let mut names = self.libraries.iter().filter_map(|row| row.title.split(' ').next());
        let first = names.next()?;
        Some(if names.all(|name| name == first) { first } else { "the library" })
    }
}

impl Row {
    /// Units of work per second of a verified row; of a library's function that did not run, as committed.
    pub fn shown_rate(&self) -> Option<f64> {
        let committed = |it: &Committed| it.work / it.seconds;
        let own = self.rate().filter(|_| self.outcome.is_verified());
        own.or(self.committed.as_ref().map(committed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthetic::{committed, library, modelled, report, row, timed};
    use crate::{Outcome, TimeSource};

    /// The speed of each row over that of its library's function.
    fn times(rows: &[Row]) -> Vec<Option<f64>> {
        rows.iter().map(|row| row.times_library.map(|it| it.ratio)).collect()
    }

    #[test]
    fn a_row_is_compared_with_its_own_function_or_the_first() {
        let of = |name: &str, row: Row| Row { library: Some(name.to_owned()), ..row };
        let mut rows = vec![
            timed("01-one", None, 1000, 0.4),
            timed("02-two", Some("01-one"), 1000, 0.1),
            of("tf32", timed("03-three", Some("02-two"), 1000, 0.1)),
            of("none", timed("04-four", Some("02-two"), 1000, 0.1)),
            timed("05-other-size", Some("02-two"), 500, 0.1),
            row("06-wrong", Some("02-two"), Outcome::Wrong),
        ];
        let libraries = [library("fp32", 1000, 0.2), library("tf32", 1000, 0.05)];
        relate_to_libraries(&mut rows, &libraries);
        assert_eq!(times(&rows), [Some(0.5), Some(2.0), Some(0.5), None, None, None]);
        assert_eq!(rows[1].library.as_deref(), Some("fp32"));
        relate_to_libraries(&mut rows, &[]);
        assert!(times(&rows).iter().all(Option::is_none));
    }

    #[test]
    fn what_did_not_run_here_is_compared_with_nothing() {
        let mut rows = modelled(report(vec![timed("01-one", None, 1000, 0.4)], true)).rows;
        assert_eq!(committed("fp32", 1000, 0.2).shown_rate(), Some(5e6));
        let measured = library("fp32", 1000, 0.2);
        assert_eq!(measured.time_source, Some(TimeSource::Device));
        for library in [committed("fp32", 1000, 0.2), measured] {
            relate_to_libraries(&mut rows, &[library]);
            assert_eq!(times(&rows), [None]);
        }
    }

    #[test]
    fn one_library_is_named() {
        let mut report = report(vec![timed("01-one", None, 1000, 0.4)], false);
        assert_eq!(report.library(), None);
        report.libraries = vec![library("fp32", 1000, 0.2), library("tf32", 1000, 0.05)];
        assert_eq!(report.library(), Some("cuBLAS"));
        report.libraries.push(Row { title: "CUB".to_owned(), ..library("sum", 1000, 0.1) });
        assert_eq!(report.library(), Some("the library"));
    }

    #[test]
    fn a_function_is_no_first_step() {
        let mut rows = [timed("01-one", None, 1000, 0.4), library("fp32", 1000, 0.2)];
        crate::relate(&mut rows);
        assert_eq!(rows.map(|row| row.times_first), [Some(1.0), None]);
    }
}

//! How near each step comes to what the chip could do.

mod cpu;
mod gpu;
mod step;

use report::Report;

use crate::Link;
use crate::table::Table;

/// The tables of the rows that have limits: of a GPU, of the CPU.
pub fn tables(report: &Report, link: Link) -> Vec<Table> {
    let tables = [gpu::table(report, link), cpu::table(report, link)];
    tables.into_iter().filter(|table| !table.is_empty()).collect()
}

/// The tables as Markdown.
pub fn markdown(report: &Report, link: Link) -> String {
    tables(report, link).iter().map(Table::markdown).collect()
}

/// What the tables' figures are parts of.
pub fn note(report: &Report) -> Option<String> {
    gpu::note(report).or_else(|| cpu::note(report))
}

#[cfg(test)]
mod tests {
    use report::bound::ISSUE;
    use report::{Outcome, format, synthetic};

    use super::step::UNKNOWN;
    use super::*;
    use crate::{NO_LINK, plain, says};

    fn text(report: &Report, width: usize) -> String {
        tables(report, NO_LINK).iter().map(|table| plain(&table.terminal(width))).collect()
    }

    #[test]
    fn figures_are_those_of_the_limits() {
        let report = synthetic::sweep();
        let text = text(&report, 120);
        let line = text.lines().find(|line| line.starts_with("07-unroll")).expect("its line");
        let row = report.rows.iter().find(|row| row.step == "07-unroll").expect("its row");
        let (limits, seconds) =
            (row.limits.as_ref().expect("limits"), row.seconds().expect("a time"));
        let tera = |flop: f64| format::significant(flop * 131_072f64.powi(2) / seconds / 1e12);
        let issue = limits.bounds.iter().find(|bound| bound.name == ISSUE).expect("a bound");
        let issue = format!("{:.0}", 100.0 * issue.fraction);
        says(line, &[tera(20.0), tera(18.0), issue.clone(), format!("issue {issue} %")]);
        assert!(text.contains("<1"), "one thread is far from everything: {text}");
    }

    #[test]
    fn columns_give_way_and_the_limit_stays() {
        let report = synthetic::sweep();
        for width in [60, 80, 120] {
            let text = text(&report, width);
            assert!(text.contains("limit") && text.contains("issue"), "{text}");
        }
        assert!(text(&report, 120).contains("GB/s") && !text(&report, 60).contains("GB/s"));
    }

    #[test]
    fn markdown_has_every_column_that_is_filled() {
        let report = synthetic::sweep();
        let text = markdown(&report, &|ladder, step| Some(format!("{ladder}/{step}.md")));
        let head = text.lines().next().expect("a head");
        assert_eq!(text.lines().count(), 2 + report.rows.len());
        assert!(head.starts_with("| step | limit | TFLOP/s at 20 | executed |"), "{head}");
        assert!(text.contains("| [07-unroll](pairs/07-unroll.md) |"), "{text}");
        // Nothing counts operations where only bytes are moved.
        let text = markdown(&synthetic::exact(), NO_LINK);
        assert!(
            text.starts_with("| step | limit | GB/s asked | % of issue | % of DRAM |"),
            "{text}"
        );
    }

    #[test]
    fn a_limit_that_the_time_refutes_is_unknown() {
        let mut report = synthetic::sweep();
        let row = report.rows.iter_mut().find(|row| row.step == "07-unroll").expect("its row");
        let longest = &mut row.limits.as_mut().expect("limits").bounds[0];
        longest.fraction = 1.04;
        assert!(!note(&report).expect("a note").contains(UNKNOWN));
        let row = report.rows.iter_mut().find(|row| row.step == "07-unroll").expect("its row");
        row.limits.as_mut().expect("limits").bounds[0].fraction = 1.06;
        let text = text(&report, 120);
        let line = text.lines().find(|line| line.starts_with("07-unroll")).expect("its line");
        assert!(line.contains(UNKNOWN) && !line.contains("106"), "{line}");
        assert_eq!(text.lines().filter(|line| line.contains("unknown")).count(), 1, "{text}");
        assert!(note(&report).expect("a note").contains("Limit unknown"));
    }

    #[test]
    fn rows_without_limits_have_no_line() {
        let mut report = synthetic::sweep();
        report.rows[2].limits = None;
        report.rows[3].outcome = Outcome::Failed;
        let text = text(&report, 120);
        let (absent, failed) = (&report.rows[2].step, &report.rows[3].step);
        assert!(!text.contains(absent) && !text.contains(failed), "{text}");
        assert!(tables(&synthetic::blocks(), NO_LINK).is_empty());
        assert_eq!(note(&synthetic::blocks()), None);
        assert!(note(&report).expect("a note").contains("Clock: 1965 MHz, as seen"));
    }
}

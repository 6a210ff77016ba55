//! How near each step comes to what the chip could do: a GPU here, the CPU in [`cpu`].

mod cpu;

use report::bound::{DRAM, FP32_PEAK, ISSUE, L2, MUFU, SHARED};
use report::format;
use report::{Bound, Figure, Limits, Report, Row, Timed};

use crate::steps::variant;
use crate::table::{Cell, Field, Table};
use crate::{Link, words};

/// A step with limits of a kind.
struct Step<'r, L> {
    row: &'r Row,
    figure: &'r Figure,
    /// What was timed at the size of the limits.
    timed: &'r Timed,
    limits: &'r L,
    bounds: &'r [Bound],
}

/// Stands for the limit of a step that was faster than its counts allow.
const UNKNOWN: &str = "unknown";

/// A column of such steps.
type Column<'f, 'r, L> = Field<'f, Step<'r, L>>;

impl<L> Step<'_, L> {
    /// The longest bound and its part of the time, or that it is not known.
    fn binding(&self) -> Option<String> {
        if self.row.refuted().is_some() {
            return Some(UNKNOWN.to_owned());
        }
        let bound = self.bounds.first()?;
        Some(format!("{} {} %", bound.name, whole(bound.fraction)))
    }
}

/// The columns that both kinds have first: the name, with its variant; operations per second by the
/// convention of the report's figure; those that were executed.
fn first<'f, 'r: 'f, L: 'r>(
    report: &Report,
    link: Link<'f>,
    rate: &str,
    scaled: fn(f64) -> String,
    executed: impl Fn(&Step<L>) -> Option<f64> + 'f,
) -> Vec<Column<'f, 'r, L>> {
    let flop = words::figure(report).and_then(|figure| figure.flop);
    let convention = flop.map_or_else(|| rate.to_owned(), |flop| format!("{rate} at {flop}"));
    let name = move |step: &Step<L>| variant(step.row, link(&step.row.ladder, &step.row.step));
    let by_convention = move |step: &Step<L>| Some(scaled(step.figure.flop? * step.timed.rate()));
    vec![
        Field::text("step", name),
        Field::number(convention, by_convention).rank(1),
        Field::number("exe\u{ad}cuted", move |step: &Step<L>| executed(step).map(scaled)).rank(5),
    ]
}

/// The part of the time of a bound, in whole %.
fn part<'f, 'r: 'f, L: 'r>(head: &str, name: &'static str, rank: u8) -> Column<'f, 'r, L> {
    let percent = move |step: &Step<L>| {
        let bound = step.bounds.iter().find(|bound| bound.name == name)?;
        Some(whole(bound.fraction))
    };
    Field::number(head, percent).rank(rank)
}

/// The tables of the rows that have limits: of a GPU, of the CPU.
pub fn tables(report: &Report, link: Link) -> Vec<Table> {
    let tables = [gpu(report, link), cpu::table(report, link)];
    tables.into_iter().filter(|table| !table.is_empty()).collect()
}

/// The tables as Markdown.
pub fn markdown(report: &Report, link: Link) -> String {
    tables(report, link).iter().map(Table::markdown).collect()
}

/// What the tables' figures are parts of.
pub fn note(report: &Report) -> Option<String> {
    note_of_gpu(report).or_else(|| cpu::note(report))
}

/// The steps of a report that have limits of one kind.
fn steps<'r, L>(
    report: &'r Report,
    limits: fn(&'r Row) -> Option<&'r L>,
    n: fn(&L) -> u64,
) -> Vec<Step<'r, L>> {
    let step = |row: &'r Row| {
        let limits = limits(row)?;
        let (figure, timed) = (report.figure(row), row.at(n(limits))?);
        let bounds = row.bounds().map_or(&[][..], |(_, bounds)| bounds);
        Some(Step { row, figure, timed, limits, bounds })
    };
    report.verified().filter_map(step).collect()
}

fn of_gpu(report: &Report) -> Vec<Step<'_, Limits>> {
    steps(report, |row| row.limits.as_ref(), |limits| limits.n)
}

type OfGpu<'r> = Step<'r, Limits>;

fn gpu(report: &Report, link: Link) -> Table {
    let unit = words::figure(report).map_or("unit", words::unit);
    let per_unit = |value: f64| (value > 0.0).then(|| format::quantity(value));
    let traffic = |bytes: f64, step: &OfGpu| {
        let rate = format::bytes(bytes / step.timed.seconds);
        Cell::from(format::bytes(bytes)).detail((bytes > 0.0).then(|| format!("{rate}/s")))
    };
    let executed = |step: &OfGpu| {
        let flop = step.limits.flop_executed * step.timed.rate();
        (flop > 0.0).then_some(flop)
    };
    let asked = |step: &OfGpu| match step.limits.global_bytes / step.timed.seconds / 1e9 {
        rate if rate < 10.0 => format::significant(rate),
        rate => format!("{rate:.0}"),
    };
    let resident = |step: &OfGpu| {
        let it = step.row.occupancy.as_ref()?;
        Some(Cell::from(format!("{}/{}", it.warps, it.most_warps)).detail(it.limit.clone()))
    };
    let clock = |step: &OfGpu| {
        let basis = if step.limits.clock_was_seen { "seen" } else { "by its description" };
        Cell::from(format!("{:.0}\u{2009}MHz", step.limits.clock_mhz)).detail(basis.to_owned())
    };
    let mut fields = first(report, link, "TFLOP/s", tera, executed);
    // What the others explain, where a narrow screen shows it.
    fields.insert(1, Field::number("limit", |step: &OfGpu| step.binding()));
    fields.extend([
        Field::number("GB/s asked", asked).rank(6),
        part("% of peak", FP32_PEAK, 0),
        part("% of issue", ISSUE, 0),
        part("% of MUFU", MUFU, 0),
        part("% of shared", SHARED, 2),
        part("% of L2", L2, 3),
        part("% of DRAM", DRAM, 4),
        Field::number(format!("flop per {unit}"), |it: &OfGpu| per_unit(it.limits.flop_executed))
            .on_pages(),
        Field::number(format!("instructions per {unit}"), |it: &OfGpu| {
            per_unit(it.limits.instructions)
        })
        .on_pages(),
        Field::number("from/to L2", |it: &OfGpu| traffic(it.limits.l2_bytes, it)).on_pages(),
        Field::number("from/to DRAM", |it: &OfGpu| traffic(it.limits.dram_bytes, it)).on_pages(),
        Field::number("shared memory", |it: &OfGpu| traffic(it.limits.shared_bytes, it)).on_pages(),
        Field::number("warps resident", resident).on_pages(),
        Field::number("clock", clock).on_pages(),
    ]);
    let note = note_of_gpu(report).unwrap_or_default();
    let caption = "Executed: an FMA is two operations, a special function one. Traffic is that of \
                   one pass, with the bandwidth that follows from the measured time.";
    Table::of(&of_gpu(report), fields).named("Limits", format!("{note} {caption}"))
}

fn note_of_gpu(report: &Report) -> Option<String> {
    let steps = of_gpu(report);
    let gpu = &steps.first()?.limits.gpu;
    let clocks = || steps.iter().map(|step| step.limits.clock_mhz);
    let (low, high) = (clocks().fold(f64::INFINITY, f64::min), clocks().fold(0.0, f64::max));
    let range =
        if high - low < 0.5 { format!("{low:.0}") } else { format!("{low:.0} to {high:.0}") };
    let basis = match steps.iter().filter(|step| step.limits.clock_was_seen).count() {
        0 => "from its description",
        seen if seen == steps.len() => "as seen while it was timed",
        _ => "as seen or, where it was not, from its description",
    };
    Some(format!(
        "LIMITS: how busy each part of {gpu} is, in % of the step's time, from the simulator's counts. \
         Near 100 %: the bottleneck. Clock: {range} MHz, {basis}.{}{}",
        counted(steps.first()?.figure, "TFLOP/s"),
        unknown(&steps),
    ))
}

/// What an unknown limit means, as a sentence; nothing where all are known.
fn unknown<L>(steps: &[Step<L>]) -> String {
    if steps.iter().all(|step| step.row.refuted().is_none()) {
        return String::new();
    }
    format!(
        " Limit {UNKNOWN}: the step took less time than its counts allow, so the counts are too high."
    )
}

/// What a rate counts, as a sentence; nothing where the figure has no convention.
fn counted(figure: &Figure, rate: &str) -> String {
    words::convention(figure).map_or_else(String::new, |it| format!(" {rate} {it}."))
}

/// In units of 10¹².
fn tera(rate: f64) -> String {
    let rate = rate / 1e12;
    if rate < 0.001 { format!("{rate:.0e}") } else { format::significant(rate) }
}

/// A part in whole %.
fn whole(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent > 0.0 && percent < 0.5 { "<1".to_owned() } else { format!("{percent:.0}") }
}

#[cfg(test)]
mod tests {
    use report::{Outcome, synthetic};

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

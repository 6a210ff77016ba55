//! A report in forms that other programs read: CSV for spreadsheets, Markdown for pages.

use std::collections::BTreeSet;

use report::accuracy::Accuracies;
use report::published::Published;
use report::{Define, Report, Row, TimeSource, Timed};

use crate::table::{Cell, Field, Table, escaped};
use crate::{NO_LINK, accuracy, costs, steps, words};

/// A line of CSV: what was timed at a size, if anything, and whether it is the step's own size.
#[derive(Clone, Copy)]
struct Line<'r> {
    row: &'r Row,
    timed: Option<&'r Timed>,
    is_own: bool,
}

impl<'r> Line<'r> {
    /// The row, if the line is that of its own size.
    fn own(self) -> Option<&'r Row> {
        self.is_own.then_some(self.row)
    }
}

/// CSV with a line for each step and size, and one for each step without a time. What is known of a
/// step as a whole stands in the line of its own size, which is the first.
pub fn csv(report: &Report) -> String {
    let of_row = |row| {
        let line = |(place, timed)| Line { row, timed, is_own: place == 0 };
        let none = row.timed.is_empty().then_some(None);
        row.timed.iter().map(Some).chain(none).enumerate().map(line).collect::<Vec<_>>()
    };
    let lines: Vec<Line> = report.rows.iter().flat_map(of_row).collect();
    let source = |it: Line| {
        it.row.time_source.map(|source| match source {
            TimeSource::Device => "device",
            TimeSource::Host => "host",
            TimeSource::Model => "model",
        })
    };
    let whole = |it: Line| it.timed?.whole;
    let accuracy = |it: Line| it.timed.map(|timed| timed.accuracy).or(it.row.wrong);
    let parent = |it: Line| it.timed?.parent;
    let costs = |it: Line| it.own()?.end_to_end;
    let bound = |it: Line| {
        let bounds = it.row.bounds().filter(|(n, _)| it.timed.is_some_and(|at| at.n == *n));
        bounds.and_then(|(_, bounds)| bounds.first().cloned())
    };
    let mut fields = key(|line: &Line| line.row);
    fields.extend([
        field("title", |it| Some(&it.row.title)),
        field("after", |it| it.row.after.as_ref()),
        field("detour", |it| Some(it.row.detour)),
        field("outcome", |it| Some(it.row.outcome)),
        field("reason", |it| it.row.reason.as_ref()),
        field("device", |it| it.row.device.as_ref()),
        field("time_source", source),
        field("code", |it| it.row.code.as_ref()),
        field("session", |it| Some(it.row.session)),
        field("n", |it| it.timed.map(|timed| timed.n).or(it.row.n())),
        field("verified_n", move |it| Some(accuracy(it)?.n)),
        field("work", |it| Some(it.timed?.work)),
        field("seconds", |it| Some(it.timed?.seconds)),
        field("seconds_low", |it| Some(it.timed?.interval?.low)),
        field("seconds_high", |it| Some(it.timed?.interval?.high)),
        field("spread", |it| it.timed?.spread),
        field("whole_seconds", move |it| Some(whole(it)?.seconds)),
        field("whole_seconds_low", move |it| Some(whole(it)?.interval?.low)),
        field("whole_seconds_high", move |it| Some(whole(it)?.interval?.high)),
        field("passes", |it| Some(it.timed?.passes)),
        field("wholes", move |it| Some(whole(it)?.count)),
        field("samples", |it| Some(it.timed?.samples.seconds.len())),
        field("suspects", |it| Some(it.timed?.samples.suspects.len())),
        field("work_per_second", |it| it.timed.map(Timed::rate)),
        field("error_rms", move |it| accuracy(it)?.rms),
        field("error_worst", move |it| accuracy(it)?.worst),
        field("tolerance", move |it| Some(accuracy(it)?.tolerance)),
        field("times_parent", move |it| Some(parent(it)?.ratio)),
        field("times_parent_low", move |it| Some(parent(it)?.interval?.low)),
        field("times_parent_high", move |it| Some(parent(it)?.interval?.high)),
        field("verdict", move |it| Some(parent(it)?.verdict.words())),
        field("times_first", |it| it.own()?.times_first),
    ]);
    let extras: BTreeSet<&str> =
        report.rows.iter().flat_map(|row| &row.extras).map(|extra| extra.name.as_str()).collect();
    fields.extend(extras.into_iter().map(|name| {
        field(&name.replace(' ', "_"), move |it| {
            it.own()?.extras.iter().find(|extra| extra.name == name).map(|extra| extra.value)
        })
    }));
    fields.extend([
        field("end_to_end_seconds", move |it| Some(costs(it)?.seconds())),
        field("code_seconds", move |it| Some(costs(it)?.code_seconds)),
        field("allocate_seconds", move |it| Some(costs(it)?.allocate_seconds)),
        field("upload_seconds", move |it| Some(costs(it)?.upload_seconds)),
        field("upload_bytes", move |it| Some(costs(it)?.upload_bytes)),
        field("pass_seconds", move |it| Some(costs(it)?.pass_seconds)),
        field("download_seconds", move |it| Some(costs(it)?.download_seconds)),
        field("download_bytes", move |it| Some(costs(it)?.download_bytes)),
        field("registers", |it| it.own()?.occupancy.as_ref()?.registers),
        field("resident_warps", |it| Some(it.own()?.occupancy.as_ref()?.warps)),
        field("bound", move |it| Some(bound(it)?.name)),
        field("bound_fraction", move |it| Some(bound(it)?.fraction)),
    ]);
    Table::all(&lines, fields).csv()
}

/// CSV with a line for each sample in the order in which they were taken, with what was seen of the
/// GPU meanwhile and why it is suspect.
pub fn samples_csv(report: &Report) -> String {
    type Sample<'r> = (&'r Row, &'r Timed, usize);
    let sizes = report.rows.iter().flat_map(|row| row.timed.iter().map(move |timed| (row, timed)));
    let of_size = |(_, timed): (&'_ Row, &'_ Timed)| {
        let samples = &timed.samples;
        samples.round.len().max(samples.seconds.len()).max(samples.whole_seconds.len())
    };
    let samples: Vec<Sample> =
        sizes.flat_map(|size| (0..of_size(size)).map(move |at| (size.0, size.1, at))).collect();
    fn of<T: ToString>(get: impl Fn(&Timed, usize) -> Option<T>) -> impl Fn(&Sample) -> Cell {
        move |&(_, timed, at)| cell(get(timed, at))
    }
    let mut fields = key(|(row, ..): &Sample| row);
    let defines = fields.pop();
    fields.extend([
        Field::text("n", |(_, timed, _): &Sample| timed.n.to_string()),
        Field::text("session", |(row, ..): &Sample| row.session.to_string()),
        Field::text("sample", of(|_, at| Some(at))),
        Field::text("round", of(|it, at| it.samples.round.get(at).copied())),
        Field::text("seconds", of(|it, at| it.samples.seconds.get(at).copied())),
        Field::text("whole_seconds", of(|it, at| it.samples.whole_seconds.get(at).copied())),
        Field::text("clock_mhz", of(|it, at| it.samples.clock_mhz.get(at).copied())),
        Field::text("memory_clock_mhz", of(|it, at| it.samples.memory_clock_mhz.get(at).copied())),
        Field::text("temperature_c", of(|it, at| it.samples.temperature_c.get(at).copied())),
        Field::text("power_w", of(|it, at| it.samples.power_w.get(at).copied())),
        Field::text("suspect", of(|it, at| Some(reasons(it, at)))),
    ]);
    fields.extend(defines);
    Table::all(&samples, fields).csv()
}

/// Values of a kernel's parameters in one cell: "UNROLL=4 FLUSH=2".
pub fn defines(defines: &[Define]) -> String {
    defines.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Where the times come from, the table of the steps, the fastest of those that are near enough to
/// f64, the times at all sizes where there are several, the costs from end to end where they are
/// known, and the reasons.
pub fn markdown(report: &Report, published: &Published) -> String {
    let mut text = format!("# {}\n\n", escaped(&title(report)));
    for fact in facts(report) {
        text += &format!("- {}\n", escaped(&fact));
    }
    text += &format!("\n{}", steps::linked(report, NO_LINK).markdown());
    if let Some(accuracies) = Accuracies::of(report, published) {
        text += &format!("\nSpeed and error {}\n", accuracy::sentence(&accuracies));
    }
    if report.rows.iter().any(|row| row.timed.len() > 1) {
        text += &format!("\n## All sizes\n\n{}", steps::sizes(report).markdown());
    }
    let costs = costs::table(report, false);
    if !costs.is_empty() {
        text += &format!("\n## From end to end\n\n{}", costs.markdown());
    }
    let reasons: Vec<String> = report.rows.iter().filter_map(reason).collect();
    if !reasons.is_empty() {
        text += &format!("\n## Notes\n\n{}", reasons.concat());
    }
    text
}

fn field<'f, T: ToString>(
    head: &str,
    get: impl Fn(Line<'f>) -> Option<T> + 'f,
) -> Field<'f, Line<'f>> {
    Field::text(head, move |line: &Line<'f>| cell(get(*line)))
}

/// A cell that is empty where there is nothing. Numbers are written so that they are read back as
/// they were.
fn cell<T: ToString>(value: Option<T>) -> Cell {
    value.map_or_else(String::new, |value| value.to_string()).into()
}

/// What tells one row from all others.
fn key<'f, T>(row: impl Fn(&T) -> &Row + Copy + 'f) -> Vec<Field<'f, T>> {
    vec![
        Field::text("ladder", move |it| row(it).ladder.clone()),
        Field::text("step", move |it| row(it).step.clone()),
        Field::text("block", move |it| cell(row(it).block)),
        Field::text("defines", move |it| defines(&row(it).defines)),
    ]
}

/// Why a sample is suspect; empty where it is not.
fn reasons(timed: &Timed, sample: usize) -> String {
    let suspects = timed.samples.suspects.iter();
    let of_sample = suspects.filter(|suspect| suspect.sample as usize == sample);
    of_sample.map(|suspect| suspect.reason.as_str()).collect::<Vec<_>>().join("; ")
}

fn title(report: &Report) -> String {
    let device = report.device.as_ref();
    let modelled = device.and_then(|device| device.modelled.as_deref());
    let place = match (modelled, device) {
        (Some(gpu), _) => format!(" on a modelled {gpu}"),
        (None, Some(device)) => format!(" on {}", device.name),
        (None, None) => String::new(),
    };
    format!("The {} ladder{place}", report.options.ladder)
}

fn facts(report: &Report) -> Vec<String> {
    let driver = report.device.as_ref().and_then(|device| device.driver_version.as_ref());
    let mut facts = vec![format!("Day of the run: {}", report.date)];
    facts.extend(driver.map(|driver| format!("Driver: {driver}")));
    facts.extend(report.machine.cpu.as_ref().map(|cpu| format!("Processor: {cpu}")));
    facts.extend(report.revision.as_ref().map(|revision| format!("Revision: `{revision}`")));
    let recounted = report.recounted.as_ref();
    facts.extend(recounted.map(|anew| format!("Limits counted anew: {anew}")));
    if report.rows.iter().any(Row::is_modelled) {
        facts.push("Times are **modelled**, none is a measurement".to_owned());
    }
    facts.push(
        "× parent: how many times the parent's speed, with half the length of its 95% interval; \
         `=` where no difference of 1% was shown"
            .to_owned(),
    );
    facts
}

fn reason(row: &Row) -> Option<String> {
    let reason = escaped(&words::reason(row.reason.as_ref()?).replace('\n', " "));
    Some(format!("- `{}`{} {}: {reason}\n", row.step, row.variant().suffix(), row.outcome))
}

#[cfg(test)]
mod tests {
    use report::synthetic;

    use super::*;
    use crate::says;

    /// The cell of a line in a column.
    fn at(text: &str, line: usize, column: &str) -> String {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let place = reader.headers().expect("a head").iter().position(|head| head == column);
        let record = reader.records().nth(line).expect("a line").expect("cells");
        record.get(place.expect("the column")).expect("a cell").to_owned()
    }

    #[test]
    fn a_line_for_each_size_in_full_precision() {
        let report = synthetic::sweep();
        let text = csv(&report);
        let sizes: usize = report.rows.iter().map(|row| row.timed.len()).sum();
        assert_eq!(text.lines().count(), 1 + sizes);
        let row = &report.rows[0];
        assert_eq!(at(&text, 0, "seconds"), row.timed[0].seconds.to_string());
        assert_eq!(at(&text, 0, "work_per_second"), row.timed[0].rate().to_string());
        assert_eq!(at(&text, 0, "energy_drift"), "0.000002");
        assert_eq!(
            (at(&text, 1, "energy_drift"), at(&text, 1, "n")),
            (String::new(), "1000".into())
        );
        let text = csv(&synthetic::exact());
        assert_eq!((at(&text, 3, "outcome"), at(&text, 3, "n")), ("wrong".into(), String::new()));
        assert!(!text.contains("drift"), "{text}");
    }

    #[test]
    fn a_line_for_each_sample() {
        let report = synthetic::tuning();
        let text = samples_csv(&report);
        assert_eq!(text.lines().count(), 1 + 30 * report.rows.len());
        assert_eq!(at(&text, 0, "defines"), "UNROLL=1 FLUSH=1");
        let text = samples_csv(&synthetic::sweep());
        let own = (0..).map(|line| at(&text, line, "suspect")).find(|reason| !reason.is_empty());
        assert_eq!(own.as_deref(), Some("the GPU lowered its clocks: power cap"));
    }

    /// Whatever stands in a text: a comma, a quote, the end of a line.
    #[test]
    fn odd_texts_stay_in_their_cells() {
        let mut report = synthetic::exact();
        let odd = "a, \"b\"\nc | d";
        report.rows[3].reason = Some(odd.to_owned());
        report.rows[0].changes = odd.to_owned();
        assert_eq!(at(&csv(&report), 3, "reason"), odd);
        let page = markdown(&report, &Published::default());
        assert!(page.contains("- `04-vectors` wrong: a, \"b\" c | d\n"), "{page}");
        assert!(page.contains("a, \"b\" c \\| d | – | 0 |"), "{page}");
    }

    #[test]
    fn markdown_has_its_parts() {
        let text = markdown(&synthetic::sweep(), &Published::default());
        assert!(text.starts_with("# The pairs ladder on GPU &lt;A&amp;B&gt;\n"), "{text}");
        says(&text, &["## All sizes", "## From end to end", "Speed and error at n ="]);
        let text = markdown(&synthetic::exact(), &Published::default());
        assert!(text.contains("## Notes\n\n- `04-vectors` wrong: for a reason\n"), "{text}");
    }
}

//! The ladder on a terminal: a line a step, whose bar is as long as the step is fast.

mod axis;
mod cells;
mod html;
mod libraries;

use anstyle::{AnsiColor, Effects, Style};
use report::provenance::Provenance;
use report::statistics::Verdict;
use report::{Outcome, Report, Row, format, words};
use tabled::grid::util::string::get_text_width;

use crate::table::terminal::{bold, colour, wrap};
use axis::Axis;
use cells::{RATE, padded, right, trouble};
pub use html::html;
use libraries::Room;

/// Columns of a speed over the parent's or the first step's: "  16 600×".
const FACTOR: usize = 9;

/// Columns of a speed over a library's: "  % of the library".
const SHARE: usize = 18;

/// Columns of a bar at least: narrower ones show nothing.
const SHORTEST: usize = 8;

/// How steps are shown that were tried and not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detours {
    /// Like the others.
    Drawn,
    /// Only how many there are.
    Counted,
}

/// What was climbed, and the steps that have a place on the ladder, in lines of at most `width`
/// columns. A bar reaches from the slowest speed to the step's own on a logarithmic axis: thin up to
/// its parent's speed, thick for what it gains, dotted for what it loses; `//` where the axis is cut.
/// A line below says so. The last lines say how far it went. Empty where no step was timed.
pub fn rungs(report: &Report, width: usize, detours: Detours) -> String {
    let mut libraries = report.libraries.iter().filter_map(Row::shown_rate);
    // Without anything that was timed there is nothing to draw.
    if report.own().next().is_none() && libraries.next().is_none() {
        return String::new();
    }
    // What is wrong has its line.
    let is_listed =
        |row: &&&Row| detours == Detours::Counted && row.detour && row.outcome.is_verified();
    let ran: Vec<&Row> = report.rows.iter().filter(|row| is_shown(row)).collect();
    let rows: Vec<&Row> = ran.iter().filter(|row| !is_listed(row)).copied().collect();
    let counted = match ran.iter().filter(is_listed).count() as u64 {
        0 => String::new(),
        many => format!("{} not kept: see the page.", words::count(many, "more step")),
    };
    let drawing = Drawing::of(report, &rows, width);
    let legend = [drawing.legend(&rows), counted].into_iter().filter(|part| !part.is_empty());
    let legend = legend.collect::<Vec<_>>().join(" ");
    let dim = Style::new().dimmed();
    let legend: String =
        wrap(&legend, width).lines().map(|line| format!("{dim}{line}{dim:#}\n")).collect();
    let alone = words::listing(
        "No ratio: the parent was not timed at this size",
        ran.iter().filter(|row| is_alone(report, row)).map(|row| at_n(row)),
    );
    let notes = [alone, elsewhere(&rows)].into_iter().filter(|note| !note.is_empty());
    let notes: String = notes.map(|note| wrap(&note, width) + "\n").collect();
    let absent = libraries::reasons(report, width);
    format!("{}{legend}{notes}{absent}\n{}", drawing.text(&rows), headline(report, width))
}

/// How much faster the last step is that was kept, in lines of at most `width` columns.
pub fn headline(report: &Report, width: usize) -> String {
    let provenance = Provenance::of(report);
    let reach = pictures::reach(report).map(|pictures::Reach { from, to, times }| {
        let (title, place, times) = (&provenance.title, provenance.place(), format::factor(times));
        let times = times.trim_end_matches('×');
        let share = libraries::share(report, to);
        format!("{title}: {} is {times} times as fast as {} on {place}{share}", to.step, from.step)
    });
    bold(&wrap(
        &provenance.with_verified(reach.unwrap_or_else(|| pictures::message(report))),
        width,
    )) + "\n"
}

/// What the lines of a ladder have in common.
struct Drawing<'r> {
    report: &'r Report,
    /// What is said above the names.
    provenance: String,
    names: usize,
    has_rate: bool,
    has_first: bool,
    /// What is said above the speeds over a library's.
    library: Option<String>,
    axis: Axis,
    width: usize,
}

impl<'r> Drawing<'r> {
    /// A narrow terminal has no bars, then no times, then no shares of a library, then no × first.
    fn of(report: &'r Report, rows: &[&Row], width: usize) -> Drawing<'r> {
        let sizes: Vec<u64> = rows.iter().filter_map(|row| row.n()).collect();
        let basis = Provenance::of(report).basis.word();
        let provenance = sizes.iter().max().map_or(basis.to_owned(), |n| {
            match sizes.iter().all(|other| other == n) {
                true => format!("{basis} ({})", words::size(report, *n, "")),
                false => format!("{basis} (n ≤ {})", format::grouped(*n)),
            }
        });
        let of_libraries = report.libraries.iter().map(libraries::name);
        let names = rows.iter().map(|row| name(row)).chain(of_libraries);
        let names = names.map(|name| get_text_width(&name));
        let names = names.chain([get_text_width(&provenance)]).max().unwrap_or(0);
        let has_first =
            names + 2 * FACTOR <= width && rows.iter().any(|row| row.times_first.is_some());
        let factors = if has_first { 2 * FACTOR } else { FACTOR };
        let is_compared = rows.iter().any(|row| row.times_library.is_some());
        let library = report.library().filter(|_| is_compared && names + factors + SHARE <= width);
        let library = library.map(|library| format!("% of {library}"));
        let factors = factors + library.as_ref().map_or(0, |_| SHARE);
        let has_rate = names + RATE + factors <= width;
        let room = width.saturating_sub(names + RATE + 2 + factors);
        let columns = if room < SHORTEST { 0 } else { room };
        let axis = Axis::new(rows.iter().filter_map(|row| speed(row)).collect(), columns);
        Drawing { report, provenance, names, has_rate, has_first, library, axis, width }
    }

    fn text(&self, rows: &[&Row]) -> String {
        let lines = rows.iter().map(|row| self.line(row));
        let room = Room { names: self.names, has_rate: self.has_rate, width: self.width };
        let libraries =
            self.report.libraries.iter().map(|row| libraries::line(self.report, row, room));
        [self.heads()]
            .into_iter()
            .chain(lines)
            .chain(libraries)
            .map(|line| line.trim_end().to_owned() + "\n")
            .collect()
    }

    /// What the marks mean that are drawn.
    fn legend(&self, rows: &[&Row]) -> String {
        let has_bars = self.axis.columns > 0;
        let verdicts = || rows.iter().filter_map(|row| row.parent()).map(|(_, over)| over.verdict);
        let is_lost = verdicts().any(|verdict| verdict == Verdict::Slower);
        let is_even = rows.iter().any(|row| {
            let over = row.parent().map(|(_, over)| over.verdict);
            over == Some(Verdict::NoDifference) && !row.is_modelled()
        });
        let marks = [
            (has_bars, "━ gain"),
            (has_bars && is_lost, "┄ loss"),
            (is_even, "= no difference of 1 %"),
            (has_bars && self.axis.is_cut(), "// axis cut"),
        ];
        let marks = marks.into_iter().filter(|(is_drawn, _)| *is_drawn).map(|(_, mark)| mark);
        let marks = marks.collect::<Vec<_>>().join(", ");
        if marks.is_empty() { marks } else { marks + "." }
    }

    /// Above the rates and bars stands what they are, as long as there is room.
    fn heads(&self) -> String {
        let dim = Style::new().dimmed();
        let bars = if self.axis.columns > 0 { 2 + self.axis.columns } else { 0 };
        let room = if self.has_rate { RATE + bars } else { 0 };
        let log = if bars > 0 { " (logarithmic)" } else { "" };
        let unit = words::figure(self.report).map_or("rate", |figure| &figure.unit);
        let rate = [format!("  {unit}{log}"), format!("  {unit}"), "  rate".to_owned()];
        let rate = rate.into_iter().find(|text| get_text_width(text) <= room).unwrap_or_default();
        let rate = padded(&rate, room);
        let first = if self.has_first { right("× first", FACTOR) } else { String::new() };
        let provenance = padded(&self.provenance, self.names);
        let library = self.library.as_deref().map_or_else(String::new, |it| right(it, SHARE));
        format!("{dim}{provenance}{rate}{}{first}{library}{dim:#}", right("× before", FACTOR))
    }

    fn line(&self, row: &Row) -> String {
        let Some(speed) = speed(row) else {
            let room = self.width.saturating_sub(self.names + 2);
            return format!("{}  {}", padded(&name(row), self.names), trouble(row, room));
        };
        let measured = || row.measured.as_ref().map(|it| format!("{}*", format::factor(it.ratio)));
        let parent = row.parent().map_or_else(
            || measured().unwrap_or_default(),
            |(_, over)| {
                let paint = match over.verdict {
                    Verdict::Slower => AnsiColor::Red.on_default(),
                    Verdict::Faster => colour(row.outcome),
                    Verdict::NoDifference => Style::new(),
                };
                // Of a model's ratios none is within an error.
                let none = over.verdict == Verdict::NoDifference && !row.is_modelled();
                let mark = if none { "= " } else { "" };
                format!("{paint}{mark}{}{paint:#}", format::factor(over.ratio))
            },
        );
        let mut line = padded(&name(row), self.names);
        if self.has_rate {
            line += &right(&format::significant(self.report.figure(row).rate(speed)), RATE);
        }
        if self.axis.columns > 0 {
            line += &format!("  {}", self.bar(row, speed));
        }
        line += &right(&parent, FACTOR);
        if self.has_first {
            line += &right(&row.times_first.map_or_else(String::new, format::factor), FACTOR);
        }
        if self.library.is_some() {
            let share = row.times_library.map(|it| format::significant(100.0 * it.ratio));
            line += &right(&share.unwrap_or_default(), SHARE);
        }
        line
    }

    fn bar(&self, row: &Row, speed: f64) -> String {
        let own = self.axis.column(speed);
        let parents = row.parent().map_or(own, |(_, over)| self.axis.column(speed / over.ratio));
        let faint = Style::new().effects(Effects::DIMMED);
        let drawn = [
            (faint, self.axis.line(0, own.min(parents), '─')),
            (colour(row.outcome), self.axis.line(parents, own, '━')),
            (AnsiColor::Red.on_default(), self.axis.line(own, parents, '┄')),
        ];
        let drawn = drawn.into_iter().filter(|(_, text)| !text.is_empty());
        let drawn: String = drawn.map(|(paint, text)| format!("{paint}{text}{paint:#}")).collect();
        padded(&drawn, self.axis.columns)
    }
}

/// Whether a step has a place on the ladder: it ran, by itself and not as a variant of a sweep.
fn is_shown(row: &Row) -> bool {
    row.is_own() && row.outcome != Outcome::Skipped
}

fn speed(row: &Row) -> Option<f64> {
    row.rate().filter(|rate| rate.is_normal() && *rate > 0.0 && row.outcome.is_verified())
}

fn name(row: &Row) -> String {
    format!("{}{}", if row.detour { "└ " } else { "" }, words::subject(row))
}

/// Where ratios come from that are not the model's.
fn elsewhere(rows: &[&Row]) -> String {
    let device = rows.iter().find_map(|row| row.measured.as_ref().map(|it| it.device.as_str()));
    device.map_or_else(String::new, |device| {
        format!("* as measured on an {device}, since one of the two steps is not modelled")
    })
}

/// Whether a step and the one it comes from both have times, but none at one size: how large a size
/// is follows from how long a pass took.
fn is_alone(report: &Report, row: &Row) -> bool {
    let is_parent = |other: &&Row| Some(&other.step) == row.after.as_ref() && other.is_own();
    let parent = report.rows.iter().find(is_parent).filter(|parent| speed(parent).is_some());
    let is_comparable = parent.is_some_and(|parent| parent.time_source == row.time_source);
    speed(row).is_some() && is_comparable && row.parent().is_none()
}

fn at_n(row: &Row) -> String {
    let n = row.n().map_or_else(String::new, |n| format!(" (n = {})", format::grouped(n)));
    row.step.clone() + &n
}

#[cfg(test)]
mod tests {
    use report::NamedSize;
    use report::synthetic::{blocks, exact, modelled, row, sweep, verified_up_to};

    use super::*;
    use crate::plain;

    fn of(report: &Report, width: usize, detours: Detours) -> String {
        plain(&rungs(report, width, detours))
    }

    /// Lines of the steps, below the heads and above the marks.
    fn lines(text: &str) -> Vec<&str> {
        text.lines().skip(1).take_while(|line| !line.starts_with("━ gain")).collect()
    }

    #[test]
    fn a_step_is_a_line_and_a_bar_as_long_as_it_is_fast() {
        let report = sweep();
        for width in [80, 120] {
            let text = of(&report, width, Detours::Drawn);
            assert!(text.contains("\n\nAll pairs: "), "{text}");
            assert!(text.contains("MEASURED (n ≤ ") && text.contains("× first"), "{text}");
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
            assert_eq!(lines(&text).len(), report.rows.len());
            let drawn = |line: &&str| line.chars().filter(|c| "─━/".contains(*c)).count();
            let bars: Vec<usize> = lines(&text).iter().map(drawn).collect();
            let speeds: Vec<f64> = report.rows.iter().filter_map(speed).collect();
            for pair in 1..speeds.len() {
                let rises = speeds[pair].total_cmp(&speeds[pair - 1]);
                assert!(bars[pair].cmp(&bars[pair - 1]) != rises.reverse(), "{text}");
            }
            let slowest = bars.iter().min().expect("bars");
            assert!(bars.iter().max().expect("bars") - slowest > width / 4, "{text}");
        }
    }

    #[test]
    fn what_is_least_wanted_gives_way_on_a_narrow_terminal() {
        let text = of(&sweep(), 49, Detours::Drawn);
        assert!(!text.contains('━') && text.contains("rate") && text.contains("× first"), "{text}");
        let text = of(&sweep(), 40, Detours::Drawn);
        assert!(!text.contains("rate") && text.contains("× first"), "{text}");
        let text = of(&sweep(), 30, Detours::Drawn);
        assert!(text.contains("× before") && !text.contains("× first"), "{text}");
        assert!(text.contains("07-unroll"), "{text}");
    }

    #[test]
    fn detours_are_lines_or_a_number() {
        let report = sweep();
        let detours: Vec<&Row> = report.rows.iter().filter(|row| row.detour).collect();
        assert!(!detours.is_empty());
        let (drawn, counted) = (of(&report, 80, Detours::Drawn), of(&report, 80, Detours::Counted));
        for detour in &detours {
            assert!(drawn.contains(&format!("\n└ {}", detour.step)), "{drawn}");
            assert!(!counted.contains(&detour.step), "{counted}");
        }
        let many = words::count(detours.len() as u32, "more step");
        let said = format!("{many} not kept");
        assert!(counted.replace('\n', " ").contains(&said), "{counted}");
    }

    #[test]
    fn a_step_without_a_speed_says_why_and_a_skipped_one_is_not_drawn() {
        let text = of(&exact(), 60, Detours::Counted);
        let wrong = text.lines().find(|line| line.contains("04-vectors")).expect("a line");
        assert!(wrong.contains("wrong: for a reason"), "{text}");
        let mut report = sweep();
        report.rows.push(row("08-more", None, Outcome::Skipped));
        assert!(!of(&report, 80, Detours::Drawn).contains("08-more"));
        assert_eq!(of(&blocks(), 80, Detours::Drawn), "");
    }

    #[test]
    fn several_sizes_are_shown_by_name() {
        let mut report = sweep();
        let size = |name: &str, size| NamedSize { name: name.to_owned(), size };
        for timed in report.rows.iter_mut().flat_map(|row| &mut row.timed) {
            timed.n = 512;
            timed.sizes = vec![size("m", 512), size("k", 64)];
        }
        let text = of(&report, 80, Detours::Drawn);
        assert!(text.contains("(m × k = 512 × 64)") && !text.contains("n = "), "{text}");
        let steps = crate::steps::sizes(&report).markdown();
        assert!(steps.contains("m × k") && steps.contains("512 × 64"), "{steps}");
    }

    #[test]
    fn a_step_with_a_size_of_its_own_is_marked() {
        assert!(!of(&sweep(), 80, Detours::Drawn).contains("No ratio"));
        let mut report = sweep();
        for timed in &mut report.rows[7].timed {
            (timed.n, timed.parent) = (timed.n + 1, None);
        }
        let text = of(&report, 80, Detours::Drawn).replace('\n', " ");
        assert!(text.contains("at this size: 07-unroll (n = 131\u{2009}073). "), "{text}");
    }

    #[test]
    fn what_is_modelled_says_so() {
        let text = of(&modelled(sweep()), 80, Detours::Drawn);
        assert!(text.contains("on a modelled GPU") && text.starts_with("MODELLED"), "{text}");
        assert!(!text.contains("= ×") && !text.contains("verified"), "{text}");
        for width in [80, 120] {
            let text = of(&verified_up_to(4096, sweep()), width, Detours::Drawn);
            let head = text.replace('\n', " ");
            assert!(head.contains(" · verified up to n = 4096 (01: 2048)"), "{text}");
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
        }
    }
}

//! How near each step comes to what the chip could do, as a table: a GPU here, the CPU in [`cpu`].

mod cpu;

use ladder::limits::{DRAM, FP32_PEAK, ISSUE, L2, MUFU, SHARED};
use report::{Bound, Limits, Row};

use crate::accounting::account::FLOP;
use crate::explain::paint::bold;
use crate::table::figures;
use crate::table::layout::{self, Layout};

/// A column: its head, and what it says of a step with limits of this kind.
struct Column<L: 'static> {
    head: &'static str,
    /// The columns with the greatest rank give way first where the terminal is narrow.
    rank: u8,
    cell: fn(&Step<L>) -> String,
}

/// A step with limits.
struct Step<'r, L> {
    name: String,
    n: u64,
    seconds: f64,
    limits: &'r L,
    bounds: &'r [Bound],
}

const COLUMNS: [Column<Limits>; 11] = [
    Column { head: "step", rank: 0, cell: |step| step.name.clone() },
    Column { head: "TFLOP/s\nat 20", rank: 1, cell: |step| rate(FLOP, step) },
    Column { head: "exe-\ncuted", rank: 5, cell: |step| rate(step.limits.flop_executed, step) },
    Column { head: "GB/s\nasked", rank: 6, cell: |step| bandwidth(step.limits.global_bytes, step) },
    Column { head: "% of\npeak", rank: 0, cell: |step| percent(FP32_PEAK, step) },
    Column { head: "% of\nissue", rank: 0, cell: |step| percent(ISSUE, step) },
    Column { head: "% of\nMUFU", rank: 0, cell: |step| percent(MUFU, step) },
    Column { head: "% of\nshared", rank: 2, cell: |step| percent(SHARED, step) },
    Column { head: "% of\nL2", rank: 3, cell: |step| percent(L2, step) },
    Column { head: "% of\nDRAM", rank: 4, cell: |step| percent(DRAM, step) },
    Column { head: "limit", rank: 0, cell: binding },
];

/// The table of the rows that have limits, at most `width` columns wide where that can be; empty
/// where none has.
pub fn table(rows: &[Row], width: usize) -> String {
    let gpu = drawn(&COLUMNS, rows.iter().filter_map(step).collect(), width);
    gpu + &drawn(&cpu::COLUMNS, rows.iter().filter_map(cpu::step).collect(), width)
}

fn drawn<L>(columns: &[Column<L>], steps: Vec<Step<L>>, width: usize) -> String {
    if steps.is_empty() {
        return String::new();
    }
    let mut columns: Vec<&Column<L>> = columns.iter().collect();
    loop {
        let mut lines: Vec<Vec<String>> =
            vec![columns.iter().map(|column| bold(column.head)).collect()];
        lines.extend(
            steps.iter().map(|step| columns.iter().map(|column| (column.cell)(step)).collect()),
        );
        let gives_way = columns.iter().map(|column| column.rank).max().filter(|rank| *rank > 0);
        match gives_way {
            Some(rank) if layout::total(&lines, 1) > width => {
                columns.retain(|column| column.rank != rank);
            }
            _ => {
                let layout = Layout { gives_way: 0, narrowest: 0, figures: 1 };
                return layout::text(&layout.table(lines, width));
            }
        }
    }
}

/// The same as a Markdown table with all columns; `link` gives the address behind a step's name.
pub fn markdown(rows: &[Row], link: &dyn Fn(&Row) -> Option<String>) -> String {
    written(&COLUMNS, rows, step, link) + &written(&cpu::COLUMNS, rows, cpu::step, link)
}

fn written<'r, L>(
    columns: &[Column<L>],
    rows: &'r [Row],
    step: fn(&'r Row) -> Option<Step<'r, L>>,
    link: &dyn Fn(&Row) -> Option<String>,
) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut lines = String::new();
    for row in rows {
        let Some(mut step) = step(row) else { continue };
        if let Some(address) = link(row) {
            step.name = format!("[{}]({address})", step.name);
        }
        lines += &line(columns.iter().map(|column| (column.cell)(&step)).collect());
    }
    if lines.is_empty() {
        return lines;
    }
    // A head is broken for the terminal, between words or within one.
    let head = columns.iter().map(|column| column.head.replace("-\n", "").replace('\n', " "));
    line(head.collect()) + &format!("|:--|{}\n", "--:|".repeat(columns.len() - 1)) + &lines
}

/// What the table's figures are parts of.
pub fn note(rows: &[Row]) -> Option<String> {
    of_gpu(rows).or_else(|| cpu::note(rows))
}

fn of_gpu(rows: &[Row]) -> Option<String> {
    let limits: Vec<&Limits> = rows.iter().filter_map(step).map(|step| step.limits).collect();
    let gpu = &limits.first()?.gpu;
    let clocks = || limits.iter().map(|limits| limits.clock_mhz);
    let (low, high) = (clocks().fold(f64::INFINITY, f64::min), clocks().fold(0.0, f64::max));
    let range =
        if high - low < 0.5 { format!("{low:.0}") } else { format!("{low:.0} to {high:.0}") };
    let basis = match limits.iter().filter(|limits| limits.clock_was_seen).count() {
        0 => "as its description states",
        seen if seen == limits.len() => "as seen while it was timed",
        _ => "as seen or, where nothing tells, as its description states",
    };
    Some(format!(
        "LIMITS: the least time that each part of {gpu} needs for what the simulator counted, in % \
         of the step's time, at {range} MHz, {basis}. TFLOP/s at 20 operations an interaction."
    ))
}

fn step(row: &Row) -> Option<Step<'_, Limits>> {
    let limits = row.limits.as_ref().filter(|_| row.outcome.is_verified())?;
    let name = format!("{}{}", row.step, row.variant().behind());
    Some(Step { name, n: limits.n, seconds: row.seconds()?, limits, bounds: &limits.bounds })
}

/// Operations a second in units of 10¹².
fn rate(flop: f64, step: &Step<Limits>) -> String {
    let rate = flop * (step.n as f64).powi(2) / step.seconds / 1e12;
    if rate < 0.001 { format!("{rate:.0e}") } else { figures::significant(rate) }
}

/// Bytes a second in units of 10⁹.
fn bandwidth(bytes: f64, step: &Step<Limits>) -> String {
    let rate = bytes / step.seconds / 1e9;
    if rate < 10.0 { figures::significant(rate) } else { format!("{rate:.0}") }
}

/// A bound's part of the time.
fn percent<L>(name: &str, step: &Step<L>) -> String {
    let bound = step.bounds.iter().find(|bound| bound.name == name);
    bound.map_or_else(|| "–".to_owned(), |bound| whole(bound.fraction))
}

/// The bound that is longest; its part of the time too where it has no column.
fn binding<L>(step: &Step<L>) -> String {
    let Some(bound) = step.bounds.first() else { return "–".to_owned() };
    format!("{} {} %", bound.name, whole(bound.fraction))
}

/// A part in whole %.
fn whole(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    if percent > 0.0 && percent < 0.5 { "<1".to_owned() } else { format!("{percent:.0}") }
}

#[cfg(test)]
mod tests {
    use report::Outcome;
    use tabled::grid::util::string::get_text_width;

    use super::*;
    use crate::synthetic;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn figures_are_those_of_the_limits() {
        let rows = synthetic::sweep().rows;
        let text = plain(&table(&rows, 120));
        let line = text.lines().find(|line| line.starts_with("07-unroll")).expect("its line");
        let row = rows.iter().find(|row| row.step == "07-unroll").expect("its row");
        let (limits, seconds) = (row.limits.as_ref().unwrap(), row.seconds().unwrap());
        let tera = |flop: f64| figures::significant(flop * 131_072f64.powi(2) / seconds / 1e12);
        let issue = limits.bounds.iter().find(|bound| bound.name == ISSUE).unwrap();
        let issue = format!("{:.0}", 100.0 * issue.fraction);
        for figure in [tera(20.0), tera(18.0), issue.clone(), format!("issue {issue} %")] {
            assert!(line.contains(&figure), "{figure}: {line}");
        }
        assert!(text.contains("<1"), "one thread is far from everything: {text}");
    }

    #[test]
    fn columns_give_way_and_the_limit_stays() {
        let rows = synthetic::sweep().rows;
        for width in [60, 80, 120] {
            let text = plain(&table(&rows, width));
            for line in text.lines() {
                assert!(get_text_width(line) <= width, "{width} columns: {line}");
            }
            assert!(text.contains("limit") && text.contains("issue"), "{text}");
        }
        assert!(plain(&table(&rows, 120)).contains("GB/s"));
        assert!(!plain(&table(&rows, 60)).contains("GB/s"));
    }

    #[test]
    fn markdown_has_every_column() {
        let rows = synthetic::sweep().rows;
        let text = markdown(&rows, &|row| Some(format!("nbody/{}.md", row.step)));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2 + rows.len());
        assert!(lines.iter().all(|line| line.matches('|').count() == COLUMNS.len() + 1), "{text}");
        assert!(lines[0].contains("| executed |") && lines[0].contains("| % of peak |"), "{text}");
        assert!(text.contains("| [07-unroll](nbody/07-unroll.md) |"), "{text}");
    }

    #[test]
    fn rows_without_limits_have_no_line() {
        let mut rows = synthetic::sweep().rows;
        rows[2].limits = None;
        rows[3].outcome = Outcome::Failed;
        let text = table(&rows, 120);
        assert!(!text.contains(&rows[2].step) && !text.contains(&rows[3].step), "{text}");
        assert_eq!(table(&synthetic::blocks().rows, 120), "");
        assert_eq!(note(&[]), None);
        assert!(note(&rows).expect("a note").contains("at 1965 MHz, as seen"));
    }
}

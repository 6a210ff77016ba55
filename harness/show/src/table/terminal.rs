//! A report's rows as a table for a terminal, which fits its width.

use anstyle::{AnsiColor, Style};
use report::{Outcome, Row, Timed};

use super::figures;
use super::layout::{self, Layout, fits};

/// Width of what is not printed to a terminal.
const WIDTH_OF_FILES: usize = 120;

/// Columns that the output has: the terminal's, else what `COLUMNS` says, else enough for most.
pub fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    terminal
        .map(|(width, _)| usize::from(width.0))
        .or(columns)
        .filter(|width| *width > 0)
        .unwrap_or(WIDTH_OF_FILES)
}

/// The colour of an outcome, wherever it is shown.
pub fn colour(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Measured => AnsiColor::Green.on_default(),
        Outcome::Simulated => AnsiColor::Cyan.on_default(),
        Outcome::Wrong | Outcome::Failed => AnsiColor::Red.on_default().bold(),
        Outcome::Skipped => AnsiColor::Yellow.on_default(),
    }
}

/// A column of the table.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Step,
    Changes,
    Outcome,
    Size,
    Kernel,
    TimeStep,
    EndToEnd,
    Rate,
    Parent,
    First,
    Error,
}

/// All columns in their order.
const COLUMNS: [Column; 11] = [
    Column::Step,
    Column::Changes,
    Column::Outcome,
    Column::Size,
    Column::Kernel,
    Column::TimeStep,
    Column::EndToEnd,
    Column::Rate,
    Column::Parent,
    Column::First,
    Column::Error,
];

/// What is left out one after another where the terminal is narrow; what the steps change is wrapped
/// before. Last, the parents' ratios lose their intervals.
const GIVE_WAY: [Column; 4] = [Column::Changes, Column::EndToEnd, Column::TimeStep, Column::Error];

/// Of a table that says what the steps change.
const WITH_CHANGES: Layout = Layout { gives_way: 1, narrowest: 32, figures: 3 };

/// Of the others: nothing is wrapped.
const WITHOUT: Layout = Layout { gives_way: COLUMNS.len(), narrowest: 0, figures: 2 };

/// The table of the rows, at most `width` columns wide where that can be. Columns that have nothing
/// in them are left out.
pub fn terminal(rows: &[Row], width: usize) -> String {
    let has = |column: &Column| rows.iter().any(|row| column.cell(row, true) != figures::NONE);
    let known: Vec<Column> = COLUMNS.into_iter().filter(has).collect();
    let whole = (0..=GIVE_WAY.len()).map(|count| (&GIVE_WAY[..count], true));
    let mut variants = whole.chain([(&GIVE_WAY[..], false)]).map(|(left_out, intervals)| {
        let columns: Vec<Column> =
            known.iter().copied().filter(|column| !left_out.contains(column)).collect();
        let mut lines = vec![columns.iter().map(|column| bold(column.head())).collect()];
        let cells = |row| columns.iter().map(|column| column.cell(row, intervals)).collect();
        lines.extend(rows.iter().map(cells));
        let layout = if columns.contains(&Column::Changes) { WITH_CHANGES } else { WITHOUT };
        (lines, layout)
    });
    let narrow = variants.next_back();
    let fitting = variants.find(|(lines, layout)| {
        fits(lines, width) || layout.narrowest > 0 && layout.room(lines, width) >= layout.narrowest
    });
    let table = fitting.or(narrow).map(|(lines, layout)| layout.table(lines, width));
    table.map_or_else(String::new, |table| layout::text(&table))
}

impl Column {
    fn head(self) -> &'static str {
        match self {
            Column::Step => "step",
            Column::Changes => "what it changes",
            Column::Outcome => "outcome",
            Column::Size => "n",
            Column::Kernel => "time",
            Column::TimeStep => "time\nstep",
            Column::EndToEnd => "end\nto end",
            Column::Rate => "10⁹\ninter./s",
            Column::Parent => "×\nparent",
            Column::First => "×\nfirst",
            Column::Error => "error",
        }
    }

    fn cell(self, row: &Row, intervals: bool) -> String {
        match self {
            Column::Step => name(row),
            Column::Changes => row.changes.clone(),
            Column::Outcome => {
                let paint = colour(row.outcome);
                format!("{paint}{}{paint:#}", row.outcome)
            }
            Column::Size => figures::count(row.n()),
            Column::Kernel => figures::time(row.seconds()),
            Column::TimeStep => figures::time(row.step_seconds()),
            Column::EndToEnd => figures::time(row.end_to_end.map(|costs| costs.seconds())),
            Column::Rate => figures::rate(row.interactions_per_second()),
            Column::Parent => {
                let parent = row.parent().map(|(_, parent)| parent);
                match intervals {
                    true => figures::ratio(parent.as_ref()),
                    false => figures::plain_ratio(parent.as_ref()),
                }
            }
            Column::First => figures::times(row.times_first),
            Column::Error => figures::error(row.accuracy().and_then(|errors| errors.rms)),
        }
    }
}

/// The times of steps at all their sizes, for a sweep over them.
pub fn sizes(rows: &[Row], width: usize) -> String {
    let head = ["step", "n", "time", "time\nstep", "10⁹\ninter./s", "×\nparent", "error"];
    let mut lines = vec![head.map(bold).to_vec()];
    let sizes = rows.iter().flat_map(|row| row.timed.iter().map(move |timed| (row, timed)));
    lines.extend(sizes.map(|(row, timed): (&Row, &Timed)| {
        vec![
            name(row),
            timed.n.to_string(),
            figures::time(Some(timed.seconds)),
            figures::time(Some(timed.step_seconds)),
            figures::rate(Some(timed.interactions_per_second())),
            figures::ratio(timed.parent.as_ref()),
            figures::error(timed.accuracy.rms),
        ]
    }));
    layout::text(&Layout { figures: 1, ..WITHOUT }.table(lines, width))
}

/// The step's folder, in a sweep with its variant; a detour hangs below.
fn name(row: &Row) -> String {
    format!("{}{}{}", if row.detour { "└ " } else { "" }, row.step, row.variant().behind())
}

/// Bold, line by line: a style must not run over the end of a cell's line.
fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    let lines: Vec<String> = text.lines().map(|line| format!("{bold}{line}{bold:#}")).collect();
    lines.join("\n")
}

//! A report's rows as a table for a terminal, which fits its width.

use anstyle::{AnsiColor, Style};
use ladder::report::{Outcome, Row};
use tabled::builder::Builder;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style as Borders};
use tabled::settings::{Alignment, Padding, Width};

use super::figures;

/// Width of what is not printed to a terminal.
const WIDTH_OF_FILES: usize = 120;
/// From this width on, columns stand two spaces apart.
const WIDE: usize = 90;
/// What a step changes is left out where its column would be narrower than this.
const NARROWEST_CHANGES: usize = 20;
/// Place of that column.
const CHANGES: usize = 1;
/// Columns from this one on hold figures.
const FIRST_FIGURE: usize = 3;

const HEAD: [&str; 9] = [
    "step",
    "what it changes",
    "outcome",
    "n",
    "time",
    "10⁹ inter-\nactions/s",
    "×\nparent",
    "×\nfirst",
    "error",
];

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

/// The table of the rows, at most `width` columns wide where that can be: first what the steps change is wrapped, then left out.
pub fn terminal(rows: &[Row], width: usize) -> String {
    let gap = if width < WIDE { 1 } else { 2 };
    let mut lines: Vec<Vec<String>> = vec![HEAD.map(bold).to_vec()];
    lines.extend(rows.iter().map(|row| cells(row).to_vec()));

    let others = widest(&lines, gap) - column(&lines, CHANGES) - gap;
    let room = width.saturating_sub(others + gap);
    let shows_changes = room >= NARROWEST_CHANGES;
    if !shows_changes {
        lines.iter_mut().for_each(|line| drop(line.remove(CHANGES)));
    }
    let figures = if shows_changes { FIRST_FIGURE } else { FIRST_FIGURE - 1 };

    let mut builder = Builder::default();
    for line in lines {
        builder.push_record(line);
    }
    let mut table = builder.build();
    table
        .with(Borders::empty().horizontals([(1, HorizontalLine::new('─'))]))
        .with(Padding::new(0, gap, 0, 0))
        .modify(Columns::last(), Padding::zero())
        .modify(Columns::new(figures..), Alignment::right())
        .modify(Rows::first(), Alignment::bottom());
    if shows_changes {
        table.modify(Columns::one(CHANGES), Width::wrap(room + gap).keep_words(true));
    }
    format!("{table}\n")
}

fn cells(row: &Row) -> [String; 9] {
    let paint = colour(row.outcome);
    [
        if row.detour { format!("└ {}", row.step) } else { row.step.clone() },
        row.changes.clone(),
        format!("{paint}{}{paint:#}", row.outcome),
        figures::count(row.n),
        figures::time(row.seconds),
        figures::rate(row.interactions_per_second),
        figures::times(row.times_parent),
        figures::times(row.times_first),
        figures::error(row.error_rms),
    ]
}

/// Bold, line by line: a style must not run over the end of a cell's line.
fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    let lines: Vec<String> = text.lines().map(|line| format!("{bold}{line}{bold:#}")).collect();
    lines.join("\n")
}

/// Width of a table of these lines, its columns `gap` apart.
fn widest(lines: &[Vec<String>], gap: usize) -> usize {
    let columns = lines.first().map_or(0, Vec::len);
    (0..columns).map(|place| column(lines, place)).sum::<usize>() + gap * columns.saturating_sub(1)
}

/// Width of the widest cell of a column, as a terminal shows it.
fn column(lines: &[Vec<String>], place: usize) -> usize {
    let cells = lines.iter().filter_map(|line| line.get(place));
    cells.map(|cell| tabled::grid::util::string::get_text_width(cell)).max().unwrap_or(0)
}

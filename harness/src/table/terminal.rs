//! A report's rows as a table for a terminal, which fits its width.

use super::figures;
use super::layout::{self, Layout};
use anstyle::{AnsiColor, Style};
use ladder::report::{Outcome, Row};

/// Width of what is not printed to a terminal.
const WIDTH_OF_FILES: usize = 120;
const LAYOUT: Layout = Layout { gives_way: 1, narrowest: 32, figures: 3 };

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

/// The table of the rows, at most `width` columns wide where that can be: first what the steps
/// change is wrapped, then left out.
pub fn terminal(rows: &[Row], width: usize) -> String {
    let mut lines: Vec<Vec<String>> = vec![HEAD.map(bold).to_vec()];
    lines.extend(rows.iter().map(|row| cells(row).to_vec()));
    layout::text(&LAYOUT.table(lines, width))
}

fn cells(row: &Row) -> [String; 9] {
    let paint = colour(row.outcome);
    [
        if row.detour { format!("└ {}", row.step) } else { row.step.clone() },
        row.changes.clone(),
        format!("{paint}{}{paint:#}", row.outcome),
        figures::count(row.n()),
        figures::time(row.seconds()),
        figures::rate(row.interactions_per_second()),
        figures::times(row.parent().map(|(_, parent)| parent.ratio)),
        figures::times(row.times_first),
        figures::error(row.accuracy().and_then(|errors| errors.rms)),
    ]
}

/// Bold, line by line: a style must not run over the end of a cell's line.
fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    let lines: Vec<String> = text.lines().map(|line| format!("{bold}{line}{bold:#}")).collect();
    lines.join("\n")
}

//! A table for a terminal: columns apart by space alone, a line under the head, and columns that
//! give way where the terminal is narrow.

use anstyle::{AnsiColor, Style};
use report::Outcome;
use report::statistics::Verdict;
use tabled::builder::Builder;
use tabled::grid::util::string::get_text_width;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style as Borders};
use tabled::settings::{Alignment, Padding};

use super::{Align, Cell, Column, Table, Tone};

/// Width of what is not printed to a terminal.
const WIDTH_OF_FILES: usize = 120;

/// Columns that the output has: the terminal's, else what `COLUMNS` says, else enough for most.
pub fn width() -> usize {
    #[cfg(not(target_family = "wasm"))]
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    #[cfg(target_family = "wasm")]
    let terminal = None::<(terminal_size::Width, terminal_size::Height)>;
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

impl Tone {
    /// Its colour on a terminal.
    pub fn colour(self) -> Style {
        match self {
            Tone::Plain | Tone::Verdict(Verdict::NoDifference) => Style::new(),
            Tone::Outcome(outcome) => colour(outcome),
            Tone::Verdict(Verdict::Faster) | Tone::Best => AnsiColor::Green.on_default(),
            Tone::Verdict(Verdict::Slower) => AnsiColor::Red.on_default().bold(),
            Tone::Doubtful => AnsiColor::Yellow.on_default(),
            Tone::Dim => Style::new().dimmed(),
        }
    }
}

impl Table {
    /// In lines of at most `width` columns where that can be: a column is wrapped, columns are left
    /// out, then cells are shortened. Nothing where it has no row.
    pub fn terminal(&self, width: usize) -> String {
        if self.is_empty() {
            return String::new();
        }
        let mut shown = self.narrow();
        loop {
            let lines = self.lines_of(&shown, false);
            let wrapped = shown.iter().position(|&at| self.columns[at].narrowest.is_some());
            let narrowest = wrapped.and_then(|place| self.columns[shown[place]].narrowest);
            let room = wrapped.map_or(0, |place| room(&lines, place, width));
            if total(&lines, 1) <= width || narrowest.is_some_and(|narrowest| room >= narrowest) {
                return self.laid_out(lines, &shown, wrapped.map(|place| (place, room)), width);
            }
            match shown.iter().map(|&at| self.columns[at].rank).max().filter(|rank| *rank > 0) {
                Some(rank) => shown.retain(|&at| self.columns[at].rank != rank),
                None => return self.laid_out(self.lines_of(&shown, true), &shown, None, width),
            }
        }
    }

    /// Columns of the terminal that the column at `place` may take in `width`, with the others as
    /// they are.
    pub fn room(&self, place: usize, width: usize) -> usize {
        room(&self.lines_of(&self.narrow(), false), place, width)
    }

    /// The cells of these columns, below their heads.
    fn lines_of(&self, shown: &[usize], brief: bool) -> Vec<Vec<String>> {
        let heads = shown.iter().map(|&at| head(&self.columns[at])).collect();
        let cells = |row: &Vec<Cell>| shown.iter().map(|&at| cell(&row[at], brief)).collect();
        [heads].into_iter().chain(self.rows.iter().map(cells)).collect()
    }

    fn laid_out(
        &self,
        mut lines: Vec<Vec<String>>,
        shown: &[usize],
        wrapped: Option<(usize, usize)>,
        width: usize,
    ) -> String {
        if let Some((place, room)) = wrapped {
            lines.iter_mut().for_each(|line| line[place] = wrap(&line[place], room));
        }
        let gap = if total(&lines, 2) <= width { 2 } else { 1 };
        let mut builder = Builder::default();
        lines.into_iter().for_each(|line| builder.push_record(line));
        let mut table = builder.build();
        table
            .with(Borders::empty().horizontals([(1, HorizontalLine::new('─'))]))
            .with(Padding::new(0, gap, 0, 0))
            .modify(Columns::last(), Padding::zero())
            .modify(Rows::first(), Alignment::bottom());
        for (place, &at) in shown.iter().enumerate() {
            match self.columns[at].align {
                Align::Left => {}
                Align::Right => drop(table.modify(Columns::one(place), Alignment::right())),
                Align::Centre => drop(table.modify(Columns::one(place), Alignment::center())),
            }
        }
        table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }
}

/// Breaks lines between words so that each has at most `width` columns; a longer word stays whole,
/// and so does an indented line: a command in it can be copied.
pub fn wrap(text: &str, width: usize) -> String {
    let broken = text.lines().map(|line| {
        if line.starts_with("  ") {
            return line.to_owned();
        }
        let (mut broken, mut taken) = (String::new(), 0);
        for (place, word) in line.split(' ').enumerate() {
            let wide = get_text_width(word);
            if place > 0 && taken + 1 + wide <= width {
                broken.push(' ');
                taken += 1;
            } else if place > 0 {
                broken.push('\n');
                taken = 0;
            }
            broken += word;
            taken += wide;
        }
        broken
    });
    broken.collect::<Vec<_>>().join("\n")
}

/// Bold, line by line: a style must not run over the end of a cell's line.
pub fn bold(text: &str) -> String {
    let bold = Style::new().bold();
    let lines: Vec<String> = text.lines().map(|line| format!("{bold}{line}{bold:#}")).collect();
    lines.join("\n")
}

/// A head in two lines where that makes it narrower; a column that is wrapped keeps its in one. Of
/// long words of a unit the beginning is enough: "inter./s" of "interactions/s".
fn head(column: &Column) -> String {
    let short = |word: &str| match word.split_once('/') {
        Some((long, rest)) if long.chars().count() > 8 => {
            format!("{}./{rest}", long.chars().take(5).collect::<String>())
        }
        _ => word.to_owned(),
    };
    let text = column.head.split(' ').map(short).collect::<Vec<_>>().join(" ");
    let whole = text.replace('\u{ad}', "");
    if whole.contains('\n') {
        return bold(&whole);
    }
    let halves = |(at, found): (usize, &str)| {
        let hyphen = if found == " " { "" } else { "-" };
        let [first, last] =
            [&text[..at], &text[at + found.len()..]].map(|it| it.replace('\u{ad}', ""));
        format!("{first}{hyphen}\n{last}")
    };
    let broken = text.match_indices([' ', '\u{ad}']).map(halves);
    let narrow = broken.min_by_key(|text| text.lines().map(get_text_width).max());
    bold(&narrow.filter(|_| column.narrowest.is_none_or(|it| it < 10)).unwrap_or(whole))
}

fn cell(cell: &Cell, brief: bool) -> String {
    let text = cell.brief.as_ref().filter(|_| brief).unwrap_or(&cell.text);
    let paint = cell.tone.colour();
    format!("{paint}{text}{paint:#}{}", cell.rest)
}

/// Columns that the one at `place` may take in `width`, with the others as they are.
fn room(lines: &[Vec<String>], place: usize, width: usize) -> usize {
    (width + widest(lines, place)).saturating_sub(total(lines, 2))
}

/// Width of a table of these lines with columns `gap` apart.
fn total(lines: &[Vec<String>], gap: usize) -> usize {
    let columns = lines.first().map_or(0, Vec::len);
    (0..columns).map(|place| widest(lines, place) + gap).sum::<usize>().saturating_sub(gap)
}

/// Width of the widest cell of a column, as a terminal shows it.
fn widest(lines: &[Vec<String>], place: usize) -> usize {
    lines.iter().map(|line| get_text_width(&line[place])).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain;
    use crate::table::Field;
    use crate::table::tests::table;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrap("one two three", 8), "one two\nthree");
        assert_eq!(wrap("one two three", 100), "one two three");
        assert_eq!(wrap("one unbreakable two", 5), "one\nunbreakable\ntwo");
        assert_eq!(wrap("a b c\n  d e", 3), "a b\nc\n  d e");
        assert_eq!(wrap("", 3), "");
    }

    #[test]
    fn lines_make_a_table() {
        type Line = (&'static str, &'static str, u64);
        let fields = vec![
            Field::text("step", |line: &Line| line.0),
            Field::text("why", |line: &Line| line.1).rank(1).wraps(6),
            Field::number("n", |line: &Line| line.2.to_string()),
        ];
        let table = Table::all(&[("a", "for a long reason", 10_000)], fields);
        let expected = "step  why                    n\n\u{2500}\u{2500}";
        assert!(plain(&table.terminal(80)).starts_with(expected), "{}", table.terminal(80));
        assert_eq!(table.room(1, 22), 9);
        let narrow = plain(&table.terminal(22));
        assert!(narrow.contains("\na") && narrow.contains("\n      long\n"), "{narrow}");
        assert!(!plain(&table.terminal(16)).contains("why"));
    }

    #[test]
    fn a_column_is_wrapped_then_left_out() {
        let wide = plain(&table().terminal(80));
        assert!(wide.contains("another one of them"), "{wide}");
        assert!(wide.contains("inter./s") && wide.contains("ver-"), "{wide}");
        let narrow = plain(&table().terminal(40));
        assert!(
            narrow.contains("another\n") || !narrow.contains("another one of them"),
            "{narrow}"
        );
        assert!(narrow.contains("faster"), "{narrow}");
        let least = plain(&table().terminal(20));
        assert!(!least.contains("what") && !least.contains("faster"), "{least}");
        for (text, width) in [(wide, 80), (narrow, 40)] {
            assert!(text.lines().all(|line| get_text_width(line) <= width), "{text}");
        }
    }
}

//! How tables are laid out on a terminal: columns apart by space alone, a line under the head, and
//! one column that gives way where the terminal is narrow.

use tabled::Table;
use tabled::builder::Builder;
use tabled::grid::util::string::get_text_width;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style as Borders};
use tabled::settings::{Alignment, Padding};

/// What of a table is laid out in which way.
pub struct Layout {
    /// The column that is wrapped where the table would be too wide.
    pub gives_way: usize,
    /// It is left out where it would be narrower than this.
    pub narrowest: usize,
    /// From this column on, cells hold figures and stand right.
    pub figures: usize,
}

impl Layout {
    /// Columns that the giving column may take in `width`, with the others as they are in `lines`.
    pub fn room(&self, lines: &[Vec<String>], width: usize) -> usize {
        (width + widest(lines, self.gives_way)).saturating_sub(total(lines, 2))
    }

    /// Lays out `lines`, of which the first is the head, in at most `width` columns if that can be:
    /// the columns move together, then one is wrapped, then it is left out.
    pub fn table(&self, mut lines: Vec<Vec<String>>, width: usize) -> Table {
        let gap = |lines: &[Vec<String>]| if total(lines, 2) <= width { 2 } else { 1 };
        let mut figures = self.figures;
        let room = (width + widest(&lines, self.gives_way)).saturating_sub(total(&lines, 1));
        if total(&lines, 1) > width && room < self.narrowest {
            lines.iter_mut().for_each(|line| drop(line.remove(self.gives_way)));
            figures -= usize::from(self.gives_way < self.figures);
        } else {
            let cells = lines.iter_mut().filter_map(|line| line.get_mut(self.gives_way));
            cells.for_each(|cell| *cell = wrap(cell, room));
        }
        let gap = gap(&lines);

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
        table
    }
}

/// Whether a table of these lines, of which none is wrapped, has at most `width` columns.
pub fn fits(lines: &[Vec<String>], width: usize) -> bool {
    total(lines, 1) <= width
}

/// Breaks lines between words so that each has at most `width` columns; a longer word stays whole,
/// and so does an indented line: a command in it can be copied.
pub fn wrap(text: &str, width: usize) -> String {
    let broken = text.lines().map(|line| {
        if line.starts_with("  ") {
            return (line.to_owned(), 0);
        }
        let mut words = line.split(' ');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold((first, 0), |(text, start), word| {
            if get_text_width(&text[start..]) + 1 + get_text_width(word) <= width {
                (format!("{text} {word}"), start)
            } else {
                let start = text.len() + 1;
                (format!("{text}\n{word}"), start)
            }
        })
    });
    broken.map(|(line, _)| line).collect::<Vec<_>>().join("\n")
}

/// The text of a table, without the spaces that fill its last column.
pub fn text(table: &Table) -> String {
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// Width of a table of these lines with columns `gap` apart.
pub fn total(lines: &[Vec<String>], gap: usize) -> usize {
    let columns = lines.first().map_or(0, Vec::len);
    (0..columns).map(|place| widest(lines, place) + gap).sum::<usize>().saturating_sub(gap)
}

/// Width of the widest cell of a column, as a terminal shows it.
fn widest(lines: &[Vec<String>], place: usize) -> usize {
    lines
        .iter()
        .filter_map(|line| line.get(place))
        .map(|cell| get_text_width(cell))
        .max()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn lines_break_between_words() {
        assert_eq!(wrap("one two three", 7), "one two\nthree");
        assert_eq!(wrap("one two three", 8), "one two\nthree");
        assert_eq!(wrap("one two three", 100), "one two three");
        assert_eq!(wrap("one unbreakable two", 5), "one\nunbreakable\ntwo");
        assert_eq!(wrap("a b c\n  d e", 3), "a b\nc\n  d e");
        assert_eq!(wrap("", 3), "");
    }
}

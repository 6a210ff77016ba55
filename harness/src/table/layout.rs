//! How tables are laid out on a terminal: columns apart by space alone, a line under the head, and one
//! column that gives way where the terminal is narrow.

use tabled::Table;
use tabled::builder::Builder;
use tabled::grid::util::string::get_text_width;
use tabled::settings::object::{Columns, Rows};
use tabled::settings::style::{HorizontalLine, Style as Borders};
use tabled::settings::{Alignment, Padding, Width};

/// From this width on, columns stand two spaces apart.
const WIDE: usize = 90;

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
    /// Lays out `lines`, of which the first is the head, in at most `width` columns if that can be.
    pub fn table(&self, mut lines: Vec<Vec<String>>, width: usize) -> Table {
        let gap = if width < WIDE { 1 } else { 2 };
        let widths: Vec<usize> = (0..lines[0].len()).map(|place| widest(&lines, place)).collect();
        let wanted = widths.iter().sum::<usize>() + gap * (widths.len() - 1);
        let room = (width + widths[self.gives_way]).saturating_sub(wanted);
        let is_shown = room >= self.narrowest.min(widths[self.gives_way]);
        if !is_shown {
            lines.iter_mut().for_each(|line| drop(line.remove(self.gives_way)));
        }
        let is_before_figures = self.gives_way < self.figures;
        let figures = self.figures - usize::from(!is_shown && is_before_figures);

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
        if is_shown && room < widths[self.gives_way] {
            let is_last = self.gives_way + 1 == widths.len();
            let cell = room + if is_last { 0 } else { gap };
            table.modify(Columns::one(self.gives_way), Width::wrap(cell).keep_words(true));
        }
        table
    }
}

/// The text of a table, without the spaces that fill its last column.
pub fn text(table: &Table) -> String {
    table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect()
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

//! One table, and its writers: for a terminal, for Markdown, for HTML and for CSV.
//!
//! A table is made of [`Field`]s: a column, and what it says of an item. Columns that no item fills
//! are left out, so that a ladder without, say, floating-point operations has no column for them.

mod csv;
mod html;
mod markdown;
pub mod terminal;

use report::Outcome;
use report::format::NONE;
use report::statistics::Verdict;

pub use html::scrolled;
pub(crate) use markdown::escaped;

/// A table, in the order of its items.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Table {
    /// What it is called where it cannot be seen.
    pub title: String,
    /// What a reader must know to read it.
    pub caption: String,
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
}

/// A column.
#[derive(Debug, Clone, Default)]
struct Column {
    /// Where a soft hyphen stands, a narrow head may be broken.
    head: String,
    align: Align,
    /// On a narrow terminal the columns with the greatest rank are left out first; those of rank 0
    /// stay.
    rank: u8,
    /// Only pages have room for it.
    on_pages: bool,
    /// Before it is left out, it is wrapped to no less than so many columns of the terminal.
    narrowest: Option<usize>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Align {
    #[default]
    Left,
    Right,
    Centre,
}

/// What a table says of an item in one column.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Cell {
    text: String,
    /// Where the text leads.
    link: Option<String>,
    /// Whether it is a name from the code, which Markdown marks where it has no link.
    code: bool,
    /// What follows the text, outside of the link.
    rest: String,
    /// What a page shows below, in small letters.
    details: Vec<String>,
    /// The text where the terminal is too narrow for it.
    brief: Option<String>,
    tone: Tone,
}

/// How a cell stands out: a colour on terminals and pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tone {
    /// It does not.
    #[default]
    Plain,
    /// The outcome of a step.
    Outcome(Outcome),
    /// How a speed compares with another.
    Verdict(Verdict),
    /// The best, in bold.
    Best,
    /// Neither good nor bad.
    Doubtful,
    /// Of little weight.
    Dim,
}

/// A column and what it says of an item.
#[must_use]
pub struct Field<'f, T> {
    column: Column,
    cell: Box<dyn Fn(&T) -> Cell + 'f>,
}

impl<'f, T> Field<'f, T> {
    /// A column of numbers, which stand to the right.
    pub fn number<C: Into<Cell>>(head: impl Into<String>, cell: impl Fn(&T) -> C + 'f) -> Self {
        let head = head.into();
        let column = Column { head, align: Align::Right, ..Column::default() };
        Field { column, cell: Box::new(move |item| cell(item).into()) }
    }

    /// A column of words.
    pub fn text<C: Into<Cell>>(head: impl Into<String>, cell: impl Fn(&T) -> C + 'f) -> Self {
        let mut field = Field::number(head, cell);
        field.column.align = Align::Left;
        field
    }

    /// The same with its cells in the middle.
    pub fn centred(mut self) -> Self {
        self.column.align = Align::Centre;
        self
    }

    /// The column is left out where a terminal is narrow, the greatest rank first.
    pub fn rank(mut self, rank: u8) -> Self {
        self.column.rank = rank;
        self
    }

    /// Only pages have room for the column.
    pub fn on_pages(mut self) -> Self {
        self.column.on_pages = true;
        self
    }

    /// The column is wrapped before it is left out.
    pub fn wraps(mut self, narrowest: usize) -> Self {
        self.column.narrowest = Some(narrowest);
        self
    }
}

impl Table {
    /// A table of these items, without the columns that none of them fills.
    pub fn of<T>(items: &[T], fields: Vec<Field<T>>) -> Table {
        let mut table = Table::all(items, fields);
        let is_filled = |at: usize| at == 0 || table.rows.iter().any(|row| !row[at].is_empty());
        let kept: Vec<usize> = (0..table.columns.len()).filter(|&at| is_filled(at)).collect();
        table.columns = kept.iter().map(|&at| table.columns[at].clone()).collect();
        for row in &mut table.rows {
            *row = kept.iter().map(|&at| row[at].clone()).collect();
        }
        table
    }

    /// A table with all these columns, as a file for other programs needs it.
    pub fn all<T>(items: &[T], fields: Vec<Field<T>>) -> Table {
        let cells = |item| fields.iter().map(|field| (field.cell)(item)).collect();
        let rows = items.iter().map(cells).collect();
        let columns = fields.into_iter().map(|field| field.column).collect();
        Table { columns, rows, ..Table::default() }
    }

    /// A table of lines, of which the first is the head: the first `texts` columns are words, the
    /// others numbers.
    pub fn lines(lines: Vec<Vec<String>>, texts: usize) -> Table {
        let mut lines = lines.into_iter();
        let heads = lines.next().unwrap_or_default().into_iter().enumerate();
        let align = |at| if at < texts { Align::Left } else { Align::Right };
        let column = |(at, head)| Column { head, align: align(at), ..Column::default() };
        let rows = lines.map(|line| line.into_iter().map(Cell::from).collect()).collect();
        Table { columns: heads.map(column).collect(), rows, ..Table::default() }
    }

    /// The same with its name and what one must know to read it.
    pub fn named(self, title: impl Into<String>, caption: impl Into<String>) -> Table {
        Table { title: title.into(), caption: caption.into(), ..self }
    }

    /// Whether it has no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The places of the columns for which a terminal or a page of text has room.
    fn narrow(&self) -> Vec<usize> {
        (0..self.columns.len()).filter(|&at| !self.columns[at].on_pages).collect()
    }
}

impl Cell {
    /// A name from the code, linked where there is somewhere to go.
    pub fn name(text: impl Into<String>, link: Option<String>) -> Cell {
        Cell { text: text.into(), link, code: true, ..Cell::default() }
    }

    /// Followed by this.
    pub fn then(self, rest: impl Into<String>) -> Cell {
        Cell { rest: rest.into(), ..self }
    }

    /// With a detail that only pages show; nothing, where there is none.
    pub fn detail(mut self, detail: impl Into<Option<String>>) -> Cell {
        self.details.extend(detail.into());
        self
    }

    /// Shown as this where a terminal is too narrow for the whole.
    pub fn brief(self, brief: impl Into<String>) -> Cell {
        Cell { brief: Some(brief.into()), ..self }
    }

    /// Standing out.
    pub fn tone(self, tone: Tone) -> Cell {
        Cell { tone, ..self }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() || self.text == NONE
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell { text, ..Cell::default() }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        text.to_owned().into()
    }
}

/// A dash where there is nothing.
impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or_else(|| NONE.into(), Into::into)
    }
}

/// In a word of its own, in its colour.
impl From<Outcome> for Cell {
    fn from(outcome: Outcome) -> Cell {
        Cell::from(outcome.word()).tone(Tone::Outcome(outcome))
    }
}

/// In a word of its own, in its colour.
impl From<Verdict> for Cell {
    fn from(verdict: Verdict) -> Cell {
        Cell::from(verdict.words()).tone(Tone::Verdict(verdict))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word, a number and a remark, of which only the first is always there.
    pub(super) fn table() -> Table {
        let items = [("a|b", Some(131_072.0), "the first"), ("c", None, "another one of them")];
        type Item = (&'static str, Option<f64>, &'static str);
        let fields = vec![
            Field::text("name", |item: &Item| {
                Cell::name(item.0, (item.0 == "c").then(|| "c.md".to_owned())).then(" (so)")
            }),
            Field::text("what it says", |item: &Item| item.2).rank(2).wraps(8),
            Field::number("10⁹ interesting/s", |item: &Item| {
                Cell::from(item.1.map(|it| it.to_string())).detail("about".to_owned())
            }),
            Field::number("no one", |_| NONE),
            Field::text("ver\u{ad}dict", |_| Verdict::Faster).rank(1),
            Field::text("page", |_| "only").on_pages(),
        ];
        Table::of(&items, fields).named("A table", "To be read.")
    }

    #[test]
    fn columns_that_nothing_fills_are_left_out() {
        let table = table();
        let heads: Vec<&str> = table.columns.iter().map(|column| column.head.as_str()).collect();
        assert_eq!(heads, ["name", "what it says", "10⁹ interesting/s", "ver\u{ad}dict", "page"]);
        assert_eq!(table.narrow(), [0, 1, 2, 3]);
        assert!(Table::of(&[0u8; 0], vec![Field::text("n", |_| "x")]).is_empty());
    }
}

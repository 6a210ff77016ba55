//! A table from rows of text: heads first, then cells.

use show::table::{Field, Table};

/// How columns are laid out.
pub struct Columns {
    /// The column that is wrapped where the table would be too wide, and how narrow it may become; 0
    /// where none is.
    pub gives_way: (usize, usize),
    /// Columns from this one on hold numbers, which stand to the right.
    pub numbers_from: usize,
}

impl Columns {
    /// Columns of which none is wrapped.
    pub const fn rigid(numbers_from: usize) -> Columns {
        Columns { gives_way: (0, 0), numbers_from }
    }

    /// The table in lines of at most `width` columns where that can be.
    pub fn text(&self, lines: &[Vec<String>], width: usize) -> String {
        let Some((heads, rows)) = lines.split_first() else { return String::new() };
        let field = |(at, head): (usize, &String)| {
            let cell = move |row: &Vec<String>| row[at].clone();
            let field = match at < self.numbers_from {
                true => Field::text(head.clone(), cell),
                false => Field::number(head.clone(), cell),
            };
            match self.gives_way {
                (place, narrowest) if narrowest > 0 && place == at => field.wraps(narrowest),
                _ => field,
            }
        };
        Table::all(rows, heads.iter().enumerate().map(field).collect()).terminal(width)
    }
}

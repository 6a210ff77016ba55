//! A table for spreadsheets and other programs.

use super::Table;

impl Table {
    /// Lines of cells, the first with their names.
    pub fn csv(&self) -> String {
        let mut csv = csv::Writer::from_writer(Vec::new());
        let heads = self.columns.iter().map(|column| column.head.as_str());
        // Writing to memory cannot fail, and what was text stays text.
        let _ = csv.write_record(heads);
        for row in &self.rows {
            let _ = csv.write_record(row.iter().map(|cell| cell.text.as_str()));
        }
        String::from_utf8(csv.into_inner().unwrap_or_default()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{Field, Table};

    #[test]
    fn cells_are_quoted() {
        let fields = vec![
            Field::text("a", |it: &&str| (*it).to_owned()),
            Field::text("b", |_| String::new()),
        ];
        assert_eq!(Table::all(&["x,y\n\"z\""], fields).csv(), "a,b\n\"x,y\n\"\"z\"\"\",\n");
    }
}

//! Banks of shared memory: where the words lie that lanes want at once, and how many passes that takes.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::shared::{Word, counted};

/// Banks, rows and columns that are drawn; a GPU has 32 of each.
const BANKS: usize = 8;

/// A tile without and with a word of padding in each row: the banks of a column.
pub fn padding() -> String {
    let mut drawing = Drawing::new(
        246.0,
        "Two tiles of eight rows. Rows of eight words: all words of a column lie in one bank. Rows of nine words: they lie \
         in eight banks",
    );
    for (left, width) in [(4.0, BANKS), (182.0, BANKS + 1)] {
        drawing.text((left, 14.0), &format!("rows of {width} words"));
        for row in 0..BANKS {
            let cells = (0..width).map(|column| {
                let bank = ((row * width + column) % BANKS).to_string();
                // The word of padding holds nothing.
                let name = if column < BANKS { bank } else { String::new() };
                (if column == 0 { "load" } else { "" }, name)
            });
            drawing.row((left, 22.0 + 19.0 * row as f64), (19.0, 19.0), cells);
        }
        let (banks, passes) = spread(|row| row * width);
        let words = [counted(banks, "bank"), counted(passes, "pass")].join(", ");
        drawing.text((left, 192.0), &format!("column: {words}"));
    }
    let words = "A box: a word, with the number of its bank.\nDrawn with 8 banks; a GPU has 32.";
    drawing.text((4.0, 220.0), words);
    drawing.html()
}

/// Where a row, a column, and a column of padded rows lie, a bank below the other.
pub fn requests() -> String {
    let mut drawing = Drawing::new(
        188.0,
        "Words of shared memory over their banks. A row lies in different banks, a column in one bank, and a column of padded \
         rows again in different banks",
    );
    let wanted: [(_, Word); 3] = [
        ("a row", |lane| lane),
        ("a column", |lane| BANKS * lane),
        ("a padded column", |lane| (BANKS + 1) * lane),
    ];
    for (k, (title, word)) in wanted.into_iter().enumerate() {
        let left = 4.0 + 124.0 * k as f64;
        drawing.text((left, 14.0), title);
        drawing.text((left, 34.0), "bank 0 1 2 …");
        for row in 0..BANKS {
            let is_wanted = |bank| (0..BANKS).any(|lane| word(lane) == BANKS * row + bank);
            let cells = (0..BANKS).map(|bank| (if is_wanted(bank) { "busy" } else { "" }, ""));
            drawing.row((left, 42.0 + 15.0 * row as f64), (13.0, 15.0), cells);
        }
        drawing.text((left, 180.0), &counted(spread(word).1, "wavefront"));
    }
    drawing.html()
}

/// Over how many banks the words of the lanes spread, and how many passes deliver them.
fn spread(word: impl Fn(usize) -> usize) -> (usize, usize) {
    let mut lanes = [0; BANKS];
    (0..BANKS).for_each(|lane| lanes[word(lane) % BANKS] += 1);
    (lanes.iter().filter(|lanes| **lanes > 0).count(), lanes.into_iter().max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_are_counted_by_hand() {
        assert_eq!(spread(|lane| lane), (8, 1));
        assert_eq!(spread(|lane| BANKS * lane), (1, 8));
        assert_eq!(spread(|lane| 2 * lane), (4, 2));
        assert_eq!(spread(|lane| (BANKS + 1) * lane), (8, 1));
    }
}

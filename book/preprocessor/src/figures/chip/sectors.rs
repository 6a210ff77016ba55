//! Sectors of global memory: which of them hold the words that the lanes of a warp want.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::shared::{WARP, Word, counted};

/// Words of a sector: 32 bytes.
const SECTOR: usize = 8;
/// Words of a body in an array of structs, and where its x is among them.
const WORDS: usize = 10;
const X: usize = 1;
/// Where the drawings begin, and how wide they are.
const LEFT: f64 = 4.0;
const WIDE: f64 = 352.0;

/// The x of bodies in an array of structs, and in an array of its own.
pub fn layouts() -> String {
    let mut drawing = Drawing::new(
        184.0,
        "Array of structs: the x of neighbouring bodies lie ten words apart. Scalar arrays: they lie side by side, in a few sectors",
    );
    memory(&mut drawing, 0.0, 4, "array of structs: x of a warp’s bodies", |body| {
        WORDS * body + X
    });
    memory(&mut drawing, 64.0, 4, "scalar arrays: x of a warp’s bodies", |body| body);
    let words = "A mark: the x of a body. A frame: a sector of 32 bytes,\nfetched whole if one of its words is wanted.\nFour sectors are drawn.";
    drawing.text((LEFT, 142.0), words);
    drawing.html()
}

/// What the lanes of a warp want, from neighbours to one word for all.
pub fn requests() -> String {
    let wanted: [(_, Word); 5] = [
        ("neighbours", |lane| lane),
        ("one further", |lane| lane + 1),
        ("every second", |lane| 2 * lane),
        ("one of eight, and so on", |lane| SECTOR * lane),
        ("all the same", |_| 19),
    ];
    let mut drawing = Drawing::new(
        62.0 * wanted.len() as f64 + 36.0,
        "Eight sectors of 32 bytes in a row. 32 neighbouring words fill four of them; every second word touches all eight and uses \
         half of each; words far apart touch a sector each; one word for all lanes touches a single one",
    );
    for (k, (title, word)) in wanted.into_iter().enumerate() {
        memory(&mut drawing, 62.0 * k as f64, 8, title, word);
    }
    let words = "A frame: a sector of 32 bytes.\nA mark: a word that a lane wants.";
    drawing.text((LEFT, 62.0 * wanted.len() as f64 + 12.0), words);
    drawing.html()
}

/// Memory with so many sectors drawn, those tinted that hold a word which a lane wants.
fn memory(drawing: &mut Drawing, top: f64, drawn: usize, title: &str, word: Word) {
    drawing.text((LEFT, top + 14.0), title);
    drawing.end((LEFT + WIDE, top + 14.0), &counted(sectors(word), "sector"));
    let sector = WIDE / drawn as f64;
    let is_touched = |sector| (0..WARP).any(|lane| word(lane) / SECTOR == sector);
    let cells = (0..drawn).map(|sector| (if is_touched(sector) { "load" } else { "" }, ""));
    drawing.row((LEFT, top + 22.0), (sector, 32.0), cells);
    let size = sector / SECTOR as f64;
    for wanted in (0..WARP).map(word).filter(|word| *word < drawn * SECTOR) {
        let left = LEFT + size * wanted as f64;
        drawing.filled("busy", (left + size * 0.15, top + 26.0), (size * 0.7, 24.0));
    }
}

/// In how many sectors the words of a warp's lanes lie.
fn sectors(word: impl Fn(usize) -> usize) -> usize {
    let mut found: Vec<usize> = (0..WARP).map(|lane| word(lane) / SECTOR).collect();
    found.dedup();
    found.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sectors_are_counted_by_hand() {
        // 40 bytes apart: never two in 32 bytes. Side by side: 128 bytes, and 4 bytes off: one sector more.
        assert_eq!(sectors(|body| WORDS * body + X), 32);
        assert_eq!(sectors(|body| body), 4);
        assert_eq!(sectors(|body| body + 1), 5);
    }
}

//! From an address to its word, its sector and its line.

use crate::figures::kit::drawing::Drawing;

/// Bytes of a word, of a sector, and of a line of the caches.
const WORD: usize = 4;
const SECTOR: usize = 32;
const LINE: usize = 128;
/// The address that is drawn, within the memory.
const ADDRESS: usize = 0x1254;

pub fn figure() -> String {
    const WIDE: f64 = 352.0;
    let (line, sector, word) = (ADDRESS / LINE, ADDRESS % LINE / SECTOR, ADDRESS % SECTOR / WORD);
    let mut drawing = Drawing::new(
        222.0,
        format!(
            "Address {ADDRESS:#x}: line {line}, its sector {sector}, and there word {word}. A line of 128 bytes has four sectors of 32 \
             bytes, and a sector has eight words of 4"
        ),
    );
    drawing.text(
        (4.0, 14.0),
        &format!("address {ADDRESS:#x} = {line} · {LINE} + {sector} · {SECTOR} + {word} · {WORD}"),
    );
    drawing.text((4.0, 44.0), "lines of 128 bytes: what a cache has a place for");
    let lines = (line - 2..=line + 2).map(|it| (if it == line { "load" } else { "" }, it));
    drawing.row((4.0, 50.0), (WIDE / 5.0, 26.0), lines);
    drawing.text(
        (4.0, 104.0),
        &format!("line {line}: four sectors of 32 bytes, which move one by one"),
    );
    let sectors = (0..LINE / SECTOR).map(|it| (if it == sector { "load" } else { "" }, it));
    drawing.row((4.0, 110.0), (WIDE / 4.0, 26.0), sectors);
    drawing.text((4.0, 164.0), &format!("sector {sector}: eight words of 4 bytes"));
    let words = (0..SECTOR / WORD).map(|it| (if it == word { "busy" } else { "" }, it));
    drawing.row((4.0, 170.0), (WIDE / 8.0, 26.0), words);
    drawing.text((4.0, 216.0), "Whoever wants one word moves its sector.");
    // From each part to what it is made of.
    let begin = |of: usize, parts: f64| 4.0 + WIDE / parts * of as f64;
    drawing.line((begin(2, 5.0), 76.0), (4.0, 92.0));
    drawing.line((begin(3, 5.0), 76.0), (4.0 + WIDE, 92.0));
    drawing.line((begin(sector, 4.0), 136.0), (4.0, 152.0));
    drawing.line((begin(sector + 1, 4.0), 136.0), (4.0 + WIDE, 152.0));
    drawing.html()
}

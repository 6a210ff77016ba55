//! Copies that run ahead of the computation, through two buffers.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

/// Tiles, and time units for a copy and for the computation with a tile.
const TILES: usize = 4;
const COPY: usize = 2;
const COMPUTE: usize = 3;
const UNIT: f64 = 14.8;
const LEFT: f64 = 56.0;

/// When each tile's copy and computation begin, with so many buffers.
fn begins(buffers: usize) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for tile in 0..TILES {
        let copied = all.last().map_or(0, |(copy, _)| copy + COPY);
        // A buffer is free when the tile that was in it has been used.
        let free = tile.checked_sub(buffers).map_or(0, |old| all[old].1 + COMPUTE);
        let copy = copied.max(free);
        let used = all.last().map_or(0, |(_, compute)| compute + COMPUTE);
        all.push((copy, used.max(copy + COPY)));
    }
    all
}

pub fn film() -> String {
    let mut film = Film::new(
        "Tiles are copied to shared memory and computed with: in turns with one buffer, side by side with two",
    );
    for (buffers, caption) in [
        (
            1,
            "One buffer: the copy of a tile waits until the one before has been used, and the computation waits for the copy.",
        ),
        (
            2,
            "Two buffers: while the warps compute with one tile, the next is copied into the other buffer. Only the first copy is waited for.",
        ),
    ] {
        let tiles = begins(buffers);
        let end = tiles.last().map_or(0, |(_, compute)| compute + COMPUTE);
        let words =
            format!("{buffers} buffer{}: {end} units of time", if buffers > 1 { "s" } else { "" });
        let mut drawing = Drawing::new(126.0, words.as_str());
        drawing.text((4.0, 14.0), &words);
        for (row, name) in ["copy", "compute"].into_iter().enumerate() {
            let top = 24.0 + 32.0 * row as f64;
            drawing.text((4.0, top + 17.0), name);
            for (tile, (copy, compute)) in tiles.iter().enumerate() {
                let (from, length, fill) = match row {
                    0 => (copy, COPY, "load"),
                    _ => (compute, COMPUTE, "busy"),
                };
                let corner = (LEFT + UNIT * *from as f64, top);
                drawing.cell(fill, corner, (UNIT * length as f64 - 2.0, 26.0), &tile.to_string());
            }
        }
        drawing.arrow((LEFT, 104.0), (354.0, 104.0));
        drawing.end((354.0, 122.0), "time");
        film.frame(drawing, caption);
    }
    film.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_buffer_hides_all_copies_but_the_first() {
        let end = |buffers| begins(buffers).last().map(|(_, compute)| compute + COMPUTE);
        assert_eq!(end(1), Some(TILES * (COPY + COMPUTE)));
        assert_eq!(end(2), Some(COPY + TILES * COMPUTE));
    }
}

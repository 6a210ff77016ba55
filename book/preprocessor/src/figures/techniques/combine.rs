//! How threads and blocks bring together what each of them has.

use crate::figures::kit::drawing::Drawing;

/// Whether a thread adds in a round.
type Adds = fn(usize, u32) -> bool;

/// Which threads add in each round of a tree, spread out and side by side.
pub fn trees() -> String {
    const THREADS: usize = 16;
    const ROUNDS: u32 = THREADS.ilog2();
    const WIDE: f64 = 20.0;
    const LEFT: f64 = 34.0;
    let mut drawing = Drawing::new(
        248.0,
        "Sixteen threads add in four rounds. In the interleaved tree the threads that add are further apart in each round; in the \
         sequential tree they are neighbours, and whole warps fall idle",
    );
    let adds: [(&str, Adds); 2] = [
        ("interleaved: every second thread, every fourth …", |thread, round| {
            thread.is_multiple_of(2 << round)
        }),
        ("sequential: the first half, the first quarter …", |thread, round| {
            thread < THREADS >> (round + 1)
        }),
    ];
    for (which, (title, adds)) in adds.into_iter().enumerate() {
        let top = 116.0 * which as f64;
        drawing.text((4.0, top + 14.0), title);
        for round in 0..ROUNDS {
            let row = top + 22.0 + 21.0 * f64::from(round);
            drawing.text((4.0, row + 13.0), &(round + 1).to_string());
            let cells = (0..THREADS).map(|thread| if adds(thread, round) { "busy" } else { "" });
            drawing.row((LEFT, row), (WIDE, 18.0), cells.map(|fill| (fill, "")));
        }
    }
    drawing.legend((4.0, 242.0), "busy", "a thread that adds in round 1, 2, 3, 4");
    drawing.html()
}

/// Elements with work at any place, and the list of them.
pub fn compact() -> String {
    const ELEMENTS: usize = 16;
    const WIDE: f64 = 22.0;
    let is_work = |element: &usize| [1, 6, 8, 13].contains(element);
    let mut drawing = Drawing::new(
        166.0,
        "Four of sixteen elements have work, at any place. Their places are collected in a list, and neighbouring threads take one each",
    );
    let middle = |place: usize| 4.0 + WIDE * (place as f64 + 0.5);
    drawing.text((4.0, 14.0), "each thread tests its element");
    let cells = (0..ELEMENTS).map(|element| if is_work(&element) { "load" } else { "" });
    drawing.row((4.0, 22.0), (WIDE, 24.0), cells.zip(0..ELEMENTS));
    let work: Vec<usize> = (0..ELEMENTS).filter(is_work).collect();
    for (place, element) in work.iter().enumerate() {
        drawing.arrow((middle(*element), 48.0), (middle(place), 96.0));
    }
    drawing.row((4.0, 98.0), (WIDE, 24.0), work.iter().map(|element| ("busy", element)));
    drawing
        .text((4.0 + WIDE * (work.len() as f64 + 0.5), 114.0), "the first threads compute these");
    drawing.legend((4.0, 158.0), "load", "an element with work");
    drawing.html()
}

/// A tile that adds up what the tiles before it have published.
pub fn look_back() -> String {
    const TILES: usize = 8;
    const WIDE: f64 = 44.0;
    /// The last tile that knows the sum of everything up to its end.
    const KNOWS: usize = 2;
    let mut drawing = Drawing::new(
        158.0,
        "Eight tiles. The first three know the sum of everything before them, the others only their own. The last adds the sums of \
         the four before it, and stops at the third, which knows the rest",
    );
    let middle = |tile: usize| 2.0 + WIDE * (tile as f64 + 0.5);
    let fill = |tile| if tile <= KNOWS { "busy" } else { "load" };
    drawing.text((4.0, 14.0), "tiles");
    drawing.row((3.0, 22.0), (WIDE, 26.0), (0..TILES).map(|tile| (fill(tile), tile)));
    let last = TILES - 1;
    for tile in KNOWS..last {
        drawing.line((middle(tile), 50.0), (middle(tile), 78.0));
    }
    drawing.line((middle(KNOWS), 78.0), (middle(last), 78.0));
    drawing.arrow((middle(last), 78.0), (middle(last), 50.0));
    drawing.end((354.0, 98.0), &format!("tile {last} adds these and is ready"));
    drawing.legend((4.0, 128.0), "busy", "knows the sum of everything up to its end");
    drawing.legend((4.0, 152.0), "load", "knows its own sum");
    drawing.html()
}

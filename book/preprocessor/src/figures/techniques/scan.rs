//! Sums of everything up to a place.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

/// What eight lanes add up.
const VALUES: [u32; 8] = [3, 1, 4, 1, 5, 9, 2, 6];
const LANES: usize = VALUES.len();
const WIDE: f64 = 40.0;
const LEFT: f64 = 34.0;

/// The sums after each round, in which a lane adds what a lower lane has: 1, 2, 4 … lanes below.
fn rounds() -> Vec<[u32; LANES]> {
    let mut rounds = vec![VALUES];
    let mut sums = VALUES;
    let mut distance = 1;
    while distance < LANES {
        let before = sums;
        (distance..LANES).for_each(|lane| sums[lane] += before[lane - distance]);
        rounds.push(sums);
        distance *= 2;
    }
    rounds
}

/// The rounds of a warp's scan by shuffles.
pub fn shuffles() -> String {
    let rounds = rounds();
    let mut drawing = Drawing::new(
        216.0,
        "Eight lanes with the values 3 1 4 1 5 9 2 6. In three rounds each lane adds what the lane 1, 2 and 4 below has; then each \
         has the sum of all up to itself",
    );
    let middle = |lane: usize| LEFT + WIDE * (lane as f64 + 0.5);
    for (round, sums) in rounds.iter().enumerate() {
        let top = 20.0 + 52.0 * round as f64;
        let distance = 1 << round >> 1;
        let fill = |lane| if round > 0 && lane >= distance { "busy" } else { "" };
        drawing.row((LEFT, top), (WIDE, 24.0), (0..LANES).map(|lane| (fill(lane), sums[lane])));
        if round > 0 {
            drawing.text((4.0, top + 16.0), &format!("+{distance}"));
            for lane in distance..LANES {
                drawing
                    .arrow((middle(lane - distance), top - 26.0), (middle(lane) - 4.0, top - 2.0));
            }
        }
    }
    drawing.text((LEFT, 14.0), "a value for each lane");
    drawing.text((LEFT, 212.0), "filled: has added what the arrow brings");
    drawing.html()
}

/// What a tile of a scan knows.
#[derive(Clone, Copy, PartialEq)]
enum State {
    Nothing,
    Own,
    All,
}

/// The states of tiles from step to step: a tile first finds its own sum, some later than others; then it looks back, one tile
/// a step, over those that know only their own, until one knows all.
fn states(late: &[usize]) -> Vec<Vec<State>> {
    let tiles = late.len();
    let mut now = vec![State::Nothing; tiles];
    let mut looked: Vec<usize> = (0..tiles).collect();
    let mut history = vec![now.clone()];
    while now.iter().any(|state| *state != State::All) {
        let before = now.clone();
        let step = history.len();
        for tile in 0..tiles {
            match before[tile] {
                // Before the first tile there is nothing.
                State::Nothing if step >= late[tile] && tile == 0 => now[tile] = State::All,
                State::Nothing if step >= late[tile] => now[tile] = State::Own,
                State::Own => match before[looked[tile] - 1] {
                    State::All => now[tile] = State::All,
                    State::Own => looked[tile] -= 1,
                    State::Nothing => {}
                },
                State::Nothing | State::All => {}
            }
        }
        history.push(now.clone());
    }
    history
}

/// Tiles that look back, step by step.
pub fn looking_back() -> String {
    const LATE: [usize; 8] = [1, 1, 3, 1, 2, 1, 1, 2];
    const WIDE: f64 = 43.0;
    let mut film = Film::new(
        "Eight tiles of a scan over time: nothing, the own sum, the sum of everything up to the end",
    );
    let history = states(&LATE);
    for (step, states) in history.iter().enumerate() {
        let count = |state| states.iter().filter(|it| **it == state).count();
        let (own, all) = (count(State::Own), count(State::All));
        let words = format!(
            "Step {step}: {own} tiles know their own sum, {all} know everything up to their end"
        );
        let mut drawing = Drawing::new(112.0, words);
        drawing.text((4.0, 14.0), &format!("step {step}"));
        let cells = states.iter().enumerate().map(|(tile, state)| match state {
            State::Nothing => ("", tile),
            State::Own => ("load", tile),
            State::All => ("busy", tile),
        });
        drawing.row((4.0, 22.0), (WIDE, 28.0), cells);
        drawing.legend((4.0, 78.0), "load", "knows its own sum");
        drawing.legend((4.0, 102.0), "busy", "knows the sum of everything up to its end");
        let caption = match (own, all) {
            (0, 0) => "All tiles read their values.",
            (_, 0) => "Tiles have added their own values. Nobody has had to wait so far.",
            (0, _) => {
                "Done. A chain from tile to tile would have waited for the slowest tile, then taken a step for each tile after it."
            }
            _ => {
                "A tile adds the sums of the tiles before it, one at a time, until it meets one that knows everything."
            }
        };
        film.frame(drawing, caption);
    }
    film.html()
}

/// Sums of blocks, a scan of these, and additions to all: what goes through memory.
pub fn launches() -> String {
    let mut drawing = Drawing::new(
        184.0,
        "Three launches of a scan. Each block scans its part and writes its sum. One block scans the sums. Each block adds what is before \
         it: every element is read and written twice",
    );
    const BLOCKS: usize = 4;
    const WIDE: f64 = 64.0;
    let block = |place: usize| 78.0 + 70.0 * place as f64;
    for (top, title) in [(4.0, "scan parts"), (64.0, "scan sums"), (124.0, "add sums")] {
        drawing.text((4.0, top + 20.0), title);
    }
    for place in 0..BLOCKS {
        drawing.cell("load", (block(place), 4.0), (WIDE, 28.0), &format!("part {place}"));
        drawing.arrow((block(place) + 32.0, 34.0), (block(place) + 32.0, 62.0));
        drawing.cell("", (block(place) + 18.0, 64.0), (28.0, 28.0), "Σ");
        drawing.arrow((block(place) + 32.0, 94.0), (block(place) + 32.0, 122.0));
        drawing.cell("busy", (block(place), 124.0), (WIDE, 28.0), &format!("part {place}"));
        if place > 0 {
            drawing.arrow((block(place) - 24.0, 78.0), (block(place) + 16.0, 78.0));
        }
    }
    drawing.text((4.0, 176.0), "Every element crosses memory four times.");
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_end_with_the_sums_of_all_before() {
        let mut sum = 0;
        let expected = VALUES.map(|value| {
            sum += value;
            sum
        });
        assert_eq!(rounds().pop(), Some(expected));
    }

    #[test]
    fn every_tile_ends_with_all() {
        let history = states(&[1, 5, 1, 1]);
        assert!(history.last().is_some_and(|last| last.iter().all(|state| *state == State::All)));
        assert!(history.len() > 5, "tile 1 is late");
    }
}

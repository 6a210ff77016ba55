//! Values that are kept, and the places that they get.

use crate::figures::kit::drawing::Drawing;

/// Which lanes keep their value.
const KEEPS: [bool; 16] = {
    let (yes, no) = (true, false);
    [no, yes, yes, no, yes, no, no, yes, yes, yes, no, no, yes, no, yes, no]
};
const LANES: usize = KEEPS.len();
const WIDE: f64 = 22.0;

/// A lane's place among those that keep a value.
fn rank(lane: usize) -> usize {
    KEEPS[..lane].iter().filter(|keeps| **keeps).count()
}

/// One addition to the counter for all lanes of a warp.
pub fn ballot() -> String {
    let kept = rank(LANES);
    let mut drawing = Drawing::new(
        190.0,
        "Sixteen lanes, eight of which keep a value. A ballot says which; the count of lower lanes that keep one is a lane's place, \
         after one addition to the counter for all of them",
    );
    let middle = |place: usize| 2.0 + WIDE * (place as f64 + 0.5);
    drawing.text((4.0, 14.0), "the ballot: which lanes keep their value");
    let bits = KEEPS.map(|keeps| if keeps { ("busy", 1) } else { ("", 0) });
    drawing.row((2.0, 22.0), (WIDE, 24.0), bits);
    drawing.text((4.0, 66.0), "lower lanes that keep one");
    let ranks = (0..LANES).map(|lane| {
        let words = if KEEPS[lane] { rank(lane).to_string() } else { String::new() };
        ("", words)
    });
    drawing.row((2.0, 74.0), (WIDE, 24.0), ranks);
    for lane in (0..LANES).filter(|lane| KEEPS[*lane]) {
        drawing.arrow((middle(lane), 100.0), (middle(rank(lane)), 132.0));
    }
    drawing.row((2.0, 134.0), (WIDE, 24.0), (0..kept).map(|_| ("load", "")));
    let words = format!("{kept} places, reserved by\none addition of {kept}");
    drawing.text((middle(kept), 144.0), &words);
    drawing.text((4.0, 182.0), "the output, from the counter's old value on");
    drawing.html()
}

/// Places that two warps reserve several at a time.
pub fn ranges() -> String {
    /// Places of a range, and how many values the warps keep in three rounds.
    const RANGE: usize = 8;
    const ROUNDS: [[usize; 3]; 2] = [[3, 4, 4], [2, 5, 2]];
    const WIDE: f64 = 11.0;
    let mut drawing = Drawing::new(
        150.0,
        "Two warps reserve ranges of eight places and fill them over several rounds. What is left of the last range stays a gap of empty \
         values",
    );
    drawing.text((4.0, 14.0), "two warps, three rounds each, ranges of eight places");
    let used = ROUNDS.map(|rounds| rounds.iter().sum::<usize>());
    // Ranges in the order in which the warps ask for them: each when the one before is full.
    let asks = (0..ROUNDS[0].len()).flat_map(|round| {
        (0..ROUNDS.len()).flat_map(move |warp| {
            let until =
                |rounds: usize| ROUNDS[warp][..rounds].iter().sum::<usize>().div_ceil(RANGE);
            std::iter::repeat_n(warp, until(round + 1) - until(round))
        })
    });
    let mut given = [0; ROUNDS.len()];
    for (range, warp) in asks.enumerate() {
        let left = 2.0 + (RANGE as f64 * WIDE) * range as f64;
        let fill = ["busy", "load"][warp];
        let full = (used[warp] - given[warp]).min(RANGE);
        given[warp] += full;
        let cells = (0..RANGE).map(|place| if place < full { (fill, "") } else { ("", "–") });
        drawing.row((left, 44.0), (WIDE, 24.0), cells);
        drawing.text((left, 36.0), &format!("warp {warp}"));
        drawing.line((left, 40.0), (left, 72.0));
    }
    drawing.text((4.0, 94.0), "–: an empty value, where a range is not used up");
    let additions: usize = used.iter().map(|used| used.div_ceil(RANGE)).sum();
    let words = format!(
        "{additions} additions to the counter instead of {}, one for each round.",
        ROUNDS.len() * ROUNDS[0].len()
    );
    drawing.text((4.0, 120.0), &words);
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_values_that_are_kept() {
        let places: Vec<usize> = (0..LANES).filter(|lane| KEEPS[*lane]).map(rank).collect();
        assert_eq!(places, (0..8).collect::<Vec<_>>());
    }
}

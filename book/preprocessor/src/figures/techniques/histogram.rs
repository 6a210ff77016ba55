//! Lanes that count: which of them meet in a bin, and in a bank.

use crate::figures::kit::drawing::Drawing;
use crate::figures::kit::film::Film;

/// What the lanes count at one instruction; a warp has 32 of them.
const VALUES: [usize; 8] = [3, 1, 3, 3, 0, 3, 1, 2];
const LANES: usize = VALUES.len();
const BINS: usize = 4;
const WIDE: f64 = 40.0;
const LEFT: f64 = 34.0;

/// In which pass each lane adds: lanes that want the same bin take turns.
fn passes() -> [usize; LANES] {
    std::array::from_fn(|lane| VALUES[..lane].iter().filter(|it| **it == VALUES[lane]).count())
}

/// One atomic addition of a warp, pass by pass.
pub fn meet() -> String {
    let passes = passes();
    let last = passes.into_iter().max().unwrap_or(0);
    let mut film = Film::new(
        "An atomic addition of eight lanes takes as many passes as lanes want the same bin",
    );
    for now in 0..=last {
        let done = |lane: usize| passes[lane] < now;
        let mut counts = [0; BINS];
        (0..LANES).filter(|lane| passes[*lane] <= now).for_each(|lane| counts[VALUES[lane]] += 1);
        let adding: Vec<usize> = (0..LANES).filter(|lane| passes[*lane] == now).collect();
        let waiting = (0..LANES).filter(|lane| passes[*lane] > now).count();
        let words =
            format!("Pass {}: lanes {adding:?} add, {waiting} wait. Bins: {counts:?}", now + 1);
        let mut drawing = Drawing::new(150.0, words.as_str());
        drawing.text((4.0, 14.0), "lanes, each with its value");
        let fill = |lane| match (done(lane), passes[lane] == now) {
            (true, _) => "",
            (false, true) => "busy",
            (false, false) => "load",
        };
        let name =
            |lane: usize| if done(lane) { "✓".to_owned() } else { VALUES[lane].to_string() };
        drawing.row((LEFT, 22.0), (WIDE, 26.0), (0..LANES).map(|lane| (fill(lane), name(lane))));
        let bin = |value: usize| LEFT + 2.0 * WIDE * (value as f64 + 0.5);
        for lane in adding {
            drawing.arrow((LEFT + WIDE * (lane as f64 + 0.5), 50.0), (bin(VALUES[lane]), 92.0));
        }
        drawing.text((4.0, 112.0), "bins");
        for (value, count) in counts.into_iter().enumerate() {
            drawing.cell("", (bin(value) - 28.0, 94.0), (56.0, 26.0), &format!("{value}: {count}"));
        }
        drawing.legend((LEFT, 142.0), "busy", "adds in this pass");
        drawing.legend((LEFT + 160.0, 142.0), "load", "waits");
        let caption = match waiting {
            0 => {
                "All lanes have added. With equal values it would have taken eight passes, with different ones a single pass."
            }
            _ => {
                "One lane adds to each bin. The others that want the same bin wait for the next pass."
            }
        };
        film.frame(drawing, caption);
    }
    film.html()
}

/// Where the same lanes go if each has bins of its own, in a bank of its own.
pub fn own_bins() -> String {
    const ROW: f64 = 24.0;
    let mut drawing = Drawing::new(
        166.0,
        "A table of four bins for each of eight lanes. Each lane counts in its own column, which is a bank of shared memory: no two \
         lanes meet",
    );
    drawing.text((4.0, 14.0), "own[value][lane]: a column for each lane");
    for value in 0..BINS {
        let top = 42.0 + ROW * value as f64;
        drawing.text((4.0, top + 16.0), &value.to_string());
        let cells = VALUES.map(|it| if it == value { ("busy", "+1") } else { ("", "") });
        drawing.row((LEFT, top), (WIDE, ROW), cells);
    }
    for lane in 0..LANES {
        drawing.middle((LEFT + WIDE * (lane as f64 + 0.5), 34.0), &lane.to_string());
    }
    drawing.text((LEFT, 158.0), "One pass, whatever the values are.");
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_with_equal_values_take_turns() {
        assert_eq!(passes(), [0, 0, 1, 2, 0, 3, 1, 0]);
    }
}

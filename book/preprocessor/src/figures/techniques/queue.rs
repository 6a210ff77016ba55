//! Items of unequal length on the lanes of a warp: who is idle, and when.

use crate::figures::kit::drawing::Drawing;

const LANES: usize = 8;
/// Rounds that each item takes: drawn below a power of two, as the ladder draws them.
const LENGTHS: [usize; 24] =
    [2, 1, 7, 1, 12, 3, 1, 5, 1, 14, 2, 1, 3, 1, 6, 2, 9, 1, 2, 4, 1, 3, 1, 10];
/// The width of a round, and the height of a lane.
const ROUND: f64 = 7.6;
const LANE: f64 = 6.0;

/// An item on a lane: where it begins, and how long it takes.
type Turn = (usize, usize);

/// What each lane does: all wait for the longest item of eight.
fn waiting(lengths: &[usize]) -> Vec<Vec<Turn>> {
    let mut lanes = vec![Vec::new(); LANES];
    let mut now = 0;
    for items in lengths.chunks(LANES) {
        for (lane, length) in items.iter().enumerate() {
            lanes[lane].push((now, *length));
        }
        now += items.iter().max().unwrap_or(&0);
    }
    lanes
}

/// What each lane does if a lane that is done takes the next item at once.
fn refilled(lengths: &[usize]) -> Vec<Vec<Turn>> {
    let mut lanes = vec![Vec::new(); LANES];
    let end = |lane: &Vec<Turn>| lane.last().map_or(0, |(from, length)| from + length);
    for length in lengths {
        if let Some(lane) = lanes.iter_mut().min_by_key(|lane| end(lane)) {
            let from = end(lane);
            lane.push((from, *length));
        }
    }
    lanes
}

pub fn lanes() -> String {
    let mut sorted = LENGTHS;
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let ways = [
        ("the warp waits for its longest item", waiting(&LENGTHS)),
        ("idle lanes are refilled", refilled(&LENGTHS)),
        ("sorted by length before", waiting(&sorted)),
    ];
    let mut drawing = Drawing::new(
        264.0,
        "Twenty-four items of unequal length on eight lanes, three ways. Where the warp waits for its longest item, most lanes are \
         idle; refilled or sorted, the same items take about half of the rounds",
    );
    let work: usize = LENGTHS.iter().sum();
    for (way, (title, lanes)) in ways.iter().enumerate() {
        let top = 84.0 * way as f64;
        let rounds = lanes.iter().flatten().map(|(from, length)| from + length).max().unwrap_or(0);
        let busy = 100 * work / (rounds * LANES);
        drawing.text((4.0, top + 14.0), &format!("{title}: {rounds} rounds, {busy} % busy"));
        for (lane, turns) in lanes.iter().enumerate() {
            for (place, (from, length)) in turns.iter().enumerate() {
                let fill = if place % 2 == 0 { "busy" } else { "load" };
                let corner = (4.0 + ROUND * *from as f64, top + 22.0 + LANE * lane as f64);
                drawing.filled(fill, corner, (ROUND * *length as f64 - 1.0, LANE - 1.2));
            }
        }
        let end = 4.0 + ROUND * rounds as f64;
        drawing.line((end, top + 20.0), (end, top + 72.0));
    }
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_done_once_and_no_lane_has_two_at_a_time() {
        for lanes in [waiting(&LENGTHS), refilled(&LENGTHS)] {
            let mut done: Vec<usize> = lanes.iter().flatten().map(|(_, length)| *length).collect();
            let mut all = LENGTHS.to_vec();
            done.sort_unstable();
            all.sort_unstable();
            assert_eq!(done, all);
            for turns in &lanes {
                assert!(turns.windows(2).all(|two| two[0].0 + two[0].1 <= two[1].0));
            }
        }
    }
}

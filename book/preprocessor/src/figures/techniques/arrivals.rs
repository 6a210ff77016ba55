//! A tree of sums, and three ways to wait for what is below.

use crate::figures::kit::drawing::{Drawing, Point};

/// Leaves that are drawn, and levels above them.
const LEAVES: usize = 8;
const LEVELS: usize = LEAVES.ilog2() as usize;
const VALUES: [u32; LEAVES] = [3, 1, 4, 1, 5, 9, 2, 6];

/// The place of a node: its level above the leaves, and its number there.
fn place(top: f64, level: usize, node: usize) -> Point {
    let wide = 344.0 / (LEAVES >> level) as f64;
    (8.0 + wide * (node as f64 + 0.5), top + 38.0 * (LEVELS - level) as f64)
}

fn edges(drawing: &mut Drawing, top: f64) {
    for level in 1..=LEVELS {
        for node in 0..LEAVES >> level {
            for child in [2 * node, 2 * node + 1] {
                drawing.line(place(top, level, node), place(top, level - 1, child));
            }
        }
    }
}

/// Levels with a barrier of the whole GPU between them.
pub fn levels() -> String {
    let mut drawing = Drawing::new(
        164.0,
        "A tree of sums over eight leaves in four levels. Between levels all blocks meet at a barrier, although each node needs only its \
         two children",
    );
    let top = 18.0;
    edges(&mut drawing, top);
    let mut sums = VALUES.to_vec();
    for level in 0..=LEVELS {
        for (node, sum) in sums.iter().enumerate() {
            let at = place(top, level, node);
            let corner = (at.0 - 13.0, at.1 - 10.0);
            drawing.filled("paper", corner, (26.0, 20.0));
            drawing.cell(
                if level == 0 { "load" } else { "busy" },
                corner,
                (26.0, 20.0),
                &sum.to_string(),
            );
        }
        sums = sums.chunks(2).map(|two| two.iter().sum()).collect();
        if level > 0 {
            let y = place(top, level, 0).1 + 19.0;
            let look = "stroke=\"currentColor\" stroke-dasharray=\"5 4\" stroke-opacity=\".7\"";
            drawing.path(look, [(4.0, y), (356.0, y)]);
        }
    }
    drawing.text((4.0, 160.0), "dashed: all blocks wait for all others");
    drawing.html()
}

/// Which thread computes which node if the first to arrive ends and the second goes on.
pub fn arrivals() -> String {
    // When each thread reaches its leaf's parent: any order will do.
    const ORDER: [usize; LEAVES] = [3, 0, 6, 1, 2, 7, 5, 4];
    let mut drawing = Drawing::new(
        190.0,
        "A tree over eight leaves. A thread for each leaf goes up; of two that meet at a node the first ends, and the second adds the \
         children and goes on. The last of all adds the root",
    );
    let top = 18.0;
    edges(&mut drawing, top);
    let mut climbers: Vec<usize> = (0..LEAVES).collect();
    for level in 0..=LEVELS {
        for (node, thread) in climbers.iter().enumerate() {
            let at = place(top, level, node);
            let fill = if level == 0 { "load" } else { "busy" };
            let corner = (at.0 - 11.0, at.1 - 10.0);
            drawing.filled("paper", corner, (22.0, 20.0));
            drawing.cell(fill, corner, (22.0, 20.0), &thread.to_string());
        }
        climbers = climbers.chunks(2).map(|two| last(two, &ORDER)).collect();
    }
    drawing.text(
        (4.0, 162.0),
        "In a leaf: its thread. In a node: the thread that came\nsecond, and adds.",
    );
    drawing.html()
}

/// Who comes last.
fn last(threads: &[usize], order: &[usize]) -> usize {
    threads.iter().copied().max_by_key(|thread| order[*thread]).unwrap_or(0)
}

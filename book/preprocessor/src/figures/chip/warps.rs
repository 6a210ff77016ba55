//! Lanes of warps over time, where a branch divides them.

use crate::figures::kit::drawing::{Drawing, Point};
use crate::figures::kit::shared::WARP;

/// Lanes that take the branch of the kernel `divergent`.
const TAKE: usize = 8;
/// From one lane to the next.
const LANE: f64 = 5.0;

/// Half of all threads take a path: every other lane, or every other warp.
pub fn halves() -> String {
    let mut drawing = Drawing::new(
        176.0,
        "Two warps over time. Above, lanes alternate: a and b take turns with half of the lanes idle. Below, whole warps: one runs \
         a, another runs b, at the same time",
    );
    drawing.text((4.0, 14.0), "lanes differ: half of the lanes wait");
    drawing.text((4.0, 104.0), "warps differ: both at the same time");
    for (warp, fill) in ["busy", "load"].into_iter().enumerate() {
        let top = 22.0 + 34.0 * warp as f64;
        drawing.text((4.0, top + 18.0), &format!("warp {warp}"));
        lanes(&mut drawing, (56.0, top), 120.0, "busy", [0, 2, 4]);
        lanes(&mut drawing, (180.0, top), 120.0, "load", [1, 3, 5]);
        drawing.text((4.0, top + 108.0), &format!("warp {warp}"));
        lanes(&mut drawing, (56.0, top + 90.0), 120.0, fill, 0..6);
    }
    drawing.legend((310.0, 50.0), "busy", "a()");
    drawing.legend((310.0, 74.0), "load", "b()");
    drawing.html()
}

/// Lanes of a warp at a branch that a quarter of them take.
pub fn divergence() -> String {
    let mut drawing = Drawing::new(
        220.0,
        "Lanes of a warp over time: all active, then at a branch the first quarter goes one way while the rest wait, then the others \
         go the other way, then all are active again",
    );
    let (top, left) = (24.0, 60.0);
    for (lane, y) in [(0, 34.0), (WARP - 1, 182.0)] {
        drawing.text((4.0, y), &format!("lane {lane}"));
    }
    lanes(&mut drawing, (left, top), 52.0, "busy", 0..WARP);
    lanes(&mut drawing, (left + 55.0, top), 86.0, "busy", 0..TAKE);
    lanes(&mut drawing, (left + 144.0, top), 94.0, "busy", TAKE..WARP);
    lanes(&mut drawing, (left + 241.0, top), 52.0, "busy", 0..WARP);
    drawing.text((left + 55.0, 14.0), "↓ divergent branch");
    drawing.end((356.0, 14.0), "they meet ↓");
    for (x, words) in [(0.0, "all"), (55.0, "if:"), (144.0, "else:"), (241.0, "all")] {
        drawing.text((left + x, 200.0), words);
    }
    drawing.text((left + 55.0, 216.0), &format!("{TAKE} of {WARP}"));
    drawing.text((left + 144.0, 216.0), &format!("{} of {WARP}", WARP - TAKE));
    drawing.html()
}

/// These lanes of a warp, active for a time.
fn lanes(
    drawing: &mut Drawing,
    (left, top): Point,
    width: f64,
    fill: &str,
    active: impl IntoIterator<Item = usize>,
) {
    for lane in active {
        drawing.filled(fill, (left, top + LANE * lane as f64), (width, LANE - 1.5));
    }
}

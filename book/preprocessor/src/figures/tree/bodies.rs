//! Bodies that walk together, what a cell keeps of its bodies, and who computes which.

use crate::figures::kit::drawing::{Drawing, Point};

/// Bodies along the curve: close together in the core of a cluster, far apart outside.
const ALONG: [Point; 16] = [
    (0.05, 0.10),
    (0.20, 0.88),
    (0.33, 0.62),
    (0.38, 0.52),
    (0.42, 0.45),
    (0.46, 0.40),
    (0.50, 0.44),
    (0.47, 0.52),
    (0.52, 0.56),
    (0.56, 0.50),
    (0.58, 0.43),
    (0.62, 0.48),
    (0.66, 0.58),
    (0.72, 0.66),
    (0.93, 0.90),
    (0.95, 0.08),
];

/// The corners of the box around bodies.
fn around(bodies: &[Point]) -> (Point, Point) {
    let least = |of: fn(&Point) -> f64| bodies.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = |of: fn(&Point) -> f64| bodies.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    ((least(|it| it.0), least(|it| it.1)), (most(|it| it.0), most(|it| it.1)))
}

fn is_wide(bodies: &[Point]) -> bool {
    let (low, high) = around(bodies);
    (high.0 - low.0).max(high.1 - low.1) > 0.2
}

/// Groups whose boxes are small: a wide one is halved.
fn divided(bodies: &[Point]) -> Vec<&[Point]> {
    match bodies.len() > 1 && is_wide(bodies) {
        true => {
            let (left, right) = bodies.split_at(bodies.len() / 2);
            [divided(left), divided(right)].concat()
        }
        false => vec![bodies],
    }
}

pub fn boxes() -> String {
    const SIDE: f64 = 164.0;
    let mut drawing = Drawing::new(
        228.0,
        "Sixteen bodies along a curve. In groups of four, the outer groups have huge boxes. Where wide groups are halved, all boxes are small",
    );
    let fixed: Vec<&[Point]> = ALONG.chunks(4).collect();
    let small: Vec<&[Point]> = ALONG.chunks(4).flat_map(divided).collect();
    for (left, title, groups) in
        [(4.0, "groups of four", fixed), (190.0, "wide ones halved", small)]
    {
        drawing.text((left, 14.0), title);
        let at = |(x, y): Point| (left + SIDE * x, 24.0 + SIDE * y);
        drawing.outline((left, 24.0), (SIDE, SIDE));
        drawing.path("stroke=\"currentColor\" stroke-opacity=\".35\"", ALONG.map(at));
        for group in &groups {
            let (low, high) = around(group);
            let (low, high) = (at(low), at(high));
            let size = (high.0 - low.0 + 12.0, high.1 - low.1 + 12.0);
            drawing.tinted("busy", (low.0 - 6.0, low.1 - 6.0), size);
        }
        for body in ALONG {
            drawing.dot("load", at(body), 3.5);
        }
        drawing.text((left, 206.0), &format!("{} groups", groups.len()));
    }
    drawing.text((4.0, 224.0), "A group opens what is near to its box.");
    drawing.html()
}

/// A cell as one mass, and with the spread of its bodies.
pub fn moments() -> String {
    let bodies = &ALONG[2..13];
    let count = bodies.len() as f64;
    let sum = |of: &dyn Fn(&Point) -> f64| bodies.iter().map(of).sum::<f64>() / count;
    let centre = (sum(&|it| it.0), sum(&|it| it.1));
    let (xx, yy) = (sum(&|it| (it.0 - centre.0).powi(2)), sum(&|it| (it.1 - centre.1).powi(2)));
    let xy = sum(&|it| (it.0 - centre.0) * (it.1 - centre.1));
    // The directions in which the bodies spread most and least, and how far.
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let root = ((xx - yy) / 2.0).hypot(xy);
    let spreads = [(xx + yy) / 2.0 + root, (xx + yy) / 2.0 - root].map(f64::sqrt);
    let mut drawing = Drawing::new(
        190.0,
        "A cell's bodies; the same as one mass at their centre; and as a mass with the directions in which they spread",
    );
    const SIDE: f64 = 104.0;
    for (place, title) in ["bodies", "one mass", "and moments"].into_iter().enumerate() {
        let left = 4.0 + 124.0 * place as f64;
        drawing.text((left, 14.0), title);
        drawing.outline((left, 24.0), (SIDE, SIDE));
        let at = |(x, y): Point| {
            (left + SIDE * (2.2 * (x - 0.5) + 0.5), 24.0 + SIDE * (2.2 * (y - 0.5) + 0.5))
        };
        match place {
            0 => bodies.iter().for_each(|body| drawing.dot("load", at(*body), 4.0)),
            _ => drawing.dot("busy", at(centre), 8.0),
        }
        if place == 2 {
            for (spread, turn) in
                spreads.into_iter().zip([angle, angle + std::f64::consts::FRAC_PI_2])
            {
                let step = (spread * turn.cos(), spread * turn.sin());
                let end = |sign: f64| at((centre.0 + sign * step.0, centre.1 + sign * step.1));
                drawing.arrow(end(-1.0), end(1.0));
                drawing.arrow(end(1.0), end(-1.0));
            }
        }
    }
    drawing.text((4.0, 152.0), "The arrows: how far the bodies spread, and where to. In\nspace these are six numbers. What is left out then is\nsmaller by a factor of size / distance.");
    drawing.html()
}

/// The GPU of a warp.
type Dealer = fn(usize) -> usize;

/// Warps of bodies for three GPUs: ranges, and dealt out in turns.
pub fn dealt() -> String {
    const WARPS: usize = 21;
    const GPUS: usize = 3;
    const WIDE: f64 = 16.6;
    // Lists are longer in the core, in the middle of the curve.
    let length = |warp: usize| {
        let from_core = (warp as f64 - (WARPS as f64 - 1.0) / 2.0) / 3.0;
        14.0 + 54.0 / (1.0 + from_core * from_core)
    };
    let mut drawing = Drawing::new(
        246.0,
        "Warps along the curve, each as high as its list is long. Divided into three ranges, the middle GPU has most of the work. Dealt out in \
         turns, all have nearly the same",
    );
    let all: f64 = (0..WARPS).map(length).sum();
    let ways: [(&str, Dealer); 2] =
        [("three ranges", |warp| GPUS * warp / WARPS), ("in turns", |warp| warp % GPUS)];
    for (row, (title, gpu)) in ways.into_iter().enumerate() {
        let foot = 96.0 + 124.0 * row as f64;
        let shares = (0..GPUS).map(|which| {
            let work: f64 = (0..WARPS).filter(|warp| gpu(*warp) == which).map(length).sum();
            format!("{:.0} %", 100.0 * work / all)
        });
        let shares: Vec<String> = shares.collect();
        drawing.text((4.0, foot - 82.0), &format!("{title}: {}", shares.join(", ")));
        for warp in 0..WARPS {
            let corner = (4.0 + WIDE * warp as f64, foot - length(warp));
            let size = (WIDE - 2.0, length(warp));
            drawing.cell(["busy", "load", ""][gpu(warp)], corner, size, "");
        }
        drawing.text((4.0, foot + 16.0), "along the curve: outside, core, outside");
    }
    drawing.html()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_group_is_wide_and_all_bodies_are_in_one() {
        let groups: Vec<&[Point]> = ALONG.chunks(4).flat_map(divided).collect();
        assert_eq!(groups.concat(), ALONG);
        assert!(groups.iter().all(|group| group.len() == 1 || !is_wide(group)));
    }
}

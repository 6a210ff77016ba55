//! A sum that is divided: among the lanes of vectors on a CPU, and among those of a warp.

use cpu_04_lanes::LANES;

use crate::figures::kit::drawing::Drawing;

/// Lanes of the vectors that every CPU has.
const VECTOR: usize = 4;

/// One sum, and a sum for every lane.
pub fn vectors() -> String {
    let mut drawing = Drawing::new(
        198.0,
        "One sum is a chain of additions. Sixteen sums, each of every sixteenth term, are added in vectors of four",
    );
    let wide = 352.0 / LANES as f64;
    drawing.text((4.0, 14.0), "one sum: each addition waits for the one before");
    drawing.text(
        (4.0, 74.0),
        &format!(
            "{LANES} sums: each takes every {LANES}th term,\nand four neighbours are a vector"
        ),
    );
    for lane in 0..LANES {
        let left = 4.0 + wide * lane as f64;
        drawing.cell("busy", (left, 24.0), (12.0, 22.0), "");
        if lane + 1 < LANES {
            drawing.arrow((left + 12.0, 35.0), (left + wide, 35.0));
        }
        for top in [100.0, 138.0] {
            // A little room between vectors.
            let gap = if lane % VECTOR == 0 { 3.0 } else { 0.0 };
            drawing.cell("busy", (left + gap, top), (wide - gap, 22.0), "");
            drawing.line((left + wide / 2.0, top + 22.0), (left + wide / 2.0, top + 36.0));
        }
    }
    drawing.middle((180.0, 190.0), &format!("… at the end, the {LANES} are added"));
    drawing.html()
}

/// Lanes of a warp: sums of partners, which are then exchanged in rounds.
pub fn lanes() -> String {
    const DRAWN: usize = 8;
    let mut drawing = Drawing::new(
        300.0,
        "Eight lanes, each with every eighth partner; their sums are added in three rounds, each with the lane 4, 2 and 1 away, until \
         every lane has the sum of all",
    );
    let left = |lane: usize| 102.0 + 32.0 * lane as f64;
    drawing.text((4.0, 14.0), "lane");
    drawing.text((4.0, 39.0), "partners");
    for lane in 0..DRAWN {
        drawing.middle((left(lane) + 13.0, 14.0), &lane.to_string());
        for row in 0..3 {
            let partner = (lane + DRAWN * row).to_string();
            drawing.cell("load", (left(lane), 24.0 + 24.0 * row as f64), (26.0, 20.0), &partner);
        }
        drawing.middle((left(lane) + 13.0, 110.0), "⋮");
    }
    let rounds = [("sums of a lane", 0), ("of 2 lanes", 4), ("of 4", 2), ("of all", 1)];
    for (round, (name, away)) in rounds.into_iter().enumerate() {
        let top = 120.0 + 52.0 * round as f64;
        drawing.text((4.0, top + 14.0), name);
        if away > 0 {
            drawing.text((4.0, top - 12.0), &format!("exchange ± {away}"));
        }
        for lane in 0..DRAWN {
            drawing.cell("busy", (left(lane), top), (26.0, 20.0), "");
            for from in [lane, lane ^ away].into_iter().filter(|_| away > 0) {
                drawing.line((left(from) + 13.0, top - 32.0), (left(lane) + 13.0, top));
            }
        }
    }
    drawing.html()
}

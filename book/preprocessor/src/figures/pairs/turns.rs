//! Partners that go round the lanes of a warp, their sums with them.

use crate::figures::kit::drawing::Drawing;

/// Lanes and turns that are drawn, and the partner that is followed.
const LANES: usize = 8;
const TURNS: usize = 4;
const FOLLOWED: usize = 5;

pub fn figure() -> String {
    let mut drawing = Drawing::new(
        248.0,
        "Eight lanes and four turns: at each turn every partner is one lane further to the left; partner 5 goes from lane 5 to lane 4, \
         3 and 2, and its sum goes with it",
    );
    let place = |lane: usize, turn: usize| (60.0 + 37.5 * lane as f64, 24.0 + 40.0 * turn as f64);
    drawing.text((4.0, 14.0), "lane");
    for lane in 0..LANES {
        drawing.middle((place(lane, 0).0 + 16.0, 14.0), &lane.to_string());
    }
    for turn in 0..TURNS {
        drawing.text((4.0, place(0, turn).1 + 15.0), &format!("turn {turn}"));
        for lane in 0..LANES {
            let partner = (lane + turn) % LANES;
            let fill = if partner == FOLLOWED { "busy" } else { "load" };
            let corner = place(lane, turn);
            drawing.cell(fill, corner, (32.0, 22.0), &partner.to_string());
            if partner == FOLLOWED && turn > 0 {
                drawing
                    .arrow((corner.0 + 50.0, corner.1 - 17.0), (corner.0 + 24.0, corner.1 - 2.0));
            }
        }
    }
    drawing.text(
        (4.0, 190.0),
        "Each lane keeps its own bodies; partners and their sums\n\
         move on. After as many turns as lanes, each lane has its\n\
         first partner again, and adds that partner’s sum to the\n\
         one in memory.",
    );
    drawing.html()
}

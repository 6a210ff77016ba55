//! No body of a group is nearer to a cell than its box, and no cell is opened that is far from the whole box.

use crate::meter::{Check, Random};
use crate::reader::distance2;

/// Bodies of a group.
const GROUP: usize = 8;

fn point(random: &mut Random, within: f32) -> [f32; 3] {
    [(); 3].map(|()| within * random.fraction())
}

fn between(one: [f32; 3], other: [f32; 3]) -> f32 {
    (0..3).map(|axis| (one[axis] - other[axis]).powi(2)).sum()
}

pub fn main() {
    let check = Check::begin();
    let mut random = check.random();
    let mut needless = 0;
    for _ in 0..check.n {
        let corner = point(&mut random, 1.0);
        let bodies: Vec<[f32; 3]> = (0..GROUP)
            .map(|_| {
                let offset = point(&mut random, 0.25);
                [0, 1, 2].map(|axis| corner[axis] + offset[axis])
            })
            .collect();
        let end = |axis: usize, of: fn(f32, f32) -> f32| {
            bodies.iter().map(|body| body[axis]).reduce(of).expect("bodies")
        };
        let low = [0, 1, 2].map(|axis| end(axis, f32::min));
        let high = [0, 1, 2].map(|axis| end(axis, f32::max));
        let at = point(&mut random, 1.25);
        let got = distance2(low, high, at);
        for body in bodies {
            let true_one = between(body, at);
            if !(got <= true_one * (1.0 + 1e-5)) {
                check.wrong(&format!(
                    "distance2({low:?}, {high:?}, {at:?}) is {got}, and the body at {body:?} is nearer: {true_one}"
                ));
            }
        }
        let nearest = [0, 1, 2].map(|axis| at[axis].max(low[axis]).min(high[axis]));
        let limit = random.fraction(); // of the squares of distances
        needless += usize::from(got < limit && between(nearest, at) >= limit * (1.0 + 1e-5));
    }
    check.count("cells opened without need", needless as f64);
    check.end();
}

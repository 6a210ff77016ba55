//! Different places have different keys; the lines that the squares of five levels fetch for their bodies.

use std::collections::HashMap;

use crate::meter::{Cache, Check};
use crate::reader::key;

/// Columns and rows of the plane.
const SIDE: u32 = 1024;

/// The words of a body: its place, its mass.
const WORDS: usize = 4;

pub fn main() {
    let check = Check::begin();
    let mut random = check.random();
    let mut coordinate = || (random.bits() >> 40) as u32 % SIDE;
    let mut bodies: Vec<[u32; 2]> = (0..check.n).map(|_| [coordinate(), coordinate()]).collect();
    let mut places = HashMap::new();
    for &[x, y] in &bodies {
        let other = places.insert(key(x, y), [x, y]).unwrap_or([x, y]);
        if other != [x, y] {
            check.wrong(&format!(
                "key({x}, {y}) and key({}, {}) are the same key: {}",
                other[0],
                other[1],
                key(x, y)
            ));
        }
    }
    bodies.sort_by_key(|[x, y]| key(*x, *y));
    let mut lines = 0;
    for level in 1..=5 {
        let mut squares: HashMap<[u32; 2], Cache> = HashMap::new();
        for (place, of) in bodies.iter().enumerate() {
            let square = of.map(|it| it / (SIDE >> level));
            squares.entry(square).or_insert_with(|| Cache::new(check.n)).touch(WORDS * place);
        }
        lines += squares.values().map(Cache::fetched).sum::<u64>();
    }
    check.count("cache lines", lines as f64);
    check.end();
}

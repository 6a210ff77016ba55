//! Every field of every body has its own place; the lines that a loop over the first field fetches.

use crate::meter::{Cache, Check};
use crate::reader::place;

pub fn main() {
    let check = Check::begin();
    let n = check.n;
    let mut owner = vec![None; 8 * n];
    let mut first = Vec::new();
    for i in 0..n {
        for field in 0..8 {
            let at = place(n, i, field);
            if field == 0 {
                first.push(at);
            }
            let Some(taken) = owner.get_mut(at) else {
                check.wrong(&format!(
                    "for n = {n}, place(n, {i}, {field}) is {at}, and that is not in the array of {} numbers",
                    8 * n
                ));
            };
            if let Some((other, of)) = taken.replace((i, field)) {
                check.wrong(&format!(
                    "for n = {n}, field {of} of body {other} and field {field} of body {i} have the same place: {at}"
                ));
            }
        }
    }
    for (i, &at) in first.iter().enumerate().rev() {
        let again = place(n, i, 0);
        if again != at {
            check.wrong(&format!(
                "for n = {n}, place(n, {i}, 0) is {at} at first and {again} later; a place must not change"
            ));
        }
    }
    let mut cache = Cache::new(64);
    first.iter().for_each(|&at| cache.touch(at));
    check.count("cache lines", cache.fetched() as f64);
    check.end();
}

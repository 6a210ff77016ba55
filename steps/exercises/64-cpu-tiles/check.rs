//! The matrix is transposed; the lines that a small cache fetches for it.

use std::cell::RefCell;
use std::rc::Rc;

use crate::meter::{Cache, Cached, Check};
use crate::reader::transpose;

pub fn main() {
    let check = Check::begin();
    let n = check.n;
    let mut random = check.random();
    let values: Vec<f32> = (0..n * n).map(|_| random.fraction()).collect();
    let cache = Rc::new(RefCell::new(Cache::new(64)));
    let from = Cached::new(values.clone(), &cache, 0);
    let to = Cached::new(vec![f32::NAN; n * n], &cache, (n * n).next_multiple_of(64));
    transpose(n, &from, &to);
    for (at, got) in to.values().into_iter().enumerate() {
        let expected = values[at % n * n + at / n];
        if got != expected {
            check.wrong(&format!(
                "for n = {n}, row {} and column {} is wrong: {got}, expected {expected}",
                at / n,
                at % n
            ));
        }
    }
    check.count("cache lines", cache.borrow().fetched() as f64);
    check.end();
}

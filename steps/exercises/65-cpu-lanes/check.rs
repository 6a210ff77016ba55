//! The sum is right, and how many of its additions waited for each other.

use crate::meter::{Check, Counted};
use crate::reader::sum;

pub fn main() {
    let check = Check::begin();
    let mut random = check.random();
    let values: Vec<f32> = (0..check.n).map(|_| random.fraction()).collect();
    let numbers: Vec<Counted> = values.iter().map(|value| Counted::new(*value)).collect();
    let got = sum(&numbers);
    let expected: f64 = values.iter().map(|value| f64::from(*value)).sum();
    let error = (f64::from(got.value()) - expected).abs();
    if !(error <= 1e-5 * expected) {
        check.wrong(&format!(
            "for n = {}, the sum is wrong: {}, expected {expected}",
            check.n,
            got.value()
        ));
    }
    check.count("additions in a row", got.chain() as f64);
    check.end();
}

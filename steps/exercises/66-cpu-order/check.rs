//! The sum is right, how far it is off, and how many additions it took.

use crate::meter::{Check, Counted};
use crate::reader::sum;

pub fn main() {
    let check = Check::begin();
    let n = check.n;
    let mut random = check.random();
    // A little more than 1, which a large sum always rounds away in the same direction.
    let values: Vec<f32> = (0..n).map(|_| 1.0 + 0.002 * random.fraction()).collect();
    let numbers: Vec<Counted> = values.iter().map(|value| Counted::new(*value)).collect();
    let got = sum(&numbers).value();
    let expected: f64 = values.iter().map(|value| f64::from(*value)).sum();
    let error = (f64::from(got) - expected).abs();
    if !(error <= 0.01 * expected) {
        check.wrong(&format!("for n = {n}, the sum is wrong: {got}, expected {expected}"));
    }
    let unit = f64::from((expected as f32).next_up()) - f64::from(expected as f32);
    check.count("error in units of the last place", error / unit);
    check.count("additions per value", Counted::operations() as f64 / n as f64);
    check.end();
}

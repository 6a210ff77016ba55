//! Any length is computed, in time.

use crate::host::{Gpu, Kernel};
use crate::meter::Check;
use crate::reader::run;

pub fn main() {
    let check = Check::begin();
    let mut random = check.random();
    let gpu = Gpu::new(2 * check.n);
    let values: Vec<f32> = (0..check.n).map(|_| random.fraction()).collect();
    let kernel = Kernel::new("square_plus_one", 12, |x| x * x + 1.0);
    let output = gpu.host("output", vec![f32::NAN; check.n]);
    if let Err(error) = run(&gpu, kernel, &gpu.host("input", values.clone()), &output) {
        check.wrong(&format!("for n = {}, it returned {error}", check.n));
    }
    output.expect(&check, |at| values[at] * values[at] + 1.0);
    gpu.count(&check);
    check.end();
}

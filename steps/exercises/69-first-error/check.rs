//! Launches that can and that cannot be, and kernels that fail.

use crate::host::{Error, Gpu, Kernel};
use crate::meter::Check;
use crate::reader::first_result;

pub fn main() {
    let check = Check::begin();
    let n = check.n;
    let kernel = Kernel::new("half", 4, |x| x / 2.0);
    let mut random = check.random();
    let value = random.fraction();
    let many = 1025 + (random.bits() % 1024) as u32;
    let run = |threads: u32, count: usize| {
        let gpu = Gpu::new(2 * n);
        let buffers = (gpu.alloc(n).expect("room"), gpu.alloc(n).expect("room"));
        let stream = gpu.stream();
        let input = gpu.host("input", vec![value; n]);
        gpu.copy_in((&input, 0), (buffers.0, 0), n, stream).expect("all is there");
        let result = gpu.host("result", vec![f32::NAN]);
        first_result(&gpu, kernel, threads, buffers, count, &result, stream)
    };
    match run(128, n) {
        Ok(got) if got == value / 2.0 => {}
        got => check.wrong(&format!(
            "nothing went wrong, and it returned {got:?}: Ok({}) is right",
            value / 2.0
        )),
    }
    for (what, got, expected) in [
        ("a block of more than 1024 threads", run(many, n), Error::InvalidConfiguration),
        ("a kernel that goes past the end of its data", run(128, n + 128), Error::IllegalAddress),
    ] {
        if got != Err(expected) {
            check.wrong(&format!("for {what} it returned {got:?}: Err({expected}) is right"));
        }
    }
    check.end();
}

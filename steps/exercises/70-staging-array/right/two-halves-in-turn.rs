use crate::host::{Error, Gpu, HostArray, Kernel};

pub fn run(
    gpu: &Gpu,
    kernel: Kernel,
    input: &HostArray,
    staging: &HostArray,
    output: &HostArray,
) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let work = gpu.stream();
    let half = staging.len() / 2;
    let copies = [gpu.stream(), gpu.stream()];
    for (turn, first) in (0..n).step_by(half).enumerate() {
        let (start, stream) = (turn % 2 * half, copies[turn % 2]);
        if turn >= 2 && turn % 2 == 0 {
            gpu.synchronize(copies[0])?;
            if n > first + half {
                gpu.synchronize(copies[1])?;
            }
        }
        let count = half.min(n - first);
        (0..count).for_each(|at| staging.set(start + at, input.get(first + at)));
        gpu.copy_in((staging, start), (there, first), count, stream)?;
    }
    for stream in copies {
        let arrived = gpu.event();
        gpu.record(arrived, stream);
        gpu.wait(work, arrived);
    }
    gpu.launch(kernel, (n.div_ceil(128) as u32, 128), (there, result), (0, n), work)?;
    gpu.copy_out((result, 0), (output, 0), n, work)?;
    gpu.synchronize(work)
}

use crate::host::{Error, Gpu, HostArray, Kernel};

pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let (copies, work) = (gpu.stream(), gpu.stream());
    for (first, count) in [(0, n / 2), (n / 2, n - n / 2)] {
        gpu.copy_in((input, first), (there, first), count, copies)?;
        let arrived = gpu.event();
        gpu.record(arrived, copies);
        gpu.wait(work, arrived);
        gpu.launch(kernel, (count.div_ceil(64) as u32, 64), (there, result), (first, count), work)?;
        gpu.copy_out((result, first), (output, first), count, work)?;
    }
    gpu.synchronize(work)
}

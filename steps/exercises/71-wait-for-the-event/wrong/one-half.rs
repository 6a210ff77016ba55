// says: race
use crate::host::{Error, Gpu, HostArray, Kernel};


/// Computes each element of `output` from that of `input` by a kernel.
pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let (copies, work) = (gpu.stream(), gpu.stream());
    gpu.copy_in((input, 0), (there, 0), n / 2, copies)?;
    let arrived = gpu.event();
    gpu.record(arrived, copies);
    gpu.wait(work, arrived);
    gpu.copy_in((input, n / 2), (there, n / 2), n - n / 2, copies)?;
    gpu.launch(kernel, (n.div_ceil(256) as u32, 256), (there, result), (0, n), work)?;
    gpu.copy_out((result, 0), (output, 0), n, work)?;
    gpu.synchronize(work)
}

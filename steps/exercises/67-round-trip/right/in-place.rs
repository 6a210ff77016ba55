use crate::host::{Error, Gpu, HostArray, Kernel};


const THREADS: usize = 256;

/// Computes each element of `output` from that of `input` by a kernel. The result is there when this returns.
pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let there = gpu.alloc(n)?;
    let stream = gpu.stream();
    gpu.copy_in((input, 0), (there, 0), n, stream)?;
    let blocks = n.div_ceil(THREADS);
    gpu.launch(kernel, (blocks as u32, THREADS as u32), (there, there), (0, n), stream)?;
    gpu.copy_out((there, 0), (output, 0), n, stream)?;
    gpu.synchronize(stream)
}

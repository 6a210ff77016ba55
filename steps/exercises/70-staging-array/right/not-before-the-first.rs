use crate::host::{Error, Gpu, HostArray, Kernel};


/// Computes each element of `output` from that of `input` by a kernel. Input goes through `staging`, piece by piece.
pub fn run(
    gpu: &Gpu,
    kernel: Kernel,
    input: &HostArray,
    staging: &HostArray,
    output: &HostArray,
) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let stream = gpu.stream();
    for first in (0..n).step_by(staging.len()) {
        if first > 0 {
            gpu.synchronize(stream)?;
        }
        let count = staging.len().min(n - first);
        for at in 0..count {
            staging.set(at, input.get(first + at));
        }
        gpu.copy_in((staging, 0), (there, first), count, stream)?;
    }
    gpu.launch(kernel, (n.div_ceil(256) as u32, 256), (there, result), (0, n), stream)?;
    gpu.copy_out((result, 0), (output, 0), n, stream)?;
    gpu.synchronize(stream)
}

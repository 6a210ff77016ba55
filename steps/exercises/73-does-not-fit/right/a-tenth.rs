use crate::host::{Buffer, Error, Gpu, HostArray, Kernel};

/// Two arrays of the GPU, as large as they can be by halving: at first for `piece` elements.
fn largest(gpu: &Gpu, mut piece: usize) -> Result<(Buffer, Buffer, usize), Error> {
    loop {
        if let Ok(there) = gpu.alloc(piece) {
            if let Ok(result) = gpu.alloc(piece) {
                return Ok((there, result, piece));
            } else {
                gpu.free(there);
            }
        }
        if piece <= 1 {
            return Err(Error::OutOfMemory);
        }
        piece = piece.div_ceil(2);
    }
}

/// Computes each element of `output` from that of `input` by a kernel. The GPU may have less room than `input` and
/// `output` need.
pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let (there, result, piece) = largest(gpu, n.div_ceil(10))?;
    let stream = gpu.stream();
    for first in (0..n).step_by(piece) {
        let count = piece.min(n - first);
        gpu.copy_in((input, first), (there, 0), count, stream)?;
        gpu.launch(kernel, (count.div_ceil(256) as u32, 256), (there, result), (0, count), stream)?;
        gpu.copy_out((result, 0), (output, first), count, stream)?;
    }
    gpu.synchronize(stream)
}

use crate::host::{Error, Gpu, HostArray, Kernel};

pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let (there_stream, work, back) = (gpu.stream(), gpu.stream(), gpu.stream());
    let follow = |before, after| {
        let event = gpu.event();
        gpu.record(event, before);
        gpu.wait(after, event);
    };
    let piece = n.div_ceil(10);
    for first in (0..n).step_by(piece) {
        let count = piece.min(n - first);
        gpu.copy_in((input, first), (there, first), count, there_stream)?;
        follow(there_stream, work);
        gpu.launch(kernel, (count.div_ceil(256) as u32, 256), (there, result), (first, count), work)?;
        follow(work, back);
        gpu.copy_out((result, first), (output, first), count, back)?;
    }
    gpu.synchronize(back)
}

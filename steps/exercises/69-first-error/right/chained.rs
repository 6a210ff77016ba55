use crate::host::{Buffer, Error, Gpu, HostArray, Kernel, Stream};

/// Runs a kernel on `n` elements and returns the first element of its output, which is copied to `result`.
pub fn first_result(
    gpu: &Gpu,
    kernel: Kernel,
    threads: u32,
    (input, output): (Buffer, Buffer),
    n: usize,
    result: &HostArray,
    stream: Stream,
) -> Result<f32, Error> {
    let blocks = n.div_ceil(threads as usize) as u32;
    gpu.launch(kernel, (blocks, threads), (input, output), (0, n), stream)
        .and_then(|()| gpu.copy_out((output, 0), (result, 0), 1, stream))
        .and_then(|()| gpu.synchronize(stream))
        .map(|()| result.get(0))
}

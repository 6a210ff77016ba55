use crate::host::{Error, Gpu, HostArray, Kernel};

pub fn run(gpu: &Gpu, kernel: Kernel, input: &HostArray, output: &HostArray) -> Result<(), Error> {
    let n = input.len();
    let (there, result) = (gpu.alloc(n)?, gpu.alloc(n)?);
    let halves = [(0, n / 2), (n / 2, n - n / 2)];
    let streams = [gpu.stream(), gpu.stream()];
    for ((first, count), stream) in halves.into_iter().zip(streams) {
        if count == 0 {
            continue;
        }
        gpu.copy_in((input, first), (there, first), count, stream)?;
        gpu.launch(kernel, ((count as u32 + 127) / 128, 128), (there, result), (first, count), stream)?;
        gpu.copy_out((result, first), (output, first), count, stream)?;
    }
    gpu.synchronize(streams[0])?;
    gpu.synchronize(streams[1])
}

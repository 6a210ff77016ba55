//! A first CUDA program, whole: adds two arrays, on a GPU where there is one, else on the simulator.
//!
//! ```text
//! cargo run -p device --example first
//! ```

use std::error::Error;
use std::path::Path;

use bytemuck::{cast_slice, cast_slice_mut};
use device::{Argument, Choice, CodeRoute, Shape, Source};

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", add()?);
    Ok(())
}

/// Adds 1000 pairs of numbers; what came out, in a line.
fn add() -> Result<String, Box<dyn Error>> {
    // ANCHOR: program
    let n = 1000;
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b = vec![0.5f32; n];
    let bytes = n * size_of::<f32>();

    // 1. A device, and the kernel as code that it can run.
    let mut device = device::open(Choice::Auto, CodeRoute::Committed, "h200")?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/first/add.ptx");
    let module = device.load(&Source::from_file(&file, &[])?)?;

    // 2. Memory on the device, and the inputs copied to it.
    let device_a = device.alloc("a", bytes)?;
    let device_b = device.alloc("b", bytes)?;
    let device_sum = device.alloc("sum", bytes)?;
    device.upload(&device_a, cast_slice(&a))?;
    device.upload(&device_b, cast_slice(&b))?;

    // 3. A launch: enough blocks of 256 threads that every element has one.
    let blocks = n.div_ceil(256) as u32;
    let arguments =
        [Argument::I32(n as i32), (&device_a).into(), (&device_b).into(), (&device_sum).into()];
    device.launch(&module, "add", Shape::row(blocks, 256), &arguments)?;

    // 4. The result copied back; that waits until the kernel has ended.
    let mut sum = vec![0.0f32; n];
    device.download(&device_sum, cast_slice_mut(&mut sum))?;
    // ANCHOR_END: program

    let wrong = (0..n).filter(|&i| sum[i] != a[i] + b[i]).count();
    let place = &device.info().name;
    Ok(format!("{n} sums on {place}: sum[999] = {}, {wrong} wrong", sum[999]))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_sums_are_right() {
        let line = super::add().expect("it runs");
        assert!(line.ends_with("sum[999] = 999.5, 0 wrong"), "{line}");
    }
}

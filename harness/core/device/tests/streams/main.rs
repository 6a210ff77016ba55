//! Shapes, arguments, streams, events and host memory on every device of this machine, with the same body on each: the
//! simulator everywhere, the GPU where there is one (skipped aloud elsewhere). The GPU alone: `cargo test -p device --test
//! streams on_cuda -- --nocapture`.

#[path = "../common/devices.rs"]
mod devices;
mod memory;
mod streams;
#[path = "../common/toy.rs"]
mod toy;

use std::sync::{Mutex, PoisonError};

use device::{Buffer, Choice, CodeRoute, Device, Error, Module, Shape, Stream};
use devices::opened;

/// Runs `body` on a device, which no other test uses meanwhile.
fn on(choice: Choice, body: impl FnOnce(&mut dyn Device, &Module)) {
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mut device) = opened(choice, CodeRoute::Committed) {
        let module = device.load(&toy::step("02-api")).expect("the toy step's PTX is current");
        body(device.as_mut(), &module);
    }
}

fn numbers(count: usize) -> Vec<f32> {
    (0..count).map(|i| (i % 4096) as f32).collect()
}

fn read<T: bytemuck::Pod>(device: &mut dyn Device, buffer: &Buffer) -> Vec<T> {
    let mut values = vec![T::zeroed(); buffer.bytes() / size_of::<T>()];
    device.download(buffer, bytemuck::cast_slice_mut(&mut values)).unwrap();
    values
}

/// Launches `add` over a part.
fn add(
    device: &mut dyn Device,
    stream: &Stream,
    module: &Module,
    more: f32,
    (from, to): (&Buffer, &Buffer),
) -> Result<(), Error> {
    let n = (from.bytes() / 4) as u32;
    let arguments = [(n as i32).into(), more.into(), from.into(), to.into()];
    device.launch_on(stream, module, "add", Shape::row(n.div_ceil(256), 256), &arguments)
}

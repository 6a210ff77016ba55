//! The devices that the tests run on.

use device::{Choice, CodeRoute, Device, Error};

/// Opens a device; none where this machine has no GPU, which is said aloud.
pub fn opened(choice: Choice, route: CodeRoute) -> Option<Box<dyn Device>> {
    match device::open(choice, route, "h200") {
        Ok(device) => Some(device),
        Err(error @ Error::Unavailable { .. }) if choice != Choice::Simt => {
            println!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{choice} is there and does not open: {error}"),
    }
}

/// Makes two tests of each function: one on the simulator, one on the first GPU.
macro_rules! on_each_device {
    ($($name:ident)*) => {
        mod on_simt {
            $(#[test] fn $name() { super::$name(device::Choice::Simt); })*
        }
        mod on_cuda {
            $(#[test] fn $name() { super::$name(device::Choice::Cuda(0)); })*
        }
    };
}
pub(crate) use on_each_device;

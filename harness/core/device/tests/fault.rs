//! A kernel that strays. Alone in its file, and so in its process: on a GPU it takes the whole context with it.

#[path = "common/devices.rs"]
mod devices;
#[path = "common/toy.rs"]
mod toy;

use device::{Argument, Choice, CodeRoute, Error, Shape};
use devices::{on_each_device, opened};
use toy::toy;

on_each_device! {
    an_illegal_address_is_an_error_and_loses_a_gpu
}

fn an_illegal_address_is_an_error_and_loses_a_gpu(choice: Choice) {
    let Some(mut device) = opened(choice, CodeRoute::Committed) else { return };
    let module = device.load(&toy()).unwrap();
    let buffer = device.alloc("buffer", 4).unwrap();
    let one = Shape::row(1, 1);
    let error = device
        .launch(&module, "stray", one, &[Argument::I32(16)])
        .and_then(|()| device.synchronize())
        .unwrap_err();
    println!("{}: {error}", device.info().name);
    if device.info().kind == "cuda" {
        assert!(error.is_fatal(), "{error}");
        assert!(error.to_string().contains("CUDA_ERROR_ILLEGAL_ADDRESS"), "{error}");
        assert!(device.download(&buffer, &mut [0; 4]).unwrap_err().is_fatal());
    } else {
        assert!(matches!(error, Error::Kernel { .. }) && !error.is_fatal(), "{error}");
        assert!(error.to_string().contains("stray"), "{error}");
        device.download(&buffer, &mut [0; 4]).unwrap();
    }
}

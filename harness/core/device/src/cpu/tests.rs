use super::*;
use crate::api::guard::ZONE;
use crate::api::host::{HostFunction, HostKernel};

fn device() -> CpuDevice {
    CpuDevice::open(Some(2)).unwrap()
}

fn load(device: &mut CpuDevice, in_pool: bool, run: Box<HostFunction>) -> Module {
    let kernels = vec![HostKernel { name: "force", in_pool, run }];
    let code = HostCode { name: "toy/01".to_string(), description: "Rust".to_string(), kernels };
    device.load_host(code).unwrap()
}

const SHAPE: Shape = Shape::row(1, 1);

/// Adds a number to each word of a buffer.
fn add(arguments: &mut [HostArgument]) {
    let [HostArgument::I32(more), HostArgument::Buffer(bytes)] = arguments else {
        panic!("other arguments")
    };
    for word in bytemuck::cast_slice_mut::<u8, i32>(bytes) {
        *word += *more;
    }
}

#[test]
fn functions_change_what_was_uploaded() {
    let mut device = device();
    let module = load(&mut device, false, Box::new(add));
    assert_eq!((module.code(), module.has_symbol("n")), ("Rust", false));
    let buffer = device.alloc("words", 12).unwrap();
    assert_eq!(buffer.address() % 64, 0);
    device.upload(&buffer, bytemuck::cast_slice(&[1i32, 2, 3])).unwrap();
    let arguments = [Argument::I32(10), Argument::Buffer(&buffer)];
    device.launch(&module, "force", SHAPE, &arguments).unwrap();
    let mut words = [0i32; 3];
    device.download(&buffer, bytemuck::cast_slice_mut(&mut words)).unwrap();
    assert_eq!(words, [11, 12, 13]);
    device.check_guards(&buffer).unwrap();
    device.fill(&buffer, 0xff).unwrap();
    device.download(&buffer, bytemuck::cast_slice_mut(&mut words)).unwrap();
    assert_eq!(words, [-1; 3]);
    device.check_guards(&buffer).unwrap();
    assert!(device.upload(&buffer, &[0; 13]).is_err());
    assert!(device.download(&buffer, &mut [0; 13]).is_err());
}

#[test]
fn what_is_written_beside_a_buffer_is_found() {
    let mut device = device();
    let buffer = device.alloc("words", 6).unwrap();
    let memory: &Memory = buffer.owner().unwrap();
    for (side, place, distance) in [("before", ZONE - 3, 3), ("after", ZONE + 6, 1)] {
        memory.lock().all_mut()[place] ^= 1;
        let error = device.check_guards(&buffer).unwrap_err();
        assert!(error.is_fatal());
        let expected = format!("memory {side} `words` was overwritten, {distance} byte");
        assert!(error.to_string().starts_with(&expected), "{error}");
        memory.lock().all_mut()[place] ^= 1;
        device.check_guards(&buffer).unwrap();
    }
}

#[test]
fn the_pool_has_as_many_threads_as_were_asked_for() {
    let mut device = CpuDevice::open(Some(3)).unwrap();
    assert_eq!(device.threads(), 3);
    let count = Box::new(|arguments: &mut [HostArgument]| {
        let [HostArgument::Buffer(bytes)] = arguments else { panic!("other arguments") };
        bytes[0] = rayon::current_num_threads() as u8;
    });
    let module = load(&mut device, true, count);
    let buffer = device.alloc("count", 1).unwrap();
    device.launch(&module, "force", SHAPE, &[Argument::Buffer(&buffer)]).unwrap();
    let mut count = [0];
    device.download(&buffer, &mut count).unwrap();
    assert_eq!(count, [3]);
}

#[test]
fn a_panic_is_an_error_of_the_launch_and_the_device_goes_on() {
    let mut device = device();
    for in_pool in [false, true] {
        let panics = load(&mut device, in_pool, Box::new(|_| panic!("index {} is too large", 7)));
        let error = device.launch(&panics, "force", SHAPE, &[]).unwrap_err();
        assert_eq!(error.to_string(), "toy/01: `force` panicked: index 7 is too large");
        assert!(!error.is_fatal());
    }
    let buffer = device.alloc("words", 4).unwrap();
    let module = load(&mut device, true, Box::new(add));
    device.launch(&module, "force", SHAPE, &[Argument::I32(1), Argument::Buffer(&buffer)]).unwrap();
}

#[test]
fn time_is_the_hosts() {
    let mut device = device();
    let wait = std::time::Duration::from_millis(5);
    let timing = device
        .time(&mut |_| {
            std::thread::sleep(wait);
            Ok(())
        })
        .unwrap();
    assert_eq!(timing.source, TimeSource::Host);
    assert!(timing.seconds >= 0.005 && timing.seconds < 5.0, "{timing:?}");
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let (mut one, mut other) = (device(), device());
    let module = load(&mut one, false, Box::new(add));
    let buffer = one.alloc("words", 4).unwrap();
    let twice = [Argument::Buffer(&buffer), Argument::Buffer(&buffer)];
    let error = one.launch(&module, "force", SHAPE, &twice).unwrap_err();
    assert!(error.to_string().contains("`words` twice"), "{error}");
    let error = one.launch(&module, "advance", SHAPE, &[]).unwrap_err();
    assert!(error.to_string().contains("it has force"), "{error}");
    assert!(matches!(other.launch(&module, "force", SHAPE, &[]), Err(Error::Foreign(_))));
    assert!(matches!(other.download(&buffer, &mut [0]), Err(Error::Foreign(_))));
    assert!(matches!(one.alloc("huge", usize::MAX / 2), Err(Error::HostMemory { .. })));
    assert!(one.info().memory_bytes > 0 && one.info().modelled.is_none() && one.gpu().is_none());
}

#[test]
fn a_part_of_a_buffer_is_an_argument_and_streams_are_refused() {
    let mut device = device();
    let module = load(&mut device, false, Box::new(add));
    let buffer = device.alloc("words", 12).unwrap();
    device.upload(&buffer, bytemuck::cast_slice(&[1i32, 2, 3])).unwrap();
    let middle = buffer.part(4..8).unwrap();
    let arguments = [Argument::I32(10), Argument::Buffer(&middle)];
    device.launch(&module, "force", SHAPE, &arguments).unwrap();
    let mut words = [0i32; 3];
    device.download(&buffer, bytemuck::cast_slice_mut(&mut words)).unwrap();
    assert_eq!(words, [1, 12, 3]);
    device.check_guards(&middle).unwrap();
    let Err(error) = device.stream() else { panic!("the CPU has no streams") };
    assert!(error.is_skipped() && error.to_string().contains("--device simt"), "{error}");
}

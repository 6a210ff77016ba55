//! The API on every device of this machine, with the same body on each: the simulator everywhere, the GPU where there is
//! one (skipped aloud elsewhere). The GPU alone: `cargo test -p device --test gpu --test fault --test hang on_cuda --
//! --nocapture`.

#[path = "common/devices.rs"]
mod devices;
#[path = "common/toy.rs"]
mod toy;

use std::sync::{Mutex, MutexGuard, PoisonError};

use device::{Argument, Buffer, Choice, CodeRoute, Device, Error, Module, Node, Shape, TimeSource};
use devices::{on_each_device, opened};
use toolchain::compiler::Maker;
use toy::toy;

const SHAPE: Shape = Shape::row(4, 256);
const N: usize = 1000;

on_each_device! {
    data_goes_in_and_out
    each_route_loads_the_code_that_it_names
    time_is_positive_and_grows_with_the_work
    an_error_inside_time_comes_out
    what_is_recorded_runs_whenever_it_is_replayed
    what_cannot_be_launched_cannot_be_recorded_and_replayed
    too_much_memory_is_refused_and_the_rest_stays_usable
    a_dropped_buffer_gives_its_memory_back
    wrong_requests_are_refused_before_they_reach_the_device
    what_belongs_to_another_device_is_refused
    a_byte_written_beside_a_buffer_is_found
    what_stays_inside_harms_no_guard
    conditions_are_told_where_they_can_be
}

/// Held by the test that has the device: what another one launches meanwhile would be timed with it.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `body` on a device that loads committed code, which needs no compiler.
fn on(choice: Choice, body: impl FnOnce(&mut dyn Device, &Module)) {
    let _alone = alone();
    if let Some(mut device) = opened(choice, CodeRoute::Committed) {
        let module = device.load(&toy()).expect("the toy step's PTX is current");
        body(device.as_mut(), &module);
    }
}

fn values(count: usize) -> Vec<f32> {
    (0..count).map(|i| i as f32 - 7.5).collect()
}

fn bytes(values: &[f32]) -> &[u8] {
    bytemuck::cast_slice(values)
}

/// Runs `scale` over N values and returns what it wrote.
fn scale(device: &mut dyn Device, module: &Module, factor: f32) -> Vec<f32> {
    let input = device.alloc("in", 4 * N).unwrap();
    let output = device.alloc("out", 4 * N).unwrap();
    device.upload(&input, bytes(&values(N))).unwrap();
    device.fill(&output, 0xff).unwrap();
    device.set_constant(module, "factor", &factor.to_le_bytes()).unwrap();
    let arguments = [Argument::I32(N as i32), Argument::Buffer(&input), Argument::Buffer(&output)];
    device.launch(module, "scale", SHAPE, &arguments).unwrap();
    let mut result = vec![0.0f32; N];
    device.download(&output, bytemuck::cast_slice_mut(&mut result)).unwrap();
    result
}

fn data_goes_in_and_out(choice: Choice) {
    on(choice, |device, module| {
        for factor in [2.0, -0.25] {
            let expected: Vec<f32> = values(N).iter().map(|value| value * factor).collect();
            assert_eq!(scale(device, module, factor), expected, "{}", device.info().name);
        }
    });
}

/// Compiled by NVRTC.
const COMPILED: CodeRoute = CodeRoute::Compiled(Some(Maker::Nvrtc));

fn each_route_loads_the_code_that_it_names(choice: Choice) {
    let _alone = alone();
    for route in [CodeRoute::Auto, COMPILED, CodeRoute::Committed] {
        if let Some(mut device) = opened(choice, route) {
            let device = device.as_mut();
            let cuda = device.info().kind == "cuda";
            let module = match device.load(&toy()) {
                Ok(module) => module,
                Err(error) if error.is_skipped() && route == COMPILED => {
                    println!("SKIPPED on {}: {error}", device.info().name);
                    continue;
                }
                Err(error) => panic!("{route} on {}: {error}", device.info().name),
            };
            println!("{route} on {}: {}", device.info().name, module.code());
            match route {
                CodeRoute::Committed => assert_eq!(module.code(), "committed PTX 7.8 (compute_50)"),
                CodeRoute::Compiled(_) if cuda => assert!(module.code().ends_with(" cubin")),
                CodeRoute::Compiled(_) => assert!(module.code().starts_with("NVRTC ")),
                CodeRoute::Auto if cuda => {}
                CodeRoute::Auto => assert!(module.code().starts_with("committed ")),
            }
            assert!(module.has_symbol("factor") && !module.has_symbol("factory"));
            assert_eq!(scale(device, &module, 3.0)[10], 7.5);
        }
    }
}

fn time_is_positive_and_grows_with_the_work(choice: Choice) {
    on(choice, |device, module| {
        let output = device.alloc("out", 4 * 32).unwrap();
        device.set_constant(module, "factor", &1.0f32.to_le_bytes()).unwrap();
        let one_warp = Shape::row(1, 32);
        let mut timing = |rounds, launches| {
            let arguments = [Argument::I32(rounds), Argument::Buffer(&output)];
            let timing = device.time(&mut |device| {
                (0..launches).try_for_each(|_| device.launch(module, "spin", one_warp, &arguments))
            });
            timing.unwrap()
        };
        timing(1, 1); // the first launch also loads
        let (short, long, twice) = (timing(1_000, 1), timing(100_000, 1), timing(100_000, 2));
        assert!(short.seconds > 0.0);
        assert!(long.seconds > 10.0 * short.seconds, "{long:?} after {short:?}");
        let ratio = twice.seconds / long.seconds;
        assert!((1.5..2.5).contains(&ratio), "{twice:?} after {long:?}");
        let source = match device.info().kind.as_str() {
            "cuda" => TimeSource::Device,
            _ => TimeSource::Model,
        };
        assert_eq!(short.source, source);
    });
}

fn an_error_inside_time_comes_out(choice: Choice) {
    on(choice, |device, module| {
        let error =
            device.time(&mut |device| device.launch(module, "none", SHAPE, &[])).unwrap_err();
        assert!(matches!(error, Error::NoKernel { .. }), "{error}");
        assert!(device.time(&mut |_| Ok(())).unwrap().seconds >= 0.0);
    });
}

/// A launch of `scale` over N values, to be recorded.
fn scaling<'a>(from: &'a Buffer, to: &'a Buffer) -> Node<'a> {
    let arguments = vec![Argument::I32(N as i32), Argument::Buffer(from), Argument::Buffer(to)];
    Node { kernel: "scale", shape: SHAPE, arguments }
}

fn what_is_recorded_runs_whenever_it_is_replayed(choice: Choice) {
    on(choice, |device, module| {
        let [one, two, three] = ["one", "two", "three"].map(|name| device.alloc(name, 4 * N));
        let (one, two, three) = (one.unwrap(), two.unwrap(), three.unwrap());
        for buffer in [&two, &three] {
            device.fill(buffer, 0).unwrap();
        }
        // Each needs what the one before it has written.
        let nodes = vec![scaling(&one, &two), scaling(&two, &three), scaling(&three, &one)];
        let graph = device.record(module, nodes).unwrap();
        let mut read = vec![0.0f32; N];
        device.upload(&one, bytes(&values(N))).unwrap();
        device.download(&three, bytemuck::cast_slice_mut(&mut read)).unwrap();
        assert_eq!(read, vec![0.0; N], "nothing ran when it was recorded");
        let mut expected = values(N);
        for factor in [2.0f32, 0.5, -1.0] {
            // Constants, like memory, are those of when it runs.
            device.set_constant(module, "factor", &factor.to_le_bytes()).unwrap();
            let timing =
                device.time(&mut |device| (0..2).try_for_each(|_| device.replay(&graph))).unwrap();
            assert!(timing.seconds > 0.0);
            expected.iter_mut().for_each(|value| *value *= factor.powi(6));
            device.download(&one, bytemuck::cast_slice_mut(&mut read)).unwrap();
            assert_eq!(read, expected, "{}", device.info().name);
        }
        drop(graph);
        // What is recorded is freed: a thousand times over this would be too much.
        for _ in 0..1000 {
            let graph = device.record(module, vec![scaling(&one, &two); 16]).unwrap();
            drop(graph);
        }
        device.synchronize().unwrap();
    });
}

fn what_cannot_be_launched_cannot_be_recorded_and_replayed(choice: Choice) {
    on(choice, |device, module| {
        let buffer = device.alloc("buffer", 4 * N).unwrap();
        let good = scaling(&buffer, &buffer);
        let few = Node { arguments: good.arguments[..2].to_vec(), ..good.clone() };
        let unknown = Node { kernel: "skale", ..good.clone() };
        for (bad, part) in [(few, "takes 3 arguments"), (unknown, "scale")] {
            let recorded = device.record(module, vec![good.clone(), bad]);
            let error = recorded.and_then(|graph| device.replay(&graph)).unwrap_err();
            assert!(error.to_string().contains(part) && !error.is_fatal(), "{part}: {error}");
        }
        let graph = device.record(module, vec![good]).expect("a recording after one that failed");
        device.replay(&graph).unwrap();
        if let Some(mut other) = opened(choice, CodeRoute::Committed) {
            let error = other.replay(&graph).unwrap_err();
            assert!(matches!(error, Error::Foreign(_)), "{error}");
            let recorded = other.record(module, vec![scaling(&buffer, &buffer)]);
            let error = recorded.and_then(|graph| other.replay(&graph)).unwrap_err();
            assert!(matches!(error, Error::Foreign(_)), "{error}");
        }
        assert_eq!(scale(device, module, 1.0), values(N));
    });
}

fn too_much_memory_is_refused_and_the_rest_stays_usable(choice: Choice) {
    on(choice, |device, _| {
        let all = device.info().memory_bytes;
        let error = device.alloc("huge", 2 * all as usize).unwrap_err();
        assert!(error.to_string().contains("`huge`"), "{error}");
        assert!(!error.is_fatal());
        let Error::OutOfMemory { bytes, free, .. } = error else { panic!("{error}") };
        assert_eq!(bytes, 2 * all);
        assert!(free > 0 && free <= all);
        device.alloc("small", 1 << 20).unwrap();
    });
}

fn a_dropped_buffer_gives_its_memory_back(choice: Choice) {
    on(choice, |device, _| {
        // More than a quarter each: the fourth fits only if those before it were freed.
        let size = (device.info().memory_free_bytes / 3) as usize;
        for _ in 0..4 {
            let buffer: Buffer = device.alloc("third", size).unwrap();
            drop(buffer);
        }
    });
}

fn wrong_requests_are_refused_before_they_reach_the_device(choice: Choice) {
    on(choice, |device, module| {
        let buffer = device.alloc("buffer", 4 * N).unwrap();
        let refused = |result: Result<(), Error>, part: &str| {
            let error = result.unwrap_err();
            assert!(error.to_string().contains(part), "{part}: {error}");
            assert!(!error.is_fatal() && !error.is_skipped());
        };
        let good = [Argument::I32(0), Argument::Buffer(&buffer), Argument::Buffer(&buffer)];

        refused(device.launch(module, "skale", SHAPE, &good), "scale");
        refused(device.launch(module, "scale", SHAPE, &good[..2]), "takes 3 arguments");
        let narrow = [Argument::I32(0), Argument::F32(1.0), Argument::Buffer(&buffer)];
        refused(device.launch(module, "scale", SHAPE, &narrow), "argument 2");
        let wide = [Argument::Buffer(&buffer), good[1], good[2]];
        refused(device.launch(module, "scale", SHAPE, &wide), "argument 1");
        for (blocks, threads) in [(0, 256), (1, 0), (1, 1025)] {
            let shape = Shape::row(blocks, threads);
            refused(device.launch(module, "scale", shape, &good), "scale");
        }

        refused(device.set_constant(module, "factory", &[0; 4]), "`factory`");
        refused(device.set_constant(module, "factor", &[0; 8]), "4 bytes, and 8");
        refused(device.upload(&buffer, &[0; 4 * N + 1]), "`buffer` has 4000 bytes");
        refused(device.download(&buffer, &mut [0; 4 * N + 1]), "`buffer` has 4000 bytes");

        assert_eq!(scale(device, module, 1.0), values(N));
    });
}

fn what_belongs_to_another_device_is_refused(choice: Choice) {
    on(choice, |device, module| {
        for choice in [Choice::Simt, choice] {
            let Some(mut other) = opened(choice, CodeRoute::Committed) else { continue };
            let buffer = other.alloc("theirs", 4 * N).unwrap();
            let arguments =
                [Argument::I32(0), Argument::Buffer(&buffer), Argument::Buffer(&buffer)];
            for result in [
                device.upload(&buffer, &[0; 4]),
                device.fill(&buffer, 0),
                device.launch(module, "scale", SHAPE, &arguments),
                other.set_constant(module, "factor", &[0; 4]),
                other.launch(module, "scale", SHAPE, &[]),
            ] {
                let error = result.unwrap_err();
                assert!(matches!(error, Error::Foreign(_)), "{error}");
            }
        }
    });
}

/// The simulator stops the kernel; a GPU does not, and the guards show what it did.
fn a_byte_written_beside_a_buffer_is_found(choice: Choice) {
    on(choice, |device, module| {
        let one = Shape::row(1, 1);
        for (offset, side, distance) in [
            (-1, "before", 1),
            (-4096, "before", 4096),
            (1001, "after", 1),
            (1001 + 255, "after", 256),
        ] {
            let buffer = device.alloc("watched", 1001).unwrap();
            device.check_guards(&buffer).unwrap();
            let arguments = [Argument::Buffer(&buffer), Argument::I32(offset)];
            let launched = device.launch(module, "mark", one, &arguments);
            let error =
                launched.and_then(|()| device.check_guards(&buffer)).expect_err("it is outside");
            assert!(error.to_string().contains("watched"), "{error}");
            if device.info().kind == "cuda" {
                let Error::Guard { side: at, distance: far, .. } = error else { panic!("{error}") };
                assert_eq!((at, far), (side, distance), "offset {offset}");
            } else {
                assert!(matches!(error, Error::Kernel { .. }), "{error}");
            }
        }
    });
}

fn what_stays_inside_harms_no_guard(choice: Choice) {
    on(choice, |device, module| {
        let one = Shape::row(1, 1);
        for bytes in [1, 255, 256, 1001] {
            let buffer = device.alloc("buffer", bytes).unwrap();
            assert_eq!(buffer.address() % 256, 0);
            device.fill(&buffer, 0).unwrap();
            for offset in [0, bytes as i32 - 1] {
                let arguments = [Argument::Buffer(&buffer), Argument::I32(offset)];
                device.launch(module, "mark", one, &arguments).unwrap();
            }
            let mut read = vec![0; bytes];
            device.download(&buffer, &mut read).unwrap();
            assert!(read[0] == 1 && read[bytes - 1] == 1);
            device.upload(&buffer, &read).unwrap();
            device.check_guards(&buffer).unwrap();
        }
    });
}

fn conditions_are_told_where_they_can_be(choice: Choice) {
    on(choice, |device, module| {
        let output = device.alloc("out", 4 * 32).unwrap();
        let arguments = [Argument::I32(1_000_000), Argument::Buffer(&output)];
        let one_warp = Shape::row(1, 32);
        let is_gpu = device.info().kind == "cuda";
        if is_gpu {
            device.launch(module, "spin", one_warp, &arguments).unwrap();
        }
        let asked = std::time::Instant::now();
        let conditions = device.conditions();
        println!("{} in {:?}: {conditions:?}", device.info().name, asked.elapsed());
        device.synchronize().unwrap();
        let Some(conditions) = conditions else {
            assert!(!is_gpu || device::survey().monitor_problem.is_some());
            return;
        };
        assert!(is_gpu, "the simulator has no clock");
        let highest = device.info().clock_mhz.expect("the driver tells it");
        assert!(conditions.clock_mhz.is_none_or(|clock| (1..=highest).contains(&clock)));
        assert!(conditions.temperature_c.is_none_or(|degrees| (1..120).contains(&degrees)));
        assert!(conditions.power_w.is_none_or(|watts| (1.0..2000.0).contains(&watts)));
    });
}

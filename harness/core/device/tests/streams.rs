//! Shapes, arguments, streams, events and host memory on every device of this machine, with the same body on each: the
//! simulator everywhere, the GPU where there is one (skipped aloud elsewhere). The GPU alone: `cargo test -p device --test
//! streams on_cuda -- --nocapture`.

#[path = "common/devices.rs"]
mod devices;
#[path = "common/toy.rs"]
mod toy;

use std::sync::{Mutex, PoisonError};

use device::{
    Argument, Buffer, Choice, CodeRoute, Device, Error, Module, Place, Shape, Stream, TimeSource,
};
use devices::{on_each_device, opened};

on_each_device! {
    grids_have_up_to_three_dimensions
    every_scalar_type_arrives
    variables_are_set_and_read
    a_part_of_a_buffer_is_used_as_a_buffer
    a_block_has_more_than_48_kib_of_dynamic_shared_memory
    host_memory_is_copied_and_used_in_place
    managed_memory_is_used_by_host_and_kernel
    a_second_context_has_memory_of_its_own
    a_stream_waits_for_an_event_of_another
    the_default_stream_waits_for_all_others
    events_time_what_is_between_them
    copies_and_launches_of_several_streams_overlap
    pinned_memory_is_copied_faster_than_pageable
    what_is_wrong_with_streams_is_refused
}

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

fn grids_have_up_to_three_dimensions(choice: Choice) {
    on(choice, |device, module| {
        for shape in [
            Shape::row(3, 40),
            Shape::new([3, 2], [8, 5]),
            Shape::new([2, 3, 2], [4, 2, 3]),
            Shape::new([1, 1, 5], [1, 1, 7]),
        ] {
            let [width, height, depth] = [0, 1, 2].map(|i| shape.blocks[i] * shape.threads[i]);
            let out = device.alloc("out", 4 * (width * height * depth) as usize).unwrap();
            device.fill(&out, 0xff).unwrap();
            device.launch(module, "places", shape, &[Argument::Buffer(&out)]).unwrap();
            let expected: Vec<u32> = (0..depth)
                .flat_map(|z| (0..height).map(move |y| (y, z)))
                .flat_map(|(y, z)| (0..width).map(move |x| x + 100 * y + 10_000 * z))
                .collect();
            assert_eq!(read::<u32>(device, &out), expected, "{shape:?}");
        }
        let out = device.alloc("out", 4).unwrap();
        for shape in [
            Shape::new([1, 0], [1, 1]),
            Shape::new([1, 1], [64, 17]),
            Shape::new([1, 1, 1], [1, 1, 65]),
            Shape::new([1, 65_536], [1, 1]),
        ] {
            let error =
                device.launch(module, "places", shape, &[Argument::Buffer(&out)]).unwrap_err();
            assert!(matches!(error, Error::BadShape { .. }), "{shape:?}: {error}");
        }
    });
}

fn every_scalar_type_arrives(choice: Choice) {
    on(choice, |device, module| {
        let out = device.alloc("out", 80).unwrap();
        let arguments = [
            Argument::I8(-100),
            Argument::I16(-30_000),
            Argument::I32(-2_000_000_000),
            Argument::I64(-9_000_000_000_000_000_000),
            Argument::U8(200),
            Argument::U16(60_000),
            Argument::U32(4_000_000_000),
            Argument::U64(18_000_000_000_000_000_000),
            Argument::F32(-0.1),
            Argument::F64(1e300),
            Argument::Buffer(&out),
        ];
        device.launch(module, "scalars", Shape::row(1, 1), &arguments).unwrap();
        let expected = [
            -100,
            -30_000,
            -2_000_000_000,
            -9_000_000_000_000_000_000,
            200,
            60_000,
            4_000_000_000,
            18_000_000_000_000_000_000u64.cast_signed(),
            i64::from((-0.1f32).to_bits().cast_signed()),
            1e300f64.to_bits().cast_signed(),
        ];
        assert_eq!(read::<i64>(device, &out), expected);
    });
}

fn variables_are_set_and_read(choice: Choice) {
    on(choice, |device, module| {
        device.set_constant(module, "table", bytemuck::cast_slice(&[1i32, 20, 300, 4000])).unwrap();
        device.set_constant(module, "total", &50_000u64.to_le_bytes()).unwrap();
        assert!(module.has_symbol("total") && module.has_symbol("table"));
        device.launch(module, "sum", Shape::row(2, 4), &[]).unwrap();
        device.launch(module, "sum", Shape::row(1, 1), &[]).unwrap();
        let mut total = [0; 8];
        device.read_symbol(module, "total", &mut total).unwrap();
        assert_eq!(u64::from_le_bytes(total), 50_000 + 2 * 4321 + 1);
        assert!(device.read_symbol(module, "total", &mut [0; 4]).is_err());
    });
}

fn a_part_of_a_buffer_is_used_as_a_buffer(choice: Choice) {
    on(choice, |device, module| {
        let all = device.alloc("all", 4 * 1000).unwrap();
        device.upload(&all, bytemuck::cast_slice(&numbers(1000))).unwrap();
        let [from, to] = [400..800, 3600..4000].map(|bytes| all.part(bytes).unwrap());
        assert_eq!(from.address(), all.address() + 400);
        let arguments = [100i32.into(), 0.5f32.into(), (&from).into(), (&to).into()];
        device.launch(module, "add", Shape::row(1, 128), &arguments).unwrap();
        let mut expected = numbers(1000);
        for i in 0..100 {
            expected[900 + i] = expected[100 + i] + 0.5;
        }
        assert_eq!(read::<f32>(device, &all), expected);
        device.upload(&from, bytemuck::cast_slice(&[7.0f32; 50])).unwrap();
        assert_eq!(read::<f32>(device, &all.part(396..404).unwrap()), [99.0, 7.0]);
        device.fill(&to, 0).unwrap();
        assert_eq!(read::<f32>(device, &all)[899..901], [899.0, 0.0]);
        for buffer in [&all, &from, &to] {
            device.check_guards(buffer).unwrap();
        }
        assert!(all.part(0..4001).is_err() && from.part(0..401).is_err());
        assert!(device.upload(&from, &[0; 401]).is_err());
        // A part keeps the memory of the whole.
        drop((all, to));
        assert_eq!(read::<f32>(device, &from)[..50], [7.0; 50]);
    });
}

fn a_block_has_more_than_48_kib_of_dynamic_shared_memory(choice: Choice) {
    on(choice, |device, module| {
        for n in [1000, 20_000] {
            let data = device.alloc("data", 4 * n).unwrap();
            device.upload(&data, bytemuck::cast_slice(&numbers(n))).unwrap();
            let shape = Shape::row(1, 256).with_shared(4 * n as u32);
            let arguments = [Argument::I32(n as i32), Argument::Buffer(&data)];
            device.launch(module, "reverse", shape, &arguments).unwrap();
            let expected: Vec<f32> = numbers(n).into_iter().rev().collect();
            assert_eq!(read::<f32>(device, &data), expected);
        }
    });
}

fn host_memory_is_copied_and_used_in_place(choice: Choice) {
    on(choice, |device, module| {
        let n = 3000;
        let host = device.alloc_host("host", 4 * n).unwrap();
        let there = device.alloc("there", 4 * n).unwrap();
        assert_eq!((host.place(), there.place()), (Place::Host, Place::Device));
        device.upload(&host, bytemuck::cast_slice(&numbers(n))).unwrap();
        assert_eq!(read::<f32>(device, &host), numbers(n));
        let stream = device.stream().unwrap();
        device.copy_on(&stream, &host, &there).unwrap();
        add(device, &stream, module, 1.0, (&there, &there)).unwrap();
        // In place: the kernel reads device memory and writes the host's.
        add(device, &stream, module, 1.0, (&there, &host)).unwrap();
        device.synchronize().unwrap();
        let expected: Vec<f32> = numbers(n).iter().map(|number| number + 2.0).collect();
        assert_eq!(read::<f32>(device, &host), expected);
        device.fill(&host, 0).unwrap();
        device.copy_on(&stream, &there, &host).unwrap();
        device.synchronize().unwrap();
        assert_eq!(read::<f32>(device, &host)[..3], [1.0, 2.0, 3.0]);
        let copy = device.alloc("copy", 4 * n).unwrap();
        device.copy_on(&stream, &there, &copy).unwrap();
        assert_eq!(read::<f32>(device, &copy), read::<f32>(device, &there));
        for buffer in [&host, &there, &copy] {
            device.check_guards(buffer).unwrap();
        }
    });
}

fn managed_memory_is_used_by_host_and_kernel(choice: Choice) {
    on(choice, |device, module| {
        let n = 3000;
        let data = device.alloc_managed("data", 4 * n).unwrap();
        assert_eq!(data.place(), Place::Managed);
        let shape = Shape::row(n.div_ceil(256) as u32, 256);
        let arguments = [(n as i32).into(), 1.0f32.into(), (&data).into(), (&data).into()];
        device.upload(&data, bytemuck::cast_slice(&numbers(n))).unwrap();
        let passes = [None, Some(Place::Device), Some(Place::Host)];
        for (pass, to) in (1..).zip(passes) {
            if let Some(to) = to {
                device.prefetch(&data, to).unwrap();
            }
            device.launch(module, "add", shape, &arguments).unwrap();
            // The host's access waits for the kernel.
            let last = data.part(4 * (n - 1)..4 * n).unwrap();
            assert_eq!(read::<f32>(device, &last), [(n - 1 + pass) as f32], "{to:?}");
        }
        device.fill(&data, 0).unwrap();
        assert_eq!(read::<f32>(device, &data), vec![0.0; n]);
        device.check_guards(&data).unwrap();
    });
}

fn a_second_context_has_memory_of_its_own(choice: Choice) {
    on(choice, |device, module| {
        let n = 1000;
        let own = device.alloc("own", 4 * n).unwrap();
        let (mut other, loaded) = device.second_context(module).unwrap();
        let theirs = other.alloc("theirs", 4 * n).unwrap();
        other.upload(&theirs, bytemuck::cast_slice(&numbers(n))).unwrap();
        let stream = other.stream().unwrap();
        add(&mut *other, &stream, &loaded, 1.0, (&theirs, &theirs)).unwrap();
        other.synchronize().unwrap();
        assert_eq!(read::<f32>(&mut *other, &theirs)[..3], [1.0, 2.0, 3.0]);
        // Neither knows what is the other's.
        assert!(device.upload(&theirs, &[0; 4]).is_err());
        assert!(add(&mut *other, &stream, module, 1.0, (&theirs, &theirs)).is_err());
        assert!(add(&mut *other, &stream, &loaded, 1.0, (&own, &own)).is_err());
        drop((theirs, loaded, stream, other));
        device.fill(&own, 0).unwrap();
        assert_eq!(read::<f32>(device, &own), vec![0.0; n]);
    });
}

fn a_stream_waits_for_an_event_of_another(choice: Choice) {
    on(choice, |device, module| {
        let n = 1 << 16;
        let [one, two, three] =
            ["one", "two", "three"].map(|name| device.alloc(name, 4 * n).unwrap());
        device.upload(&one, bytemuck::cast_slice(&numbers(n))).unwrap();
        let (first, second) = (device.stream().unwrap(), device.stream().unwrap());
        let done = device.event().unwrap();
        // An event that marks nothing yet is not waited for.
        device.wait_event(&second, &done).unwrap();
        for round in 0..20 {
            add(device, &first, module, 1.0, (&one, &two)).unwrap();
            device.record_event(&first, &done).unwrap();
            device.wait_event(&second, &done).unwrap();
            add(device, &second, module, 1.0, (&two, &three)).unwrap();
            device.record_event(&second, &done).unwrap();
            device.wait_event(&first, &done).unwrap();
            add(device, &first, module, 0.0, (&three, &one)).unwrap();
            device.record_event(&first, &done).unwrap();
            device.synchronize_event(&done).unwrap();
            let expected = numbers(n)[n - 1] + 2.0 * (round + 1) as f32;
            let last = one.part(4 * (n - 1)..4 * n).unwrap();
            assert_eq!(read::<f32>(device, &last), [expected], "round {round}");
        }
    });
}

fn the_default_stream_waits_for_all_others(choice: Choice) {
    on(choice, |device, module| {
        let n = 1 << 20;
        let [one, two] = ["one", "two"].map(|name| device.alloc(name, 4 * n).unwrap());
        device.upload(&one, bytemuck::cast_slice(&numbers(n))).unwrap();
        let (first, second) = (device.stream().unwrap(), device.stream().unwrap());
        add(device, &first, module, 1.0, (&one, &two)).unwrap();
        let arguments = [(n as i32).into(), 1.0f32.into(), (&two).into(), (&one).into()];
        device.launch(module, "add", Shape::row(4096, 256), &arguments).unwrap();
        add(device, &second, module, 1.0, (&one, &two)).unwrap();
        let last = two.part(4 * (n - 1)..4 * n).unwrap();
        assert_eq!(read::<f32>(device, &last), [4095.0 + 3.0]);
    });
}

fn events_time_what_is_between_them(choice: Choice) {
    on(choice, |device, module| {
        let n = 1 << 20;
        let data = device.alloc("data", 4 * n).unwrap();
        let stream = device.stream().unwrap();
        let events = [0; 3].map(|_| device.event().unwrap());
        assert!(device.elapsed(&events[0], &events[1]).is_err(), "nothing was recorded");
        add(device, &stream, module, 1.0, (&data, &data)).unwrap();
        for (event, launches) in events.iter().zip([1, 10, 0]) {
            device.record_event(&stream, event).unwrap();
            for _ in 0..launches {
                add(device, &stream, module, 1.0, (&data, &data)).unwrap();
            }
        }
        let one = device.elapsed(&events[0], &events[1]).unwrap();
        let ten = device.elapsed(&events[1], &events[2]).unwrap();
        println!("{}: {one:e} s and {ten:e} s", device.info().name);
        assert!(one > 0.0 && ten > 3.0 * one, "{one} {ten}");
    });
}

/// Copies data in, adds 1 to it and copies it out, in so many chunks on so many streams.
fn pipeline(
    device: &mut dyn Device,
    module: &Module,
    streams: &[Stream],
    chunks: usize,
    (host, there): (&Buffer, &Buffer),
) -> Result<(), Error> {
    let bytes = host.bytes() / chunks;
    for (chunk, stream) in (0..chunks).zip(streams.iter().cycle()) {
        let range = chunk * bytes..(chunk + 1) * bytes;
        let (host, there) = (host.part(range.clone())?, there.part(range)?);
        device.copy_on(stream, &host, &there)?;
        add(device, stream, module, 1.0, (&there, &there))?;
        device.copy_on(stream, &there, &host)?;
    }
    Ok(())
}

/// Bytes that take a device long enough to be timed.
fn size(device: &dyn Device) -> usize {
    if device.info().kind == "cuda" { 64 << 20 } else { 1 << 20 }
}

fn copies_and_launches_of_several_streams_overlap(choice: Choice) {
    on(choice, |device, module| {
        let bytes = size(device);
        let host = device.alloc_host("host", bytes).unwrap();
        let there = device.alloc("there", bytes).unwrap();
        device.upload(&host, bytemuck::cast_slice(&numbers(bytes / 4))).unwrap();
        let streams = [0; 4].map(|_| device.stream().unwrap());
        let mut runs = 0;
        let seconds = [1, 2, 4].map(|count| {
            let mut work = |device: &mut dyn Device| {
                runs += 1;
                pipeline(device, module, &streams[..count], 8, (&host, &there))
            };
            work(device).unwrap();
            let timing = device.time(&mut work).unwrap();
            let is_gpu = device.info().kind == "cuda";
            let source = if is_gpu { TimeSource::Device } else { TimeSource::Model };
            assert_eq!(timing.source, source);
            timing.seconds
        });
        println!("{}: {seconds:?} s with 1, 2 and 4 streams", device.info().name);
        assert!(seconds[1] < 0.8 * seconds[0] && seconds[2] < 0.8 * seconds[0], "{seconds:?}");
        device.synchronize().unwrap();
        let expected: Vec<f32> =
            numbers(bytes / 4).iter().map(|number| number + runs as f32).collect();
        assert!(read::<f32>(device, &host) == expected, "a chunk has another sum");
    });
}

fn pinned_memory_is_copied_faster_than_pageable(choice: Choice) {
    on(choice, |device, _| {
        let bytes = size(device);
        let host = device.alloc_host("host", bytes).unwrap();
        let there = device.alloc("there", bytes).unwrap();
        let (pageable, mut into) = (vec![1; bytes], vec![0; bytes]);
        let stream = device.stream().unwrap();
        let mut seconds = |work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>| {
            work(device).unwrap();
            device.time(work).unwrap().seconds
        };
        let pinned_in = seconds(&mut |device| device.copy_on(&stream, &host, &there));
        let pinned_out = seconds(&mut |device| device.copy_on(&stream, &there, &host));
        let pageable_in = seconds(&mut |device| device.upload(&there, &pageable));
        let pageable_out = seconds(&mut |device| device.download(&there, &mut into));
        let word = [host.part(0..4).unwrap(), there.part(0..4).unwrap()];
        let start = seconds(&mut |device| device.copy_on(&stream, &word[0], &word[1]));
        let rates = [pinned_in, pinned_out, pageable_in, pageable_out]
            .map(|seconds| bytes as f64 / seconds / 1e9);
        println!(
            "{rates:.1?} GB/s pinned in and out, pageable in and out; {:.1} µs for 4 bytes",
            start * 1e6
        );
        assert!(pinned_in < pageable_in && pinned_out < pageable_out);
        assert!(0.0 < start && start < pinned_in);
    });
}

fn what_is_wrong_with_streams_is_refused(choice: Choice) {
    on(choice, |device, module| {
        let mut other = opened(Choice::Simt, CodeRoute::Committed).unwrap();
        let (stream, event) = (device.stream().unwrap(), device.event().unwrap());
        let (theirs, their_event) = (other.stream().unwrap(), other.event().unwrap());
        let [from, to] = ["from", "to"].map(|name| device.alloc(name, 64).unwrap());
        let foreign = other.alloc_host("theirs", 64).unwrap();
        for result in [
            device.copy_on(&theirs, &from, &to),
            device.copy_on(&stream, &foreign, &to),
            device.copy_on(&stream, &from, &foreign),
            device.record_event(&stream, &their_event),
            device.wait_event(&theirs, &event),
            device.launch_on(&theirs, module, "sum", Shape::row(1, 1), &[]),
        ] {
            let error = result.unwrap_err();
            assert!(matches!(error, Error::Foreign(_)), "{error}");
        }
        let error = device.copy_on(&stream, &from, &to.part(0..32).unwrap()).unwrap_err();
        assert!(matches!(error, Error::Size { .. }), "{error}");
        device.copy_on(&stream, &from, &to).unwrap();
        device.synchronize().unwrap();
    });
}

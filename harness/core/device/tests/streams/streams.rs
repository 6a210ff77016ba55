//! Streams, events, and what overlaps.

use device::{Buffer, Choice, CodeRoute, Device, Error, Module, Shape, Stream, TimeSource};

use super::devices::{on_each_device, opened};
use super::{add, numbers, on, read};

on_each_device! {
    a_stream_waits_for_an_event_of_another
    the_default_stream_waits_for_all_others
    events_time_what_is_between_them
    copies_and_launches_of_several_streams_overlap
    pinned_memory_is_copied_faster_than_pageable
    what_is_wrong_with_streams_is_refused
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

//! Shapes, arguments, variables and memory.

use device::{Argument, Choice, Error, Place, Shape};

use super::devices::on_each_device;
use super::{add, numbers, on, read};

on_each_device! {
    grids_have_up_to_three_dimensions
    every_scalar_type_arrives
    variables_are_set_and_read
    a_part_of_a_buffer_is_used_as_a_buffer
    a_block_has_more_than_48_kib_of_dynamic_shared_memory
    host_memory_is_copied_and_used_in_place
    managed_memory_is_used_by_host_and_kernel
    a_second_context_has_memory_of_its_own
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

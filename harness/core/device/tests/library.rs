//! Headers of CUDA's library in our own version, where a clang is found (skipped aloud elsewhere): kernels with them compute
//! what they should, without a hazard.

use device::compiler::Maker;
use device::{Argument, CodeRoute, Device, Shape, SimulatorDevice, Source, Start, Watching, clang};

/// The numbers that each kernel gets: small and whole, exact in half precision too.
fn input() -> Vec<f32> {
    (0..64_u16).map(|i| f32::from(i * 37 % 64)).collect()
}

/// What a kernel makes of [`input`].
fn run(kernel: &str, how: Start, shape: Shape) -> Option<Vec<f32>> {
    if clang::installed().is_empty() {
        println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
        return None;
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/library/kernels.cu");
    let source = Source::from_file(file.as_ref(), &[]).expect("it is read");
    let route = CodeRoute::Compiled(Some(Maker::Clang));
    let mut device = SimulatorDevice::open(route, device::described("h200").expect("a known GPU"));
    let module = device.load(&source).unwrap_or_else(|error| panic!("{error}"));
    device.watch(Watching { hazards: true, ..Watching::default() });
    let input = input();
    let [given, made] =
        ["in", "out"].map(|name| device.alloc(name, size_of_val(&input[..])).expect("memory"));
    device.upload(&given, bytemuck::cast_slice(&input)).expect("a copy");
    let arguments = [Argument::from(&given), (&made).into()];
    device
        .start(how, &module, kernel, shape, &arguments)
        .unwrap_or_else(|error| panic!("{kernel}: {error}"));
    for profile in device.take_profiles() {
        assert!(profile.events.hazards.is_empty(), "{kernel}: {:?}", profile.events.hazards);
    }
    let device: &mut dyn Device = &mut device;
    Some(device.read(&made).expect("results"))
}

/// Compares what it makes with what it should, element by element.
fn check(
    kernel: &str,
    how: Start,
    [blocks, threads]: [u32; 2],
    expected: fn(&[f32], usize) -> f32,
) {
    let input = input();
    let expected: Vec<f32> = (0..input.len()).map(|i| expected(&input, i)).collect();
    if let Some(found) = run(kernel, how, Shape::row(blocks, threads)) {
        assert_eq!(found, expected, "{kernel}");
    }
}

#[test]
fn products_of_tiles() {
    check("tiles", Start::Default, [1, 32], |all, i| 4.0 * all[i]);
}

#[test]
fn a_grid_waits_for_all_of_its_blocks() {
    check("grid", Start::Together, [4, 16], |all, i| all[63 - i]);
}

#[test]
fn a_flag_is_released_and_acquired() {
    check("message", Start::Together, [4, 16], |all, _| all[5]);
}

#[test]
fn the_last_arrival_sees_what_the_others_wrote() {
    let expected = |all: &[f32], i: usize| {
        let of_block = &all[i % 4 * 16..][..16];
        of_block.iter().copied().fold(64.0, f32::min)
    };
    check("arrivals", Start::Default, [4, 16], expected);
}

#[test]
fn barriers_are_used_again_and_again() {
    check("barriers", Start::Default, [1, 16], |all, i| all[i / 16 * 16 + 15 - i % 16]);
}

#[test]
fn copies_run_ahead() {
    let expected = |all: &[f32], i: usize| {
        let mirrored = all[i / 16 * 16 + 15 - i % 16];
        if i < 16 { mirrored + all[i] } else { mirrored }
    };
    check("copies", Start::Default, [1, 16], expected);
}

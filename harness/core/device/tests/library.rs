//! Headers of CUDA's library in our own version, where a clang is found (skipped aloud elsewhere): kernels with them compute
//! what they should, without a hazard.

use device::{Argument, CodeRoute, Device, Ptx, Shape, SimulatorDevice, Source, Start, Watching};
use toolchain::clang::{self, Clang};
use toolchain::compiler::Maker;
use toolchain::headers;

/// The numbers that each kernel gets: small and whole, exact in half precision too.
fn input() -> Vec<f32> {
    (0..64_u16).map(|i| f32::from(i * 37 % 64)).collect()
}

/// What a kernel makes of [`input`].
fn run(route: CodeRoute, source: &Source, kernel: &str, how: Start, shape: Shape) -> Vec<f32> {
    let mut device = SimulatorDevice::open(route, device::described("h200").expect("a known GPU"));
    let module = device.load(source).unwrap_or_else(|error| panic!("{error}"));
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
    device.read(&made).expect("results")
}

/// Compares what it makes with what it should, element by element: with PTX of clang's own back end and of the crate `ir`.
fn check(
    kernel: &str,
    how: Start,
    [blocks, threads]: [u32; 2],
    expected: fn(&[f32], usize) -> f32,
) {
    let Some(clang) = clang::installed().first() else {
        return println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
    };
    let input = input();
    let expected: Vec<f32> = (0..input.len()).map(|i| expected(&input, i)).collect();
    let source = source("kernels.cu");
    let shape = Shape::row(blocks, threads);
    let found = run(CodeRoute::Compiled(Some(Maker::Clang)), &source, kernel, how, shape);
    assert_eq!(found, expected, "{kernel}");
    let found = run(CodeRoute::Committed, &translated(source, clang), kernel, how, shape);
    assert_eq!(found, expected, "{kernel} by the crate ir");
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

#[test]
fn objects_are_made_and_have_virtual_functions() {
    let expected = |all: &[f32], i: usize| {
        let area = all[i] * all[i];
        (if all[i] < 32.0 { area } else { area / 2.0 }) + 9.0 + [0.0, 1.0, 2.0][i % 3] * all[i]
    };
    check("objects", Start::Default, [2, 32], expected);
}

/// Bits, among them those of special numbers of 16 bits.
fn bits() -> Vec<u32> {
    let special =
        [0, 1, 0x8000, 0x8001, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x7bff, 0x3f80, 0x7f80, 0xff81];
    let special = special.map(|bits: u32| bits << 16 | bits);
    special.into_iter().chain((1..21_u32).map(|i| i.wrapping_mul(0x9e37_79b9))).collect()
}

/// A file of these tests.
fn source(file: &str) -> Source {
    let file = format!("{}/tests/library/{file}", env!("CARGO_MANIFEST_DIR"));
    let source = Source::from_file(file.as_ref(), &[]).expect("it is read");
    Source { needs: (8, 0), ..source } // bfloat16
}

/// The source with PTX that the crate `ir` makes from clang's LLVM IR.
fn translated(source: Source, clang: &Clang) -> Source {
    let text = toolchain::ptx::generate(&source, &clang.front_end(), "compute_80");
    let text = text.unwrap_or_else(|error| panic!("{error}"));
    let ptx = vec![Ptx { file: "translated.ptx".to_string(), text }];
    Source { cuda: None, ptx, ..source }
}

/// What a kernel makes of [`bits`]: one warp, 512 words of each thread.
fn words(route: CodeRoute, source: &Source, kernel: &str) -> Vec<u32> {
    let mut device = SimulatorDevice::open(route, device::described("h200").expect("a known GPU"));
    let module = device.load(source).unwrap_or_else(|error| panic!("{error}"));
    let given = device.alloc("in", size_of_val(&bits()[..])).expect("memory");
    let made = device.alloc("out", 32 * 512 * 4).expect("memory");
    device.upload(&given, bytemuck::cast_slice(&bits())).expect("a copy");
    device.fill(&made, 0).expect("zeros");
    let arguments = [Argument::from(&given), (&made).into()];
    device
        .launch(&module, kernel, Shape::row(1, 32), &arguments)
        .unwrap_or_else(|error| panic!("{error}"));
    let device: &mut dyn Device = &mut device;
    device.read(&made).expect("results")
}

#[test]
fn both_compilers_compute_the_same_to_the_last_bit() {
    if clang::installed().is_empty() || !headers::installed().iter().any(|it| it.have_library()) {
        return println!("SKIPPED: clang, or NVRTC with CUDA's headers, was not found");
    }
    for kernel in ["narrow", "integers"] {
        let [ours, cudas] = [Maker::Clang, Maker::Nvrtc].map(|compiler| {
            words(CodeRoute::Compiled(Some(compiler)), &source("narrow.cu"), kernel)
        });
        assert!(cudas.iter().any(|word| *word != 0));
        let differ = (0..ours.len()).filter(|&at| ours[at] != cudas[at]);
        let words: Vec<String> = differ
            .map(|at| {
                format!(
                    "thread {}, word {}: {:x}, not {:x}",
                    at / 512,
                    at % 512,
                    ours[at],
                    cudas[at]
                )
            })
            .collect();
        assert!(words.is_empty(), "{kernel}: {} words:\n{}", words.len(), words.join("\n"));
    }
}

#[test]
fn tiles_of_every_type_have_their_products() {
    let Some(clang) = clang::installed().first() else {
        return println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
    };
    let source = source("tiles.cu");
    check_tiles(&words(CodeRoute::Compiled(Some(Maker::Clang)), &source, "tiles"));
    check_tiles(&words(CodeRoute::Committed, &translated(source, clang), "tiles"));
}

/// Compares the products of the kernel `tiles` with sums over numbers.
fn check_tiles(found: &[u32]) {
    let (square, tall, wide) = ([16, 16, 16], [32, 8, 16], [8, 32, 16]);
    let shapes = [square, tall, square, wide, tall, [16, 16, 8], square, tall, wide, [8, 8, 4]];
    for (number, [m, n, k]) in shapes.into_iter().enumerate() {
        let factor = |i: usize, words: usize, shifts: usize| bits()[i % words] >> (i % shifts) & 7;
        for at in 0..m * n {
            let (row, column) = (at % m, at / m);
            let term = |i| factor(row * k + i, 32, 27) * factor(column * k + i, 31, 23);
            let expected = 1 + 2 * (0..k).map(term).sum::<u32>();
            assert_eq!(found[number * 256 + at], expected, "{number}: {row}, {column}");
        }
    }
}

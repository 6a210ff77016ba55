//! Matrix products on the simulator, against those that an H200 made of the same operands: equal bits.
//!
//! `products.bin` is a recording ([`file`] says how it is written, `harness/core/device/examples/record_products.rs` makes it);
//! `cases.rs` says which numbers were multiplied.

#[allow(dead_code, reason = "the operands are made where they are recorded")]
mod cases;
mod file;
mod sparse;
mod warpgroup;

use std::sync::Arc;

use cases::{GROUPS, KINDS};
use file::Product;
use simt::{Launch, Level, Module, Simulator, Watch};

const RECORDING: &[u8] = include_bytes!("products.bin");

/// The levels of this machine.
fn levels() -> impl Iterator<Item = Level> {
    [Level::Portable, Level::Avx2, Level::Avx512].into_iter().filter(|it| it.is_available())
}

/// What a level makes of products, by a launch of this kernel.
fn run(level: Level, kernel: &str, launch: Launch, products: &[&Product]) -> Vec<u32> {
    let module = Arc::new(Module::parse("product.ptx", kernel).unwrap());
    let simulator = Simulator::new(1 << 24).with_level(level);
    let loaded = simulator.load(module).unwrap();
    let operands: Vec<u8> =
        products.iter().flat_map(|p| &p.operands).flat_map(|word| word.to_le_bytes()).collect();
    let mut results = vec![0; 4 * file::C * products.len()];
    let input = simulator.alloc("operands", operands.len() as u64).unwrap();
    let output = simulator.alloc("results", results.len() as u64).unwrap();
    simulator.write(input, &operands).unwrap();
    let launch = launch.argument(input).argument(output);
    simulator.launch(&loaded, "product", &launch, &Watch::default()).unwrap();
    simulator.read(output, &mut results).unwrap();
    results.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn the_simulator_agrees_with_the_chip() {
    let (told, products) = file::parse(RECORDING).unwrap();
    assert!(told.starts_with("Recorded "), "{told}");
    for (kind, of) in KINDS.iter().enumerate() {
        let products: Vec<&Product> = products.iter().filter(|p| p.kind == kind).collect();
        for (group, name) in GROUPS.iter().enumerate().filter(|(group, _)| of.has(*group)) {
            assert!(products.iter().any(|p| p.group == group), "{}: no {name}", of.element);
        }
        let grid = Launch::new([products.len() as u32, 1, 1], [32, 1, 1]);
        for level in levels() {
            let results = run(level, &cases::kernel(of), grid.clone(), &products);
            let recorded =
                products.iter().flat_map(|p| p.result.iter().map(move |bits| (p, *bits)));
            for (i, ((product, recorded), got)) in recorded.zip(results).enumerate() {
                let (row, column) = (i % file::C / 8, i % 8);
                assert_eq!(
                    got,
                    recorded,
                    "{level:?}, {}, {} [{row}][{column}]: {:e} where the chip had {:e}",
                    of.element,
                    GROUPS[product.group],
                    f32::from_bits(got),
                    f32::from_bits(recorded)
                );
            }
        }
    }
}

#[test]
fn a_record_is_read_as_it_is_written() {
    let (told, products) = file::parse(RECORDING).unwrap();
    assert_eq!(file::format(&told, &products), RECORDING);
    assert!(file::parse(&RECORDING[..RECORDING.len() - 1]).unwrap_err().contains("bytes"));
    assert!(file::parse(b"no end").is_err());
}

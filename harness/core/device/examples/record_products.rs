//! Records matrix products on a GPU and compares them with the simulator's:
//!
//! ```text
//! cargo build -p device --example record_products
//! target/debug/examples/record_products FOLDER DATE [DEVICE]
//! ```
//!
//! Writes `FOLDER/products.bin`, which is committed as `harness/simulator/simt/tests/products/products.bin`: of each kind of operands
//! and group one product; DATE goes into its first line. Many more are compared: for every kind and group it prints how
//! many elements differ, and the first ones. Needs compute capability 8.0.

#[path = "../../../simulator/simt/tests/products/cases.rs"]
mod cases;
#[allow(dead_code, reason = "the file is read where it is tested")]
#[path = "../../../simulator/simt/tests/products/file.rs"]
mod file;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use cases::{GROUPS, KINDS, Random};
use device::{Argument, Choice, CodeRoute, Device, Info, Ptx, Shape, Source};
use file::Product;

/// Products of each kind and group that are compared; the first is written.
const PRODUCTS: usize = 512;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, date, choice) = match arguments.as_slice() {
        [folder, date] => (folder, date, Choice::Cuda(0)),
        [folder, date, device] => (folder, date, device.parse()?),
        _ => return Err("usage: record_products FOLDER DATE [cuda:N|simt]".into()),
    };
    let mut device = device::open(choice, CodeRoute::Committed, "h200")?;
    let mut simulator = device::open(Choice::Simt, CodeRoute::Committed, "h200")?;
    let (mut products, mut wrong) = (Vec::new(), 0);
    for kind in 0..KINDS.len() {
        for group in 0..GROUPS.len() {
            let mut random = Random((kind << 8 | group) as u64);
            let Some(operands) = (0..PRODUCTS)
                .map(|_| cases::operands(kind, group, &mut random))
                .collect::<Option<Vec<_>>>()
            else {
                continue;
            };
            let recorded = multiply(device.as_mut(), kind, &operands)?;
            let simulated = multiply(simulator.as_mut(), kind, &operands)?;
            wrong += told(kind, group, &recorded, &simulated);
            let results = recorded.chunks_exact(file::C).map(<[u32]>::to_vec);
            let first = operands.into_iter().zip(results).next();
            products.extend(first.map(|(operands, result)| Product {
                kind,
                group,
                operands,
                result,
            }));
        }
    }
    let head = head(device.info(), date);
    fs::create_dir_all(folder)?;
    let path = Path::new(folder).join("products.bin");
    fs::write(&path, file::format(&head, &products))?;
    println!("{} written: {} products", path.display(), products.len());
    if wrong == 0 { Ok(()) } else { Err("the simulator's bits differ from the device's".into()) }
}

/// The first line of a file.
fn head(info: &Info, date: &str) -> String {
    let unknown = || "unknown".to_string();
    let driver = info.driver_version.clone().unwrap_or_else(unknown);
    let cuda = info.cuda_version.clone().unwrap_or_else(unknown);
    format!("Recorded {date} on {}, driver {driver}, CUDA {cuda}.", info.name)
}

/// Prints how many elements differ, and the first of them; returns how many.
fn told(kind: usize, group: usize, recorded: &[u32], simulated: &[u32]) -> usize {
    let pairs = recorded.iter().zip(simulated);
    let differ: Vec<(usize, (&u32, &u32))> =
        pairs.enumerate().filter(|(_, (recorded, simulated))| recorded != simulated).collect();
    let (element, group) = (KINDS[kind].element, GROUPS[group]);
    println!("{element}, {group}: {} of {} elements differ", differ.len(), recorded.len());
    for &(i, (&recorded, &simulated)) in differ.iter().take(4) {
        let (product, row, column) = (i / file::C, i % file::C / 8, i % 8);
        let values = (f32::from_bits(recorded), f32::from_bits(simulated));
        println!(
            "  product {product} [{row}][{column}]: {recorded:08x} {:e}, simulated {simulated:08x} {:e}",
            values.0, values.1
        );
    }
    differ.len()
}

/// The products' elements, as bits.
fn multiply(
    device: &mut dyn Device,
    kind: usize,
    operands: &[Vec<u32>],
) -> Result<Vec<u32>, device::Error> {
    let file = "product.ptx".to_string();
    let source = Source {
        name: format!("product of {}", KINDS[kind].element),
        file: file.clone(),
        ptx: vec![Ptx { file, text: cases::kernel(&KINDS[kind]) }],
        needs: (8, 0),
        ..Source::default()
    };
    let module = device.load(&source)?;
    let words: Vec<u32> = operands.concat();
    let mut results = vec![0u32; file::C * operands.len()];
    let input = device.alloc("operands", 4 * words.len())?;
    let output = device.alloc("results", 4 * results.len())?;
    device.upload(&input, bytemuck::cast_slice(&words))?;
    device.fill(&output, 0xa5)?;
    let shape = Shape::row(operands.len() as u32, 32);
    let arguments = [Argument::Buffer(&input), Argument::Buffer(&output)];
    device.launch(&module, "product", shape, &arguments)?;
    device.download(&output, bytemuck::cast_slice_mut(&mut results))?;
    Ok(results)
}

//! The tutorial's kernels against a direct sum in `f64`. Later ones have layouts and launches of their own, and are
//! verified with the host code that knows them.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::{Launch, Loaded, Module, Simulator, Watch};

fn kernels() -> Vec<(String, Arc<Module>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../kernels/nbody");
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).expect("kernels/nbody exists") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|e| e == "ptx") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            if name.as_str() >= "11" {
                continue;
            }
            let text = fs::read_to_string(&path).expect("readable");
            all.push((name.clone(), Arc::new(Module::parse(&name, &text).expect("supported"))));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(all.len() >= 12, "kernels/nbody has {} PTX files", all.len());
    all
}

const FIELDS: [&str; 10] =
    ["mass", "posx", "posy", "posz", "velx", "vely", "velz", "accx", "accy", "accz"];

/// Bodies as ten arrays, from a small linear congruential generator.
fn bodies(n: usize, padded: usize) -> Vec<Vec<f32>> {
    let mut state = 12345u32;
    let mut random = move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    FIELDS
        .iter()
        .map(|_| (0..padded).map(|i| if i < n { random() } else { 0.0 }).collect())
        .collect()
}

fn reference(b: &[Vec<f32>], n: usize, i: usize) -> [f64; 3] {
    let at = |j: usize| [1, 2, 3].map(|f: usize| f64::from(b[f][j]));
    let mut sum = [0.0; 3];
    for j in (0..n).filter(|&j| j != i) {
        let (p, q) = (at(i), at(j));
        let d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        let r = (d.iter().map(|x| x * x).sum::<f64>() + f64::from(0.0025f32)).sqrt();
        for (sum, d) in sum.iter_mut().zip(d) {
            *sum += f64::from(b[0][j]) * d / (r * r * r);
        }
    }
    sum
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|c| f32::from_le_bytes(c.try_into().unwrap())).collect()
}

/// A step's accelerations after `force(step = 1)`.
fn run(name: &str, module: &Arc<Module>, b: &[Vec<f32>], n: usize) -> Vec<[f32; 3]> {
    let padded = b[0].len();
    let simulator = Simulator::new(1 << 24);
    let loaded = simulator.load(module.clone()).unwrap();
    let (count, dthf, epssq, step) = (
        (n as u32).to_le_bytes(),
        0.0125f32.to_le_bytes(),
        0.0025f32.to_le_bytes(),
        1u32.to_le_bytes(),
    );
    let (grid, block) =
        if name.starts_with("01") { (1, 1) } else { ((n as u32).div_ceil(256), 256) };
    let launch = |loaded: &Loaded, arguments: &[&[u8]]| {
        let launch = Launch::new([grid, 1, 1], [block, 1, 1]).arguments(arguments);
        simulator
            .launch(loaded, "force", &launch, &Watch::default())
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    };
    if name.starts_with("01") || name.starts_with("02") {
        let aos: Vec<f32> = (0..n).flat_map(|i| b.iter().map(move |f| f[i])).collect();
        let address = simulator.alloc("bodies", 40 * n as u64).unwrap();
        simulator.write(address, &bytes(&aos)).unwrap();
        launch(&loaded, &[&count, &address.to_le_bytes(), &dthf, &epssq, &step]);
        let mut out = vec![0; 40 * n];
        simulator.read(address, &mut out).unwrap();
        return floats(&out).chunks_exact(10).map(|b| [b[7], b[8], b[9]]).collect();
    }
    let addresses: Vec<[u8; 8]> = FIELDS
        .iter()
        .zip(b)
        .map(|(name, values)| {
            let address = simulator.alloc(name, 4 * padded as u64).unwrap();
            simulator.write(address, &bytes(values)).unwrap();
            address.to_le_bytes()
        })
        .collect();
    if name.starts_with("03") {
        let mut arguments: Vec<&[u8]> = vec![&count];
        arguments.extend(addresses.iter().map(|a| a.as_slice()));
        arguments.extend([dthf.as_slice(), &epssq, &step]);
        launch(&loaded, &arguments);
    } else {
        let set = |symbol: &str, bytes: &[u8]| {
            if let Some((address, _)) = loaded.symbol(symbol) {
                simulator.write(address, bytes).unwrap();
            }
        };
        for (constant, value) in [("n", count), ("dthf", dthf), ("epssq", epssq)] {
            set(constant, &value);
            set(&format!("{constant}d"), &value);
        }
        for (field, address) in FIELDS.iter().zip(&addresses) {
            set(field, address);
            set(&format!("{field}d"), address);
        }
        launch(&loaded, &[&step]);
    }
    let axis = |k: usize| {
        let mut out = vec![0; 4 * n];
        simulator.read(u64::from_le_bytes(addresses[7 + k]), &mut out).unwrap();
        floats(&out)
    };
    let [x, y, z] = [0, 1, 2].map(axis);
    (0..n).map(|i| [x[i], y[i], z[i]]).collect()
}

#[test]
fn every_step_computes_the_accelerations() {
    let kernels = kernels();
    for n in [1usize, 33, 257, 600] {
        for (name, module) in &kernels {
            let is_padded = name.as_str() >= "07";
            let padded = if is_padded { n.next_multiple_of(256) } else { n };
            let b = bodies(n, padded);
            let found = run(name, module, &b, n);
            for i in 0..n {
                let wanted = reference(&b, n, i);
                let size = wanted.iter().map(|w| w * w).sum::<f64>().sqrt();
                for (found, wanted) in found[i].iter().zip(wanted) {
                    let error = (f64::from(*found) - wanted).abs();
                    assert!(
                        error <= 1e-5 * size,
                        "{name}, n = {n}, body {i}: {found} for {wanted}"
                    );
                }
            }
        }
    }
}

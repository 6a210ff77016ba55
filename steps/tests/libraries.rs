//! Functions of libraries are called with the right arrays and sizes, and verified: here by a device that computes on the CPU
//! what their manuals say.

use device::{
    Argument, Attention, Buffer, CodeRoute, Device, Error, Info, Library, Module, Precision,
    Product, Routine, Shape, SimulatorDevice, Source, Start, Timing,
};
use half::{bf16, f16};
use ladder::{Code, Ladder, Step, verify};
use report::Request;
use simt::model::Gpu;

/// The simulator with libraries.
struct WithLibraries {
    simulator: SimulatorDevice,
    /// What of CUB is called, by the ladder.
    ladder: &'static str,
    /// A mistake: the last term of each sum is left out, or the last result.
    is_wrong: bool,
}

impl WithLibraries {
    fn product(&mut self, of: &Product, [a, b, c]: [&Buffer; 3]) -> Result<(), Error> {
        let [m, n, k] = of.sizes.map(|size| size as usize);
        let terms = of.padded()[2] as usize;
        let mut numbers = |buffer: &Buffer| -> Result<Vec<f32>, Error> {
            let device: &mut dyn Device = &mut self.simulator;
            let floats = |bits: Vec<u16>, of: fn(u16) -> f32| bits.into_iter().map(of).collect();
            Ok(match of.precision {
                Precision::Fp32 | Precision::Tf32 => device.read(buffer)?,
                Precision::Bf16 => floats(device.read(buffer)?, |it| bf16::from_bits(it).to_f32()),
                Precision::Fp16 => floats(device.read(buffer)?, |it| f16::from_bits(it).to_f32()),
                // e4m3: the upper bits of a number of FP16 with another bias.
                Precision::Fp8 => {
                    let float = |it: u8| {
                        let bits = u16::from(it & 0x80) << 8 | u16::from(it & 0x7f) << 7;
                        f16::from_bits(bits).to_f32() * 256.0
                    };
                    device.read(buffer)?.into_iter().map(float).collect()
                }
            })
        };
        let (a, b) = (numbers(a)?, numbers(b)?);
        let device: &mut dyn Device = &mut self.simulator;
        let mut sums: Vec<f32> = device.read(c)?;
        for (i, sum) in sums.iter_mut().enumerate() {
            let (row, column) = (i / n, i % n);
            let product: f32 = (0..k - usize::from(self.is_wrong))
                .map(|at| match of.precision {
                    Precision::Fp8 => a[row * terms + at] * b[column * terms + at],
                    _ => a[row * k + at] * b[at * n + column],
                })
                .sum();
            let before = if of.beta == 0.0 { 0.0 } else { of.beta * *sum };
            *sum = of.alpha * product + before;
        }
        assert_eq!(sums.len(), m * n);
        device.upload(c, bytemuck::cast_slice(&sums))
    }

    fn attention(&mut self, of: &Attention, [q, k, v, o]: [&Buffer; 4]) -> Result<(), Error> {
        let [n, heads, size] = of.extent.map(|it| it as usize);
        let mut numbers = |buffer: &Buffer| -> Result<Vec<f32>, Error> {
            let device: &mut dyn Device = &mut self.simulator;
            let bits: Vec<u16> = device.read(buffer)?;
            Ok(bits.into_iter().map(|it| bf16::from_bits(it).to_f32()).collect())
        };
        let (q, k, v) = (numbers(q)?, numbers(k)?, numbers(v)?);
        let mut result = Vec::new();
        for (row, query) in q.chunks(size).take(heads * n).enumerate() {
            let seen = if of.causal { row % n + 1 } else { n } - usize::from(self.is_wrong);
            let keys = row / n * n..row / n * n + seen;
            let of_head = |matrix: &'_ [f32]| matrix[keys.start * size..keys.end * size].to_vec();
            let (keys, values) = (of_head(&k), of_head(&v));
            let products = |key: &[f32]| -> f32 { key.iter().zip(query).map(|(a, b)| a * b).sum() };
            let scores: Vec<f32> = keys.chunks(size).map(|key| of.scale * products(key)).collect();
            let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            let weights: Vec<f32> = scores.iter().map(|score| (score - largest).exp()).collect();
            let sum: f32 = weights.iter().sum();
            result.extend((0..size).map(|column| {
                let column = values.iter().skip(column).step_by(size);
                let mean = column.zip(&weights).map(|(value, weight)| value * weight).sum::<f32>();
                bf16::from_f32(mean / sum).to_bits()
            }));
        }
        let device: &mut dyn Device = &mut self.simulator;
        device.upload(o, bytemuck::cast_slice(&result))
    }

    /// Sorts `n` keys into `out`, and their values with them.
    fn sort_pairs(
        &mut self,
        n: usize,
        [keys, out, values, values_out]: [&Buffer; 4],
    ) -> Result<(), Error> {
        let device: &mut dyn Device = &mut self.simulator;
        let keys: Vec<u32> = device.read(keys)?;
        let values: Vec<u32> = device.read(values)?;
        let mut pairs: Vec<(u32, u32)> = keys.into_iter().zip(values).take(n).collect();
        pairs.sort_by_key(|(key, _)| *key);
        let (keys, mut values): (Vec<u32>, Vec<u32>) = pairs.into_iter().unzip();
        if self.is_wrong {
            values.pop();
        }
        device.upload(out, bytemuck::cast_slice(&keys))?;
        device.upload(values_out, bytemuck::cast_slice(&values))
    }

    fn pass(&mut self, n: u64, arrays: &[&Buffer]) -> Result<(), Error> {
        let device: &mut dyn Device = &mut self.simulator;
        let first: Vec<u8> = device.read(arrays[0])?;
        let words: &[u32] =
            if self.ladder == "histogram" { &[] } else { bytemuck::cast_slice(&first) };
        let words = &words[..words.len().min(n as usize)];
        let out: Vec<u32> = match self.ladder {
            "reduction" => vec![words.iter().copied().fold(0, u32::wrapping_add)],
            "scan" => {
                let mut sum = 0u32;
                words
                    .iter()
                    .map(|&it| {
                        sum = sum.wrapping_add(it);
                        sum
                    })
                    .collect()
            }
            "histogram" => {
                let mut bins = vec![0; 256];
                first.iter().take(n as usize).for_each(|&it| bins[usize::from(it)] += 1);
                bins
            }
            "sort" => {
                let mut keys = words.to_vec();
                keys.sort_unstable();
                keys
            }
            "append" => words.iter().copied().filter(|&it| it < 1 << 31).collect(),
            other => panic!("no function for {other}"),
        };
        if let Some(end) = arrays.get(2) {
            device.upload(end, &(out.len() as u32).to_le_bytes())?;
        }
        let out = if self.is_wrong { &out[..out.len().saturating_sub(1)] } else { &out };
        device.upload(arrays[1], bytemuck::cast_slice(out))
    }
}

impl Device for WithLibraries {
    fn info(&self) -> &Info {
        self.simulator.info()
    }

    fn load(&mut self, source: &Source) -> Result<Module, Error> {
        self.simulator.load(source)
    }

    fn call(&mut self, _: &Module, routine: &Routine, arrays: &[&Buffer]) -> Result<(), Error> {
        match (routine, arrays) {
            (Routine::Product(product), &[a, b, c]) => self.product(product, [a, b, c]),
            (Routine::Attention(of), &[q, k, v, o]) => self.attention(of, [q, k, v, o]),
            (Routine::Pass(n), &[keys, out, values, values_out]) => {
                self.sort_pairs(*n as usize, [keys, out, values, values_out])
            }
            (Routine::Pass(n), arrays) => self.pass(*n, arrays),
            _ => panic!("{routine:?} of {} arrays", arrays.len()),
        }
    }

    fn alloc(&mut self, name: &str, bytes: usize) -> Result<Buffer, Error> {
        self.simulator.alloc(name, bytes)
    }

    fn upload(&mut self, to: &Buffer, bytes: &[u8]) -> Result<(), Error> {
        self.simulator.upload(to, bytes)
    }

    fn download(&mut self, from: &Buffer, into: &mut [u8]) -> Result<(), Error> {
        self.simulator.download(from, into)
    }

    fn fill(&mut self, buffer: &Buffer, byte: u8) -> Result<(), Error> {
        self.simulator.fill(buffer, byte)
    }

    fn set_constant(&mut self, module: &Module, symbol: &str, bytes: &[u8]) -> Result<(), Error> {
        self.simulator.set_constant(module, symbol, bytes)
    }

    fn start(
        &mut self,
        _: Start,
        _: &Module,
        kernel: &str,
        _: Shape,
        _: &[Argument],
    ) -> Result<(), Error> {
        panic!("`{kernel}` is launched instead of a library's function")
    }

    fn time(
        &mut self,
        work: &mut dyn FnMut(&mut dyn Device) -> Result<(), Error>,
    ) -> Result<Timing, Error> {
        self.simulator.time(work)
    }

    fn gpu(&self) -> Option<Gpu> {
        None
    }

    fn check_guards(&mut self, buffer: &Buffer) -> Result<(), Error> {
        self.simulator.check_guards(buffer)
    }

    fn synchronize(&mut self) -> Result<(), Error> {
        self.simulator.synchronize()
    }
}

/// Verifies a function of a ladder with small inputs, or one that makes a mistake; what is wrong.
fn verified(ladder: &'static dyn Ladder, step: &Step, is_wrong: bool) -> Result<(), String> {
    let gpu = Gpu::named("h200").expect("a known GPU");
    let simulator = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let mut device = WithLibraries { simulator, ladder: ladder.name(), is_wrong };
    // A module is needed, of whatever.
    let source = ladder.steps()[0].source(&ladder.kernels().expect("a clone")).expect("its code");
    let mut module = device.load(&source).expect("it loads");
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let small = verify::Inputs::Small;
    let how = verify::Verification { inputs: small, ..verify::Verification::default() };
    let found = verify::verify(&mut device, &mut *open, step, &mut module, &how, &mut |_| {});
    found.map(drop).map_err(|failure| failure.to_string())
}

const LADDERS: [&dyn Ladder; 7] = [
    &super::append::LADDER,
    &super::attention::LADDER,
    &super::gemm::LADDER,
    &super::histogram::LADDER,
    &super::reduction::LADDER,
    &super::scan::LADDER,
    &super::sort::LADDER,
];

#[test]
fn functions_of_libraries_are_verified_like_steps() {
    for ladder in LADDERS {
        let all = ladder.libraries();
        assert!(!all.is_empty());
        for step in all {
            assert!(matches!(step.code, Code::Library(_)) && step.library == Some(step.name));
            verified(ladder, &step, false).unwrap_or_else(|it| panic!("{}: {it}", step.title));
            let wrong = verified(ladder, &step, true);
            assert!(wrong.is_err(), "{} with a mistake is not found", step.title);
        }
    }
}

#[test]
fn steps_are_compared_with_functions_that_there_are() {
    for ladder in LADDERS {
        let names: Vec<&str> = ladder.libraries().iter().map(|it| it.name).collect();
        for step in ladder.steps() {
            assert!(step.library.is_none_or(|it| names.contains(&it)), "{}", step.name);
        }
    }
}

#[test]
fn without_a_gpu_a_library_is_not_found() {
    let gpu = Gpu::named("h200").expect("a known GPU");
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let all = [
        (Library::Cublas, "cuBLAS"),
        (Library::CublasLt, "cuBLASLt"),
        (Library::Cudnn, "cuDNN"),
        (Library::Cub(""), "CUB"),
    ];
    for (library, name) in all {
        let error = device.load_library(library).expect_err("it has none");
        assert!(error.is_skipped(), "{error}");
        let words = format!("{name}: not found (it needs a GPU); run it on one: --device cuda");
        assert_eq!(error.to_string(), words);
    }
}

//! Transfers as a problem: elements, what is verified, and the figure of merit.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Device, Error, Info, Module};
use ladder::Launch;
use ladder::arrays::random_fraction;
use ladder::judge::judge_exactly;
use ladder::limits::Chip;
use ladder::problem::{Checked, Copied, Failed, Input, Pass, Problem};
use report::{Figure, Request};

use crate::program::{KERNEL, Program, shape};
use crate::{Host, Step};

/// Threads of a block.
pub const BLOCK: u32 = 256;

/// No number: a result that nobody has computed, or that was not copied, shows.
pub(crate) const POISON: u8 = 0xff;

/// Sizes that are verified in every run: one element, fewer than there are pieces, and some that are no multiple of
/// anything.
pub const SIZES: [u64; 9] = [1, 3, 31, 33, 127, 129, 1000, 4099, 10_007];

/// A size in each of these ranges is drawn by the seed of a run: over runs they leave every remainder
/// of a warp, of a block and of the pieces.
const DRAWN: [(u64, u64); 3] = [(2, 40), (40, 1100), (1100, 12_000)];

/// The most elements: an `int` counts their bytes.
const MOST: u64 = 1 << 29;

/// Elements in, results out.
pub struct Transfers;

/// Elements, and what is expected.
pub struct Case {
    data: Vec<f32>,
    expected: Vec<f32>,
}

struct Placed<'m> {
    case: Arc<Case>,
    program: Program<'m>,
}

impl Case {
    fn of(data: Vec<f32>) -> Case {
        let mirrored = data.iter().rev();
        Case { expected: data.iter().zip(mirrored).map(|(x, y)| x + y).collect(), data }
    }
}

impl Problem for Transfers {
    type Host = Host;
    type Case = Case;

    fn figure() -> Figure {
        Figure {
            title: "Transfers".to_owned(),
            size: "elements".to_owned(),
            pass: "round trip".to_owned(),
            whole: None,
            work: "bytes".to_owned(),
            scale: 1e9,
            unit: "GB/s".to_owned(),
            flop: None,
            results: "elements".to_owned(),
        }
    }

    /// Bytes that go to the GPU and come back.
    fn work(n: u64) -> f64 {
        2.0 * size_of::<f32>() as f64 * n as f64
    }

    /// Results need an addition each. What the bus of a machine can do is not known here.
    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        n as f64 / chip.lanes_per_second()
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let memory = match step.host {
            Host::Pageable => "pageable, copied",
            Host::Pinned => "page-locked, copied",
            Host::ZeroCopy { .. } => "page-locked, used in place",
            Host::Pieces { .. } => "page-locked, copied in pieces",
        };
        vec![("threads", format!("in blocks of {BLOCK}")), ("memory", memory.to_owned())]
    }

    /// 128 MiB in each direction where it is measured; where it is modelled 4 MiB, two seconds of the simulator's time.
    fn default_size(&self, _: &Step, info: &Info) -> u64 {
        if info.modelled.is_some() { 1 << 20 } else { 1 << 25 }
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step, _: bool, seed: u64) -> Vec<Input> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let drawn = DRAWN.map(|(least, end)| least + random.next_u64() % (end - least));
        let all = SIZES.into_iter().chain(drawn);
        all.map(|n| Input::verified(n, "results", seed)).collect()
    }

    /// Fractions of 24 bits: their sums are rounded once, here as there.
    fn case(&self, input: Input) -> Case {
        let mut random = ChaCha8Rng::seed_from_u64(input.data_seed());
        let fraction = |_| random_fraction(&mut random);
        Case::of((0..input.n).map(fraction).collect())
    }

    /// The elements moved on.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let by = seed.wrapping_add(1) % case.data.len() as u64;
        let mut moved = case.data.clone();
        moved.rotate_left(by as usize);
        Some(Case::of(moved))
    }

    /// Where the host's memory is used in place there is nothing on the GPU, and little where it is copied in pieces.
    fn bytes(step: &Step, n: u64) -> u64 {
        let elements = step.host.on_the_gpu(usize::try_from(n).unwrap_or(usize::MAX));
        2 * (size_of::<f32>() * elements) as u64
    }

    fn launches(step: &Step, n: u64, _: u32) -> Vec<Launch> {
        let parts = step.host.launches(usize::try_from(n).unwrap_or(usize::MAX));
        parts.iter().map(|part| Launch { kernel: KERNEL, shape: shape(part.len()) }).collect()
    }

    /// # Errors
    /// Always: the kernel is not what the steps are about.
    fn with_block(_: &Step, _: u32) -> Result<Step, String> {
        Err("its subject is the host's program: blocks have one size".to_owned())
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        _: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let program = Program::new(device, step.host, module, case.data.len())?;
        Ok(Box::new(Placed { case, program }))
    }

    fn open(_: &Request) -> Result<Transfers, String> {
        Ok(Transfers)
    }
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.program.begin(device, &self.case.data)
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.program.run(device)
    }

    /// Results come back in every pass.
    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        device.synchronize()?;
        Ok(Vec::new())
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let [data, got] = self.program.end(device)?;
        let n = data.len() as u64;
        let place = |i: usize| format!("element {i}");
        judge_exactly("input", n, (&data, &self.case.data), place)?;
        let errors = judge_exactly("elements", n, (&got, &self.case.expected), place)?;
        Ok(Checked::exact(errors))
    }

    /// What is copied is part of the pass.
    fn bytes(&self) -> (u64, u64) {
        (0, 0)
    }
}

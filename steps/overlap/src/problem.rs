//! Copy, compute, copy as a problem: data, what is verified, and the figure of merit.

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

/// Multiply-adds for each element.
const ROUNDS: u32 = 128;

/// No number: a result that nobody has computed, or that was not copied, shows.
pub(crate) const POISON: u8 = 0xff;

/// Sizes that are verified in every run: one element, fewer than there are streams, and some that are no multiple of
/// anything.
pub const SIZES: [u64; 9] = [1, 3, 31, 33, 127, 129, 1000, 4099, 10_007];

/// A size in each of these ranges is drawn by the seed of a run: over runs they leave every remainder
/// of a warp, of a block and of the streams' parts.
const DRAWN: [(u64, u64); 3] = [(2, 40), (40, 1100), (1100, 12_000)];

/// The most elements: an `int` counts their bytes.
const MOST: u64 = 1 << 29;

/// Data in, computation, results out.
pub struct Overlap;

/// Data, and what is computed of it.
pub struct Case {
    data: Vec<f32>,
    expected: Vec<f32>,
}

struct Placed<'m> {
    case: Arc<Case>,
    program: Program<'m>,
}

impl Problem for Overlap {
    type Host = Host;
    type Case = Case;

    fn figure() -> Figure {
        Figure {
            title: "Copies and computation".to_owned(),
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

    /// Every multiply-add is one of a lane. What the bus of a machine can do is not known here.
    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        n as f64 * f64::from(ROUNDS) / chip.lanes_per_second()
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let (memory, streams) = match step.host {
            Host::Pageable => ("pageable", 1),
            Host::Pinned { streams } => ("page-locked", streams),
        };
        vec![
            ("threads", format!("in blocks of {BLOCK}")),
            ("memory", memory.to_owned()),
            ("streams", streams.to_string()),
        ]
    }

    /// 128 MiB in each direction where it is measured; where it is modelled 8 MiB, a few seconds of the
    /// simulator's time.
    fn default_size(&self, _: &Step, info: &Info) -> u64 {
        if info.modelled.is_some() { 1 << 21 } else { 1 << 25 }
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

    /// Numbers a little less than 1: the sums still grow in the last round.
    fn case(&self, input: Input) -> Case {
        let mut random = ChaCha8Rng::seed_from_u64(input.data_seed());
        let data: Vec<f32> =
            (0..input.n).map(|_| 1.0 - random_fraction(&mut random) / 256.0).collect();
        let sum = |&x: &f32| (0..ROUNDS).fold(1.0f32, |sum, _| sum.mul_add(x, 1.0));
        Case { expected: data.iter().map(sum).collect(), data }
    }

    /// The elements moved on.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let by = seed.wrapping_add(1) % case.data.len() as u64;
        let moved = |elements: &[f32]| {
            let mut elements = elements.to_vec();
            elements.rotate_left(by as usize);
            elements
        };
        Some(Case { data: moved(&case.data), expected: moved(&case.expected) })
    }

    fn bytes(_: &Step, n: u64) -> u64 {
        2 * size_of::<f32>() as u64 * n
    }

    fn launches(step: &Step, n: u64, _: u32) -> Vec<Launch> {
        let parts = step.host.parts(usize::try_from(n).unwrap_or(usize::MAX));
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

    fn open(_: &Request) -> Result<Overlap, String> {
        Ok(Overlap)
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

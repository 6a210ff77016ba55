//! A histogram as a problem: values, what is verified, launches, and the figure of merit.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Argument, Buffer, Device, Error, Info, Module};
use ladder::judge::judge_exactly;
use ladder::limits::Chip;
use ladder::problem::{Checked, Copied, Failed, Input, Pass, Problem, Purpose};
use ladder::{Launch, Threads};
use report::{Figure, Request};

use crate::Step;

/// Values that there are, and bins.
const BINS: usize = 256;

/// Blocks for each multiprocessor: as many as it holds at once.
const BLOCKS: u32 = 8;

/// Lanes of a warp.
const WARP: u32 = 32;

/// Sizes that are verified in every run: both sides of the edges of a warp and of a block, and some that
/// are no multiple of anything.
pub const SIZES: [u64; 11] = [1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099, 100_003];

/// A size in each of these ranges is drawn by the seed of a run: over runs they leave every remainder
/// of a warp and of a block.
const DRAWN: [(u64, u64); 2] = [(3, 300), (300, 5000)];

/// A size at which threads have several values each where there are [`FEW`] multiprocessors.
const SEVERAL_ROUNDS: u64 = 10_007;

/// Multiprocessors for which launches are planned, too: so few that threads count several values.
const FEW: [u32; 2] = [1, 2];

/// The most values: an `unsigned int` counts them with room for the last stride.
const MOST: u64 = 1 << 31;

/// What bins hold before a pass, which has to clear them.
const POISON: u8 = 0xff;

const UNIFORM: &str = "values spread evenly";
const CONSTANT: &str = "one value";
const SKEWED: &str = "few frequent values";

/// How often each value occurs.
pub struct Histogram;

/// Values, and how often each occurs.
pub struct Case {
    pub(crate) values: Vec<u8>,
    pub(crate) expected: Vec<u32>,
}

struct Placed<'m> {
    case: Arc<Case>,
    module: &'m Module,
    launches: [Launch; 2],
    values: Buffer,
    bins: Buffer,
}

impl Problem for Histogram {
    type Host = ();
    type Case = Case;

    fn figure() -> Figure {
        Figure {
            title: "Histogram of bytes".to_owned(),
            size: "values".to_owned(),
            pass: "histogram".to_owned(),
            whole: None,
            work: "bytes".to_owned(),
            scale: 1e9,
            unit: "GB/s".to_owned(),
            flop: None,
            results: "bins".to_owned(),
        }
    }

    /// Bytes that are read.
    fn work(n: u64) -> f64 {
        n as f64
    }

    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        chip.memory_seconds(Histogram::work(n))
    }

    /// Far more than the caches hold where it is measured; a second of the simulator's time where it is
    /// modelled.
    fn default_size(&self, _: &Step, info: &Info) -> u64 {
        if info.modelled.is_some() { 1 << 20 } else { 1 << 28 }
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step, _: bool, seed: u64) -> Vec<Input> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let drawn = DRAWN.map(|(least, end)| least + random.next_u64() % (end - least));
        let each = |n| [UNIFORM, CONSTANT, SKEWED].map(|what| Input::verified(n, what, seed));
        let mut inputs: Vec<Input> = SIZES.into_iter().chain(drawn).flat_map(each).collect();
        // A thread has one value of these sizes where there are many multiprocessors.
        let several = Input::verified(SEVERAL_ROUNDS, UNIFORM, seed);
        inputs.extend(FEW.map(|few| several.planned_for(few)));
        inputs
    }

    fn case(&self, input: Input) -> Case {
        let mut values = vec![0; usize::try_from(input.n).expect("few values")];
        let mut random = ChaCha8Rng::seed_from_u64(input.data_seed());
        random.fill_bytes(&mut values);
        match input.purpose {
            Purpose::Verified(CONSTANT) => {
                let value = values[0];
                values.fill(value);
            }
            // Half of them are 0, a quarter 1, and so on.
            Purpose::Verified(SKEWED) => {
                values.iter_mut().for_each(|value| *value = value.trailing_zeros() as u8);
            }
            _ => {}
        }
        let mut expected = vec![0; BINS];
        values.iter().for_each(|&value| expected[usize::from(value)] += 1);
        Case { values, expected }
    }

    /// Each value with some of its bits turned round.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let bits = 1 + (seed % (BINS as u64 - 1)) as u8;
        Some(Case {
            values: case.values.iter().map(|value| value ^ bits).collect(),
            expected: (0..BINS).map(|value| case.expected[value ^ usize::from(bits)]).collect(),
        })
    }

    fn bytes(_: &Step, n: u64) -> u64 {
        n + size_of::<[u32; BINS]>() as u64
    }

    fn launches(step: &Step, n: u64, multiprocessors: u32) -> Vec<Launch> {
        launches(step, n, multiprocessors).to_vec()
    }

    fn with_block(step: &Step, block: u32) -> Result<Step, String> {
        match step.threads {
            Threads::Blocks { stated: true, .. } if !block.is_multiple_of(WARP) => Err(format!(
                "its bins are those of whole warps, and {block} is no multiple of {WARP}"
            )),
            Threads::Blocks { stated, .. } => {
                Ok(Step { threads: Threads::Blocks { block, stated }, ..*step })
            }
            Threads::One | Threads::Cores => Err("it has no blocks".to_owned()),
        }
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let launches = launches(step, case.values.len() as u64, multiprocessors);
        let values = device.alloc("in", case.values.len())?;
        let bins = device.alloc("bins", size_of::<[u32; BINS]>())?;
        Ok(Box::new(Placed { case, module, launches, values, bins }))
    }

    fn open(_: &Request) -> Result<Histogram, String> {
        Ok(Histogram)
    }
}

/// Bins cleared, then as many blocks as run at once and have something to count.
fn launches(step: &Step, n: u64, multiprocessors: u32) -> [Launch; 2] {
    let block = step.threads.block().unwrap_or(1);
    let all = u32::try_from(n).unwrap_or(u32::MAX).div_ceil(block);
    let resident = BLOCKS * multiprocessors.max(1);
    [Launch::row("clear", 1, BINS as u32), Launch::row("histogram", all.min(resident), block)]
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        device.upload(&self.values, &self.case.values)?;
        device.fill(&self.bins, POISON)?;
        device.forget(&self.bins, 0, self.bins.bytes())
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let [clear, histogram] = self.launches;
        device.launch(self.module, clear.kernel, clear.shape, &[(&self.bins).into()])?;
        let n = u32::try_from(self.case.values.len()).unwrap_or(u32::MAX);
        let arguments = [Argument::U32(n), (&self.values).into(), (&self.bins).into()];
        device.launch(self.module, histogram.kernel, histogram.shape, &arguments)
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        Ok(vec![Copied::from(device, &self.bins)?])
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        device.check_guards(&self.values)?;
        device.check_guards(&self.bins)?;
        let Case { values, expected } = &*self.case;
        let n = values.len() as u64;
        let input = device.read(&self.values)?;
        judge_exactly("input", n, (&input, values), |i| format!("value {i}"))?;
        let got = device.read(&self.bins)?;
        let errors = judge_exactly("bins", n, (&got, expected), |i| format!("bin {i}"))?;
        Ok(Checked::exact(errors))
    }

    fn bytes(&self) -> (u64, u64) {
        (self.values.bytes() as u64, self.bins.bytes() as u64)
    }
}

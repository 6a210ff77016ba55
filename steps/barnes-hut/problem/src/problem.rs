//! Barnes–Hut as a problem: its options, sizes, inputs and figure of merit.

use std::path::Path;
use std::sync::Arc;

use device::{Device, Error, Group, Info, Module};
use ladder::limits::Chip;
use ladder::problem::{Input, Pass, Problem, ProblemOption, Purpose, SEED, SharedPass};
use ladder::{BlockError, Launch, OptionError};
use nbody::{Bodies, plummer};
use report::{Figure, Request};

use crate::alone::Part;
use crate::array::Sizes;
use crate::case::{Case, judged};
use crate::forest::Forest;
use crate::inputs::{
    CLUMPS, CLUSTER, CORNERS, COUNTED, FAR, FULL, FULL_AND_WIDE, FULL_SIZES, HARD, LEAVES,
    LEAVES_ON_CURVE, LEAVES_SIZE, ONE_PLACE, SORTED, WIDE_SIZES, bodies, corners, full_cells,
};
use crate::keyed::alone::{DEEP, TILES};
use crate::memory::Memory;
use crate::pass::Placed;
use crate::shared::Shared;
use crate::step::{Exchange, Host, Step};
use crate::values::Values;

/// A cell of side s is opened at distances below s/θ, unless somebody says otherwise.
const THETA: f32 = 0.5;

/// Sizes at which a time step of a cluster is verified: both sides of a warp's edge, and of a block's.
const SIZES: [u64; 6] = [1, 2, 3, 31, 33, 257];

/// Verified with launches for many multiprocessors: most threads have nothing to do. For all that there are, the timed
/// size is verified, without a search for hazards.
const IDLE: u64 = 1031;

/// Multiprocessors for that.
const MANY: u32 = 24;

/// Verified with launches for one multiprocessor: there threads have several bodies and cells.
const ONE: u64 = 2503;

/// Verified with launches of one block where their number follows that of the multiprocessors: there threads have several of
/// all, and groups of bodies are as large as they may be.
const ALONE: u64 = 800;

/// Multiprocessors that launches are planned for elsewhere.
const FEW: u32 = 3;

/// A size in each of these ranges is drawn by the seed of a run.
const DRAWN: [(u64, u64); 2] = [(4, 31), (34, 257)];

/// Bodies that are hard on a tree, whatever these are.
const HARD_SIZE: u64 = 200;

/// θ with which a walk opens nearly all of the leaves of [`LEAVES`].
const OPENS_ALL: f32 = 0.1;

/// The same of two bodies: of the other kinds these are like them, or like a cluster.
const HARD_PAIRS: [&str; 2] = [ONE_PLACE, FAR];

/// Bodies over several time steps, and how many of these.
const TIME_STEPS: (u64, u32) = (503, 3);

/// Sizes at which several GPUs verify: fewer warps than GPUs, and as many of them that they differ by one.
const SHARED: [u64; 6] = [1, 33, HARD_SIZE, 257, TIME_STEPS.0, ONE];

/// Verified on several GPUs with launches of one block where their number follows that of the multiprocessors: each of three has more
/// nodes than a block has threads.
const LOOPS: u64 = 3607;

/// Verified with launches for one multiprocessor, of steps whose groups are smaller where bodies are few: so many that each body of
/// a group is at the edge of some group's box.
const FULL_GROUPS: u64 = 10_000;

/// Verified twice, of steps that promise the same bits in every run.
const REPEATED: u64 = 600;

/// What is verified, in words, beyond the kinds of inputs.
const SEVERAL: &str = "several time steps";

/// Multiprocessors for which bytes are said where these are not known yet.
const MULTIPROCESSORS: u32 = 256;

/// Interactions of direct sums in a second on one core, at least.
const REFERENCE_RATE: f64 = 1e8;

/// An `int` counts the children of all cells.
const MOST: u64 = 150_000_000;

/// The Barnes–Hut problem, as it was opened with the options of a run.
pub struct BarnesHut {
    theta: f32,
    bodies: Option<Bodies>,
}

impl BarnesHut {
    fn cluster(&self, n: u64) -> Bodies {
        let n = usize::try_from(n).expect("no more bodies than there can be");
        self.bodies.as_ref().map_or_else(|| plummer(n, SEED), |bodies| bodies.first(n))
    }
}

impl Problem for BarnesHut {
    type Host = Host;
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption {
            name: "theta",
            value: "X",
            help: "A cell is opened from distances below its side by X [0.5]; less is more accurate",
        },
        ProblemOption {
            name: "bodies",
            value: "FILE",
            help: "Run on the bodies of a file instead of the seeded cluster: CSV with the header \
                   mass,x,y,z,vx,vy,vz, or Tipsy",
        },
    ];

    const COUNTED_BY_FEW_BLOCKS: bool = false;

    fn figure() -> Figure {
        Figure {
            title: "Barnes–Hut n-body".to_owned(),
            size: "bodies".to_owned(),
            pass: "time step".to_owned(),
            whole: None,
            work: "bodies".to_owned(),
            scale: 1e6,
            unit: "10⁶ bodies/s".to_owned(),
            flop: None,
            results: "accelerations".to_owned(),
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Masses, positions and velocities are read; positions and velocities are written.
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        chip.memory_seconds(4.0 * 13.0 * n as f64)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        step.host.in_words()
    }

    /// About the tutorial's middle size: the tree no longer fits the caches of a multiprocessor, all of a GPU works, and
    /// a time step of the slow steps is still a matter of seconds. Fewer where the simulator runs them.
    fn default_size(&self, _: &Step, info: &Info) -> u64 {
        if info.modelled.is_some() { 10_000 } else { 1_000_000 }
    }

    fn most(&self) -> u64 {
        self.implied_size().unwrap_or(MOST)
    }

    fn implied_size(&self) -> Option<u64> {
        self.bodies.as_ref().map(|bodies| bodies.len() as u64)
    }

    fn verification(&self, step: &Step, shared: bool, seed: u64) -> Vec<Input> {
        let share =
            |number: u64| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(7 * number as u32);
        let drawn =
            (1..).zip(DRAWN).map(|(number, (least, end))| least + share(number) % (end - least));
        // Launches for few multiprocessors: most threads of more would have nothing to do.
        let of = |n, what| Input::verified(n, what, seed);
        let clusters = SIZES.into_iter().chain(drawn).map(|n| of(n, CLUSTER).planned_for(FEW));
        let pairs = HARD_PAIRS.map(|kind| of(2, kind)).into_iter();
        let hard = pairs.chain(HARD.map(|kind| of(HARD_SIZE, kind)));
        let hard = hard.map(|input| input.planned_for(FEW));
        let idle = of(IDLE, CLUSTER).planned_for(MANY);
        let repeated = Input {
            purpose: Purpose::Repeated(CLUSTER),
            ..Input::verified(REPEATED, CLUSTER, SEED)
        };
        let one = of(ONE, CLUSTER).planned_for(1);
        let mut all: Vec<Input> =
            clusters.chain(hard).chain([one, repeated.planned_for(FEW), idle]).collect();
        // Fewer bodies first: what is wrong with few is easier to understand.
        all.sort_by_key(|input| input.n);
        all.push(of(TIME_STEPS.0, SEVERAL));
        // A tree that is wrong for another reason has too many cells, too.
        all.extend(FULL_SIZES.map(|n| of(n, FULL).planned_for(FEW)));
        // By one block, which makes cells and sums them up in an order of its own; the last cell before others look at it.
        all.extend(WIDE_SIZES.map(|n| of(n, FULL_AND_WIDE).planned_for(0).staggered()));
        all.push(of(ALONE, CLUMPS).planned_for(0));
        if step.host.has_leaves() {
            let of = |kind| of(LEAVES_SIZE, kind).planned_for(FEW);
            all.extend([LEAVES, LEAVES_ON_CURVE].map(of));
        }
        if step.host.has_smaller_groups() {
            all.push(of(FULL_GROUPS, CLUSTER).planned_for(1).results_alone());
        }
        all.extend(step.host.alone.iter().map(|alone| {
            let input = of(alone.n, alone.what).planned_for(alone.multiprocessors);
            if alone.hazards { input } else { input.results_alone() }
        }));
        if shared {
            // What GPUs may differ in is which bodies are whose, not the tree.
            all.retain(|input| SHARED.contains(&input.n));
            all.push(of(LOOPS, CLUSTER).planned_for(0).results_alone());
        }
        all
    }

    fn case(&self, input: Input) -> Case {
        let Input { n, purpose, seed, .. } = input;
        let usual = Values::usual(self.theta);
        match purpose {
            Purpose::Timed | Purpose::Renewed => {
                Case { is_timed: true, ..Case::judged(self.cluster(n), usual, seed) }
            }
            Purpose::Trial | Purpose::Counted => Case::unjudged(self.cluster(n), usual),
            Purpose::Verified(SEVERAL) => {
                Case::time_steps(plummer(n as usize, seed), Values::drawn(seed ^ n), TIME_STEPS.1)
            }
            Purpose::Verified(what @ (CORNERS | COUNTED | SORTED)) => {
                Case::alone(what, corners(n, seed), usual)
            }
            Purpose::Verified(what @ (TILES | DEEP)) => Case::alone(what, Bodies::default(), usual),
            Purpose::Verified(kind) => {
                let mut values = Values::drawn(seed ^ n);
                if [LEAVES, LEAVES_ON_CURVE].contains(&kind) {
                    values.theta = OPENS_ALL;
                }
                let case = Case::judged(bodies(kind, n, seed), values, seed);
                Case { is_cluster: kind == CLUSTER, cells: full_cells(kind, n), ..case }
            }
            Purpose::Repeated(_) => Case::judged(plummer(n as usize, SEED), usual, SEED),
        }
    }

    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        Some(case.renumbered(seed))
    }

    fn case_seconds(&self, n: u64) -> f64 {
        judged(n as usize) as f64 * n as f64 / REFERENCE_RATE
    }

    fn bytes(&self, step: &Step, n: u64) -> u64 {
        step.host.bytes(&Sizes::new(n, MULTIPROCESSORS))
    }

    fn launches(&self, step: &Step, n: u64, multiprocessors: u32) -> Vec<Launch> {
        let sizes = Sizes::new(n, multiprocessors);
        step.host.calls.iter().map(|call| call.launch(&sizes)).collect()
    }

    /// # Errors
    /// Always: each kernel has blocks of its own size.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("each of its kernels has blocks of a size of its own"))
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let is_meant = |what| step.host.alone.iter().find(|alone| alone.what == what);
        if let Some(&alone) = case.alone.and_then(is_meant) {
            let part = Part::new(device, module, (&step.host, alone), case, multiprocessors)?;
            return Ok(Box::new(part));
        }
        let memory = Memory::new(device, step.host.arrays, case.sizes(multiprocessors))?;
        Ok(Box::new(Placed { step: step.name, module, host: step.host, memory, case }))
    }

    fn place_shared<'m>(
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn SharedPass + 'm>, Error> {
        match step.host.exchange {
            None if group.size() > 1 => {
                return Err(Error::Skipped {
                    reason: format!("{} is for one GPU", step.name),
                    remedy: "run one that divides its work: `harness list`".to_owned(),
                });
            }
            Some(Exchange::Trees) => {
                let forest = Forest::new(device, group, (step, module), case, multiprocessors)?;
                return Ok(Box::new(forest));
            }
            _ => {}
        }
        let sizes = case.sizes(multiprocessors);
        let memory = Memory::new(device, step.host.arrays, sizes.on(group.rank(), group.size()))?;
        Ok(Box::new(Shared::new(Placed { step: step.name, module, host: step.host, memory, case })))
    }

    fn open(request: &Request) -> Result<BarnesHut, OptionError> {
        let option = |name: &str| request.problem.get(name).map(String::as_str);
        let theta = option("theta").map_or(Ok(THETA), theta)?;
        let bodies = option("bodies").map(|name| read(Path::new(name))).transpose()?;
        Ok(BarnesHut { theta, bodies })
    }
}

/// θ in words, as a number.
///
/// # Errors
/// It is no number, or none for which there is a walk.
pub fn theta(text: &str) -> Result<f32, OptionError> {
    match text.parse::<f32>() {
        // Below, 1/θ² times the square of a side is more than any square of a distance.
        Ok(theta) if (1e-3..=2.0).contains(&theta) => Ok(theta),
        _ => Err(OptionError::Value {
            option: "theta",
            value: text.to_owned(),
            possible: "a cell is opened from distances below its side by θ; choose 0.001 to 2, such as 0.5"
                .to_owned(),
        }),
    }
}

fn read(name: &Path) -> Result<Bodies, OptionError> {
    let bodies = nbody::read(name).map_err(OptionError::file)?;
    let problem = bodies.check_range().err().map(|body| body.to_string()).or_else(|| {
        let negative = bodies.mass.iter().position(|mass| *mass < 0.0)?;
        Some(format!("body {negative} has a negative mass, with which no centre of mass is known"))
    });
    match problem {
        Some(problem) => Err(OptionError::file(format!("{}: {problem}", name.display()))),
        None => Ok(bodies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theta_is_a_number_for_which_there_is_a_walk() {
        assert_eq!(theta("0.5").expect("usual"), 0.5);
        for bad in ["0", "-0.5", "nan", "inf", "", "half", "1e-9", "3"] {
            let error = theta(bad).expect_err(bad).to_string();
            assert!(
                error.contains(&format!("--theta {bad}:")) && error.contains("0.001 to 2"),
                "{error}"
            );
        }
    }
}

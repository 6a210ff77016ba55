//! N-body as a problem: its options, sizes, inputs and figure of merit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use device::{Device, Error, Group, HostCode, Info, Module};
use ladder::limits::Chip;
use ladder::problem::{
    Conclusion, Growth, Input, OnCpu, Pass, Problem, ProblemOption, Purpose, SEED, SharedPass, Size,
};
use ladder::{BlockError, Launch, OptionError, Threads};
use report::files::check_writable;
use report::{Figure, Request};
use vectors::{Counts, Vectors};

use crate::bodies::{Bodies, OutOfRange};
use crate::divided::Divided;
use crate::pass::{Alone, Shared};
use crate::plummer::plummer;
use crate::simulation::{self, Simulation};
use crate::step::{self, Host, Share, Step};
use crate::verify::{
    BOTH_EVALUATIONS, Case, Forces, MANY, MOST_OF_ONE_THREAD, MOST_SAMPLED, PLANNED_SIZES,
    PLANNED_WHOLES, REPEATED, SCALED_SIZE, SUM_SIZES, Sampled, Start, TIME_STEP_SIZES, Trajectory,
    UNDIVIDED_WALKS, balanced, judge_end, judge_wholes, judged, sizes, verification_bodies,
};
use crate::{Constants, cpu, file, floor};

/// Bodies that show what a step gains per launch, as in the tutorial.
const SHORT_LAUNCH_SIZE: u64 = 1000;

/// Interactions of the f64 reference in a second on one core, at least.
const REFERENCE_RATE: f64 = 1e8;

/// A kernel counts bodies with an `int`, and the last block's threads count past the last body.
const MOST: u64 = i32::MAX as u64 - 1024;

/// The n-body problem, as it was opened with the options of a run.
pub struct Nbody {
    /// Steps that are also timed with few bodies over many time steps: their idea, or that of a step
    /// derived from them, shows only there.
    short: &'static [&'static str],
    bodies: Option<Bodies>,
    /// Time steps of what is run over many of them; none lets the device decide.
    time_steps: Option<u32>,
    /// Of the run: decides what is judged of the bodies that are saved.
    seed: u64,
    save: Option<PathBuf>,
}

/// The figure of merit of all-pairs n-body; 20 operations an interaction are this field's convention
/// (Nyland, Harris, Prins: Fast N-Body Simulation with CUDA, GPU Gems 3, chapter 31).
pub fn figure(title: &str) -> Figure {
    Figure {
        size: "bodies".to_owned(),
        pass: "force evaluation".to_owned(),
        whole: Some("time step".to_owned()),
        flop: Some(20.0),
        results: "accelerations".to_owned(),
        ..Figure::of(title, "interactions")
    }
}

impl Nbody {
    /// The same, with steps that are also timed with few bodies over many time steps.
    #[must_use]
    pub fn with_short_launches(self, short: &'static [&'static str]) -> Nbody {
        Nbody { short, ..self }
    }

    /// The seeded cluster, or the first bodies of the file.
    fn cluster(&self, n: u64) -> Bodies {
        let n = usize::try_from(n).expect("no more bodies than there can be");
        self.bodies.as_ref().map_or_else(|| plummer(n, SEED), |bodies| bodies.first(n))
    }

    fn time_steps(&self, info: &Info) -> u32 {
        let default = if info.modelled.is_some() { 3 } else { 1000 };
        self.time_steps.unwrap_or(default)
    }
}

impl Problem for Nbody {
    type Host = Host;
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption {
            name: "bodies",
            value: "FILE",
            help: "Run on the bodies of a file instead of the seeded cluster: CSV with the header \
                   mass,x,y,z,vx,vy,vz, or Tipsy",
        },
        ProblemOption {
            name: "time-steps",
            value: "N",
            help: "Time steps of what is run over many of them",
        },
        ProblemOption {
            name: "save",
            value: "FILE",
            help: "Where the last step writes the bodies as they are after --time-steps",
        },
    ];
    const GROWTH: Growth = Growth::Square;

    fn figure() -> Figure {
        figure("All-pairs n-body")
    }

    fn work(&self, n: u64) -> f64 {
        (n as f64).powi(2)
    }

    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        floor::floor_seconds(n, chip)
    }

    /// A step on the CPU is called like any function: nothing is said of its parameters.
    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        step::on_the_host(step)
    }

    /// One that fills any GPU; fewer where one thread does all, where the CPU does, and where the simulator
    /// has to run all bodies.
    fn default_size(&self, step: &Step, info: &Info) -> u64 {
        let is_one = matches!(step.threads, Threads::One | Threads::Cores);
        match info.modelled {
            _ if info.kind == "cpu" => 16_384,
            Some(_) if is_one || self.save.is_some() => 4096,
            _ => 131_072,
        }
    }

    fn simulated_size(&self, step: &Step, n: u64) -> u64 {
        let (most, instead) = if step.is_one_gpu_thread() { (1024, 512) } else { (8192, 4096) };
        if n <= most { n } else { instead }
    }

    fn most(&self) -> u64 {
        self.implied_size().unwrap_or(MOST)
    }

    fn implied_size(&self) -> Option<u64> {
        self.bodies.as_ref().map(|bodies| bodies.len() as u64)
    }

    fn further_sizes(&self, step: &Step, info: &Info) -> Vec<Size> {
        if !self.short.contains(&step.name) {
            return Vec::new();
        }
        let n = SHORT_LAUNCH_SIZE.min(self.most());
        vec![Size { n, wholes: Some(self.time_steps(info)) }]
    }

    fn verification(&self, step: &Step, shared: bool, seed: u64) -> Vec<Input> {
        let most = if step.is_one_gpu_thread() { MOST_OF_ONE_THREAD } else { u64::MAX };
        let mut sizes = sizes(shared, seed);
        sizes.retain(|&n| n <= most);
        let verified = |n, what| Input::verified(n, what, seed);
        let mut inputs = Vec::new();
        for n in sizes {
            if n == REPEATED {
                let purpose = Purpose::Repeated(FIRST);
                inputs.push(Input { purpose, ..verified(n, FIRST) });
            } else if n <= BOTH_EVALUATIONS || shared {
                inputs.push(verified(n, FIRST));
            }
            inputs.extend([LATER, ADVANCE].map(|what| verified(n, what)));
        }
        inputs.extend(step::is_free_of_units(step).then(|| verified(SCALED_SIZE, SCALED)));
        let of_time_steps = TIME_STEP_SIZES.into_iter().filter(|&n| n <= most);
        inputs.extend(of_time_steps.map(|n| verified(n, TIME_STEPS)));
        inputs.extend(planned(step, seed));
        if step::compensates(step) {
            let both = |n| [SUMS, LATER_SUMS].map(|what| verified(n, what));
            inputs.extend(SUM_SIZES.into_iter().flat_map(both));
        }
        inputs
    }

    fn sampled_blocks(&self, step: &Step, n: u64, seed: u64) -> Option<(Input, u64)> {
        let n = n.min(MOST_SAMPLED);
        let each = step::bodies_of_block(step, u32::try_from(n).ok()?)?;
        Some((Input::verified(n, BLOCKS, seed), n.div_ceil(each.into())))
    }

    fn case(&self, input: Input) -> Case {
        let Input { n, purpose, seed, .. } = input;
        match purpose {
            Purpose::Timed | Purpose::Renewed => {
                Case::First(Forces::new(self.cluster(n), Constants::USUAL, seed))
            }
            Purpose::Trial => Case::Unjudged(self.cluster(n), 0),
            // One like all but the first, which has no velocities to correct.
            Purpose::Counted => Case::Unjudged(plummer(n as usize, SEED), 1),
            Purpose::Verified(LATER) => {
                let forces = Forces::drawn(n, seed);
                let start = Start::of_force(&forces);
                Case::Later(Box::new(forces), start)
            }
            Purpose::Verified(BLOCKS) => Case::Sampled(Box::new(Sampled::drawn(n, seed))),
            Purpose::Verified(ADVANCE) => Case::Advance(Start::of_advance(n, seed)),
            Purpose::Verified(TIME_STEPS) => Case::TimeSteps(Box::new(Trajectory::drawn(n, seed))),
            Purpose::Verified(what @ (SUMS | LATER_SUMS)) => {
                let forces = balanced(n as usize, seed);
                let start = (what == LATER_SUMS).then(|| Start::of_force(&forces));
                Case::Sums(Box::new(forces), start)
            }
            // The same in every run, with the constants that are timed.
            Purpose::Repeated(_) => {
                let bodies = verification_bodies(n as usize, SEED);
                Case::First(Forces::new(bodies, Constants::USUAL, SEED))
            }
            Purpose::Verified(SCALED) => Case::First(Forces::scaled(n, seed)),
            Purpose::Verified(_) => Case::First(Forces::drawn(n, seed)),
        }
    }

    /// Bodies with other numbers: the accelerations are known, those at each number are others.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        match case {
            Case::First(forces) => Some(Case::First(forces.renumbered(seed))),
            _ => None,
        }
    }

    fn case_seconds(&self, n: u64) -> f64 {
        judged(n as usize) as f64 * n as f64 / REFERENCE_RATE
    }

    fn bytes(&self, step: &Step, n: u64) -> u64 {
        simulation::bytes(step, n)
    }

    fn padded(&self, step: &Step, n: u64) -> u64 {
        step::padded(step, n, 1)
    }

    fn launches(&self, step: &Step, n: u64, multiprocessors: u32) -> Vec<Launch> {
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        step::force_launches(step, n, Share::ALL, multiprocessors)
    }

    fn with_block(step: &Step, block: u32) -> Result<Step, BlockError> {
        step::with_block(*step, block)
    }

    fn host_code(step: &Step, on: &OnCpu) -> Result<HostCode, Error> {
        cpu::host_code(step, on)
    }

    fn executed_on_cpu(&self, step: &Step, vectors: Vectors, n: u64) -> Option<Counts> {
        cpu::executed(step, vectors, n as usize)
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let (n, plan) = (case.start().0.len(), (Share::ALL, multiprocessors));
        let simulation =
            Simulation::allocate_share(device, step, module, n, plan)?.with(case.constants());
        let of_block = step::bodies_of_block(step, n as u32);
        Ok(Box::new(Alone { simulation, case, of_block }))
    }

    fn place_shared<'m>(
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        multiprocessors: u32,
    ) -> Result<Box<dyn SharedPass + 'm>, Error> {
        let n = case.start().0.len();
        let divided = Divided::allocate(device, group, step, module, n, multiprocessors)?
            .with(case.constants());
        Ok(Box::new(Shared { divided, case }))
    }

    /// Runs the last step over all bodies and saves where they are.
    fn conclude(
        &self,
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        (n, target): (u64, u64),
    ) -> Result<(), Conclusion> {
        let Some(file) = &self.save else { return Ok(()) };
        if n < target {
            return Err(Conclusion::Reason(format!(
                "nothing was saved: this step is too slow for {target} bodies; \
                 let --steps end with a faster one"
            )));
        }
        if device.info().modelled.is_some() && self.simulated_size(step, n) < n {
            return Err(Conclusion::Reason(format!(
                "nothing was saved: the simulator would take too long for {n} bodies; choose --size 4096"
            )));
        }
        let time_steps = self.time_steps(device.info());
        let forces = Forces::new(self.cluster(n), Constants::USUAL, self.seed);
        let simulation = Simulation::new(device, step, module, &forces.bodies)?;
        // Two time steps are judged from their start to their end, more of them by the last one.
        for count in [time_steps.min(2), time_steps] {
            simulation.upload(device, &forces.bodies, None)?;
            simulation.run(device, count)?;
            let state = simulation.download(device)?;
            judge_wholes(&forces, count, &state, simulation.precision())?;
            if count == time_steps {
                break;
            }
        }
        // The last evaluation corrects the velocities.
        simulation.force(device, time_steps)?;
        let state = simulation.download(device)?;
        judge_end(&forces, time_steps, &state, simulation.precision())?;
        file::write(file, &state.bodies).map_err(|error| Conclusion::Reason(error.to_string()))
    }

    fn open(request: &Request) -> Result<Nbody, OptionError> {
        let option = |name: &str| request.problem.get(name).map(String::as_str);
        let bodies = option("bodies").map(|name| read(Path::new(name))).transpose()?;
        let time_steps = option("time-steps").map(|text| match text.parse::<u32>() {
            Ok(count @ 1..=MOST_TIME_STEPS) => Ok(count),
            _ => Err(OptionError::Value {
                option: "time-steps",
                value: text.to_owned(),
                possible: format!("at least one, and at most {MOST_TIME_STEPS}"),
            }),
        });
        let save = option("save").map(PathBuf::from);
        if let Some(file) = &save {
            check_writable(file).map_err(OptionError::file)?;
        }
        let (time_steps, seed) = (time_steps.transpose()?, request.seed);
        Ok(Nbody { short: &[], bodies, time_steps, seed, save })
    }
}

/// A day's work where a time step takes a tenth of a second.
const MOST_TIME_STEPS: u32 = 1_000_000;

/// What is verified, in words.
const FIRST: &str = "accelerations";
const SCALED: &str = "accelerations of heavy bodies far apart";
const BLOCKS: &str = "accelerations by some blocks";
const LATER: &str = "a later force evaluation";
const ADVANCE: &str = "an advance";
const TIME_STEPS: &str = "time steps";
const SUMS: &str = "sums whose rounding shows";
const LATER_SUMS: &str = "such sums of a later force evaluation";

/// What is verified once more with launches planned for few multiprocessors, or for none, where that
/// makes a difference: warps have rounds to do that are several warps' where there are many
/// multiprocessors.
fn planned(step: &Step, seed: u64) -> Vec<Input> {
    let force =
        |n: u32, multiprocessors| step::force_launches(step, n, Share::ALL, multiprocessors);
    let differs = |&&n: &&u32| force(n, 1) != force(n, MANY);
    let is_divided = force(UNDIVIDED_WALKS, 0) != force(UNDIVIDED_WALKS, MANY);
    let verified = |n: u32, what, few| Input::verified(n.into(), what, seed).planned_for(few);
    let sizes = PLANNED_SIZES.iter().filter_map(|sizes| sizes.iter().find(differs));
    let mut inputs: Vec<Input> = sizes.map(|&n| verified(n, LATER, 1)).collect();
    inputs.extend(is_divided.then(|| verified(UNDIVIDED_WALKS, LATER, 0).results_alone()));
    let (few, n) = PLANNED_WHOLES;
    inputs.extend(step::run_launch(step, n, few).map(|_| verified(n, TIME_STEPS, few)));
    inputs
}

fn read(name: &Path) -> Result<Bodies, OptionError> {
    let bodies = file::read(name).map_err(OptionError::file)?;
    let out_of_range =
        |problem: OutOfRange| OptionError::file(format!("{}: {problem}", name.display()));
    bodies.check_range().map_err(out_of_range)?;
    Ok(bodies)
}

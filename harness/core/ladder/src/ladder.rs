//! A ladder: a problem and its ordered steps, and how the rest of the program sees one without
//! knowing its problem.

mod steps;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use device::{Device, Error, Group, HostCode, Info, Module};
use report::{Figure, NamedSize, Request};
use vectors::{Counts, Vectors};

use crate::limits::Chip;
use crate::problem::{
    Conclusion, Growth, Input, OnCpu, OptionError, Pass, Problem, ProblemOption, Purpose, Sample,
    SharedPass, Size, multiprocessors,
};
use crate::step::{BlockError, Launch, Step};
use crate::workspace::{self, NotFound};

pub use steps::Steps;

/// A ladder of any problem.
pub trait Ladder: Sync {
    /// Its folder under `steps/` and `kernels/`.
    fn name(&self) -> &'static str;

    /// Its figure of merit.
    fn figure(&self) -> Figure;

    /// Every step, parents before their children, each detour after its parent.
    fn steps(&self) -> Vec<Step>;

    /// Functions of libraries that the steps are compared with. They are timed with the steps, and have no place among them.
    fn libraries(&self) -> Vec<Step> {
        Vec::new()
    }

    /// What the host does for a step, in words: what its problem says of it, and what any step has.
    fn on_the_host(&self, step: &Step) -> Vec<(&'static str, String)>;

    /// Options that only its problem has.
    fn options(&self) -> &'static [ProblemOption];

    /// Why a step's time is not modelled. `None` where it is.
    fn not_modelled(&self, step: &str) -> Option<&'static str> {
        let _ = step;
        None
    }

    /// Opens its problem with the options of a run.
    ///
    /// # Errors
    /// Which option is impossible, and what is possible.
    fn open(&self, request: &Request) -> Result<Box<dyn OpenProblem>, OptionError>;

    /// Opens its problem without options.
    ///
    /// # Errors
    /// As [`Ladder::open`].
    fn open_plain(&self) -> Result<Box<dyn OpenProblem>, OptionError> {
        self.open(&Request { ladder: self.name().to_owned(), ..Request::default() })
    }

    /// The folder of its kernels.
    ///
    /// # Errors
    /// The workspace is not found.
    fn kernels(&self) -> Result<PathBuf, NotFound> {
        Ok(workspace::root()?.join("kernels").join(self.name()))
    }

    /// The step whose folder is `name`, or the library's function of this name.
    fn step(&self, name: &str) -> Option<Step> {
        self.steps().into_iter().chain(self.libraries()).find(|step| step.name == name)
    }

    /// Whether its steps run on the CPU, and not on a GPU or the simulator.
    fn is_for_cpu(&self) -> bool {
        self.steps().first().is_some_and(Step::is_for_cpu)
    }
}

/// An opened problem, with the seed of the run and the cases that its steps share. It is [`Problem`] without its
/// types, and each method is documented there.
#[allow(missing_docs)]
pub trait OpenProblem: Send {
    fn growth(&self) -> Growth;
    fn is_counted_by_few_blocks(&self) -> bool;
    fn is_host_program(&self) -> bool;
    fn watches_residency(&self) -> bool;
    fn figure(&self) -> &Figure;
    fn seed(&self) -> u64;
    fn work(&self, n: u64) -> f64;
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64;
    fn default_size(&self, step: &Step, info: &Info) -> u64;
    fn simulated_size(&self, step: &Step, n: u64) -> u64;
    fn sample(&self, step: &Step, n: u64, multiprocessors: u32, communicates: bool) -> Sample;
    fn most(&self) -> u64;
    fn implied_size(&self) -> Option<u64>;
    fn sizes(&self, n: u64) -> Vec<NamedSize>;
    fn further_sizes(&self, step: &Step, info: &Info) -> Vec<Size>;
    fn verification(&self, step: &Step, shared: bool) -> Vec<Input>;
    fn sampled_blocks(&self, step: &Step, n: u64) -> Option<(Input, u64)>;
    fn case_seconds(&self, n: u64) -> f64;
    /// The inputs that were placed last on one device.
    fn placed(&self) -> Option<Input>;
    fn bytes(&self, step: &Step, n: u64) -> u64;
    fn padded(&self, step: &Step, n: u64) -> u64;
    fn launches(&self, step: &Step, n: u64, multiprocessors: u32) -> Vec<Launch>;
    fn with_block(&self, step: &Step, block: u32) -> Result<Step, BlockError>;
    fn host_code(&self, step: &Step, on: &OnCpu) -> Result<HostCode, Error>;
    fn executed_on_cpu(&self, step: &Step, vectors: Vectors, n: u64) -> Option<Counts>;
    fn place<'m>(
        &mut self,
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        input: Input,
    ) -> Result<Box<dyn Pass + 'm>, Error>;
    fn place_shared<'m>(
        &mut self,
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step,
        module: &'m mut Module,
        input: Input,
    ) -> Result<Box<dyn SharedPass + 'm>, Error>;
    fn conclude(
        &self,
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        sizes: (u64, u64),
    ) -> Result<(), Conclusion>;
}

impl<P: Problem> Ladder for Steps<P> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn figure(&self) -> Figure {
        (self.figure)()
    }

    fn steps(&self) -> Vec<Step> {
        self.steps.iter().map(Step::facts).collect()
    }

    fn libraries(&self) -> Vec<Step> {
        self.libraries.iter().map(Step::facts).collect()
    }

    fn on_the_host(&self, step: &Step) -> Vec<(&'static str, String)> {
        let Some(own) = self.steps.iter().find(|own| own.name == step.name) else {
            return Vec::new();
        };
        let mut all = P::on_the_host(own);
        let gpu = match own.needs {
            toolchain::ANY_GPU => "any".to_owned(),
            (major, minor) if own.needs < toolchain::OWN_INSTRUCTIONS => {
                format!("compute capability {major}.{minor} or later")
            }
            (major, minor) => format!("compute capability {major}.{minor}"),
        };
        let options: Vec<String> =
            own.options().iter().map(|option| format!("`{option}`")).collect();
        let options = if options.is_empty() { "none".to_owned() } else { options.join(" ") };
        all.extend([("GPU", gpu), ("compiler options", options)]);
        all
    }

    fn options(&self) -> &'static [ProblemOption] {
        P::OPTIONS
    }

    fn not_modelled(&self, step: &str) -> Option<&'static str> {
        self.not_modelled.iter().find(|(name, _)| *name == step).map(|(_, why)| *why)
    }

    fn open(&self, request: &Request) -> Result<Box<dyn OpenProblem>, OptionError> {
        let problem = (self.open)(request)?;
        let figure = (self.figure)();
        let (steps, libraries, seed) = (self.steps, self.libraries, request.seed);
        let (cases, placed) = (HashMap::new(), None);
        Ok(Box::new(Opened { problem, steps, libraries, figure, seed, cases, placed }))
    }
}

/// The only implementation of [`OpenProblem`].
struct Opened<P: Problem> {
    problem: P,
    steps: &'static [Step<P::Host>],
    libraries: &'static [Step<P::Host>],
    figure: Figure,
    seed: u64,
    cases: HashMap<Input, Arc<P::Case>>,
    placed: Option<Input>,
}

impl<P: Problem> Opened<P> {
    /// The step with what its problem needs to know of it. Steps come from this ladder, their blocks
    /// from [`OpenProblem::with_block`].
    fn whole(&self, step: &Step) -> Step<P::Host> {
        let mut all = self.steps.iter().chain(self.libraries);
        let own = *all.find(|own| own.name == step.name).expect("a step of this ladder");
        match step.threads.block().filter(|block| own.threads.block() != Some(*block)) {
            Some(block) => P::with_block(&own, block).expect("a block that was accepted before"),
            None => own,
        }
    }

    /// Inputs are computed once, however launches are planned: their references take time.
    fn case(&mut self, input: Input) -> Arc<P::Case> {
        let input = Input { multiprocessors: None, results_alone: false, ..input };
        if let Some(case) = self.cases.get(&input) {
            return case.clone();
        }
        let case = match input.purpose {
            Purpose::Renewed => {
                let timed = self.case(Input { purpose: Purpose::Timed, ..input });
                P::renewed(&timed, input.seed).map_or(timed, Arc::new)
            }
            _ => Arc::new(self.problem.case(input)),
        };
        self.cases.insert(input, case.clone());
        case
    }
}

impl<P: Problem> OpenProblem for Opened<P> {
    fn growth(&self) -> Growth {
        P::GROWTH
    }

    fn is_counted_by_few_blocks(&self) -> bool {
        P::COUNTED_BY_FEW_BLOCKS
    }

    fn is_host_program(&self) -> bool {
        P::IS_HOST_PROGRAM
    }

    fn watches_residency(&self) -> bool {
        P::WATCHES_RESIDENCY
    }

    fn figure(&self) -> &Figure {
        &self.figure
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn work(&self, n: u64) -> f64 {
        self.problem.work(n)
    }

    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        self.problem.least_seconds(n, chip)
    }

    fn default_size(&self, step: &Step, info: &Info) -> u64 {
        self.problem.default_size(&self.whole(step), info)
    }

    fn simulated_size(&self, step: &Step, n: u64) -> u64 {
        self.problem.simulated_size(&self.whole(step), n)
    }

    fn sample(&self, step: &Step, n: u64, multiprocessors: u32, communicates: bool) -> Sample {
        self.problem.sample(&self.whole(step), n, multiprocessors, communicates)
    }

    fn most(&self) -> u64 {
        self.problem.most()
    }

    fn implied_size(&self) -> Option<u64> {
        self.problem.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        self.problem.sizes(n)
    }

    fn further_sizes(&self, step: &Step, info: &Info) -> Vec<Size> {
        self.problem.further_sizes(&self.whole(step), info)
    }

    fn verification(&self, step: &Step, shared: bool) -> Vec<Input> {
        self.problem.verification(&self.whole(step), shared, self.seed)
    }

    fn sampled_blocks(&self, step: &Step, n: u64) -> Option<(Input, u64)> {
        self.problem.sampled_blocks(&self.whole(step), n, self.seed)
    }

    fn case_seconds(&self, n: u64) -> f64 {
        self.problem.case_seconds(n)
    }

    fn placed(&self) -> Option<Input> {
        self.placed
    }

    fn bytes(&self, step: &Step, n: u64) -> u64 {
        self.problem.bytes(&self.whole(step), n)
    }

    fn padded(&self, step: &Step, n: u64) -> u64 {
        self.problem.padded(&self.whole(step), n)
    }

    fn launches(&self, step: &Step, n: u64, multiprocessors: u32) -> Vec<Launch> {
        self.problem.launches(&self.whole(step), n, multiprocessors)
    }

    fn with_block(&self, step: &Step, block: u32) -> Result<Step, BlockError> {
        P::with_block(&self.whole(step), block).map(|step| step.facts())
    }

    fn host_code(&self, step: &Step, on: &OnCpu) -> Result<HostCode, Error> {
        P::host_code(&self.whole(step), on)
    }

    fn executed_on_cpu(&self, step: &Step, vectors: Vectors, n: u64) -> Option<Counts> {
        self.problem.executed_on_cpu(&self.whole(step), vectors, n)
    }

    fn place<'m>(
        &mut self,
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        input: Input,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let case = self.case(input);
        self.placed = Some(input);
        let multiprocessors = input.multiprocessors.unwrap_or_else(|| multiprocessors(device));
        P::place(device, &self.whole(step), module, case, multiprocessors)
    }

    fn place_shared<'m>(
        &mut self,
        device: &mut dyn Device,
        group: &dyn Group,
        step: &Step,
        module: &'m mut Module,
        input: Input,
    ) -> Result<Box<dyn SharedPass + 'm>, Error> {
        let case = self.case(input);
        let multiprocessors = input.multiprocessors.unwrap_or_else(|| multiprocessors(device));
        P::place_shared(device, group, &self.whole(step), module, case, multiprocessors)
    }

    fn conclude(
        &self,
        device: &mut dyn Device,
        step: &Step,
        module: &mut Module,
        sizes: (u64, u64),
    ) -> Result<(), Conclusion> {
        self.problem.conclude(device, &self.whole(step), module, sizes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{LADDER, Toy};

    #[test]
    fn new_inputs_are_made_once_for_all_steps() {
        let (steps, figure) = (LADDER.steps, Toy::figure());
        let (cases, placed) = (HashMap::new(), None);
        let mut opened =
            Opened { problem: Toy, steps, libraries: &[], figure, seed: 5, cases, placed };
        let renewed = opened.case(Input::renewed(9, 5));
        assert!(Arc::ptr_eq(&renewed, &opened.case(Input::renewed(9, 5))));
        assert!(!Arc::ptr_eq(&renewed, &opened.case(Input::timed(9, 5))));
    }
}

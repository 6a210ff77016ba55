//! What a launch executes, on which memory, and which of its blocks run.

use crate::build::Build;
use crate::calls::stack_room;
use crate::checks::parameters;
use crate::cluster::Clusters;
use crate::context::{Context, of_block};
use crate::counts::BlockCount;
use crate::deadline::Deadline;
use crate::heap::Heap;
use crate::launch::{Launch, LaunchError};
use crate::level::Level;
use crate::listener::Listener;
use crate::peers::Peers;
use crate::printed::Prints;
use crate::reads::Reads;
use crate::sampling::Sampling;
use crate::spaces::Spaces;
use crate::stale::Stale;
use crate::unit::{Groups, Unit};
use memory::{Memory, Storage};
use program::communication::Between;
use program::{Instruction, Kernel, Module};
use textures::Objects;

/// The memory on which a launch works.
#[derive(Clone, Copy)]
pub struct DeviceMemory<'a> {
    /// Global memory.
    pub memory: &'a Memory,
    /// Texture and surface objects.
    pub objects: &'a Objects,
    /// Addresses of the module's variables, in the order of [`Module::variables`]. Empty if it has none.
    pub addresses: &'a [u64],
    /// The heap for `malloc` in kernels; `None` if no kernel has called it yet and this one does not.
    pub heap: Option<&'a Heap>,
    /// Bytes of each thread's stack, for recursive and indirect calls.
    pub stack_bytes: u64,
    /// Address of the workspace of grid barriers; 0 if the launch is not cooperative.
    pub workspace: u64,
}

impl<'a> DeviceMemory<'a> {
    /// Global memory and objects, for a module without variables; without heap, stack and workspace.
    pub fn new(memory: &'a Memory, objects: &'a Objects) -> DeviceMemory<'a> {
        DeviceMemory { memory, objects, addresses: &[], heap: None, stack_bytes: 0, workspace: 0 }
    }
}

/// A launch that was checked and can be executed.
pub struct Grid<'a> {
    pub(crate) module: &'a Module,
    pub(crate) kernel: &'a Kernel,
    pub(crate) launch: &'a Launch<'a>,
    device: DeviceMemory<'a>,
    pub(crate) sampling: Sampling,
    /// The arguments as the kernel's parameters.
    parameters: Storage,
    /// What texture reads see of arrays that the launch writes.
    stale: Stale,
    pub(crate) between: Between,
    pub(crate) clusters: Clusters,
    /// The clusters that run, if not all do.
    only: Option<Vec<u64>>,
}

impl<'a> Grid<'a> {
    /// Checks a launch of one of the module's kernels.
    ///
    /// # Errors
    /// Wrong arguments, or a shape that a GPU refuses.
    pub fn new(
        (module, kernel): (&'a Module, &'a Kernel),
        launch: &'a Launch<'a>,
        device: DeviceMemory<'a>,
    ) -> Result<Grid<'a>, LaunchError> {
        launch.check(kernel)?;
        let parameters = parameters(kernel, launch)?;
        let DeviceMemory { memory, objects, addresses, .. } = device;
        let stale = Stale::of(kernel, launch, objects, memory);
        let communication = kernel.communication();
        let between = communication.between(kernel.code(), &parameters, memory, addresses);
        let clusters = Clusters::of(kernel, launch);
        let only = launch.only.map(|blocks| clusters.with(blocks, launch.grid));
        let sampling = Sampling::default();
        Ok(Grid {
            module,
            kernel,
            launch,
            device,
            sampling,
            parameters,
            stale,
            between,
            clusters,
            only,
        })
    }

    /// Runs what a listener needs.
    pub fn sampled(self, sampling: Sampling) -> Grid<'a> {
        Grid { sampling, ..self }
    }

    /// Whether it has clusters of several blocks.
    pub fn is_clustered(&self) -> bool {
        self.clusters.size() > 1
    }

    /// The first instruction by which blocks may communicate, if there is one: then blocks run in order.
    pub fn in_order(&self) -> Option<u32> {
        self.between.place
    }

    /// The number of units: multiprocessors with work, or clusters, which are blocks if there are none.
    pub(crate) fn units(&self) -> u64 {
        if let Some(only) = &self.only {
            return only.len() as u64;
        }
        let Some(all) = self.sampling.multiprocessors else { return self.clusters.count() };
        let most = all.run.unwrap_or(all.count);
        u64::from(most.min(all.count).max(1)).min(self.clusters.count())
    }

    /// Multiprocessors with work whose blocks are not run. Those in the middle are run, because the first and the last
    /// block often are special and represent few. A trace needs the first warps.
    fn left_out(&self) -> u64 {
        let counts_few = !self.sampling.first_blocks && self.launch.only.is_none();
        let Some(all) = self.sampling.multiprocessors.filter(|_| counts_few) else {
            return 0;
        };
        u64::from(all.count.max(1)).min(self.clusters.count()) - self.units()
    }

    /// The code to execute. If a launch is only counted and not all of its blocks run, nothing can use their results,
    /// so instructions that do not affect the counts are left out.
    fn code(&self) -> &[Instruction] {
        let all = self
            .sampling
            .multiprocessors
            .filter(|_| self.sampling.counts_only && self.launch.only.is_none());
        let all = all.map(|all| u64::from(all.count).min(self.clusters.count()));
        // What one kernel stores, another may load.
        let counts = all.is_some_and(|all| self.units() < all)
            && self.module.kernels().all(|kernel| kernel.counting().is_some());
        let counting = self.kernel.counting().filter(|_| counts);
        counting.unwrap_or(&self.kernel.program().code)
    }

    /// Opens a unit.
    pub(crate) fn open<L: Listener>(&self, index: u64, listener: L) -> Unit<L> {
        if let Some(only) = &self.only {
            let cluster = only[index as usize];
            let one = Groups::one(cluster, self.clusters.count());
            return Unit::new(cluster, one, (self.clusters, 1), listener);
        }
        let (distance, resident) = match self.sampling.multiprocessors {
            Some(all) => (all.count.max(1).into(), all.resident_blocks),
            None => (self.clusters.count(), 1),
        };
        let left_out = self.left_out();
        let groups = Groups {
            start: 0,
            place: index + left_out / 2,
            // If few blocks represent all, run blocks of every remainder: a kernel may treat every second block
            // differently.
            shift: u64::from(left_out > 0),
            distance,
            all: self.clusters.count(),
        };
        Unit::new(index, groups, (self.clusters, resident), listener)
    }

    /// What the blocks of one CPU thread share.
    pub(crate) fn context<'c>(
        &'c self,
        level: Level,
        (counts, deadline): (Vec<BlockCount>, Option<Deadline<'c>>),
    ) -> Context<'c> {
        let program = self.kernel.program();
        // Dynamic shared memory is aligned for any type.
        let fixed = u64::from(self.kernel.shared_bytes()).next_multiple_of(16);
        let dynamic = self.launch.shared_bytes;
        let shared_bytes = if dynamic > 0 {
            fixed + u64::from(dynamic)
        } else {
            self.kernel.shared_bytes().into()
        };
        let stack = if program.functions.is_empty() && !program.uses_stack {
            0
        } else {
            stack_room(self.device.stack_bytes)
        };
        Context {
            build: Build::new(level),
            kernel: self.kernel,
            program,
            code: self.code(),
            addresses: self.device.addresses,
            grid: self.launch.grid,
            threads: self.launch.block,
            block: [0; 3],
            clusters: self.clusters,
            spaces: Spaces {
                memory: self.device.memory,
                heap: self.device.heap,
                parameters: &self.parameters,
                parameter_bytes: program.parameter_bytes.into(),
                shared: Storage::default(),
                peers: Peers::default(),
                shared_bytes,
                local_bytes: program.local_bytes + stack,
            },
            stack_bytes: self.device.stack_bytes,
            prints: Prints::default(),
            objects: self.device.objects,
            stale: &self.stale,
            dynamic_shared_bytes: dynamic,
            grid_workspace: self.device.workspace,
            seed: self.launch.seed,
            staggered: self.launch.staggered,
            scheduling: self.launch.scheduling,
            counts,
            settled: &self.between.settled,
            reads: Reads::default(),
            weak: None,
            lands_late: false,
            early: 0,
            deadline,
            asked: 0,
            hints: vec![u32::MAX; program.accesses.len()],
            steps: vec![None; program.accesses.len()],
            starts: Vec::new(),
            of_block: of_block(program),
        }
    }
}

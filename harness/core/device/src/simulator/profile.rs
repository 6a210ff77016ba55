//! What the simulator sees of a launch.

use std::sync::Arc;
use std::time::Duration;

use simt::machine::{MachineCode, MachineCounts};
use simt::model::{Estimate, Gpu, Need, Residency, ResidencyError, Work};
use simt::model::{access_clocks, estimate, longest_warp, needs, warp_clocks};
use simt::{Class, Counts, Events, Kernel, Launch, TraceRequest, Watch};

use toolchain::Machine;

/// What launches are to be watched for besides their traffic.
#[derive(Debug, Clone, Copy, Default)]
pub struct Watching {
    /// Look for hazards.
    pub hazards: bool,
    /// Record what some warps did.
    pub trace: Option<TraceRequest>,
    /// Run the blocks of only so many multiprocessors, and take them for the whole grid: for launches that are too big.
    pub multiprocessors: Option<u32>,
    /// Take the L2 cache as warm: the launch is repeated, and its data fit.
    pub warm_l2: bool,
    /// Stop a launch, as a fault, if for so long none of its blocks ends.
    pub limit: Option<Duration>,
}

/// What the simulator saw of one launch, and what the time model makes of it.
#[derive(Debug)]
pub struct Profile {
    /// The code that ran.
    pub module: Arc<simt::Module>,
    /// The kernel's name in it.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, what the kernel declares and what the launch adds.
    pub shared_bytes: u32,
    /// Blocks that ran; fewer than the grid's where only some multiprocessors were watched.
    pub blocks_run: u64,
    /// The GPU that is modelled.
    pub gpu: Gpu,
    /// Registers of a thread there; none where they are not known.
    pub registers: Option<u32>,
    /// How the blocks are resident on it.
    pub residency: Residency,
    /// What the assembler made of the kernel, and for which architecture; none where that is not known.
    pub machine: Option<MachineCode>,
    /// Machine instructions issued, by kind.
    pub issued: MachineCounts,
    /// What was counted, scaled to the whole grid.
    pub events: Events,
    /// What the kernel printed.
    pub printed: simt::Printed,
    /// What kernels had allocated on the device's heap and not freed when the launch had ended, in words.
    pub unfreed: Option<String>,
    /// Whether the L2 cache was taken as warm.
    pub warm_l2: bool,
    /// The modelled time and its bounds.
    pub estimate: Estimate,
}

/// What is known of a launch before it runs.
pub(crate) struct Plan<'l> {
    gpu: &'l Gpu,
    kernel: &'l Kernel,
    launch: &'l Launch<'l>,
    machine: Option<MachineCode>,
    registers: Option<u32>,
    pub(crate) residency: Residency,
    watching: Watching,
}

impl<'l> Plan<'l> {
    /// Finds out how the blocks will be resident on `gpu`. `known` is the machine code that was made from the same
    /// source, if there is some.
    ///
    /// # Errors
    /// A block that cannot be resident at all.
    pub(crate) fn new(
        gpu: &'l Gpu,
        kernel: &'l Kernel,
        launch: &'l Launch,
        known: Option<&Machine>,
        watching: Watching,
    ) -> Result<Plan<'l>, ResidencyError> {
        let code = |arch: &str| known.and_then(|known| known.code(kernel.name(), arch));
        let machine = code(gpu.sass_arch().0);
        // Where another architecture's instructions stand in, the registers may still be known.
        let own = code(&format!("sm_{}", gpu.compute_capability.replace('.', "")));
        let threads = launch.block.iter().fold(1, |all: u32, &more| all.saturating_mul(more));
        let borrowed = |code: &MachineCode| code.registers.min(gpu.most_registers(threads));
        let registers = match &own {
            Some(code) => Some(code.registers),
            None => machine.as_ref().map(borrowed),
        };
        let shared = kernel.shared_bytes().saturating_add(launch.shared_bytes);
        let residency = gpu.residency(threads, registers, shared, blocks(launch))?;
        Ok(Plan { gpu, kernel, launch, machine, registers, residency, watching })
    }

    /// Has all blocks run, however many multiprocessors were to be watched.
    pub(crate) fn watch_all(&mut self) {
        self.watching.multiprocessors = None;
    }

    /// What the simulator is to watch.
    pub(crate) fn watch(&self) -> Watch {
        let Watching { hazards, trace, multiprocessors, .. } = self.watching;
        let traffic = Some(self.gpu.machine(&self.residency));
        Watch { traffic, hazards, trace, multiprocessors, ..Watch::default() }
    }

    /// What it saw.
    pub(crate) fn profile(self, module: Arc<simt::Module>, events: Events) -> Profile {
        let blocks_run = events.blocks_run;
        let ran = part(blocks_run, blocks(self.launch));
        let events = if ran < 1.0 { events.scaled(1.0 / ran) } else { events };
        let issued = match &self.machine {
            Some(code) => code.count(self.kernel, &events),
            None => MachineCounts::expanded(self.kernel, &events),
        };
        let (kernel, residency) = (self.kernel, &self.residency);
        let work = Work {
            kernel,
            events: &events,
            counts: &issued,
            residency,
            warm_l2: self.watching.warm_l2,
            ran,
        };
        let estimate = estimate(self.gpu, &work);
        Profile {
            kernel: self.kernel.name().to_owned(),
            grid: self.launch.grid,
            block: self.launch.block,
            shared_bytes: self.kernel.shared_bytes() + self.launch.shared_bytes,
            blocks_run,
            gpu: self.gpu.clone(),
            registers: self.registers,
            residency: self.residency,
            warm_l2: self.watching.warm_l2,
            machine: self.machine,
            issued,
            estimate,
            events,
            printed: simt::Printed::default(),
            unfreed: None,
            module,
        }
    }
}

fn blocks(launch: &Launch) -> u64 {
    launch.grid.iter().fold(1, |all, &more| all.saturating_mul(u64::from(more)))
}

/// The part of a grid's blocks that ran; all of it where none did.
fn part(run: u64, grid: u64) -> f64 {
    if run == 0 { 1.0 } else { (run as f64 / grid as f64).min(1.0) }
}

impl Profile {
    /// The kernel that ran.
    pub fn kernel(&self) -> &Kernel {
        self.module.kernel(&self.kernel).expect("a kernel that ran is in its module")
    }

    /// The machine instructions as its GPU executes them: [`simt::model::Gpu::executed`].
    pub fn executed(&self) -> MachineCounts {
        self.gpu.executed(&self.issued, &self.events)
    }

    /// What the launch needs of each part of the GPU.
    pub fn needs(&self) -> Vec<Need> {
        needs(&self.gpu, &self.work(&self.executed()))
    }

    /// Clocks that the average warp takes if nothing keeps it but its own dependences.
    pub fn warp_clocks(&self) -> f64 {
        warp_clocks(&self.gpu, &self.work(&self.executed()))
    }

    /// Clocks that all blocks take for their accesses to memory and to each other's registers.
    pub fn access_clocks(&self) -> f64 {
        access_clocks(&self.gpu, &self.work(&self.executed()))
    }

    /// How many times as many instructions as the average warp the longest one issues.
    pub fn longest_warp(&self) -> f64 {
        longest_warp(&self.work(&self.issued))
    }

    /// What all instructions asked of memory, with the L2 cache as it was when the launch began.
    pub fn traffic(&self) -> Counts {
        self.work(&self.issued).traffic(&self.gpu, self.events.total())
    }

    /// Bytes that the launch brings from memory, or fills there, if the L2 cache held nothing before: all that it touches,
    /// where that fits.
    pub fn touched_bytes(&self) -> u64 {
        let Counts { dram_sectors, dram_fills, .. } = self.events.total();
        32 * (dram_sectors + dram_fills)
    }

    /// Bytes that loads bring from beyond the L1 cache, and bytes that stores hand on.
    pub fn moved_bytes(&self) -> [f64; 2] {
        let counted = || self.kernel().instructions().zip(&self.events.instructions);
        let of = |class: Class| {
            let sectors = counted()
                .filter(|(instruction, _)| instruction.class == class)
                .map(|(_, counts)| counts.l2_hits + counts.dram_sectors);
            32.0 * sectors.sum::<u64>() as f64
        };
        [of(Class::LoadGlobal), of(Class::StoreGlobal)]
    }

    /// The same launch where the L2 cache already holds what it reads.
    pub fn warmed(mut self) -> Profile {
        self.warm_l2 = true;
        self.estimate = estimate(&self.gpu, &self.work(&self.issued));
        self
    }

    fn work<'w>(&'w self, counts: &'w MachineCounts) -> Work<'w> {
        Work {
            kernel: self.kernel(),
            events: &self.events,
            counts,
            residency: &self.residency,
            warm_l2: self.warm_l2,
            ran: part(self.blocks_run, self.grid.into_iter().map(u64::from).product()),
        }
    }
}

//! How many blocks of a launch a multiprocessor holds at a time, and what limits them.
//!
//! The rules are those of NVIDIA's `cuda_occupancy.h` (CUDA 12.9; for capabilities 1.x and 2.x that of CUDA 7.0).

use thiserror::Error;

use super::gpu::Gpu;

/// What limits how many blocks a multiprocessor holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Limit {
    /// The registers that the blocks' threads need.
    Registers,
    /// The shared memory that the blocks need.
    SharedMemory,
    /// The number of warps.
    Warps,
    /// The number of blocks.
    Blocks,
    /// The launch has no more blocks.
    Grid,
}

impl Limit {
    /// What a reader calls it.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Registers => "registers",
            Limit::SharedMemory => "shared memory",
            Limit::Warps => "warps",
            Limit::Blocks => "blocks",
            Limit::Grid => "the grid",
        }
    }
}

/// How the blocks of a launch spread over a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residency {
    /// Blocks that a multiprocessor holds at a time.
    pub blocks: u32,
    /// Warps of these blocks.
    pub warps: u32,
    /// What limits the number of these blocks.
    pub limit: Limit,
    /// Warps of a block.
    pub block_warps: u32,
    /// Blocks of the launch.
    pub grid_blocks: u64,
    /// Multiprocessors that get at least one block.
    pub multiprocessors: u32,
    /// Blocks that the multiprocessor with the most gets over the launch.
    pub busiest_blocks: u64,
    /// Shared memory that the resident blocks take, bytes.
    pub shared_bytes: u64,
}

impl Residency {
    /// How often the busiest multiprocessor is filled.
    pub fn rounds(&self) -> u64 {
        self.busiest_blocks.div_ceil(u64::from(self.blocks))
    }
}

/// Why a block cannot be resident at all. Each names the need, the limit, the GPU and the remedy.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ResidencyError {
    /// Too many threads, or none.
    #[error(
        "a block of {threads} threads: {gpu} takes 1 to {most} threads a block; launch smaller blocks"
    )]
    Threads {
        /// Threads of the block.
        threads: u32,
        /// The most there may be.
        most: u32,
        /// Name of the GPU.
        gpu: String,
    },
    /// Too much shared memory.
    #[error(
        "a block needs {bytes} bytes of shared memory: {gpu} (capability {capability}) gives a block at most \
         {most}; use smaller tiles, or a GPU that gives more"
    )]
    SharedMemory {
        /// Bytes that the block needs.
        bytes: u64,
        /// The most there may be.
        most: u64,
        /// Name of the GPU.
        gpu: String,
        /// Its compute capability, such as "9.0".
        capability: String,
    },
    /// Too many registers for each thread.
    #[error(
        "a thread needs {registers} registers: {gpu} (capability {capability}) has at most {most}; limit them with \
         __launch_bounds__ or -maxrregcount"
    )]
    ThreadRegisters {
        /// Registers of a thread.
        registers: u32,
        /// The most there may be.
        most: u32,
        /// Name of the GPU.
        gpu: String,
        /// Its compute capability, such as "9.0".
        capability: String,
    },
    /// Too many registers for all threads of a block.
    #[error(
        "a block of {threads} threads with {registers} registers each takes {allocated} registers: a multiprocessor \
         of {gpu} has {most}; launch smaller blocks, or limit the registers with __launch_bounds__"
    )]
    BlockRegisters {
        /// Threads of the block.
        threads: u32,
        /// Registers of a thread.
        registers: u32,
        /// Registers that the block would be given.
        allocated: u64,
        /// Registers that a multiprocessor has.
        most: u64,
        /// Name of the GPU.
        gpu: String,
    },
    /// A launch of no blocks.
    #[error("a launch of no blocks; the grid must have at least one")]
    NoBlocks,
}

impl Gpu {
    /// How a launch of `blocks` blocks spreads over this GPU. `registers` is what the assembler gave each thread
    /// (`None`: not known, no limit), `shared_bytes` what a block declares and the launch adds.
    ///
    /// # Errors
    /// A block that no multiprocessor of this GPU can hold.
    pub fn residency(
        &self,
        threads_per_block: u32,
        registers: Option<u32>,
        shared_bytes: u32,
        blocks: u64,
    ) -> Result<Residency, ResidencyError> {
        let limits = &self.limits;
        let most = whole(limits.block_threads.value) as u32;
        if threads_per_block == 0 || threads_per_block > most {
            let (threads, gpu) = (threads_per_block, self.name.clone());
            return Err(ResidencyError::Threads { threads, most, gpu });
        }
        if blocks == 0 {
            return Err(ResidencyError::NoBlocks);
        }
        let block_warps = threads_per_block.div_ceil(32);
        let shared_of_block = self.shared_of_block(shared_bytes)?;
        let by_registers = self.blocks_by_registers(threads_per_block, registers.unwrap_or(0))?;
        let by_shared = match shared_of_block {
            0 => u64::MAX,
            bytes => whole(limits.shared_bytes.value) / bytes,
        };
        let multiprocessors = whole(self.chip.multiprocessors.value);
        let busiest_blocks = blocks.div_ceil(multiprocessors);
        // Of equal limits the first is named: the one that a programmer can do most about.
        let candidates = [
            (by_registers, Limit::Registers),
            (by_shared, Limit::SharedMemory),
            (whole(limits.warps.value) / u64::from(block_warps), Limit::Warps),
            (whole(limits.blocks.value), Limit::Blocks),
            (busiest_blocks, Limit::Grid),
        ];
        let (resident, limit) =
            candidates.into_iter().min_by_key(|(blocks, _)| *blocks).unwrap_or((1, Limit::Grid));
        let resident = resident.max(1) as u32;
        Ok(Residency {
            blocks: resident,
            warps: resident * block_warps,
            limit,
            block_warps,
            grid_blocks: blocks,
            multiprocessors: blocks.min(multiprocessors) as u32,
            busiest_blocks,
            shared_bytes: u64::from(resident) * shared_of_block,
        })
    }

    /// The most registers that a compiler for this GPU can give each thread of such blocks; what another architecture's
    /// code needs more would be spilled here.
    pub fn most_registers(&self, threads_per_block: u32) -> u32 {
        let most = whole(self.limits.thread_registers.value) as u32;
        let fits =
            |registers: &u32| self.blocks_by_registers(threads_per_block, *registers).is_ok();
        (1..=most).rev().find(fits).unwrap_or(most)
    }

    /// Whether a block may have this much shared memory, as it declares and the launch adds.
    ///
    /// # Errors
    /// [`ResidencyError::SharedMemory`]: it is more than this GPU gives a block.
    pub fn check_shared(&self, declared: u32) -> Result<(), ResidencyError> {
        let most = whole(self.limits.block_shared_bytes.value);
        if u64::from(declared) > most {
            return Err(ResidencyError::SharedMemory {
                bytes: declared.into(),
                most,
                gpu: self.name.clone(),
                capability: self.compute_capability.clone(),
            });
        }
        Ok(())
    }

    /// The shared memory that a block is given.
    fn shared_of_block(&self, declared: u32) -> Result<u64, ResidencyError> {
        self.check_shared(declared)?;
        let limits = &self.limits;
        let bytes = u64::from(declared) + whole(limits.reserved_shared_bytes.value);
        Ok(bytes.next_multiple_of(whole(limits.shared_unit.value)))
    }

    /// How many blocks the registers allow.
    fn blocks_by_registers(&self, threads: u32, registers: u32) -> Result<u64, ResidencyError> {
        let limits = &self.limits;
        if registers == 0 {
            return Ok(u64::MAX);
        }
        let most = whole(limits.thread_registers.value) as u32;
        if registers > most {
            return Err(ResidencyError::ThreadRegisters {
                registers,
                most,
                gpu: self.name.clone(),
                capability: self.compute_capability.clone(),
            });
        }
        let unit = whole(limits.register_unit.value);
        let warps = u64::from(threads.div_ceil(32));
        let allocated_warps = warps.next_multiple_of(whole(limits.warp_unit.value));
        let of_warp = u64::from(registers) * 32;
        let all = whole(limits.registers.value);
        let refuse = |allocated| ResidencyError::BlockRegisters {
            threads,
            registers,
            allocated,
            most: all,
            gpu: self.name.clone(),
        };
        if limits.registers_by_block.value > 0.0 {
            let of_block = (of_warp * allocated_warps).next_multiple_of(unit);
            return if of_block > all { Err(refuse(of_block)) } else { Ok(all / of_block) };
        }
        let of_warp = of_warp.next_multiple_of(unit);
        let partitions = whole(limits.partitions.value);
        // The hardware checks a block as if its warps were spread evenly over all partitions.
        let assumed = of_warp * allocated_warps.next_multiple_of(partitions);
        if assumed > all {
            return Err(refuse(assumed));
        }
        Ok(all / partitions / of_warp * partitions / allocated_warps)
    }
}

/// A figure that counts something, as an integer; descriptions keep it positive and small.
fn whole(value: f64) -> u64 {
    value as u64
}

//! A number and where it comes from, and the tables of such numbers that describe a GPU.

use std::ops::RangeInclusive;

use super::error::GpuError;

/// A number of a GPU and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The number, in the unit that its key's documentation names.
    pub value: f64,
    /// The document or measurement it was taken from; `gpus/README.md` explains the short forms.
    pub source: String,
}

/// The text of one description, parsed, with its name for messages.
#[derive(Clone, Debug)]
pub(super) struct Document {
    /// What messages call it: a path below `gpus/`, or the user's own.
    pub(super) file: String,
    pub(super) table: toml::Table,
}

impl Document {
    /// Parses a description.
    pub(super) fn parse(file: &str, text: &str) -> Result<Document, GpuError> {
        let table = text.parse().map_err(|error: toml::de::Error| GpuError::NotToml {
            file: file.to_owned(),
            message: error.to_string().trim_end().to_owned(),
        })?;
        Ok(Document { file: file.to_owned(), table })
    }

    /// A word of the description that is no figure, `name = "…"`.
    pub(super) fn word(&self, key: &'static str) -> Result<Option<&str>, GpuError> {
        match self.table.get(key) {
            None => Ok(None),
            Some(value) => value.as_str().map(Some).ok_or_else(|| GpuError::NotText {
                file: self.file.clone(),
                key,
                found: value.to_string(),
            }),
        }
    }

    /// The entry `key` of `section`, checked to be `[number, "source"]` within `range`.
    fn figure(
        &self,
        section: &str,
        key: &str,
        range: &RangeInclusive<f64>,
    ) -> Result<Option<Figure>, GpuError> {
        let Some(entry) = self.table.get(section).and_then(|table| table.get(key)) else {
            return Ok(None);
        };
        let place = || format!("{}: [{section}] {key}", self.file);
        let (number, source) = match entry.as_array().map(Vec::as_slice) {
            Some([number, source]) => (number, source.as_str()),
            Some([number]) => (number, None),
            _ => (entry, None),
        };
        let value = number.as_float().or(number.as_integer().map(|i| i as f64));
        let Some(value) = value else {
            return Err(GpuError::NotANumber { place: place(), found: entry.to_string() });
        };
        if !range.contains(&value) {
            return Err(GpuError::OutOfRange {
                place: place(),
                value,
                least: *range.start(),
                most: *range.end(),
            });
        }
        match source.filter(|source| !source.trim().is_empty()) {
            Some(source) => Ok(Some(Figure { value, source: source.to_owned() })),
            None => Err(GpuError::NoSource { place: place(), found: entry.to_string() }),
        }
    }
}

/// Looks a figure up in several descriptions, the first that has it deciding.
pub(super) fn find(
    layers: &[&Document],
    section: &'static str,
    key: &'static str,
    range: RangeInclusive<f64>,
) -> Result<Figure, GpuError> {
    for layer in layers {
        if let Some(figure) = layer.figure(section, key, &range)? {
            return Ok(figure);
        }
    }
    Err(GpuError::Missing {
        files: layers.iter().map(|layer| layer.file.as_str()).collect::<Vec<_>>().join(" and "),
        section,
        key,
        least: *range.start(),
        most: *range.end(),
    })
}

/// Declares a table of figures: a struct with one [`Figure`] for each key, and how to read it.
macro_rules! figures {
    ($(#[$about:meta])* $name:ident in $section:literal {
        $($(#[$doc:meta])* $key:ident: $range:expr,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[$doc])* pub $key: Figure,)*
        }

        impl $name {
            /// The table's name in a description.
            pub const SECTION: &'static str = $section;

            /// The keys of the table.
            pub const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];

            /// Reads the table; of several descriptions the first that has a key decides.
            pub(super) fn read(layers: &[&Document]) -> Result<$name, GpuError> {
                Ok($name { $($key: find(layers, $section, stringify!($key), $range)?,)* })
            }

            /// Every figure with its key, in the order of [`Self::KEYS`].
            pub fn figures(&self) -> impl Iterator<Item = (&'static str, &Figure)> {
                [$((stringify!($key), &self.$key)),*].into_iter()
            }
        }
    };
}

figures! {
    /// The chip as a whole.
    Chip in "chip" {
        /// Number of multiprocessors.
        multiprocessors: 1.0..=1024.0,
        /// Clock of the multiprocessors under load, MHz (the shader clock where there are two).
        clock_mhz: 100.0..=10_000.0,
        /// Peak bandwidth of the memory, GB/s (10⁹ bytes).
        dram_gb_per_s: 1.0..=100_000.0,
        /// L2 cache, bytes; 0 where there is none.
        l2_bytes: 0.0..=1e10,
    }
}

figures! {
    /// What may be resident on one multiprocessor at a time, and in which portions it is given out.
    Limits in "limits" {
        /// Warps of a multiprocessor.
        warps: 1.0..=64.0,
        /// Blocks of a multiprocessor.
        blocks: 1.0..=64.0,
        /// Threads of a block.
        block_threads: 32.0..=1024.0,
        /// 32-bit registers of a multiprocessor.
        registers: 1024.0..=1_048_576.0,
        /// Registers of a thread.
        thread_registers: 16.0..=256.0,
        /// Registers are given out in multiples of this.
        register_unit: 1.0..=4096.0,
        /// Warps of a block are rounded up to a multiple of this before registers are given out.
        warp_unit: 1.0..=4.0,
        /// 1 where registers are given to a block as a whole (capability 1.x), else 0: to each warp.
        registers_by_block: 0.0..=1.0,
        /// Parts of a multiprocessor with registers of their own.
        partitions: 1.0..=8.0,
        /// Shared memory of a multiprocessor, bytes.
        shared_bytes: 1024.0..=1_048_576.0,
        /// Shared memory that a block can have at most (asked for by attribute where needed), bytes.
        block_shared_bytes: 1024.0..=1_048_576.0,
        /// Shared memory that the system takes of every block, bytes.
        reserved_shared_bytes: 0.0..=65_536.0,
        /// Shared memory is given out in multiples of this, bytes.
        shared_unit: 1.0..=4096.0,
    }
}

figures! {
    /// Lanes per clock and multiprocessor, or bytes where the key says so.
    Throughput in "throughput" {
        /// Instructions of any kind, lanes per clock: the schedulers' warp instructions × 32.
        issue: 1.0..=512.0,
        /// The part of the issue slots that a multiprocessor full of work really fills.
        issue_filled: 0.05..=2.0,
        /// f32 add, multiply, multiply-add.
        fp32: 1.0..=512.0,
        /// f64 add, multiply, multiply-add.
        fp64: 0.5..=512.0,
        /// The MUFU pipe: approximate reciprocal, square root, exponential, logarithm, sine.
        mufu: 0.5..=512.0,
        /// Integer add, compare, logic.
        integer: 1.0..=512.0,
        /// Integer multiply and multiply-add, 32 bits.
        integer_mul: 1.0..=512.0,
        /// Shifts. For the reader: the model counts them as integer work.
        shift: 1.0..=512.0,
        /// Conversions among 32-bit types.
        conversion: 0.5..=512.0,
        /// Load/store units: lanes of loads, stores, shuffles and atomic operations.
        load_store: 1.0..=512.0,
        /// Operands of 32 bits read from the register file: lanes.
        register_reads: 8.0..=4096.0,
        /// Matrix products of a warp (`mma.sync`): multiply-adds of 16-bit numbers with f32 sums; TF32 has half.
        tensor: 1.0..=65_536.0,
        /// The part of its clock that a multiprocessor keeps while its tensor cores multiply.
        tensor_clock: 0.1..=1.0,
        /// Shared memory, bytes per clock.
        shared_bytes: 4.0..=1024.0,
        /// L1 cache, bytes per clock.
        l1_bytes: 4.0..=1024.0,
        /// L2 cache, bytes per clock and multiprocessor.
        l2_bytes: 0.5..=1024.0,
        /// The part of the memory's peak bandwidth that streaming kernels reach.
        dram_filled: 0.1..=1.0,
        /// Atomic operations on distinct words: lanes.
        atomics: 0.01..=512.0,
        /// Lanes of a match (`match.any`) for each value that they have.
        matches: 0.5..=512.0,
        /// Samples of the texture unit, or texels fetched.
        texture: 0.5..=512.0,
        /// Clocks between two atomic operations on one address of global memory.
        atomic_same_address: 0.1..=10_000.0,
    }
}

figures! {
    /// Clocks from an instruction's issue to the use of its result.
    Latency in "latency" {
        /// f32 and integer arithmetic.
        arithmetic: 1.0..=1000.0,
        /// f64 arithmetic.
        fp64: 1.0..=1000.0,
        /// The MUFU pipe; conversions too.
        mufu: 1.0..=1000.0,
        /// The uniform datapath, until its result reaches the lanes; as arithmetic where there is none.
        uniform: 1.0..=1000.0,
        /// A matrix multiply-add.
        tensor: 1.0..=1000.0,
        /// A load from shared memory.
        shared: 1.0..=1000.0,
        /// A load from constant memory that hits in its cache.
        constant: 1.0..=1000.0,
        /// A load from global memory that hits in the L1 cache.
        l1: 1.0..=10_000.0,
        /// A load that hits in the L2 cache.
        l2: 1.0..=10_000.0,
        /// A load from the memory chips.
        dram: 1.0..=10_000.0,
        /// A barrier that every warp of a block of eight has reached.
        barrier: 1.0..=10_000.0,
        /// From a branch that was taken to the first instruction there.
        branch: 0.0..=1000.0,
        /// What any branch adds, taken or not, and what brings parted lanes together again.
        control: 0.0..=1000.0,
        /// An atomic operation on global memory that returns a value.
        atomic: 1.0..=10_000.0,
        /// A fence of the device, if the warp stored nothing since its last one.
        fence: 1.0..=10_000.0,
        /// A fence of the device that waits for the warp's stores.
        fence_after_store: 1.0..=10_000.0,
    }
}

figures! {
    /// Caches and how requests are cut.
    Memory in "memory" {
        /// L1 cache that a global load may hit, bytes; 0 where such loads bypass it.
        l1_bytes: 0.0..=1_048_576.0,
        /// 1 where L1 and shared memory share the bytes: what blocks take of one the other lacks; else 0.
        l1_with_shared: 0.0..=1.0,
        /// Banks of shared memory that one request can use in a clock.
        shared_banks: 16.0..=32.0,
        /// What L2 brings from memory for a load at least, bytes: 32, or 64 with the sector beside it.
        fetch_bytes: 32.0..=64.0,
        /// What a line of 128 bytes of which stores left a part takes of the memory's bandwidth at least, bytes: memory reads
        /// it and takes it back later.
        partial_line_bytes: 0.0..=1024.0,
    }
}

figures! {
    /// What a launch costs.
    Start in "launch" {
        /// Before the first instruction, µs.
        microseconds: 0.0..=10_000.0,
        /// From one launch to the next at least, as the host makes them, µs.
        interval: 0.0..=10_000.0,
        /// Clocks from a block's end until the next one in its place runs.
        block: 0.0..=100_000.0,
        /// Clocks between the starts of two blocks on a multiprocessor.
        between_blocks: 0.0..=10_000.0,
    }
}

figures! {
    /// The bus between host and GPU.
    Bus in "bus" {
        /// Peak bandwidth in each direction, GB/s (10⁹ bytes).
        gb_per_s: 0.1..=10_000.0,
        /// The part of it that large copies from or to page-locked memory reach.
        filled: 0.1..=1.0,
        /// The part of it that kernels reach that load from page-locked memory, or store there.
        mapped_filled: 0.1..=1.0,
        /// What kernels that do both reach, both directions together, in parts of one.
        mapped_both_filled: 0.1..=2.0,
        /// Copies from or to pageable memory, which the driver copies once more on the host, GB/s.
        pageable_gb_per_s: 0.1..=1000.0,
        /// Managed memory whose pages move when they are missed, GB/s.
        touched_gb_per_s: 0.1..=1000.0,
        /// From the start of a copy to its first byte, µs.
        microseconds: 0.0..=1000.0,
    }
}

figures! {
    /// What works beside the warps of a multiprocessor, and between those of a cluster.
    Engines in "engines" {
        /// Matrix products of four warps (`wgmma`): multiply-adds of 16-bit numbers with f32 sums; TF32 has half.
        group_products: 1.0..=65_536.0,
        /// Clocks from the end of such a product until a warp that waits for it goes on.
        group_clocks: 0.0..=1000.0,
        /// The copy engine: bytes that it brings to shared memory.
        copied_bytes: 1.0..=1024.0,
        /// Clocks from the begin of a copy until its first bytes are there.
        copy_clocks: 1.0..=10_000.0,
        /// Atomic operations on the shared memory of another block of the cluster: lanes.
        cluster_atomics: 0.01..=512.0,
        /// Loads and stores there: sectors of 32 bytes, or two of them of loads of 128 bits.
        cluster_passes: 0.01..=64.0,
    }
}

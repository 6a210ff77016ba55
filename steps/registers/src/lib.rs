//! The ladder `registers`: each thread has a state of 32 words. Whether these are in registers or in local memory, and
//! how many threads fit a multiprocessor then, is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/registers/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Generator, Host, Step};

/// The ladder.
pub static LADDER: Steps<Generator> = Steps::of(
    "registers",
    &[
        OBJECT,
        ARRAY,
        UNROLLED,
        SMALL_METHODS,
        LAUNCH_BOUNDS,
        FEW_THREADS,
        TWO_SEEDS,
        FOUR_SEEDS,
        FOUR_SEEDS_FEW_THREADS,
    ],
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Threads of a small block.
const SMALL: Threads = Threads::Blocks { block: 64, stated: false };

/// The state has an address.
pub const OBJECT: Step = Step::first(
    "01-object",
    "Object",
    "an object with methods that are called",
    BLOCK,
    Host { elements: 1, shared_bytes: 0 },
);

/// No calls, but an index that is known only at run time.
pub const ARRAY: Step = Step {
    name: "02-array",
    after: Some(OBJECT.name),
    title: "Array",
    changes: "an array and loops",
    code: Code::Cuda { file: "02-array", options: &[] },
    ..OBJECT
};

/// Every word is a register.
pub const UNROLLED: Step = Step {
    name: "03-unrolled",
    after: Some(ARRAY.name),
    title: "Unrolled",
    changes: "the loops are unrolled",
    code: Code::Cuda { file: "03-unrolled", options: &[] },
    ..ARRAY
};

/// The object again.
pub const SMALL_METHODS: Step = Step {
    name: "03x-small-methods",
    after: Some(UNROLLED.name),
    detour: true,
    title: "Inlined methods",
    changes: "an object whose methods are inlined and unrolled",
    code: Code::Cuda { file: "03x-small-methods", options: &[] },
    ..UNROLLED
};

/// Full occupancy, by force.
pub const LAUNCH_BOUNDS: Step = Step {
    name: "03x-launch-bounds",
    after: Some(UNROLLED.name),
    detour: true,
    title: "Launch bounds",
    changes: "at most 32 registers, for 2048 threads",
    code: Code::Cuda { file: "03x-launch-bounds", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..UNROLLED
};

/// Low occupancy.
pub const FEW_THREADS: Step = Step {
    name: "03x-few-threads",
    after: Some(UNROLLED.name),
    detour: true,
    title: "Few threads",
    changes: "256 threads on each multiprocessor",
    code: Code::Cuda { file: "03-unrolled", options: &[] },
    threads: SMALL,
    host: Host { shared_bytes: 48 << 10, ..UNROLLED.host },
    ..UNROLLED
};

/// Twice the work in flight of a thread.
pub const TWO_SEEDS: Step = Step {
    name: "04-two-seeds",
    after: Some(UNROLLED.name),
    title: "Two elements",
    changes: "two elements a thread, blocks of 64",
    code: Code::Cuda { file: "04-two-seeds", options: &[] },
    threads: SMALL,
    host: Host { elements: 2, ..UNROLLED.host },
    ..UNROLLED
};

/// Four times.
pub const FOUR_SEEDS: Step = Step {
    name: "05-four-seeds",
    after: Some(TWO_SEEDS.name),
    title: "Four elements",
    changes: "four elements a thread",
    code: Code::Cuda { file: "04-two-seeds", options: &["-DSEEDS=4"] },
    host: Host { elements: 4, ..TWO_SEEDS.host },
    ..TWO_SEEDS
};

/// Low occupancy again.
pub const FOUR_SEEDS_FEW_THREADS: Step = Step {
    name: "05x-few-threads",
    after: Some(FOUR_SEEDS.name),
    detour: true,
    title: "Four elements, few threads",
    changes: "256 threads on each multiprocessor",
    host: Host { shared_bytes: FEW_THREADS.host.shared_bytes, ..FOUR_SEEDS.host },
    ..FOUR_SEEDS
};

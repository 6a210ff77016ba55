//! The ladder `registers`: each thread has a state of 32 words. Whether these are in registers or in local memory, and
//! how many threads fit a multiprocessor then, is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/registers/`.

pub mod problem;

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
const OBJECT: Step = Step::first(
    "01-object",
    "Object",
    "an object with methods that are called",
    BLOCK,
    Host { elements: 1, shared_bytes: 0 },
);

/// No calls, but an index that is known only at run time.
const ARRAY: Step = OBJECT.then("02-array", "Array", "an array and loops");

/// Every word is a register.
const UNROLLED: Step = ARRAY.then("03-unrolled", "Unrolled", "the loops are unrolled");

/// The object again.
const SMALL_METHODS: Step = UNROLLED.then(
    "03x-small-methods",
    "Inlined methods",
    "an object whose methods are inlined and unrolled",
);

/// Full occupancy, by force.
const LAUNCH_BOUNDS: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..UNROLLED.then("03x-launch-bounds", "Launch bounds", "at most 32 registers, for 2048 threads")
};

/// Low occupancy.
const FEW_THREADS: Step = Step {
    code: Code::Cuda { file: "03-unrolled", options: &[] },
    threads: SMALL,
    host: Host { shared_bytes: 48 << 10, ..UNROLLED.host },
    ..UNROLLED.then("03x-few-threads", "Few threads", "256 threads on each multiprocessor")
};

/// Twice the work in flight of a thread.
const TWO_SEEDS: Step = Step {
    threads: SMALL,
    host: Host { elements: 2, ..UNROLLED.host },
    ..UNROLLED.then("04-two-seeds", "Two elements", "two elements a thread, blocks of 64")
};

/// Four times.
const FOUR_SEEDS: Step = Step {
    code: Code::Cuda { file: "04-two-seeds", options: &["-DSEEDS=4"] },
    host: Host { elements: 4, ..TWO_SEEDS.host },
    ..TWO_SEEDS.then("05-four-seeds", "Four elements", "four elements a thread")
};

/// Low occupancy again.
const FOUR_SEEDS_FEW_THREADS: Step = Step {
    code: FOUR_SEEDS.code,
    host: Host { shared_bytes: FEW_THREADS.host.shared_bytes, ..FOUR_SEEDS.host },
    ..FOUR_SEEDS.then(
        "05x-few-threads",
        "Four elements, few threads",
        "256 threads on each multiprocessor",
    )
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 300, 76_800.0, &[]));

//! The ladder `reduction`: the sum of an array. There is one addition for each element that is read, so that memory
//! should be the limit; how threads come to one result without waiting for each other is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/reduction/`.

pub mod problem;

use ladder::{Function, Steps, Threads};

use problem::{Plan, Reduction, Step};

/// The ladder.
pub static LADDER: Steps<Reduction> = Steps::of(
    "reduction",
    &[
        ATOMIC,
        INTERLEAVED,
        SEQUENTIAL,
        TWO_LOADS,
        LAST_WARP,
        SHUFFLES,
        SEVERAL_ELEMENTS,
        WIDE_LOADS,
        REDUX,
        LAST_BLOCK,
        GRID_BARRIER,
    ],
)
.with_libraries(&[CUB])
.not_modelled(&[(
    "05-last-warp",
    "how atomic additions to one word hold up loads of the same L2 slice",
)]);

/// NVIDIA's.
const CUB: Step = Step::library(
    "cub",
    "CUB",
    "cub::DeviceReduce::Sum",
    Function::Cub { code: include_str!("../cub.cu"), arrays: &["in", "sum"] },
    Plan::Resident,
);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Every thread adds to one word.
const ATOMIC: Step = Step::first(
    "01-atomic",
    "Global atomic",
    "an atomic addition for each element",
    BLOCK,
    Plan::Covering(1),
);

/// A tree in each block, whose active threads lie ever further apart.
const INTERLEAVED: Step = Step {
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..ATOMIC.then("02-interleaved", "Interleaved tree", "a tree in shared memory for each block")
};

/// A tree whose active threads lie side by side.
const SEQUENTIAL: Step =
    INTERLEAVED.then("03-sequential", "Sequential tree", "active threads side by side");

/// The first addition happens while loading.
const TWO_LOADS: Step = Step {
    host: Plan::Covering(2),
    ..SEQUENTIAL.then("04-two-loads", "Two loads", "two elements a thread before the tree")
};

/// One warp does the last rounds.
const LAST_WARP: Step =
    TWO_LOADS.then("05-last-warp", "Last warp", "the last five rounds by shuffles in one warp");

/// Warps do all rounds.
const SHUFFLES: Step =
    LAST_WARP.then("06-shuffles", "Shuffles only", "every warp by shuffles, one barrier");

/// Threads add many elements in a register.
const SEVERAL_ELEMENTS: Step = Step {
    host: Plan::Resident,
    ..SHUFFLES.then(
        "07-several-elements",
        "Several elements",
        "as many blocks as run at once, striding over the elements",
    )
};

/// More bytes on their way.
const WIDE_LOADS: Step =
    SEVERAL_ELEMENTS.then("08-wide-loads", "Wide loads", "16 bytes a load, two loads at a time");

/// A detour: an instruction adds the lanes of a warp.
const REDUX: Step = Step {
    needs: (8, 0),
    ..WIDE_LOADS.then("08x-redux", "Redux", "an instruction adds the lanes of a warp")
};

const LAST_BLOCK: Step = Step {
    host: Plan::LastBlock,
    ..WIDE_LOADS.then("09-last-block", "Last block", "one launch: the last block adds all parts")
};

/// A detour: all blocks wait for each other instead.
const GRID_BARRIER: Step = Step {
    needs: (6, 0), // cooperative launches
    host: Plan::Together,
    ..LAST_BLOCK.then(
        "09x-grid-barrier",
        "Grid barrier",
        "a barrier of the grid before the parts are added",
    )
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 4000.0, &[]));

//! The ladder `reduction`: the sum of an array. There is one addition for each element that is read, so that memory
//! should be the limit; how threads come to one result without waiting for each other is what the steps change.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/reduction/`.

pub mod problem;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

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
.not_modelled(&[(
    "05-last-warp",
    "how atomic additions to one word hold up loads of the same L2 slice",
)]);

/// Threads of a block.
const BLOCK: u32 = 256;

/// Every thread adds to one word.
pub const ATOMIC: Step = Step::first(
    "01-atomic",
    "Global atomic",
    "an atomic addition for each element",
    BLOCK,
    Plan::Covering(1),
);

/// A tree in each block, whose active threads lie ever further apart.
pub const INTERLEAVED: Step = Step {
    name: "02-interleaved",
    after: Some(ATOMIC.name),
    title: "Interleaved tree",
    changes: "a tree in shared memory for each block",
    code: Code::Cuda { file: "02-interleaved", options: &[] },
    threads: Threads::Blocks { block: BLOCK, stated: true },
    ..ATOMIC
};

/// A tree whose active threads lie side by side.
pub const SEQUENTIAL: Step = Step {
    name: "03-sequential",
    after: Some(INTERLEAVED.name),
    title: "Sequential tree",
    changes: "active threads side by side",
    code: Code::Cuda { file: "03-sequential", options: &[] },
    ..INTERLEAVED
};

/// The first addition happens while loading.
pub const TWO_LOADS: Step = Step {
    name: "04-two-loads",
    after: Some(SEQUENTIAL.name),
    title: "Two loads",
    changes: "two elements a thread before the tree",
    code: Code::Cuda { file: "04-two-loads", options: &[] },
    host: Plan::Covering(2),
    ..SEQUENTIAL
};

/// One warp does the last rounds.
pub const LAST_WARP: Step = Step {
    name: "05-last-warp",
    after: Some(TWO_LOADS.name),
    title: "Last warp",
    changes: "the last five rounds by shuffles in one warp",
    code: Code::Cuda { file: "05-last-warp", options: &[] },
    ..TWO_LOADS
};

/// Warps do all rounds.
pub const SHUFFLES: Step = Step {
    name: "06-shuffles",
    after: Some(LAST_WARP.name),
    title: "Shuffles only",
    changes: "every warp by shuffles, one barrier",
    code: Code::Cuda { file: "06-shuffles", options: &[] },
    ..LAST_WARP
};

/// Threads add many elements in a register.
pub const SEVERAL_ELEMENTS: Step = Step {
    name: "07-several-elements",
    after: Some(SHUFFLES.name),
    title: "Several elements",
    changes: "as many blocks as run at once, striding over the elements",
    code: Code::Cuda { file: "07-several-elements", options: &[] },
    host: Plan::Resident,
    ..SHUFFLES
};

/// More bytes on their way.
pub const WIDE_LOADS: Step = Step {
    name: "08-wide-loads",
    after: Some(SEVERAL_ELEMENTS.name),
    title: "Wide loads",
    changes: "16 bytes a load, two loads at a time",
    code: Code::Cuda { file: "08-wide-loads", options: &[] },
    ..SEVERAL_ELEMENTS
};

/// A detour: an instruction adds the lanes of a warp.
pub const REDUX: Step = Step {
    name: "08x-redux",
    after: Some(WIDE_LOADS.name),
    detour: true,
    title: "Redux",
    changes: "an instruction adds the lanes of a warp",
    code: Code::Cuda { file: "08x-redux", options: &[] },
    needs: (8, 0),
    ..WIDE_LOADS
};

/// The last block adds the parts of all.
pub const LAST_BLOCK: Step = Step {
    name: "09-last-block",
    after: Some(WIDE_LOADS.name),
    title: "Last block",
    changes: "one launch: the last block adds all parts",
    code: Code::Cuda { file: "09-last-block", options: &[] },
    host: Plan::LastBlock,
    ..WIDE_LOADS
};

/// A detour: all blocks wait for each other instead.
pub const GRID_BARRIER: Step = Step {
    name: "09x-grid-barrier",
    after: Some(LAST_BLOCK.name),
    detour: true,
    title: "Grid barrier",
    changes: "a barrier of the grid before the parts are added",
    code: Code::Cuda { file: "09x-grid-barrier", options: &[] },
    needs: (6, 0), // cooperative launches
    host: Plan::Together,
    ..LAST_BLOCK
};

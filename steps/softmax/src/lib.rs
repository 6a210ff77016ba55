//! The ladder `softmax`: exponentials of each row of a matrix, divided by their sum.
//!
//! The steps are here, the problem is in [`problem`]; the kernels are in `kernels/softmax/`.

pub mod problem;
pub mod rows;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps, Threads};

use problem::{Plan, Softmax, Step, Team};

/// The ladder.
pub static LADDER: Steps<Softmax> = Steps::of(
    "softmax",
    &[NAIVE, BLOCK, ONLINE, VECTORS, REGISTERS, WARP_ROWS, TEAMS, COPY, AHEAD],
)
.not_modelled(&[(
    "03-online",
    "how many rows of a multiprocessor's blocks the L1 cache holds until they are read again",
)]);

/// Three loops over each row.
const NAIVE: Step =
    Step::first("01-naive", "Naive", "a thread for each row", 128, Plan::ThreadRows);

/// Neighbours in a row.
const BLOCK: Step = Step {
    rewrite: Some(
        "a block takes the place of a thread, and its threads tell each other what they found",
    ),
    threads: Threads::Blocks { block: 256, stated: false },
    host: Plan::BlockRows,
    code: Code::Cuda { file: "02-block", options: &["--std=c++14"] },
    ..NAIVE.then("02-block", "Block", "a block for each row")
};

/// Two loops.
const ONLINE: Step = BLOCK.then("03-online", "Online", "maximum and sum in one pass");

/// Sixteen bytes an instruction.
const VECTORS: Step = Step {
    rewrite: Some("pieces of four elements take the place of elements"),
    ..ONLINE.then("04-vectors", "Vectors", "four elements at a time")
};

/// One load and one store of each element.
const REGISTERS: Step = Step {
    host: Plan::ByLength { warps: false, teams: None },
    ..VECTORS.then("05-registers", "Registers", "rows of up to 32768 elements stay in registers")
};

/// Short rows.
const WARP_ROWS: Step = Step {
    rewrite: Some("a kernel for short rows is new, and the others are included"),
    host: Plan::ByLength { warps: true, teams: None },
    ..REGISTERS.then("06-warp-rows", "Warp rows", "a warp for each row of up to 1024 elements")
};

/// Teams of large blocks.
const LARGE_BLOCKS: Team = Team { threads: 512, share: 10_240, blocks: 2 };

/// Long rows.
const TEAMS: Step = Step {
    rewrite: Some("a kernel for long rows is new, and the others are included"),
    host: Plan::ByLength { warps: true, teams: Some(LARGE_BLOCKS) },
    ..WARP_ROWS.then("07-teams", "Teams", "several blocks for each row of more than 32768 elements")
};

/// Loads all the time.
const AHEAD: Step = Step {
    rewrite: Some("the next row is copied to shared memory, and no longer loaded to registers"),
    needs: (8, 0),
    host: Plan::ByLength {
        warps: true,
        teams: Some(Team { threads: 256, share: 8192, blocks: 4 }),
    },
    ..TEAMS.then("08-ahead", "Ahead", "the next row comes by asynchronous copies all the time")
};

/// What cannot be exceeded.
const COPY: Step = Step {
    rewrite: Some("a copy is no softmax: nothing of it stays"),
    host: Plan::Copy,
    ..TEAMS.then("07x-copy", "Limit: a copy", "copies the elements instead")
};

//! Tensor cores: what 16 bodies and 16 partners do to each other is two products of small matrices.
//! Device code: `kernels/nbody/15-tensor-sums.cu`.

use ladder::{Code, Grid, Launch, Threads};
use nbody::{Host, Scratch, Step, ring};
use nbody_14_pairs::STEP as PARENT;

/// Bodies of a group, which a warp has in its registers: `GROUP` in its kernel.
const GROUP: u32 = 64;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "15-tensor-sums",
    after: Some(PARENT.name),
    title: "Tensor sums",
    changes: "sums as products of matrices of halves",
    code: Code::Cuda { file: "15-tensor-sums", options: &["--use_fast_math", "--std=c++14"] },
    needs: (8, 0),
    threads: Threads::Blocks { block: 128, stated: true },
    host: Host {
        bits: 20, // two halves of 11, less two that the difference of large sums costs
        padding: GROUP,
        launches,
        scratch: &[
            Scratch { name: "sums", bytes: |bodies| bodies as usize * 16 },
            Scratch { name: "moments", bytes: |bodies| bodies as usize * 16 },
        ],
        ..PARENT.host
    },
    ..PARENT
};

/// The matrices, then every group walks its half of the ring, then the sums become accelerations.
fn launches(grid: &Grid) -> Vec<Launch> {
    let prepare = Launch::row("prepare", grid.padded / GROUP, GROUP);
    vec![prepare, ring::walk("force", grid, GROUP), ring::per_body("correct", grid)]
}

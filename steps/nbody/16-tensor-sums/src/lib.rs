//! Tensor cores: what 16 bodies and 16 partners do to each other is two products of small matrices.
//! Device code: `kernels/nbody/16-tensor-sums.cu`.

use ladder::{Code, Grid, Launch};
use nbody::{Arithmetic, Host, Scratch, Step, Terms, ring};
use nbody_15_tiles::{GROUP, STEP as PARENT};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("in the place of additions there are splitting, products and their moments"),
    code: Code::Cuda { file: "16-tensor-sums", options: &["--use_fast_math", "--std=c++14"] },
    needs: (8, 0),
    host: Host {
        arithmetic: Arithmetic { terms: Terms::Moments, ..PARENT.host.arithmetic },
        launches,
        scratch: &[
            Scratch { name: "sums", bytes: |bodies| bodies as usize * 16 },
            Scratch { name: "moments", bytes: |bodies| bodies as usize * 16 },
        ],
        ..PARENT.host
    },
    ..PARENT.then("16-tensor-sums", "Tensor sums", "sums as products of matrices of halves")
};

/// The matrices, then every group walks its half of the ring, then the sums become accelerations.
fn launches(grid: &Grid) -> Vec<Launch> {
    let prepare = Launch::row("prepare", grid.padded / GROUP, GROUP);
    vec![prepare, ring::walk("force", grid, GROUP), ring::per_body("correct", grid)]
}

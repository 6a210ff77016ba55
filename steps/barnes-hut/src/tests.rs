//! Mistakes in the steps' kernels are found, whatever they are in: the box, the tree, its sums, the order, the walk or
//! the advance.

use ladder::testing::{Mistake, expect_found};
use report::Outcome::{Failed, Wrong};

use crate::*;

const LAST: Step = barnes_hut_10_not_volatile::STEP;

#[test]
fn mistakes_are_found() {
    expect_found(
        &LADDER,
        &[
            // The root is too small.
            Mistake::of(
                &LAST,
                "mul.f32 \t%f372, %f371, 0fBF000000",
                "mul.f32 \t%f372, %f371, 0fBE800000",
                Wrong,
                "is not inside its cell",
            ),
            // Insertion does not look whether the place is still empty: bodies throw each other out.
            Mistake::of(
                &LAST,
                "atom.global.cas.b32 \t%r109, [%rd49], %r151, %r122",
                "atom.global.exch.b32 \t%r109, [%rd49], %r122",
                Failed,
                "never leaves this loop",
            ),
            // A parent does not wait for its first child.
            Mistake::of(
                &LAST,
                "setp.ge.f32 \t%p131, %f147, 0f00000000",
                "setp.ge.f32 \t%p131, %f147, 0fC0000000",
                Failed,
                "race",
            ),
            // The second body of a cell takes the place of the first.
            Mistake::of(
                &LAST,
                "add.s32 \t%r9, %r84, 1",
                "add.s32 \t%r9, %r84, 0",
                Failed,
                "before allocation `x`",
            ),
            // Sides of cells shrink too fast on the way down.
            Mistake::of(
                &LAST,
                "mul.f32 \t%f49, %f49, 0f3E800000",
                "mul.f32 \t%f49, %f49, 0f3E000000",
                Wrong,
                "accelerations by the same walk",
            ),
            // A cell is one mass if it is far from any body of the warp, not from all.
            Mistake::of(
                &LAST,
                "vote.sync.all.pred",
                "vote.sync.any.pred",
                Wrong,
                "accelerations by the same walk",
            ),
            // Velocities along x are not advanced.
            Mistake::of(
                &LAST,
                "fma.rn.f32 \t%f4, %f2, %f1, %f3",
                "mov.f32 \t%f4, %f3",
                Wrong,
                "the time step left it at",
            ),
        ],
    );
}

const BEYOND: Step = barnes_hut_16_second_moments::STEP;

#[test]
fn mistakes_past_the_tutorial_are_found() {
    expect_found(
        &LADDER,
        &[
            // Sums of leaves are multiplied by their mass, not divided by it.
            Mistake::of(
                &BEYOND,
                "rcp.approx.ftz.f32 \t%f847, %f84;",
                "mov.f32 \t%f847, %f84;",
                Wrong,
                "has spread",
            ),
            // Every other group of bodies is left out.
            Mistake::of(
                &BEYOND,
                "atom.global.add.u32 \t%r326, [%rd38], 1;",
                "atom.global.add.u32 \t%r326, [%rd38], 2;",
                Wrong,
                "wrong accelerations",
            ),
        ],
    );
}

const DIVIDED: Step = barnes_hut_18_divided::STEP;

/// One GPU alone does not have them.
#[test]
fn mistakes_of_several_gpus_are_found() {
    expect_found(
        &LADDER,
        &[
            // Parts of the exchange are rounded down: the second GPU's begins where the first one's last warp is.
            Mistake::of(
                &DIVIDED,
                "add.s32 \t%r13, %r12, -1;",
                "add.s32 \t%r13, %r12, -2;",
                Wrong,
                "on 2 GPUs",
            ),
        ],
    );
}

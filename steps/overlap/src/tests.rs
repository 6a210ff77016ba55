//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found, modelled_seconds};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&PAGEABLE, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&PINNED, "out[i] = sum", Without("st.global"))
                .is_wrong("what results hold that no thread has written"),
            Mistake::at(
                &TWO_STREAMS,
                "sum = fmaf(sum, x, 1.0f)",
                Instead("fma.rn.f32 $0, $1, $2, $3", "mov.f32 $0, $1"),
            )
            .is_wrong("elements at n = "),
            Mistake::at(
                &TWO_CONTEXTS,
                "int i = ",
                Instead("mov.u32 $0, %ctaid.x", "mov.u32 $0, 0"),
            )
            .is_wrong("element 256\n"),
            Mistake::at(
                &FOUR_STREAMS,
                "int i = ",
                Instead("mov.u32 $0, %ctaid.x", "mov.u32 $0, 0"),
            )
            .is_wrong("element 256\n"),
        ],
    );
}

/// By the model: kernels of two contexts never run together, but copies go on beside them, as with two streams.
#[test]
fn two_contexts_gain_what_two_streams_gain() {
    let [pinned, contexts, streams] = [&PINNED, &TWO_CONTEXTS, &TWO_STREAMS].map(seconds);
    assert!(contexts < 0.85 * pinned, "{contexts} {pinned}");
    assert!((0.95..1.05).contains(&(contexts / streams)), "{contexts} {streams}");
}

/// By the model: each step gains what it is about.
#[test]
fn each_step_is_faster_than_its_parent() {
    let steps = LADDER.steps.iter().filter(|step| !step.detour);
    let all: Vec<f64> = steps.map(seconds).collect();
    assert!(all.windows(2).all(|pair| pair[1] < 0.95 * pair[0]), "{all:?}");
}

fn seconds(step: &Step) -> f64 {
    modelled_seconds(&LADDER, step.name)
}

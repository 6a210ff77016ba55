//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found, modelled_seconds};
use report::Outcome::{Failed, Wrong};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &PAGEABLE,
                "setp.ge.s32 \t%p1",
                "setp.gt.s32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &PINNED,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "what results hold that no thread has written",
            ),
            Mistake::of(
                &TWO_STREAMS,
                "fma.rn.f32 \t%f65, %f64, %f1, %f2",
                "mov.f32 \t%f65, %f64",
                Wrong,
                "elements at n = ",
            ),
            Mistake::of(
                &TWO_CONTEXTS,
                "mov.u32 \t%r5, %ctaid.x",
                "mov.u32 \t%r5, 0",
                Wrong,
                "element 256\n",
            ),
            Mistake::of(
                &FOUR_STREAMS,
                "mov.u32 \t%r5, %ctaid.x",
                "mov.u32 \t%r5, 0",
                Wrong,
                "element 256\n",
            ),
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

//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_exact, expect_found, simulate};
use report::Outcome::{Failed, Wrong};
use report::Request;

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
                "elements at n = 1\n",
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

/// By the model: a GPU works for one context at a time.
#[test]
fn two_contexts_gain_nothing() {
    let seconds = |step: &Step| {
        let row = simulate(&LADDER, step.name, Request::default());
        row.main().expect("timed").seconds
    };
    let ratio = seconds(&TWO_CONTEXTS) / seconds(&PINNED);
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}

/// By the model: each step up to four streams gains what it is about; the parts of eight are too small to gain more.
#[test]
fn each_step_up_to_four_streams_is_faster_than_its_parent() {
    let seconds = |step: &Step| {
        let row = simulate(&LADDER, step.name, Request::default());
        row.main().expect("timed").seconds
    };
    let steps = LADDER.steps.iter().filter(|step| !step.detour);
    let all: Vec<f64> = steps.map(seconds).collect();
    let (four, eight) = all.split_at(4);
    assert!(four.windows(2).all(|pair| pair[1] < 0.95 * pair[0]), "{all:?}");
    assert!(eight.iter().all(|&it| (0.95..1.05).contains(&(it / four[3]))), "{all:?}");
}

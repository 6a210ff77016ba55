//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_found, simulate};
use report::Outcome::{Failed, Wrong};
use report::{Outcome, Request};

use super::*;

/// How far off each is, and no further.
#[test]
fn every_step_climbs() {
    for step in LADDER.steps {
        let row = simulate(&LADDER, step.name, Request { size: Some(5000), ..Request::default() });
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        let off = row.main().expect("timed").accuracy.rms.expect("finite");
        let (least, most) = match step.name {
            "06-power" | "07-cube-root" | "07x-reciprocal-root" => (1e-9, 3e-7),
            "07x-fast-power" => (1e-8, 1e-5),
            "10-sum" => (1e-7, 1e-5),
            "11-eight-sums" => (1e-8, 3e-7),
            "11x-compensated" => (0.0, 6e-8),
            _ => (0.0, 0.0),
        };
        assert!((least..=most).contains(&off), "{}: {off}", step.name);
    }
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &VARIABLE_DIVISOR,
                "setp.ge.s32 \t%p1",
                "setp.gt.s32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &CONSTANT_DIVISOR,
                "sub.s32 \t%r9, %r6, %r8",
                "add.s32 \t%r9, %r6, %r8",
                Wrong,
                "by ten at n = 1",
            ),
            Mistake::of(
                &UNSIGNED_COUNTER,
                "neg.f32 \t%f2, %f1",
                "mov.f32 \t%f2, %f1",
                Wrong,
                "negated at n = 1",
            ),
            Mistake::of(
                &SIGNED_COUNTER,
                "setp.lt.s32 \t%p4, %r14, %r2",
                "setp.le.s32 \t%p4, %r14, %r2",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &CUBE_ROOT,
                "neg.f32 \t%f8, %f2",
                "mov.f32 \t%f8, %f2",
                Wrong,
                "roots at n = ",
            ),
            Mistake::of(
                &DOUBLES,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(
                &HALVES,
                "setp.ge.s32 \t%p1, %r1, %r11",
                "setp.gt.s32 \t%p1, %r1, %r11",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &SUM,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(
                &EIGHT_SUMS,
                "setp.lt.u32 \t%p2, %r9, 256",
                "setp.lt.u32 \t%p2, %r9, 128",
                Wrong,
                "sums at n = ",
            ),
        ],
    );
}

//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_found, simulated};

use super::*;

/// How far off each is, and no further.
#[test]
fn every_step_climbs() {
    for row in simulated(&LADDER, 5000, &[]) {
        let off = row.main().expect("timed").accuracy.rms.expect("finite");
        let (least, most) = match row.step.as_str() {
            "06-power" | "07-cube-root" | "07x-reciprocal-root" => (1e-9, 3e-7),
            "07x-fast-power" => (1e-8, 1e-5),
            "10-sum" => (1e-7, 1e-5),
            "11-eight-sums" => (1e-8, 3e-7),
            "11x-compensated" => (0.0, 6e-8),
            _ => (0.0, 0.0),
        };
        assert!((least..=most).contains(&off), "{}: {off}", row.step);
    }
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&VARIABLE_DIVISOR, "if (i < n)", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(
                &CONSTANT_DIVISOR,
                "x = x / 10u + x % 10u * 0x9e3779b9",
                Instead("sub.s32", "add.s32"),
            )
            .is_wrong("by ten at n = 1"),
            Mistake::at(
                &UNSIGNED_COUNTER,
                "to[stride * k] = -from[stride * k]",
                Instead("neg.f32", "mov.f32"),
            )
            .is_wrong("negated at n = 1"),
            Mistake::at(&SIGNED_COUNTER, "k < count; k++", OffByOne).is_wrong("negated at n = "),
            Mistake::at(&CUBE_ROOT, "x = 100 * cbrtf(x)", Instead("neg.f32", "mov.f32"))
                .is_wrong("roots at n = "),
            Mistake::at(&DOUBLES, "out[i] = x", Without("st.global"))
                .is_wrong("that no thread has written"),
            Mistake::at(&HALVES, "if (i < n)", OffByOne).fails("out of bounds: global read"),
            Mistake::at(&SUM, "out[i] = sum", Without("st.global"))
                .is_wrong("that no thread has written"),
            Mistake::at(
                &EIGHT_SUMS,
                "for (int k = 0; k < TERMS; k += 8)",
                Instead("setp.lt.u32 $0, $1, 256", "setp.lt.u32 $0, $1, 128"),
            )
            .is_wrong("sums at n = "),
        ],
    );
}

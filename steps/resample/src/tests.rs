//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::{Mistake, expect_found, simulate};
use report::Outcome::{Failed, Wrong};
use report::{Outcome, Request};

use super::*;

/// By hand nothing is off; the texture unit's weights have 8 bits.
#[test]
fn every_step_climbs() {
    for step in LADDER.steps {
        let row = simulate(&LADDER, step.name, Request { size: Some(48), ..Request::default() });
        assert_eq!(row.outcome, Outcome::Simulated, "{}: {:?}", step.name, row.reason);
        if row.not_modelled.is_some() {
            continue; // its verification demands exact results
        }
        let off = row.main().expect("timed").accuracy.rms.expect("finite");
        let (least, most) = match step.name {
            nearest if nearest.contains("nearest") => (0.0, 0.0),
            "02-linear" | "04-volume" => (0.0, 1e-6),
            wavelet if wavelet >= "08" => (0.0, 0.0),
            _ => (1e-4, 3e-3),
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
                &NEAREST,
                "setp.ge.s32 \t%p1",
                "setp.gt.s32 \t%p1",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(
                &NEAREST,
                "setp.eq.s32 \t%p7, %r5, 3",
                "setp.eq.s32 \t%p7, %r5, 7",
                Wrong,
                "nearest at n = ",
            ),
            Mistake::of(
                &NEAREST,
                "setp.ne.s32 \t%p8, %r5, 1",
                "setp.ne.s32 \t%p8, %r5, 2",
                Wrong,
                "nearest at n = ",
            ),
            Mistake::of(&NEAREST_TEXTURE, "div.rn.f32", "mul.rn.f32", Wrong, "nearest at n = "),
            Mistake::of(
                &LINEAR,
                "setp.ge.s32 \t%p2",
                "setp.gt.s32 \t%p2",
                Failed,
                "out of bounds: global write",
            ),
            Mistake::of(&LINEAR_TEXTURE, "{%f15, %f16}", "{%f16, %f15}", Wrong, "linear at n = "),
            Mistake::of(
                &HALF_TEXTURE,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(
                &VOLUME,
                "setp.eq.s32 \t%p7, %r7, 3",
                "setp.eq.s32 \t%p7, %r7, 7",
                Wrong,
                "slices at n = ",
            ),
            Mistake::of(
                &VOLUME_TEXTURE,
                "st.global.f32",
                "// st.global.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(
                &FOUR_COMPONENTS,
                "[%rd5], {%f17, %f18,",
                "[%rd5], {%f18, %f17,",
                Wrong,
                "colours at n = ",
            ),
            Mistake::of(&WAVELET, "st.global.f32", "// st.global.f32", Wrong, "bands at n = "),
            Mistake::of(
                &WAVELET_FLOAT4,
                "st.global.v4.f32",
                "// st.global.v4.f32",
                Wrong,
                "that no thread has written",
            ),
            Mistake::of(&WAVELET_SURFACE, "rem.s32", "min.s32", Wrong, "band texels at n = "),
            Mistake::of(
                &UNSEEN_CHANGE,
                "add.f32 \t%f15, %f11, 0f3F800000",
                "add.f32 \t%f15, %f11, 0f40400000",
                Wrong,
                "changed at n = ",
            ),
        ],
    );
}

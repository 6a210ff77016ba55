//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_found, simulated};

use super::*;

/// By hand nothing is off; the texture unit's weights have 8 bits.
#[test]
fn every_step_climbs() {
    for row in simulated(&LADDER, 48, &[]) {
        if row.not_modelled.is_some() {
            continue; // its verification demands exact results
        }
        let off = row.main().expect("timed").accuracy.rms.expect("finite");
        let (least, most) = match row.step.as_str() {
            nearest if nearest.contains("nearest") => (0.0, 0.0),
            "02-linear" | "04-volume" => (0.0, 1e-6),
            wavelet if wavelet >= "08" => (0.0, 0.0),
            _ => (1e-4, 3e-3),
        };
        assert!((least..=most).contains(&off), "{}: {off}", row.step);
    }
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&NEAREST, "if (column >= n || row >= n) return", OffByOne)
                .fails("out of bounds: global write"),
            Mistake::at(
                &NEAREST,
                "if (mode == BORDER) return -1",
                Instead("setp.eq.s32 $0, $1, 3", "setp.eq.s32 $0, $1, 7"),
            )
            .is_wrong("nearest at n = "),
            Mistake::at(
                &NEAREST,
                "if (mode == BORDER) return -1",
                Instead("setp.ne.s32 $0, $1, 1", "setp.ne.s32 $0, $1, 2"),
            )
            .is_wrong("nearest at n = "),
            Mistake::at(
                &NEAREST_TEXTURE,
                "out[row * n + column] =",
                Instead("div.rn.f32", "mul.rn.f32"),
            )
            .is_wrong("nearest at n = "),
            Mistake::at(&LINEAR, "if (column >= n || row >= n) return", OffByOne)
                .fails("out of bounds: global write"),
            Mistake::at(
                &LINEAR_TEXTURE,
                "out[row * n + column] =",
                Instead(
                    "tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6",
                    "tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$6, $5",
                ),
            )
            .is_wrong("linear at n = "),
            Mistake::at(&HALF_TEXTURE, "out[row * n + column] =", Without("st.global"))
                .is_wrong("that no thread has written"),
            Mistake::at(
                &VOLUME,
                "if (mode == BORDER) return -1",
                Instead("setp.eq.s32 $0, $1, 3", "setp.eq.s32 $0, $1, 7"),
            )
            .is_wrong("slices at n = "),
            Mistake::at(
                &VOLUME_TEXTURE,
                "out[(slice * n + row) * n + column] =",
                Without("st.global"),
            )
            .is_wrong("that no thread has written"),
            Mistake::at(
                &FOUR_COMPONENTS,
                "out[row * n + column] =",
                Instead("st.global.v4.f32 [$0], {$1, $2", "st.global.v4.f32 [$0], {$2, $1"),
            )
            .is_wrong("colours at n = "),
            Mistake::at(
                &WAVELET,
                "bands[4 * (row * n + column) + c] = low[c]",
                Without("st.global"),
            )
            .is_wrong("bands at n = "),
            Mistake::at(&WAVELET_FLOAT4, "bands[row * n + column] = low", Without("st.global"))
                .is_wrong("that no thread has written"),
            Mistake::at(&WAVELET_SURFACE, "const int at =", Instead("rem.s32", "min.s32"))
                .is_wrong("band texels at n = "),
            Mistake::at(
                &UNSEEN_CHANGE,
                "surf2Dwrite(again + 1",
                Instead("add.f32 $0, $1, 0f3F800000", "add.f32 $0, $1, 0f40400000"),
            )
            .is_wrong("changed at n = "),
        ],
    );
}

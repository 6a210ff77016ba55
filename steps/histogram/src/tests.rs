//! Every step climbs on the simulator, and broken kernels do not.

use ladder::arrays::Arrays;
use ladder::testing::{Mistake, expect_exact, expect_found};
use report::Outcome::{Failed, Wrong};
use report::Request;

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::of(
                &GLOBAL,
                "setp.ge.u32 \t%p1",
                "setp.gt.u32 \t%p1",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &GLOBAL,
                "setp.lt.u32",
                "setp.le.u32",
                Failed,
                "out of bounds: global read",
            ),
            Mistake::of(
                &GLOBAL,
                "st.global.u32",
                "// st.global.u32",
                Failed,
                "uninitialised: global read",
            ),
            Mistake::of(
                &GLOBAL,
                "ld.global.u8 \t%r10, [%rd6]",
                "ld.global.u8 \t%r10, [%rd6]; and.b32 %r10, %r10, 127",
                Wrong,
                "bins at n =",
            ),
            Mistake::of(
                &SHARED,
                "setp.gt.u32 \t%p1, %r21, 255",
                "setp.gt.u32 \t%p1, %r21, 254",
                Failed,
                "uninitialised: shared read",
            ),
            Mistake::of(&SHARED, "bar.sync", "// bar.sync", Failed, "race: write and atomic"),
            Mistake::of(&PER_WARP, "bar.sync", "// bar.sync", Failed, "race: write and atomic"),
            Mistake::of(
                &PER_WARP,
                "setp.gt.u32 \t%p5, %r1, 255",
                "setp.gt.u32 \t%p5, %r1, 254",
                Wrong,
                "bin 255\n",
            ),
            Mistake::of(&MATCH_ANY, "popc.b32", "mov.b32", Wrong, "bin"),
            Mistake::of(&WIDE_LOADS, "bar.sync", "// bar.sync", Failed, "race: write and atomic"),
            Mistake::of(&PER_BANK, "bar.sync", "// bar.sync", Failed, "race: write and atomic"),
        ],
    );
}

#[test]
fn the_data_that_are_timed_can_be_chosen() {
    let asked = |kind: &str| Request {
        problem: [("data".to_owned(), kind.to_owned())].into(),
        ..Request::default()
    };
    let timed = |kind| Histogram::open(&asked(kind)).map(|it| it.timed());
    assert_eq!(timed("skewed").expect("known data"), "few frequent values");
    let usual = Histogram::open(&Request::default()).expect("no option");
    assert_eq!(usual.timed(), "values spread evenly");
    let error = timed("even").expect_err("no such data").to_string();
    assert!(error.contains("--data even") && error.contains("`uniform`"), "{error}");
}

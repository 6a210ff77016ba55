//! Every step climbs on the simulator, and broken kernels do not.

use ladder::arrays::Arrays;
use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Excuse, Mistake, expect_exact, expect_found};
use report::Request;

use super::*;

const EXCUSES: &[Excuse] =
    &[Excuse::once("bin < BINS; bin +=", "a block has a thread for each bin")];

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 1000.0, EXCUSES);
}

#[test]
fn broken_kernels_are_found() {
    expect_found(
        &LADDER,
        &[
            Mistake::at(&GLOBAL, "i < n; i += threads", OffByOne)
                .fails("out of bounds: global read"),
            Mistake::at(&GLOBAL, "bins[threadIdx.x] = 0", Without("st.global"))
                .fails("uninitialised: global read"),
            Mistake::at(
                &GLOBAL,
                "atomicAdd(&bins[in[i]], 1u)",
                Instead("ld.global.u8 $0, [$1]", "ld.global.u8 $0, [$1]; and.b32 $0, $0, 127"),
            )
            .is_wrong("bins at n ="),
            Mistake::at(&SHARED, "bin < BINS; bin += blockDim.x", OffByOne).fails("shared"),
            Mistake::at(&SHARED, "// the bins are empty", Without("bar"))
                .fails("race: write and atomic"),
            Mistake::at(&PER_WARP, "// the bins are empty", Without("bar"))
                .fails("race: write and atomic"),
            Mistake::at(&PER_WARP, "bin < BINS; bin += THREADS", OffByOne).is_wrong("bin 255\n"),
            Mistake::at(
                &MATCH_ANY,
                "atomicAdd(&own[warp][value], __popc(same))",
                Instead("popc.b32", "mov.b32"),
            )
            .is_wrong("bin"),
            Mistake::at(&WIDE_LOADS, "// the bins are empty", Without("bar"))
                .fails("race: write and atomic"),
            Mistake::at(&PER_BANK, "// the bins are empty", Without("bar"))
                .fails("race: write and atomic"),
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

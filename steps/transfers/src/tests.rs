//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Change::{Instead, OffByOne, Without};
use ladder::testing::{Mistake, expect_exact, expect_found};

use super::*;

#[test]
fn every_step_climbs() {
    expect_exact(&LADDER, 1000, 8000.0, &[]);
}

#[test]
fn broken_kernels_are_found() {
    let read = "out of bounds: global read";
    let unwritten = "that no thread has written";
    expect_found(
        &LADDER,
        &[
            Mistake::at(&PAGEABLE, "if (i < n)", OffByOne).fails(read),
            Mistake::at(&PAGEABLE, "out[i] = in[i] + in[n - 1 - i]", Instead("add.f32", "sub.f32"))
                .is_wrong("elements at n = 1"),
            Mistake::at(&MANAGED, "out[i] = in[i] + in[n - 1 - i]", Without("st.global"))
                .is_wrong(unwritten),
            Mistake::at(
                &PREFETCHED,
                "out[i] = in[i] + in[n - 1 - i]",
                Instead("add.f32", "sub.f32"),
            )
            .is_wrong("elements at n = 1"),
            Mistake::at(&PINNED, "out[i] = in[i] + in[n - 1 - i]", Without("st.global"))
                .is_wrong(unwritten),
            Mistake::at(&ZERO_COPY, "if (i < n)", OffByOne).fails(read),
            Mistake::at(&ZERO_COPY, "out[i] = in[i] + in[n - 1 - i]", Without("st.global"))
                .is_wrong("elements at n = 1"),
            Mistake::at(&READ_ONCE, "if (i < count)", OffByOne).fails(read),
            Mistake::at(&READ_ONCE, "front_out[i] = sum", Without("st.global"))
                .is_wrong("elements at n = "),
            Mistake::at(&NOTICE, "flag[blockIdx.x] = pass", Without("st.volatile.global"))
                .is_wrong("elements at n = 1"),
            Mistake::at(&NOTICE, "if (i < count)", OffByOne).fails(read),
            Mistake::at(&NOTICE, "__syncthreads()", Without("bar.sync"))
                .fails("no barrier comes between the write and the flag"),
            Mistake::at(&NOTICE, "__threadfence_system()", Without("membar.sys"))
                .fails("no fence comes between the write and the flag"),
            Mistake::at(&NOTICE, "__threadfence_system()", Instead("membar.sys", "membar.gl"))
                .fails("has the scope of the device"),
            Mistake::at(&PIECES, "const float sum =", Instead("add.f32", "sub.f32"))
                .is_wrong("elements at n = 1"),
            Mistake::at(&PIECES, "front_out[i] = sum", Without("st.global")).is_wrong(unwritten),
        ],
    );
}

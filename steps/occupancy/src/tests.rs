//! Every step climbs on the simulator, and broken kernels do not.

use ladder::problem::Problem;
use simt::model::Gpu;

use super::*;

ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, &[]));

/// The rules of occupancy on an H200: 2048 threads, 32 blocks and 228 KiB, of which a block takes 1 more than it asks for.
#[test]
fn fewer_blocks_fit() {
    let gpu = Gpu::named("h200").expect("a known GPU");
    let share = |step: &Step| {
        let [launch] = Occupancy.launches(step, 1 << 26, 132)[..] else {
            panic!("a pass is one launch");
        };
        let shared = launch.shape.shared_bytes;
        let fits = gpu.residency(launch.threads(), Some(16), shared, launch.blocks());
        f64::from(fits.expect("blocks fit").warps) / 64.0
    };
    assert_eq!(
        [&BLOCKS, &SMALL_BLOCKS, &UNEVEN_BLOCKS, &SHARED_32].map(share),
        [1.0, 0.5, 63.0 / 64.0, 0.75]
    );
    assert_eq!([&SHARED_48, &SHARED_96, &FOUR_EACH].map(share), [0.5, 0.25, 0.25]);
}

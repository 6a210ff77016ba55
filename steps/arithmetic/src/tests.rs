//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::simulated;
use ladder::verify::Inputs;

use super::*;

ladder::tests!(&LADDER);

/// How far off each is, and no further.
#[test]
fn every_step_climbs() {
    for row in simulated(&LADDER, Inputs::All, 5000, &[]) {
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

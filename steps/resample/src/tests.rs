//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::simulated;
use ladder::verify::Inputs;

use super::*;

ladder::tests!(&LADDER);

/// By hand nothing is off; the texture unit's weights have 8 bits.
#[test]
fn every_step_climbs() {
    for row in simulated(&LADDER, Inputs::All, 48, &[]) {
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

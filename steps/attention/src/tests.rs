//! Every step climbs on the simulator, and broken kernels do not.

use super::*;

ladder::tests!(expect_simulated(&LADDER, 128, 8_454_144.0, &[]));

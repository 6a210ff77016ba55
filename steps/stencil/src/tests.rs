//! Every step climbs on the simulator, and broken kernels do not.

use super::*;

ladder::tests!(expect_simulated(&LADDER, 20, 16_000.0, &[]));

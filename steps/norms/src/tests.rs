//! Every step climbs on the simulator, and broken kernels do not.

use super::*;

ladder::tests!(expect_simulated(&LADDER, 100, 10_000.0, &[]));

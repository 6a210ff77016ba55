//! Every step climbs on the simulator, and broken kernels do not.

use super::*;

ladder::tests!(expect_simulated(&LADDER, 1000, 1_536_000.0, &[]));

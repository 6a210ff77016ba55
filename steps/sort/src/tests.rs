//! Every step climbs on the simulator, and broken kernels do not.

use super::*;

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, &[]));

//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Excuse;

use super::*;

/// Whether none of the 32 tiles before a tile knows the sum of all before it, drawn by the seed.
const OVERTAKEN: &str = "the seed draws whether the first tile is overtaken by all of the next 32";
const EXCUSES: &[Excuse] = &[Excuse::once("last >= 0; last -= 32", OVERTAKEN).varies()];

ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, EXCUSES));

//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Excuse;

use super::*;

/// Whether a tile waits depends on what else the cores of the CPU do.
const ORDER: &str = "what a tile waits for is mostly there: tiles begin in order";
const EXCUSES: &[Excuse] = &[
    Excuse::once("last >= 0; last -= 32", ORDER).varies(),
    Excuse::once("while (seen < OWN)", ORDER).varies(),
];

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, EXCUSES));

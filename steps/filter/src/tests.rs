//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Excuse;

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once("k += THREADS", "the number of its rounds is fixed")];

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, EXCUSES));

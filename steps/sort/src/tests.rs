//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Excuse;

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once(
    "first < tiles; first += THREADS",
    "the first step runs it; with larger tiles a second round needs more keys than the simulator sorts",
)];

ladder::tests!(expect_exact(&LADDER, 1000, 1000.0, EXCUSES));

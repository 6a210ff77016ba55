//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::Excuse;

use super::*;

const EXCUSES: &[Excuse] = &[Excuse::once(
    "rest < n; rest++",
    "at most three elements are left over, and the compiler unrolls by four",
)];

ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, EXCUSES));

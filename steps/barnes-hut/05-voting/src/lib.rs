//! Thread voting: whether any lane is near a cell is asked by one instruction instead of through shared memory.
//! Device code: `kernels/barnes-hut/05-voting.cu`.

use barnes_hut::Step;
use barnes_hut_04_one_walk::STEP as PARENT;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = PARENT.then("05-voting", "Voting", "lanes vote by one instruction");

//! Bodies are sorted by keys of their places and stay so; the tree follows from the keys, without locks.
//! Device code: `kernels/barnes-hut/11-keys.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::KEYS;
use barnes_hut_10_not_volatile::STEP as PARENT;
use ladder::{Code, Threads};

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    rewrite: Some("another tree, built another way"),
    code: Code::Cuda { file: "11-keys", options: &["--use_fast_math"] },
    threads: Threads::Blocks { block: 128, stated: true },
    reproducible: true,
    host: KEYS,
    ..PARENT.then(
        "11-keys",
        "Keys",
        "sorted keys; a tree from them without locks; leaves of up to 16",
    )
};

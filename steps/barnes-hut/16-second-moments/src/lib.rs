//! Nodes pull with their second moments where one mass would be too wrong.
//! Device code: `kernels/barnes-hut/16-second-moments.cu`.

use barnes_hut::Step;
use barnes_hut::keyed::SECOND_MOMENTS;
use barnes_hut_15_groups::STEP as PARENT;
use ladder::Code;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    name: "16-second-moments",
    after: Some(PARENT.name),
    title: "Second moments",
    changes: "second moments of nodes where they are needed",
    rewrite: Some("a second list, of nodes with second moments"),
    code: Code::Cuda { file: "16-second-moments", options: &["--use_fast_math"] },
    host: SECOND_MOMENTS,
    ..PARENT
};

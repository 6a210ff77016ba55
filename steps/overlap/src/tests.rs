//! Every step climbs on the simulator, and broken kernels do not.

use ladder::testing::modelled_seconds;

use super::*;

ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, &[]));

/// By the model each step gains what it is about. Kernels of two contexts never run together, but copies go on beside them,
/// as with two streams.
#[test]
fn each_step_is_faster_than_its_parent() {
    let seconds = |step: &Step| modelled_seconds(&LADDER, step.name, 1 << 23);
    let steps = LADDER.steps.iter().filter(|step| !step.detour);
    let all: Vec<f64> = steps.map(seconds).collect();
    assert!(all.windows(2).all(|pair| pair[1] < 0.95 * pair[0]), "{all:?}");
    let (contexts, streams) = (seconds(&TWO_CONTEXTS), all[2]);
    assert!((0.95..1.05).contains(&(contexts / streams)), "{contexts} {all:?}");
}

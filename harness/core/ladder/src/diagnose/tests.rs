use device::{CodeRoute, SimulatorDevice, Source};
use report::Request;
use simt::model::Gpu;

use super::*;
use crate::Ladder;
use crate::clockwork::Clockwork;
use crate::toy::{self, LADDER, PARENT};

/// A case of 100 elements of a kernel that does `instruction` instead of doubling, on a device that changes what
/// is downloaded.
fn case(
    instruction: &str,
    lie: impl FnMut(&str, &mut [u8]) + Send + 'static,
    step: Step,
    n: u64,
) -> Diagnosis {
    let kernels = tempfile::tempdir().expect("a temporary folder");
    toy::write_broken(kernels.path(), PARENT, instruction);
    let source = Source::from_kernels(kernels.path(), "01-double", "01-double", &[]);
    let source = source.expect("kernels");
    let mut gpu = Clockwork::new(|_| 1e-3);
    gpu.lie = Some(Box::new(lie));
    let mut simulator =
        SimulatorDevice::open(CodeRoute::Committed, Gpu::named("h200").expect("a known GPU"));
    let mut modules = [&mut gpu as &mut dyn Device, &mut simulator]
        .map(|device| device.load(&source).expect("loaded"));
    let [on_gpu, on_simulator] = &mut modules;
    let mut open = LADDER.open(&Request::default()).expect("a problem");
    let input = Input::verified(n, "doubles", 1);
    diagnose((&mut gpu, on_gpu), Ok((&mut simulator, on_simulator)), &mut *open, &step, input)
}

const RIGHT: &str = "mul.lo.s32";

/// Changes a bit of every copy of results of a number that `when` picks.
fn flip(when: fn(u32) -> bool) -> impl FnMut(&str, &mut [u8]) + Send {
    let mut copies = 0;
    move |name, bytes| {
        if name == "to" {
            copies += 1;
            // Each repetition copies twice: to be judged, and to be compared.
            if when((copies - 1) / 2) {
                bytes[4 * 7] ^= 4;
            }
        }
    }
}

#[test]
fn a_kernel_that_is_wrong_everywhere_is_the_cause() {
    let found = case("add.s32", |_, _| {}, PARENT, 100);
    assert_eq!(found.cause, Cause::Kernel, "{found}");
    let text = found.to_string();
    assert!(text.contains("as well: doubles at n = 100"), "{text}");
    assert!(text.contains("8 of 8 repetitions") && text.contains("same bits"), "{text}");
}

#[test]
fn a_gpu_that_gives_two_answers_is_the_cause() {
    let found = case(RIGHT, flip(|run| run % 3 == 1), PARENT, 100);
    assert_eq!(found.cause, Cause::Chip, "{found}");
    let text = found.to_string();
    for words in [
        "right, with the warps in 4 orders",
        "3 of 8 repetitions on the GPU (GPU-clockwork) are wrong",
        "this GPU gave two answers to one question",
        "1 word differs: word 7 of `to` is 0x00000064 or 0x00000060 (5 and 3 times)",
        "doctor --gpu-check",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    // It was wrong once and not again: that is two answers as well.
    assert_eq!(case(RIGHT, |_, _| {}, PARENT, 100).cause, Cause::Chip);
    let always = case(RIGHT, flip(|_| true), PARENT, 100);
    assert_eq!(always.cause, Cause::Chip);
    assert!(always.to_string().contains("8 of 8 repetitions"), "{always}");
}

#[test]
fn what_the_order_of_warps_decides_is_a_race() {
    // Each warp writes its own number to the same word.
    let found =
        case("mov.u32 %r7, %warpid; st.global.u32 [%rd4], %r7; mul.lo.s32", |_, _| {}, PARENT, 100);
    assert_eq!(found.cause, Cause::Race, "{found}");
    assert!(found.to_string().contains("hazard"), "{found}");
}

#[test]
fn without_the_simulator_the_cause_is_not_known() {
    let found = case(RIGHT, flip(|run| run == 0), PARENT, 50_000);
    assert_eq!(found.cause, Cause::Unknown, "{found}");
    let text = found.to_string();
    assert!(text.contains("too large") && text.contains("two answers"), "{text}");
    // Of sums in any order the bits may differ.
    let found = case(RIGHT, flip(|_| false), Step { reproducible: false, ..PARENT }, 100);
    assert!(!found.to_string().contains("differ"), "{found}");
}

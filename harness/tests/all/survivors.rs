//! Mutants that verification once let pass.

use device::{CodeRoute, Device, SimulatorDevice, Source};
use ladder::verify::verify;

use super::one_step::{self, kernels, open};

/// The step, the last line of its PTX that has this in it, and what stands there in the mutant.
const MUTANTS: [(&str, &str, &str); 5] = [
    // Blocks that see each other's flags, and then old data; warps that do not wait for their block's look at them.
    ("13x-one-launch", "membar.gl;", ""),
    ("13x-one-launch", "bar.sync", ""),
    // What rounding took from a sum of lanes; what it took from the other lane's.
    ("13x-compensated", "%f1142, %f1112, %f1139;", "mov.f32 %f1142, %f1112;"),
    ("13x-compensated", "%r147|%p52", "mov.b32 %r147, %r146;"),
    // Which of two groups half way round meets the other; of an odd number of groups, none does.
    ("17-tensor-distances", "%r156, 1, 0, %p5;", "selp.u32 %r156, 0, 1, %p5;"),
];

#[test]
fn mutants_that_once_survived_are_killed() {
    for (name, line, mutated) in MUTANTS {
        let step = one_step::step(name);
        let source = step.source(&kernels()).expect("its source");
        let mut ptx = source.ptx.clone();
        let text = &mut ptx[0].text;
        let at = text.lines().rfind(|it| it.contains(line)).expect("the line").as_ptr();
        let begin = at.addr() - text.as_ptr().addr();
        let end = begin + text[begin..].find('\n').expect("more lines");
        text.replace_range(begin..end, mutated);
        let gpu = device::described("h200").expect("a GPU that is known");
        let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
        let source = Source { cuda: None, ptx, ..source };
        let mut module = device.load(&source).expect("PTX");
        let verified =
            verify(&mut device, &mut *open(step), &step.facts(), &mut module, &mut |_| {});
        assert!(verified.is_err(), "{name}: `{mutated}` in place of the line with `{line}`");
    }
}

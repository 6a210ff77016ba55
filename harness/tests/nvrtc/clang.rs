//! Every step's kernel compiled by clang, and by clang's front end and the crate `ir`: it gets the verdict that its committed
//! PTX gets.

mod bits;
mod textures;

use device::{CodeRoute, Device, Ptx, SimulatorDevice, Source};
use ladder::verify::{Inputs, Verification, verify};
use ladder::{Code, Ladder, Step, workspace};
use ladders::LADDERS;
use rayon::prelude::*;
use report::Request;
use toolchain::clang::Clang;
use toolchain::compiler::Maker;
use toolchain::{clang, ptx};

/// The ladders of which a test takes the steps.
#[derive(Clone, Copy)]
enum Ladders {
    All,
    /// One in four, beginning with this one.
    Quarter(usize),
}

/// All steps with CUDA C++ of ladders.
fn steps(of: Ladders) -> Vec<(&'static dyn Ladder, Step)> {
    let ladders = LADDERS.iter().filter(|ladder| !ladder.is_for_cpu());
    let (first, stride) = match of {
        Ladders::All => (0, 1),
        Ladders::Quarter(first) => (first, 4),
    };
    let steps = ladders
        .skip(first)
        .step_by(stride)
        .flat_map(|ladder| ladder.steps().into_iter().map(move |step| (*ladder, step)));
    steps.filter(|(_, step)| matches!(step.code, Code::Cuda { .. })).collect()
}

/// Who makes PTX.
#[derive(Clone, Copy, PartialEq)]
enum BackEnd {
    Clang,
    /// The crate `ir`, of clang's LLVM IR.
    Ours,
}

/// The code of a step.
fn source(ladder: &dyn Ladder, step: &Step) -> Source {
    let kernels = workspace::root().expect("a clone").join("kernels").join(ladder.name());
    step.source(&kernels).expect("its code")
}

/// A source that has the PTX which a clang makes of it, for the oldest architecture that it needs.
fn compiled(source: Source, clang: &Clang) -> Result<Source, device::Error> {
    let target = source.target(&format!("compute_{}{}", source.needs.0, source.needs.1));
    let text = ptx::generate(&source, clang, &target)?;
    let ptx = vec![Ptx { file: "compiled by the test".to_string(), text }];
    Ok(Source { ptx, ..source })
}

fn simulator(route: CodeRoute) -> SimulatorDevice {
    SimulatorDevice::open(route, device::described("h200").expect("a known GPU"))
}

/// A device, and a source that it compiles with clang, or that was compiled already.
fn prepared(source: Source, back_end: BackEnd) -> Result<(SimulatorDevice, Source), device::Error> {
    Ok(match back_end {
        BackEnd::Clang => (simulator(CodeRoute::Compiled(Some(Maker::Clang))), source),
        BackEnd::Ours => {
            let clang = clang::installed().first().expect("it was asked for");
            (simulator(CodeRoute::Committed), compiled(source, &clang.front_end())?)
        }
    })
}

/// What is wrong with a step when clang compiles it, and is not with its committed PTX. Without inputs it is only compiled.
fn problem(
    ladder: &dyn Ladder,
    step: &Step,
    inputs: Option<Inputs>,
    back_end: BackEnd,
) -> Option<String> {
    let name = format!("{}/{}", ladder.name(), step.name);
    let (mut device, source) = match prepared(source(ladder, step), back_end) {
        Ok(prepared) => prepared,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    let mut module = match device.load(&source) {
        Ok(module) => module,
        Err(error) => return Some(format!("{name}: {error}")),
    };
    let is_clangs = module.code().starts_with("clang ");
    assert!(back_end == BackEnd::Ours || is_clangs, "{name}: {}", module.code());
    let inputs = inputs?;
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let how = Verification { inputs, ..Verification::default() };
    let verified = verify(&mut device, &mut *open, step, &mut module, &how, &mut |_| {});
    verified.err().map(|failure| format!("{name}: {failure}"))
}

/// Compiles the steps of ladders, verifies those that have inputs, and says how many.
fn check(
    back_end: BackEnd,
    of: Ladders,
    inputs: impl Fn(&dyn Ladder, &Step) -> Option<Inputs> + Sync,
) {
    if clang::installed().is_empty() {
        return println!("SKIPPED: no clang here; {}", clang::INSTALL);
    }
    let all = steps(of);
    let check = |(ladder, step): &(&'static dyn Ladder, Step)| {
        // Several GPUs are needed to run some.
        let inputs = inputs(*ladder, step).filter(|_| step.elsewhere.is_none());
        (inputs.is_some(), problem(*ladder, step, inputs, back_end))
    };
    let found: Vec<(bool, Option<String>)> = all.par_iter().map(check).collect();
    let verified = found.iter().filter(|(is_verified, _)| *is_verified).count();
    println!("clang compiled {} steps; {verified} of them were verified", found.len());
    let problems: Vec<String> = found.into_iter().filter_map(|(_, problem)| problem).collect();
    assert!(all.len() > 50, "only {} steps are found", all.len());
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), all.len(), problems.join("\n"));
}

/// A part for the last step of a ladder, none for the others.
fn of_the_last(ladder: &dyn Ladder, step: &Step) -> Option<Inputs> {
    let is_last = ladder.steps().last().is_some_and(|last| last.name == step.name);
    is_last.then_some(Inputs::Small)
}

#[test]
fn steps_of_some_ladders_compile_and_the_last_of_each_is_right() {
    check(BackEnd::Clang, Ladders::Quarter(0), of_the_last);
}

#[test]
fn steps_of_other_ladders_are_translated_from_llvm_ir_and_the_last_of_each_is_right() {
    check(BackEnd::Ours, Ladders::Quarter(1), of_the_last);
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: all steps"]
    fn every_step_is_right() {
        check(BackEnd::Clang, Ladders::All, |_, _| Some(Inputs::All));
    }

    #[test]
    #[ignore = "runs in CI as a job of its own: all steps"]
    fn every_step_is_right_when_translated_from_llvm_ir() {
        check(BackEnd::Ours, Ladders::All, |_, _| Some(Inputs::All));
    }
}

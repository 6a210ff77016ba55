//! Every step's kernel compiled by clang, and by clang's front end and the crate `ir`: it gets the verdict that its committed
//! PTX gets.

mod bits;
mod textures;

use device::{CodeRoute, Device, Ptx, SimulatorDevice, Source};
use ladder::verify::verify;
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
    /// The first, third, and so on.
    Odd,
    Even,
}

/// All steps with CUDA C++ of ladders.
fn steps(of: Ladders) -> Vec<(&'static dyn Ladder, Step)> {
    let ladders = LADDERS.iter().filter(|ladder| !ladder.is_for_cpu());
    let (first, stride) = match of {
        Ladders::All => (0, 1),
        Ladders::Odd => (0, 2),
        Ladders::Even => (1, 2),
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

/// What is wrong with a step when clang compiles it, and is not with its committed PTX.
fn problem(
    ladder: &dyn Ladder,
    step: &Step,
    is_verified: bool,
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
    if !is_verified {
        return None;
    }
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let verified = verify(&mut device, &mut *open, step, &mut module, &mut |_| {});
    verified.err().map(|failure| format!("{name}: {failure}"))
}

/// Compiles the steps of ladders, verifies those that are chosen, and says how many.
fn check(back_end: BackEnd, of: Ladders, is_chosen: impl Fn(&dyn Ladder, &Step) -> bool + Sync) {
    if clang::installed().is_empty() {
        return println!("SKIPPED: no clang here; {}", clang::INSTALL);
    }
    let all = steps(of);
    let check = |(ladder, step): &(&'static dyn Ladder, Step)| {
        // Several GPUs are needed to run some.
        let is_verified = step.elsewhere.is_none() && is_chosen(*ladder, step);
        (is_verified, problem(*ladder, step, is_verified, back_end))
    };
    let found: Vec<(bool, Option<String>)> = all.par_iter().map(check).collect();
    let verified = found.iter().filter(|(is_verified, _)| *is_verified).count();
    println!("clang compiled {} steps; {verified} of them were verified", found.len());
    let problems: Vec<String> = found.into_iter().filter_map(|(_, problem)| problem).collect();
    assert!(all.len() > 75, "only {} steps are found", all.len());
    assert!(problems.is_empty(), "{} of {}:\n{}", problems.len(), all.len(), problems.join("\n"));
}

fn is_last(ladder: &dyn Ladder, step: &Step) -> bool {
    ladder.steps().last().is_some_and(|last| last.name == step.name)
}

#[test]
fn steps_of_one_half_compile_and_the_last_of_each_ladder_is_right() {
    check(BackEnd::Clang, Ladders::Odd, is_last);
}

#[test]
fn steps_of_the_other_half_are_translated_from_llvm_ir_and_the_last_of_each_ladder_is_right() {
    check(BackEnd::Ours, Ladders::Even, is_last);
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: all steps"]
    fn every_step_is_right() {
        check(BackEnd::Clang, Ladders::All, |_, _| true);
    }

    #[test]
    #[ignore = "runs in CI as a job of its own: all steps"]
    fn every_step_is_right_when_translated_from_llvm_ir() {
        check(BackEnd::Ours, Ladders::All, |_, _| true);
    }
}

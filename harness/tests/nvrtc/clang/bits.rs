//! What clang's front end and the crate `ir` make of a kernel computes, bit for bit, what clang with its own back end makes of
//! it for the same architecture. Products and sums are fused alike, and warps take the same turns: no step is excused.

use std::error::Error;

use ladder::verify::run;

use super::*;

/// Digests of what a step computes of its first inputs, at most `most`, each of which must be right.
fn bits(
    ladder: &dyn Ladder,
    step: &Step,
    clang: &Clang,
    most: usize,
) -> Result<Vec<u64>, Box<dyn Error>> {
    let source = compiled(source(ladder, step), clang)?;
    let mut device = simulator(CodeRoute::Committed);
    let mut module = device.load(&source)?;
    let mut open = ladder.open(&Request::default())?;
    device.take_seen();
    let inputs = open.verification(step, false);
    let digest = |input| {
        let mut pass = open.place(&mut device, step, &mut module, input)?;
        run(&mut device, &mut *pass)?;
        Ok(device.take_seen().1)
    };
    inputs.into_iter().take(most).map(digest).collect()
}

/// What is wrong with a step.
fn difference(ladder: &dyn Ladder, step: &Step, most: usize) -> Option<String> {
    let name = format!("{}/{}", ladder.name(), step.name);
    let clang = &clang::installed()[0];
    let both = bits(ladder, step, clang, most)
        .and_then(|theirs| Ok((theirs, bits(ladder, step, &clang.front_end(), most)?)));
    match both {
        Ok((theirs, ours)) => {
            let at = theirs.iter().zip(&ours).position(|(theirs, ours)| theirs != ours)?;
            Some(format!("{name}: the results of input {at} have other bits"))
        }
        Err(error) => Some(format!("{name}: {error}")),
    }
}

fn check_bits(most: usize, is_chosen: impl Fn(usize) -> bool) {
    let Some(clang) = clang::installed().first() else {
        return println!("SKIPPED: no clang here; {}", clang::INSTALL);
    };
    let (ladder, step) = &steps(Ladders::All)[0];
    let ptx = |clang| compiled(source(*ladder, step), clang).expect("it compiles").ptx;
    if ptx(clang) == ptx(&clang.front_end()) {
        return println!("SKIPPED: this clang has no back end to compare with; {}", clang::INSTALL);
    }
    let on_one_gpu = steps(Ladders::All).into_iter().filter(|(_, step)| step.elsewhere.is_none());
    let chosen: Vec<_> = on_one_gpu.enumerate().filter(|(place, _)| is_chosen(*place)).collect();
    let found: Vec<String> = chosen
        .par_iter()
        .filter_map(|(_, (ladder, step))| difference(*ladder, step, most))
        .collect();
    println!("the bits of {} steps were compared", chosen.len());
    assert!(found.is_empty(), "{} of {}:\n{}", found.len(), chosen.len(), found.join("\n"));
}

#[test]
fn bits_of_a_few_steps_are_the_same_when_translated_from_llvm_ir() {
    check_bits(1, |place| place % 72 == 7);
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: all steps"]
    fn bits_of_every_step_are_the_same_when_translated_from_llvm_ir() {
        check_bits(3, |_| true);
    }
}

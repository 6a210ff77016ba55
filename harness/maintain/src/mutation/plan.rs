//! Which mutants are run.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{CodeRoute, Device, Ptx, SimulatorDevice};
use ladder::Step;
use simt::Module;
use simt::mutate::{Kind, Mutant, mutants};

use super::protocol::{Job, Task};

/// A step whose mutants are run.
pub struct Subject {
    /// The step.
    pub step: Step,
    /// Its PTX.
    pub ptx: Ptx,
    /// All mutants of the kinds asked for, accepted or not.
    pub candidates: Vec<Mutant>,
    /// How many of them are in code that verification executes.
    pub alive: usize,
    /// Which of them are run, in the order of the text.
    pub drawn: Vec<usize>,
}

impl Subject {
    /// Makes a step's mutants of some kinds. `kernels` is the folder of the ladder's.
    ///
    /// # Errors
    /// The step has no PTX that the simulator loads.
    pub fn new(
        step: Step,
        kernels: &Path,
        gpu: &simt::model::Gpu,
        kinds: &[Kind],
    ) -> Result<Subject> {
        let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
        let module = device.load(&step.source(kernels)?)?;
        let ptx = device.ptx(&module)?.clone();
        let mut candidates = mutants(&ptx.file, &ptx.text)?;
        candidates.retain(|mutant| kinds.contains(&mutant.kind));
        let alive = candidates.len();
        Ok(Subject { step, ptx, candidates, alive, drawn: Vec::new() })
    }

    /// Draws `sample` of them, or takes all, but for those in lines of which it is known that verification does not execute
    /// them: what they compute, nobody can tell.
    pub fn draw(&mut self, executed: Option<&BTreeMap<u32, u64>>, sample: Option<u64>, seed: u64) {
        let Subject { ptx, candidates, .. } = &*self;
        let is_alive = |mutant: &Mutant| {
            executed.is_none_or(|lines| lines.get(&mutant.line).is_some_and(|&count| count > 0))
        };
        let alive: Vec<usize> =
            (0..candidates.len()).filter(|&at| is_alive(&candidates[at])).collect();
        let mut drawn = match sample {
            Some(sample) => {
                let is_ptx =
                    |mutant: &Mutant| Module::parse(&ptx.file, &mutant.apply(&ptx.text)).is_ok();
                let all: Vec<&Mutant> = alive.iter().map(|&at| &candidates[at]).collect();
                draw(&all, sample, seed, is_ptx).into_iter().map(|at| alive[at]).collect()
            }
            None => alive.clone(),
        };
        drawn.sort_unstable();
        (self.alive, self.drawn) = (alive.len(), drawn);
    }

    /// What is to be found out of the step with another PTX.
    pub fn job(&self, text: String, task: Task) -> Job {
        Job { step: self.step.name.to_owned(), text, task }
    }

    /// The mutants that are run.
    pub fn mutants(&self) -> impl Iterator<Item = &Mutant> {
        self.drawn.iter().map(|&at| &self.candidates[at])
    }
}

/// Draws so many of them that are accepted, or all. The kinds alternate, so that rare ones are drawn as often as others.
fn draw(all: &[&Mutant], sample: u64, seed: u64, accepts: impl Fn(&Mutant) -> bool) -> Vec<usize> {
    let mut numbers = ChaCha8Rng::seed_from_u64(seed);
    let mut of_kinds: Vec<Vec<usize>> = Kind::ALL
        .iter()
        .map(|kind| (0..all.len()).filter(|&at| all[at].kind == *kind).collect())
        .collect();
    let mut drawn = Vec::new();
    while of_kinds.iter().any(|left| !left.is_empty()) {
        for left in &mut of_kinds {
            // The next of its kind that is accepted.
            while !left.is_empty() {
                if drawn.len() as u64 == sample {
                    return drawn;
                }
                let at = left.swap_remove((numbers.next_u64() % left.len() as u64) as usize);
                if accepts(all[at]) {
                    drawn.push(at);
                    break;
                }
            }
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        .version 7.8
        .target sm_50
        .address_size 64
        .visible .entry k(.param .u64 p) {
            .reg .f32 %f<9>; .reg .b64 %rd<4>;
            ld.global.f32 %f1, [%rd1];
            fma.rn.f32 %f2, %f1, %f3, %f4;
            sub.f32 %f5, %f2, %f1;
            bar.sync 0;
            st.global.f32 [%rd1], %f5;
            ret;
        }";

    #[test]
    fn kinds_alternate_and_a_seed_repeats_its_sample() {
        let all = mutants("k.ptx", TEXT).expect("PTX");
        let all: Vec<&Mutant> = all.iter().collect();
        let kinds = |drawn: &[usize]| {
            let mut kinds: Vec<Kind> = drawn.iter().map(|&at| all[at].kind).collect();
            kinds.sort_unstable();
            kinds
        };
        let drawn = draw(&all, 6, 1, |_| true);
        let expected =
            [Kind::Drop, Kind::Swap, Kind::Offset, Kind::Barrier, Kind::Operation, Kind::Register];
        assert_eq!(kinds(&drawn), expected);
        assert_eq!(drawn, draw(&all, 6, 1, |_| true));
        assert_ne!(drawn, draw(&all, 6, 2, |_| true));
        let mut everything = draw(&all, u64::MAX, 1, |_| true);
        everything.sort_unstable();
        assert_eq!(everything, (0..all.len()).collect::<Vec<_>>());
        assert_eq!(kinds(&draw(&all, 9, 1, |it| it.kind == Kind::Barrier)), [Kind::Barrier]);
    }
}

//! What an exercise's own solution does: the measure of results, and of how the work is divided. It is compiled once and run
//! once with each case, however many files are held against it.

use std::rc::Rc;

use anyhow::Result;
use device::Source;
use launches::explain::running::{self, Task};
use launches::facts::Facts;
use simt::model::Gpu;

use super::case::Case;
use super::code::{Files, Refusal};
use super::exercise::Exercise;
use super::trial::{Stop, Trial, Trials};

/// The measure of an exercise.
pub struct Measure<'e> {
    /// Whose solution it is.
    pub exercise: &'e Exercise,
    solution: Option<Trials<'e>>,
    known: Vec<(Case, Rc<Trial>)>,
    /// What a pass of the step does whose kernel is the solution.
    of_step: Option<Facts>,
}

impl<'e> Measure<'e> {
    /// That of an exercise, of which nothing is read yet.
    pub fn new(exercise: &'e Exercise) -> Measure<'e> {
        Measure { exercise, solution: None, known: Vec::new(), of_step: None }
    }

    /// Compiles the solution, under the name of a reader's file: that is what cannot be compiled where nothing can.
    pub(super) fn load(&mut self, name: &str, gpu: &Gpu) -> Result<(), Refusal> {
        if self.solution.is_none() {
            let Files { readers, numbers } =
                Files::read(self.exercise, &self.exercise.solution()?)?;
            let source = Source { name: name.to_owned(), ..readers };
            self.solution = Some(Trials::load(self.exercise, source, gpu, numbers)?);
        }
        Ok(())
    }

    /// What the solution leaves behind and does with a case.
    ///
    /// # Errors
    /// It was not loaded, or is no measure: it fails, or has a hazard.
    pub(super) fn run(&mut self, case: &Case) -> Result<Rc<Trial>, Refusal> {
        if let Some((_, trial)) = self.known.iter().find(|(known, _)| known == case) {
            return Ok(Rc::clone(trial));
        }
        let name = &self.exercise.name;
        let fails = |stop| {
            let why = match stop {
                Stop::Kernel(error) => anyhow::Error::from(error),
                Stop::Launch(why) => anyhow::Error::msg(why),
                Stop::Exercise(error) => error,
            };
            Refusal::Exercise(why.context(format!("{name}: its solution fails at size {}", case.n)))
        };
        let solution = self.solution.as_mut().ok_or_else(|| anyhow::anyhow!("not loaded"))?;
        let trial = Rc::new(solution.run(case).map_err(fails)?);
        trial.hazards().map_err(|error| fails(error.into()))?;
        self.known.push((case.clone(), Rc::clone(&trial)));
        Ok(trial)
    }

    /// What a pass of the solution does that is the kernel of a step; none where the exercise does not ask for it.
    pub(super) fn of_step(&mut self, task: &Task, solution: &Source) -> Result<Option<Facts>> {
        if self.of_step.is_none() && self.exercise.is_parallel() {
            self.of_step = Some(running::run_source(task, solution, solution)?.facts);
        }
        Ok(self.of_step.clone())
    }
}

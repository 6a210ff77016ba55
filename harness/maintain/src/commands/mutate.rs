//! `mutate`: mutation testing of the verification: small mistakes in the steps' kernels, each of which it must find.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use device::DEFAULT_GPU;
use harness::progress::bar;
use ladder::Ladder;
use report::mutation::{Mutant, Mutation, Row, SCHEMA, Survivor};
use report::today;
use show::table::terminal;
use simt::mutate::{self, Kind};
use ui::output::{print, say};
use ui::{Usage, count};

use crate::mutation::equivalent::Known;
use crate::mutation::executed;
use crate::mutation::plan::Subject;
use crate::mutation::protocol::{Event, Setup, Task};
use crate::mutation::saved::Saved;
use crate::mutation::workers;

/// At most 78 columns wide.
pub(crate) const MUTATE_EXAMPLES: &str = "\
A mutant is a step's PTX with one small mistake. The simulator verifies it as
`run` verifies the step: every mutant must be found (killed). One that passes
shows what verification does not see, or computes the same (is equivalent).

Kinds of mistakes:
  drop       a store or a computation is left out
  swap       two operands change places          a - b         b - a
  constant   an immediate is off                 4             5, 3, 8, 0
  offset     an address is 4 bytes off           [p+4]         [p+8], [p]
  predicate  a comparison or a guard             i < n         i <= n
  shuffle    lanes exchange with others          bfly 1        down 1, bfly 2
  barrier    a barrier, fence or wait is left out
  round      a loop ends after one round, or runs once more
  operation  another operation                   a + b         a - b
  register   the register next to the right one  %f7           %f8, %f6

Examples (`maintain` is short for `cargo run -p maintain --`):
  maintain mutate nbody 06               30 mutants of step 06
  maintain mutate nbody 06 07 --all      all mutants of two steps, some minutes
  maintain mutate --kinds barrier,round --sample 200
                                         of each step these kinds
  maintain mutate --sample 100 --save reports/mutation/nbody.json
                                         all steps, for a release
  maintain --compiler clang mutate scan  mutants of the PTX that clang makes

A mutant that computes the same is listed with its reason in
reports/mutation/<ladder>.toml, one of clang's PTX in <ladder>-clang.toml;
harness/maintain/src/mutation/equivalent.rs describes an entry. What is not
listed there has survived.
Ctrl-C ends the run with what is done.
Exit codes: 0 every mutant was killed or is listed; 1 some survived, or one
that is listed was killed, or an error; 2 usage";

/// Which mutants.
#[derive(Debug, Args)]
pub struct MutateArgs {
    /// The ladder
    #[arg(default_value = "nbody")]
    pub ladder: String,
    /// Steps, by number, name or folder: `05`, `rsqrt`, `01..06` [default: all]
    #[arg(value_name = "STEP")]
    pub steps: Vec<String>,
    /// Kinds of mistakes, separated by commas [default: all]
    #[arg(short, long, value_name = "LIST", value_delimiter = ',', value_parser = kind)]
    pub kinds: Vec<Kind>,
    /// Mutants that are drawn of each step, of every kind as many where there are enough
    #[arg(short = 'n', long, value_name = "N", default_value_t = 30, value_parser = count::parse)]
    pub sample: u64,
    /// All mutants of each step: thousands
    #[arg(short, long, conflicts_with = "sample")]
    pub all: bool,
    /// Seed of the drawing, and of the inputs that verification draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Where the report is written as JSON; if it is there and steps are named, rows of others are kept
    #[arg(short, long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Mutants that are verified at a time [default: one for each core]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub threads: Option<u32>,
    /// The GPU that is simulated: a name of `cargo run -p harness -- gpus`, or a TOML file
    #[arg(short, long, value_name = "GPU", default_value = DEFAULT_GPU)]
    pub gpu: String,
}

fn kind(name: &str) -> Result<Kind, String> {
    name.trim().parse().map_err(|error: mutate::UnknownKind| error.to_string())
}

/// Runs the mutants and shows their outcomes.
///
/// # Errors
/// A ladder, step or GPU that is not there; a step that does not verify as it is; a file that cannot be written.
pub fn run(args: &MutateArgs) -> Result<ExitCode> {
    let began = Instant::now();
    let ladder = ladders::ladder_of_kernels(&args.ladder, "mutate")?;
    let save = args.save.as_deref().map(|file| Saved::at(file, !args.steps.is_empty()));
    let save = save.transpose()?;
    let mut subjects = subjects(args, ladder)?;
    let known = Known::of(ladder.name())?;
    let stop = Arc::new(AtomicBool::new(false));
    let asked = stop.clone();
    ctrlc::set_handler(move || asked.store(true, Ordering::Relaxed))
        .context("cannot take over Ctrl-C")?;
    let threads = args.threads.map_or_else(cores, |threads| threads as usize);
    let setup = Setup { ladder: ladder.name().to_owned(), gpu: args.gpu.clone(), seed: args.seed };
    let executed = executed::lines(&setup, threads, &subjects, &stop)?;
    for (subject, executed) in subjects.iter_mut().zip(executed) {
        subject.draw(executed.as_ref(), (!args.all).then_some(args.sample), args.seed);
    }
    let stale = subjects.iter().flat_map(|subject| stale(subject, &known, &args.kinds));
    let refuted = stale.collect();
    let mut run = Run { subjects: &subjects, known: &known, setup, threads, stop, refuted };
    let report = run.report(args, ladder)?;
    let width = terminal::width();
    let survivors: String =
        report.survivors.iter().map(|it| format!("{}\n", show::mutation::survivor(it))).collect();
    if !survivors.is_empty() {
        print(&format!("Survived:\n\n{survivors}\n"))?;
    }
    print(&show::mutation::table(&report).terminal(width))?;
    let sentence = show::mutation::sentence(&report);
    let took = format!("{sentence} It took {:.0} s.", began.elapsed().as_secs_f64());
    print(&format!("\n{}\n", terminal::wrap(&took, width)))?;
    run.refuted.iter().for_each(|wrong| say(wrong));
    let good = report.survivors.is_empty() && run.refuted.is_empty() && !report.interrupted;
    if let Some(save) = save {
        let steps: Vec<&str> = ladder.steps().iter().map(|step| step.name).collect();
        save.write(report, &steps)?;
    }
    Ok(ExitCode::from(u8::from(!good)))
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// The steps that are asked for, with their mutants.
fn subjects(args: &MutateArgs, ladder: &dyn Ladder) -> Result<Vec<Subject>> {
    let steps = match args.steps.as_slice() {
        [] => ladder.steps(),
        list => ladders::steps(ladder, &list.join(","))?,
    };
    let kinds = if args.kinds.is_empty() { Kind::ALL.to_vec() } else { args.kinds.clone() };
    let kernels = ladder.kernels()?;
    let gpu = device::described(&args.gpu).map_err(Usage::of)?;
    steps.into_iter().map(|step| Subject::new(step, &kernels, &gpu, &kinds)).collect()
}

/// What the list of equivalent mutants says of mutants that a step no longer has, among those of some kinds; none means
/// all kinds.
fn stale(subject: &Subject, known: &Known, kinds: &[Kind]) -> Vec<String> {
    let step = subject.step.name;
    let all: Vec<(Mutant, u32)> =
        subject.candidates.iter().map(|it| (named(step, it), it.line)).collect();
    let has = |mutant: &Mutant, line: Option<u32>| {
        all.iter().any(|(own, at)| own == mutant && line.is_none_or(|line| line == *at))
    };
    let is_asked = |kind: &str| kinds.is_empty() || kinds.iter().any(|it| it.to_string() == kind);
    known.stale(step, |mutant, line| !is_asked(&mutant.kind) || has(mutant, line))
}

/// A mutant as reports name it.
fn named(step: &str, mutant: &mutate::Mutant) -> Mutant {
    Mutant {
        step: step.to_owned(),
        kernel: mutant.kernel.clone(),
        kind: mutant.kind.to_string(),
        original: mutant.original.clone(),
        mutant: mutant.changed.clone(),
    }
}

/// A run of mutants.
struct Run<'r> {
    subjects: &'r [Subject],
    known: &'r Known,
    setup: Setup,
    threads: usize,
    stop: Arc<AtomicBool>,
    /// What is wrong with the list of equivalent mutants.
    refuted: Vec<String>,
}

/// A mutant of the subject of this number.
type Trial<'r> = (usize, &'r mutate::Mutant);

impl<'r> Run<'r> {
    fn report(&mut self, args: &MutateArgs, ladder: &dyn Ladder) -> Result<Mutation> {
        let took = self.as_they_are()?;
        let mut rows: Vec<Row> = self.subjects.iter().map(row).collect();
        let passed = self.verify(&took, &mut rows)?;
        let (mut equivalents, mut unknown) = (Vec::new(), Vec::new());
        for (at, mutant) in passed {
            match self.known.reason(&named(self.subjects[at].step.name, mutant), mutant.line) {
                Some(known) => {
                    rows[at].equivalent += 1;
                    equivalents.push(known.clone());
                }
                None => unknown.push((at, mutant)),
            }
        }
        let survivors = self.look(unknown, &mut rows)?;
        let kinds = if args.kinds.is_empty() { &Kind::ALL[..] } else { &args.kinds };
        Ok(Mutation {
            schema: SCHEMA,
            date: today(),
            revision: ladder::revision(),
            ladder: ladder.name().to_owned(),
            sample: (!args.all).then_some(args.sample),
            seed: args.seed,
            kinds: kinds.iter().map(ToString::to_string).collect(),
            interrupted: self.stop.load(Ordering::Relaxed),
            rows,
            survivors,
            equivalents,
        })
    }

    /// Verifies the steps as they are: what each input of each takes.
    fn as_they_are(&self) -> Result<Vec<Vec<Duration>>> {
        let bar = bar(self.subjects.len(), "verifying the steps as they are");
        let jobs: Vec<usize> = (0..self.subjects.len()).collect();
        let mut took = vec![Vec::new(); jobs.len()];
        let job = |&at: &usize| {
            let subject = &self.subjects[at];
            (subject.job(subject.ptx.text.clone(), Task::Verify), &[][..])
        };
        workers::run(&self.setup, self.threads, &jobs, job, &self.stop, &mut |&at, answer| {
            let step = self.subjects[at].step.name;
            match answer.event {
                Event::Verified => took[at] = answer.took,
                Event::Killed { why, .. } | Event::NotPtx(why) => {
                    bail!("{step} does not verify as it is, so its mutants say nothing: {why}")
                }
                Event::Doing(_) | Event::Looked { .. } => bail!("{step}: an answer to no question"),
            }
            bar.inc(1);
            Ok(())
        })?;
        bar.finish_and_clear();
        Ok(took)
    }

    /// Verifies the mutants: counts those that are killed, and gives those that passed.
    fn verify(&mut self, took: &[Vec<Duration>], rows: &mut [Row]) -> Result<Vec<Trial<'r>>> {
        let subjects = self.subjects;
        let of = |(at, subject): (usize, &'r Subject)| subject.mutants().map(move |it| (at, it));
        let trials: Vec<Trial> = subjects.iter().enumerate().flat_map(of).collect();
        let bar = bar(trials.len(), "");
        let mut passed = Vec::new();
        let mut left: Vec<usize> = subjects.iter().map(|subject| subject.drawn.len()).collect();
        let (known, refuted) = (self.known, &mut self.refuted);
        let job = |&(at, mutant): &Trial| {
            let subject = &subjects[at];
            (subject.job(mutant.apply(&subject.ptx.text), Task::Verify), took[at].as_slice())
        };
        let mut hear = |&(at, mutant): &Trial<'r>, answer: workers::Answer| {
            bar.inc(1);
            bar.set_message(rows[at].step.clone());
            left[at] -= 1;
            match answer.event {
                Event::Verified => {
                    rows[at].mutants += 1;
                    passed.push((at, mutant));
                }
                Event::Killed { cause, why } => {
                    rows[at].mutants += 1;
                    rows[at].killed.count(cause);
                    refuted.extend(known.refuted(
                        &named(&rows[at].step, mutant),
                        mutant.line,
                        &why,
                    ));
                }
                // What is no PTX is no mutant.
                Event::NotPtx(_) | Event::Doing(_) | Event::Looked { .. } => {}
            }
            if left[at] == 0 {
                let Row { step, mutants, killed, .. } = &rows[at];
                let line = format!("{step:<24} {} of {mutants} mutants killed", killed.all());
                if bar.is_hidden() { say(&line) } else { bar.println(line) }
            }
            Ok(())
        };
        workers::run(&self.setup, self.threads, &trials, job, &self.stop, &mut hear)?;
        bar.finish_and_clear();
        passed.sort_by_key(|(at, mutant)| (*at, mutant.line));
        Ok(passed)
    }

    /// Looks at what is special about mutants that passed, once more in another order; one that this kills has not
    /// survived.
    fn look(&self, passed: Vec<Trial<'r>>, rows: &mut [Row]) -> Result<Vec<Survivor>> {
        // The steps themselves, then their mutants.
        let is_alone = |at: &usize| self.subjects[*at].step.elsewhere.is_none();
        let mut own: Vec<usize> = passed.iter().map(|(at, _)| *at).filter(is_alone).collect();
        own.dedup();
        let own = own.into_iter().map(|at| (at, None));
        let mutants = passed.iter().enumerate().filter(|(_, (at, _))| is_alone(at));
        let jobs: Vec<(usize, Option<usize>)> =
            own.chain(mutants.map(|(place, (at, _))| (*at, Some(place)))).collect();
        let bar = bar(jobs.len(), "looking at those that passed");
        let mut seen = HashMap::new();
        let job = |&(at, place): &(usize, Option<usize>)| {
            let subject = &self.subjects[at];
            let text = match place {
                Some(place) => passed[place].1.apply(&subject.ptx.text),
                None => subject.ptx.text.clone(),
            };
            (subject.job(text, Task::Look), &[][..])
        };
        let mut killed = HashSet::new();
        workers::run(&self.setup, self.threads, &jobs, job, &self.stop, &mut |key, answer| {
            bar.inc(1);
            match (answer.event, *key) {
                (Event::Looked { bits, executed }, key) => drop(seen.insert(key, (bits, executed))),
                (Event::Killed { cause, .. }, (at, Some(place))) => {
                    rows[at].killed.count(cause);
                    killed.insert(place);
                }
                (Event::Killed { why, .. }, (at, None)) => {
                    bail!("{} does not verify in the order of its blocks: {why}", rows[at].step)
                }
                _ => {}
            }
            Ok(())
        })?;
        bar.finish_and_clear();
        let survived = passed.iter().enumerate().filter(|(place, _)| !killed.contains(place));
        let survivor = |(place, (at, mutant)): (usize, &Trial)| {
            rows[*at].survived += 1;
            let own = seen.get(&(*at, None));
            let bits = own.zip(seen.get(&(*at, Some(place)))).map(|((own, _), (bits, _))| {
                let other = own.iter().zip(bits).filter(|(own, bits)| own != bits).count();
                (other.max(own.len().abs_diff(bits.len())) as u64, own.len() as u64)
            });
            let source = mutant.source.as_ref();
            Survivor {
                mutant: named(self.subjects[*at].step.name, mutant),
                line: mutant.line,
                source: source
                    .map(|line| format!("{}:{}", line.file.trim_start_matches('/'), line.line)),
                executed: own.map(|(_, executed)| executed.get(&mutant.line).copied().unwrap_or(0)),
                differs: bits,
            }
        };
        Ok(survived.map(survivor).collect())
    }
}

fn row(subject: &Subject) -> Row {
    let candidates = subject.alive as u64;
    Row { step: subject.step.name.to_owned(), candidates, ..Row::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ladder::workspace;
    use rayon::prelude::*;

    #[test]
    fn the_committed_lists_name_mutants_that_the_steps_have() {
        let gpu = device::described(DEFAULT_GPU).expect("a GPU");
        let root = workspace::root().expect("the workspace");
        let here = ladders::LADDERS.par_iter().filter(|ladder| !ladder.is_for_cpu());
        here.for_each(|ladder| {
            let known = Known::read(&root, ladder.name()).expect("a list, or none");
            let kernels = ladder.kernels().expect("its kernels");
            for step in ladder.steps() {
                if known.stale(step.name, |_, _| false).is_empty() {
                    continue;
                }
                let subject = Subject::new(step, &kernels, &gpu, &Kind::ALL);
                let subject = subject.expect("its mutants");
                assert_eq!(stale(&subject, &known, &[]), Vec::<String>::new());
            }
        });
    }
}

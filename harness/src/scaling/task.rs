//! What a run of `scale` has to do, and the work on one step with one number of GPUs.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use device::nccl::Nccl;
use device::{Choice, Launched, job};
use ladder::problem::Growth;
use ladder::{Ladder, Step};
use processes::Interrupt;
use report::files::Scratch;
use report::scaling::{Row, SCHEMA, Scaling};
use report::{Outcome, reason, today};
use ui::output::{explain, say};

use super::kept::{Asked, Run};
use super::plan::{self, Place, Request};
use super::worker::{self, Event};
use crate::device_lock::DeviceLock;
use crate::folder::Folder;

/// What is to be run, and where.
pub struct Task {
    /// The ladder of the steps.
    pub ladder: &'static dyn Ladder,
    /// One after the other.
    pub steps: Vec<Step>,
    /// The options of the run.
    pub asked: Asked,
    /// This process among those of a launcher.
    pub place: Option<Launched>,
    /// GPUs of this machine.
    pub here: usize,
    /// The folder where processes of a launcher find each other.
    pub rendezvous: Option<PathBuf>,
    /// How long a step may make no progress.
    pub deadline: Duration,
    /// Decides what is random in verification.
    pub seed: u64,
    /// How what is computed grows with the size.
    pub growth: Growth,
}

impl Task {
    /// A run without rows.
    pub fn nothing(&self) -> Run {
        let report = Scaling {
            schema: SCHEMA,
            date: today(),
            revision: ladder::revision(),
            machine: ladder::machine(),
            figure: self.ladder.figure(),
            gpu: None,
            driver: None,
            exchange: None,
            launched: self.place.is_some(),
            sizes: self.asked.sizes.clone(),
            weak: self.asked.weak,
            seed: self.seed,
            rows: Vec::new(),
        };
        Run { asked: self.asked.clone(), report, is_lost: false }
    }

    /// Locks of the GPUs that are used. Under a launcher the site sees to that: processes that each see another GPU
    /// as their first would wait for each other.
    pub fn locks(&self, interrupt: &Interrupt) -> Vec<DeviceLock> {
        if self.asked.is_simulated || self.place.is_some() {
            return Vec::new();
        }
        let own = 0..self.here.min(self.asked.gpus.iter().copied().max().unwrap_or(1) as usize);
        let wait = || say("waiting: another run uses a GPU of this machine");
        let stop = || interrupt.is_asked();
        own.map(|gpu| DeviceLock::take(&Choice::Cuda(gpu).to_string(), &mut { wait }, &stop))
            .collect()
    }

    /// Runs a step on so many GPUs at the sizes that have no row yet; `out` keeps what is finished.
    pub fn step(
        &self,
        step: &Step,
        gpus: u32,
        run: &mut Run,
        out: Option<&Folder>,
        interrupt: &Interrupt,
    ) -> Result<()> {
        let mut points = plan::points(&self.asked.sizes, self.asked.weak, gpus, self.growth);
        let rows = &mut run.report.rows;
        points.retain(|point| {
            !rows.iter().any(|row| {
                row.step == step.name && (row.gpus, (row.series, row.n)) == (gpus, *point)
            })
        });
        if points.is_empty() {
            return Ok(());
        }
        if let Some(reason) = self.lacks(gpus) {
            let row = |point| Row::untimed(step.name, gpus, point, Outcome::Skipped, &reason);
            rows.extend(points.into_iter().map(row));
            return Ok(());
        }
        let (folder, _own) = self.meeting(step, gpus)?;
        let request = Request {
            ladder: self.ladder.name().to_owned(),
            step: step.name.to_owned(),
            device: if self.asked.is_simulated { "simt" } else { "cuda" }.to_owned(),
            model: self.asked.model.clone(),
            code: self.asked.code.clone(),
            gpus,
            here: self.here.max(1),
            // A process that sees no GPU but its own has it as its first.
            place: self
                .place
                .map(|place| Place { rank: place.rank, local: place.local % self.here.max(1) }),
            folder,
            points,
            seed: run.report.seed,
            samples: self.asked.samples,
            sample_seconds: f64::from(self.asked.sample_ms) / 1e3,
            patience_seconds: self.deadline.as_secs(),
            link: self.asked.link,
        };
        worker::run(&request, self.deadline, interrupt, &mut |event| match event {
            Event::Met { gpu, driver, exchange } => {
                run.report.gpu = Some(gpu);
                run.report.driver = driver;
                if gpus > 1 {
                    run.report.exchange = Some(exchange);
                }
            }
            Event::Row(mut row) => {
                if self.place.is_none_or(|place| place.rank == 0) {
                    let of = format!("{} on {gpus} {} {}", row.step, row.series.word(), row.n);
                    let whole = |reason: String| match out {
                        Some(folder) => reason::shorten(&reason, folder.path(), &of),
                        None => reason,
                    };
                    row.reason = row.reason.map(whole);
                    say(&row.to_string());
                }
                run.report.rows.push(*row);
                if let Some(folder) = out.filter(|_| self.place.is_none()) {
                    run.keep(folder);
                }
            }
            Event::Doing(_) | Event::Ended { .. } => {}
        })
    }

    /// Why so many GPUs cannot be used here, and what to do.
    fn lacks(&self, gpus: u32) -> Option<String> {
        if self.asked.is_simulated || self.asked.link.is_some() {
            return None;
        }
        let wanted = if self.place.is_some() { 1 } else { gpus as usize };
        if wanted > self.here {
            let here = self.here;
            let plural = if here == 1 { "" } else { "s" };
            return Some(format!(
                "this machine has {here} GPU{plural}; predict what {gpus} would take: --predict; or simulate them: \
                 --device simt --gpus {gpus}"
            ));
        }
        let missing = (gpus > 1).then(|| Nccl::find().err()).flatten()?;
        Some(explain(&anyhow::Error::new(missing)))
    }

    /// Where GPUs find each other: a folder of their own, that is removed at the end, or below the one that was named.
    fn meeting(&self, step: &Step, gpus: u32) -> Result<(PathBuf, Option<Scratch>)> {
        let Some(rendezvous) = self.rendezvous.as_ref().filter(|_| self.place.is_some()) else {
            let folder = Scratch::new().context("cannot make the rendezvous folder")?;
            return Ok((folder.path().to_owned(), Some(folder)));
        };
        let folder = rendezvous.join(format!("{}-{}-{gpus}", job(variable), step.name));
        let folder = std::path::absolute(&folder).unwrap_or(folder);
        let made = || format!("cannot make {}; name a folder that all see", folder.display());
        fs::create_dir_all(&folder).with_context(made)?;
        Ok((folder, None))
    }
}

/// A variable of the environment.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

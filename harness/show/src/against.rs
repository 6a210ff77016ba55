//! A GPU against a CPU: the steps of the n-body ladder and those of the CPU's ladder on one scale.
//!
//! "So many times faster than a CPU" says little before one knows than what. So each step is held
//! against three opponents: the tutorial's loop on one thread ([`Against::thread`]), the fastest
//! step on one thread ([`Against::fastest_thread`]), and the fastest of all ([`Against::best`]).
//! [`folder`] finds the two reports, [`words`] says it in sentences, [`table`] as Markdown;
//! [`crate::plot`] draws it and [`crate::html`] shows both.

pub mod folder;
pub mod table;
#[cfg(test)]
mod tests;
pub mod words;

use anyhow::Result;
use report::{Machine, Report, Row};

use crate::plot::scene::{Scene, is_modelled};
use crate::published::Line;

/// The ladder whose steps run on a GPU.
pub const GPU_LADDER: &str = "nbody";
/// The ladder whose steps run on a CPU.
pub const CPU_LADDER: &str = "cpu";

/// The two ladders, and what each step is compared with.
#[derive(Debug, Clone)]
pub struct Against {
    /// The GPU and its verified steps, in the ladder's order; at least one.
    pub gpu: Side,
    /// The CPU and its verified steps, in the ladder's order; at least one.
    pub cpu: Side,
    /// Place of the first step of the CPU's ladder, the tutorial's loop on one thread; none where
    /// it was not run, or has no time.
    pub thread: Option<usize>,
    /// Place of the fastest kept step on one thread; none where threads are not known.
    pub fastest_thread: Option<usize>,
    /// Place of the fastest kept step; where only detours have times, the fastest of these.
    pub best: usize,
}

/// One processor and what it did.
#[derive(Debug, Clone)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// The computer of the report.
    pub machine: Machine,
    /// Day of the report.
    pub date: String,
    /// Day and revision of the report.
    pub source: String,
    /// Its verified steps.
    pub steps: Vec<Entry>,
}

/// The rate of one step.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Name of the ladder.
    pub ladder: String,
    /// The step's folder.
    pub step: String,
    /// Its idea in a word or two.
    pub title: String,
    /// Tried and not kept.
    pub detour: bool,
    /// Whether it comes from no other step.
    pub first: bool,
    /// Whether its time is the model's.
    pub modelled: bool,
    /// Threads of the processor; none on a GPU.
    pub threads: Option<u32>,
    /// Bodies.
    pub n: u64,
    /// Interactions per second with that many.
    pub rate: f64,
    /// Relative error (rms) of its accelerations.
    pub error: Option<f64>,
    /// What the tutorial published for it.
    pub published: Vec<Published>,
}

/// How many times one CPU thread a step was for the tutorial.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// The GPU as the tutorial calls it.
    pub gpu: String,
    /// The slide.
    pub slide: u32,
    /// How many times one thread of the CPU beside it.
    pub times: f64,
    /// As printed: "107.5", "1/72.4".
    pub text: String,
    /// Bodies; none where the slide does not state them.
    pub n: Option<u64>,
}

impl Against {
    /// What two reports say; none where one of them has no verified step, or is of another ladder.
    ///
    /// # Errors
    /// A published ratio is no number.
    pub fn of(gpu: &Report, cpu: &Report, lines: &[Line]) -> Result<Option<Against>> {
        let mut gpu = Side { name: Scene::of(gpu).device, ..Side::of(gpu, GPU_LADDER) };
        let cpu = Side::of(cpu, CPU_LADDER);
        for line in lines {
            let Some(times) = line.times_cpu_thread()? else { continue };
            if let Some(entry) = gpu.steps.iter_mut().find(|entry| entry.step == line.step) {
                let (gpu, text) = (line.gpu.clone(), line.ratio.clone());
                entry.published.push(Published { gpu, slide: line.slide, times, text, n: line.n });
            }
        }
        let (Some(best), false) = (cpu.fastest(&|_| true), gpu.steps.is_empty()) else {
            return Ok(None);
        };
        let is_first = |entry: &Entry| entry.first && entry.threads.is_none_or(|it| it == 1);
        Ok(Some(Against {
            thread: cpu.steps.iter().position(is_first),
            fastest_thread: cpu.fastest(&|entry| entry.threads == Some(1)),
            best,
            gpu,
            cpu,
        }))
    }

    /// The tutorial's loop on one thread.
    pub fn thread(&self) -> Option<&Entry> {
        self.cpu.steps.get(self.thread?)
    }

    /// The fastest step on one thread.
    pub fn fastest_thread(&self) -> Option<&Entry> {
        self.cpu.steps.get(self.fastest_thread?)
    }

    /// The fastest step of the CPU.
    pub fn best(&self) -> &Entry {
        &self.cpu.steps[self.best]
    }

    /// The fastest detour of the CPU, where it outruns the best step.
    pub fn faster_detour(&self) -> Option<&Entry> {
        let detours = self.cpu.steps.iter().filter(|entry| entry.detour);
        let fastest = detours.max_by(|a, b| a.rate.total_cmp(&b.rate));
        fastest.filter(|entry| entry.rate > self.best().rate)
    }

    /// The GPU's step of which is told: the fastest kept one.
    pub fn top(&self) -> &Entry {
        &self.gpu.steps[self.gpu.fastest(&|_| true).unwrap_or(0)]
    }

    /// How many times as fast as the tutorial's loop on one thread, the fastest step on one thread, and the
    /// best step of the CPU.
    pub fn times(&self, entry: &Entry) -> [Option<f64>; 3] {
        let opponents = [self.thread(), self.fastest_thread(), Some(self.best())];
        opponents.map(|opponent| Some(entry.rate / opponent?.rate))
    }

    /// Whether some of the GPU's times are the model's, and whether all are.
    pub fn modelled(&self) -> (bool, bool) {
        let mut steps = self.gpu.steps.iter();
        (steps.clone().any(|entry| entry.modelled), steps.all(|entry| entry.modelled))
    }

    /// The GPU as it stands in a message: what is only modelled is said to be.
    pub fn gpu_name(&self, entry: &Entry) -> String {
        let name = &self.gpu.name;
        if entry.modelled { format!("a modelled {name}") } else { name.clone() }
    }
}

impl Side {
    fn of(report: &Report, ladder: &str) -> Side {
        let rows = report.rows.iter();
        let rows = rows.filter(|row| row.ladder == ladder && row.is_own());
        let of_device = report.device.as_ref().map(|device| device.name.clone());
        let name = of_device.or_else(|| report.machine.cpu.clone());
        Side {
            name: name.unwrap_or_else(|| "a processor without a name".to_owned()),
            machine: report.machine.clone(),
            date: report.date.clone(),
            source: Scene::of(report).source,
            steps: rows.filter_map(Entry::of).collect(),
        }
    }

    /// The place of the fastest kept step of these; of the fastest detour where nothing was kept.
    fn fastest(&self, is_meant: &dyn Fn(&Entry) -> bool) -> Option<usize> {
        let steps = self.steps.iter().enumerate().filter(|(_, entry)| is_meant(entry));
        let key = |entry: &Entry| (!entry.detour, entry.rate);
        let order = |a: &Entry, b: &Entry| {
            let ((kept, rate), (other, faster)) = (key(a), key(b));
            kept.cmp(&other).then(rate.total_cmp(&faster))
        };
        steps.max_by(|(_, a), (_, b)| order(a, b)).map(|(place, _)| place)
    }

    /// The number of bodies of most steps; the greater of two that are as frequent.
    pub fn usual_n(&self) -> Option<u64> {
        let sizes = || self.steps.iter().map(|entry| entry.n);
        sizes().max_by_key(|&n| (sizes().filter(|&other| other == n).count(), n))
    }
}

impl Entry {
    fn of(row: &Row) -> Option<Entry> {
        let timed = row.main().filter(|_| row.outcome.is_verified())?;
        let rate = timed.interactions_per_second();
        (rate.is_normal() && rate > 0.0).then(|| Entry {
            ladder: row.ladder.clone(),
            step: row.step.clone(),
            title: row.title.clone(),
            detour: row.detour,
            first: row.after.is_none(),
            modelled: is_modelled(row),
            threads: row.threads,
            n: timed.n,
            rate,
            error: timed.accuracy.rms,
            published: Vec::new(),
        })
    }
}

//! A GPU against a CPU: the steps of two ladders that do the same work, on one scale.
//!
//! "So many times faster than a CPU" says little unless we know which code the CPU ran. So each step
//! is compared with three opponents: the CPU ladder's first step on one thread
//! ([`Against::thread`]), the fastest step on one thread ([`Against::fastest_thread`]), and the
//! fastest of all ([`Against::best`]).

mod folder;
mod words;

use crate::provenance::Provenance;
use crate::published::Published;
use crate::statistics::{Interval, commonest, unpaired};
use crate::{CONFIDENCE, Figure, Machine, Report, Row};

pub use folder::{Pair, partner};
pub use words::{OPPONENTS, times};

/// The two ladders, and what each step is compared with.
#[derive(Debug, Clone)]
pub struct Against {
    /// What all rates are.
    pub figure: Figure,
    /// The document whose figures [`Entry::published`] are.
    pub published: Published,
    /// The GPU and its verified steps, in the ladder's order; at least one.
    pub gpu: Side,
    /// The CPU and its verified steps, in the ladder's order; at least one.
    pub cpu: Side,
    /// Place of the first step of the CPU's ladder, where that ran on one thread; none
    /// where it was not run, or has no time.
    pub thread: Option<usize>,
    /// Place of the fastest kept step on one thread; none where threads are not known.
    pub fastest_thread: Option<usize>,
    /// Place of the fastest kept step; where only detours have times, the fastest of these.
    pub best: usize,
}

/// One processor and what it did.
#[derive(Debug, Clone)]
pub struct Side {
    /// Name of the processor.
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
    /// Whether it ran on the CPU.
    pub on_cpu: bool,
    /// Name of the step's folder, such as "05-rsqrt".
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
    /// The step's own size.
    pub n: u64,
    /// Units of work per second there.
    pub rate: f64,
    /// Seconds of one unit of work, sample by sample; none where the time is modelled.
    samples: Vec<f64>,
    /// Relative error (rms) of its results.
    pub error: Option<f64>,
    /// What was published for it.
    pub published: Vec<PublishedTimes>,
}

/// How many times one CPU thread a step was by a document.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedTimes {
    /// The GPU as the document calls it.
    pub gpu: String,
    /// Number of the slide.
    pub slide: u32,
    /// How many times one thread of the CPU in its computer.
    pub times: f64,
    /// As printed: "107.5", "1/72.4".
    pub text: String,
    /// The size; none where the slide does not state it.
    pub n: Option<u64>,
}

impl Against {
    /// What two reports say, and what was published of the GPU's ladder. None where one has no
    /// verified step, where they do different work, or where they are not of a GPU and a CPU.
    pub fn of(gpu: &Report, cpu: &Report, published: &Published) -> Option<Against> {
        let (figure, of_cpu) = (main_figure(gpu)?, main_figure(cpu)?);
        if figure.work != of_cpu.work || is_of_cpu(gpu) || !is_of_cpu(cpu) {
            return None;
        }
        let (mut gpu, cpu) = (Side::of(gpu), Side::of(cpu));
        for entry in &mut gpu.steps {
            let lines = published.times_cpu_thread(&entry.step);
            entry.published = lines
                .map(|(times, line)| PublishedTimes {
                    gpu: line.gpu.clone(),
                    slide: line.slide,
                    times,
                    text: line.ratio.clone(),
                    n: line.n,
                })
                .collect();
        }
        let (Some(best), false) = (cpu.fastest(&|_| true), gpu.steps.is_empty()) else {
            return None;
        };
        let is_first = |entry: &Entry| entry.first && entry.threads.is_none_or(|it| it == 1);
        Some(Against {
            figure: figure.clone(),
            published: published.clone(),
            thread: cpu.steps.iter().position(is_first),
            fastest_thread: cpu.fastest(&|entry| entry.threads == Some(1)),
            best,
            gpu,
            cpu,
        })
    }

    /// The CPU ladder's first step, on one thread.
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

    /// The GPU's step that sentences are about: the fastest kept one.
    pub fn top(&self) -> &Entry {
        &self.gpu.steps[self.gpu.fastest(&|_| true).unwrap_or(0)]
    }

    /// How many times as fast as the CPU's first step on one thread, its fastest step on one thread,
    /// and its best step.
    pub fn times(&self, entry: &Entry) -> [Option<f64>; 3] {
        self.opponents().map(|opponent| Some(entry.rate / opponent?.rate))
    }

    /// The 95 % intervals of these; none where a time is modelled, samples are too few, or the step
    /// is its own opponent.
    pub fn intervals(&self, entry: &Entry) -> [Option<Interval>; 3] {
        self.opponents().map(|opponent| {
            let opponent = opponent.filter(|opponent| !std::ptr::eq(*opponent, entry))?;
            unpaired(&opponent.samples, &entry.samples, CONFIDENCE)?.interval
        })
    }

    fn opponents(&self) -> [Option<&Entry>; 3] {
        [self.thread(), self.fastest_thread(), Some(self.best())]
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
    fn of(report: &Report) -> Side {
        let rows = report.rows.iter();
        let rows = rows.filter(|row| row.ladder == report.options.ladder && row.is_own());
        let on_cpu = is_of_cpu(report);
        let provenance = Provenance::of(report);
        let of_device = report.device.as_ref().map(|device| device.name.clone());
        let of_cpu = || of_device.or_else(|| report.machine.cpu.clone());
        let name = if on_cpu { of_cpu() } else { Some(provenance.device) };
        Side {
            name: name.unwrap_or_else(|| "a processor without a name".to_owned()),
            machine: report.machine.clone(),
            date: report.date.clone(),
            source: provenance.source,
            steps: rows.filter_map(|row| Entry::of(row, on_cpu)).collect(),
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

    /// The size of most steps; the greater of two that are as frequent.
    pub fn usual_n(&self) -> Option<u64> {
        commonest(self.steps.iter().map(|entry| entry.n))
    }
}

impl Entry {
    fn of(row: &Row, on_cpu: bool) -> Option<Entry> {
        let timed = row.main().filter(|_| row.outcome.is_verified())?;
        let rate = timed.rate();
        (rate.is_normal() && rate > 0.0).then(|| Entry {
            ladder: row.ladder.clone(),
            on_cpu,
            step: row.step.clone(),
            title: row.title.clone(),
            detour: row.detour,
            first: row.after.is_none(),
            modelled: row.is_modelled(),
            threads: row.threads,
            n: timed.n,
            rate,
            samples: match row.is_modelled() {
                true => Vec::new(),
                false => timed.samples.seconds.iter().map(|it| it / timed.work).collect(),
            },
            error: timed.accuracy.rms,
            published: Vec::new(),
        })
    }
}

fn main_figure(report: &Report) -> Option<&Figure> {
    report.figures.get(&report.options.ladder)
}

/// Whether a report's steps ran on a CPU, as code for it.
fn is_of_cpu(report: &Report) -> bool {
    report.device.as_ref().is_some_and(|device| device.kind == "cpu")
}

#[cfg(test)]
mod tests;

//! One row of a report: the outcome of one step.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::device::TimeSource;
use crate::limits::{Bound, CpuLimits, Limits, Occupancy};
use crate::timed::{Accuracy, Ratio, Timed};
use crate::variant::{Define, Variant};

/// The outcome of one step. What does not exist is null.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Name of the ladder.
    pub ladder: String,
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// Its idea in a word or two.
    pub title: String,
    /// What it changes, in one line.
    pub changes: String,
    /// The step it is compared with.
    pub after: Option<String>,
    /// Tried and not kept.
    pub detour: bool,
    /// The row of the report's libraries that it is compared with; of such a row its own name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// Threads of a block, where that is not what the step says: in a sweep over block sizes.
    pub block: Option<u32>,
    /// Values of the kernels' parameters, where they are not what the step says: in a sweep over them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<Define>,
    /// The reader's file whose kernel took the step's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// Threads of the processor that it ran on; null where it ran on another device.
    #[serde(default)]
    pub threads: Option<u32>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it is wrong, failed or skipped; what is worth knowing of another outcome.
    pub reason: Option<String>,
    /// Name of the device.
    pub device: Option<String>,
    /// Where the times come from.
    pub time_source: Option<TimeSource>,
    /// The code that ran: compiler, PTX version, target.
    pub code: Option<String>,
    /// The run ended before this step was timed as planned; `--resume` does it again.
    pub interrupted: bool,
    /// Rows of one session were timed in turn, round by round; those of another, after
    /// `--resume` or after a worker had died, were not.
    pub session: u32,
    /// What was timed, a size each: the step's own first, then further ones.
    pub timed: Vec<Timed>,
    /// Why the time model says nothing of this step, which was verified all the same; then nothing is timed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_modelled: Option<String>,
    /// Its speed over its parent's on a GPU, of a committed report, where the model says nothing of one of the two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredRatio>,
    /// How many times the first step's speed: the product of `parent.ratio` along `after`, each at
    /// the size at which the two were compared.
    pub times_first: Option<f64>,
    /// How many times the speed of the kernel whose place it took, timed in the same rounds; of a reader's kernel alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_original: Option<Ratio>,
    /// How many times the speed of that library's function at the step's own size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times_library: Option<Ratio>,
    /// Of a library's function that did not run: what a committed report has of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub committed: Option<Committed>,
    /// What was found where the step is wrong.
    pub wrong: Option<Accuracy>,
    /// What only this problem says of a verified step, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extras: Vec<Extra>,
    /// What a first pass costs with all that it needs; none where time is modelled.
    pub end_to_end: Option<EndToEnd>,
    /// How the blocks of the pass are resident.
    pub occupancy: Option<Occupancy>,
    /// How near the time at the step's own size comes to what the chip could do.
    pub limits: Option<Limits>,
    /// The same of a step on the CPU.
    #[serde(default)]
    pub cpu_limits: Option<CpuLimits>,
}

/// What a GPU showed where the time model says nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeasuredRatio {
    /// The GPU's name.
    pub device: String,
    /// Problem size `n`.
    pub n: u64,
    /// How many times its parent's speed.
    pub ratio: f64,
}

/// What a committed report has of a library's function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Committed {
    /// The GPU's name.
    pub device: String,
    /// Problem size `n`.
    pub n: u64,
    /// Work of a pass, in the units of the ladder's figure.
    pub work: f64,
    /// Median time of a pass, s.
    pub seconds: f64,
}

/// What one pass costs from the step's source to its results on the host, by the
/// host's clock, at the step's own size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EndToEnd {
    /// Compiling or reading the code, and loading it on the device, s.
    pub code_seconds: f64,
    /// Allocating the buffers, s.
    pub allocate_seconds: f64,
    /// Copying the inputs to the device, s.
    pub upload_seconds: f64,
    /// Bytes copied to the device.
    pub upload_bytes: u64,
    /// The first pass, s.
    pub pass_seconds: f64,
    /// Copying everything back, s.
    pub download_seconds: f64,
    /// Bytes copied back to the host.
    pub download_bytes: u64,
}

impl EndToEnd {
    /// All of it, s.
    pub fn seconds(&self) -> f64 {
        self.code_seconds
            + self.allocate_seconds
            + self.upload_seconds
            + self.pass_seconds
            + self.download_seconds
    }

    /// Bytes per second to the device and back: what was seen of the bus.
    pub fn bandwidth(&self) -> (f64, f64) {
        (
            self.upload_bytes as f64 / self.upload_seconds,
            self.download_bytes as f64 / self.download_seconds,
        )
    }
}

/// A figure that only one problem has: "energy drift".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Extra {
    /// Its name.
    pub name: String,
    /// Its value, from 0 up.
    pub value: f64,
}

/// The outcome of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Verified, and timed on hardware.
    Measured,
    /// Verified on the simulator; its time is a model's.
    Simulated,
    /// Its results are not what the reference says; nothing was timed.
    Wrong,
    /// It could not be compiled or run to the end.
    #[default]
    Failed,
    /// It cannot run here, for a reason that is not its fault.
    Skipped,
}

impl Row {
    /// What of its code was not as the step says.
    pub fn variant(&self) -> Variant {
        Variant { block: self.block, defines: self.defines.clone() }
    }

    /// Whether it is of a library's function, and of no step.
    pub fn is_library(&self) -> bool {
        self.library.as_ref() == Some(&self.step)
    }

    /// Whether all of its code was as the step says.
    pub fn is_own(&self) -> bool {
        self.block.is_none() && self.defines.is_empty()
    }

    /// Whether another row is about the same variant, of the same step or another.
    pub fn has_variant_of(&self, other: &Row) -> bool {
        (self.block, &self.defines) == (other.block, &other.defines)
    }

    /// The step's number as its folder has it: "05x"; empty where it has none.
    pub fn number(&self) -> &str {
        split(&self.step).0
    }

    /// The step's folder without its number: "two-loops".
    pub fn slug(&self) -> &str {
        split(&self.step).1
    }

    /// Whether its times are the model's.
    pub fn is_modelled(&self) -> bool {
        self.time_source == Some(TimeSource::Model) || self.outcome == Outcome::Simulated
    }

    /// What was timed at the step's own size.
    pub fn main(&self) -> Option<&Timed> {
        self.timed.first()
    }

    /// What was timed at a size.
    pub fn at(&self, n: u64) -> Option<&Timed> {
        self.timed.iter().find(|timed| timed.n == n)
    }

    /// The step's own size, or the one at which it is wrong.
    pub fn n(&self) -> Option<u64> {
        self.main().map(|timed| timed.n).or(self.wrong.map(|wrong| wrong.n))
    }

    /// Median time of one pass there, s.
    pub fn seconds(&self) -> Option<f64> {
        self.main().map(|timed| timed.seconds)
    }

    /// Units of work per second there.
    pub fn rate(&self) -> Option<f64> {
        self.main().map(Timed::rate)
    }

    /// The errors there, or those for which the step is wrong.
    pub fn accuracy(&self) -> Option<Accuracy> {
        self.main().map(|timed| timed.accuracy).or(self.wrong)
    }

    /// The least times that parts of the chip need, longest first, and the size to which they belong; none
    /// where none is known, or where the step's time [refutes](Row::refuted) them.
    pub fn bounds(&self) -> Option<(u64, &[Bound])> {
        self.stated_bounds().filter(|_| self.refuted().is_none())
    }

    /// The longest bound, where the step took clearly less time than it. No chip can do that, so what was
    /// counted is not what the chip did, and the other bounds rest on the same count.
    pub fn refuted(&self) -> Option<&Bound> {
        let (_, bounds) = self.stated_bounds()?;
        bounds.first().filter(|longest| longest.fraction > MOST_OF_TIME)
    }

    fn stated_bounds(&self) -> Option<(u64, &[Bound])> {
        let of_gpu = self.limits.as_ref().map(|limits| (limits.n, limits.bounds.as_slice()));
        let of_cpu = self.cpu_limits.as_ref().map(|limits| (limits.n, limits.bounds.as_slice()));
        of_gpu.or(of_cpu).filter(|(_, bounds)| !bounds.is_empty())
    }

    /// The greatest size at which it was compared with its parent, and how they compare there.
    pub fn parent(&self) -> Option<(u64, Ratio)> {
        self.timed.iter().filter_map(|timed| Some((timed.n, timed.parent?))).max_by_key(|&(n, _)| n)
    }
}

/// The largest part of a step's time that a bound can be: clocks and times are known to a few per cent.
const MOST_OF_TIME: f64 = 1.05;

/// The number and the slug of a step's folder: "05x" and "two-loops" of "05x-two-loops".
pub fn split(folder: &str) -> (&str, &str) {
    match folder.split_once('-') {
        Some((number, slug)) if number.starts_with(|c: char| c.is_ascii_digit()) => (number, slug),
        _ => ("", folder),
    }
}

impl Outcome {
    /// Its word in reports and tables.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Measured => "measured",
            Outcome::Simulated => "simulated",
            Outcome::Wrong => "wrong",
            Outcome::Failed => "failed",
            Outcome::Skipped => "skipped",
        }
    }

    /// Whether the step's results were verified and its times may be shown.
    pub fn is_verified(self) -> bool {
        matches!(self, Outcome::Measured | Outcome::Simulated)
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.word())
    }
}

//! What a run is asked to do: the same data for the command line, the worker process and the
//! report.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Defines, Variant};

/// What a run is asked to do. Travels to the worker process and into the report.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Request {
    /// The ladder's name.
    pub ladder: String,
    /// Folders of the steps to climb, in ladder order.
    pub steps: Vec<String>,
    /// Device as on the command line: `auto`, `cuda`, `cuda:1`, `simt` or `cpu`.
    pub device: String,
    /// Where machine code may come from, as on the command line: `auto`, `nvrtc` or `committed`.
    pub code: String,
    /// Name of the GPU whose time the simulator models, or a file that describes it.
    pub model: String,
    /// How the simulator runs the lanes of a warp, as on the command line: `independent` or
    /// `lockstep`; the former where empty.
    pub scheduling: String,
    /// Threads that code for the CPU may use; none: as many as can run at once.
    pub threads: Option<u32>,
    /// Vectors that code for the CPU uses, as on the command line: `auto`, `avx512`, `avx2`, `neon` or
    /// `scalar`; the widest where empty.
    pub vectors: String,
    /// The size that is timed; none lets each step have one that fits it.
    pub size: Option<u64>,
    /// Options that only this ladder's problem has, by their names on the command line without the
    /// dashes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub problem: BTreeMap<String, String>,
    /// A reader's kernel in the place of a step's own.
    pub replacement: Option<Replacement>,
    /// Whether that kernel is a stranger's: its process gives up the machine's files and network.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub untrusted: bool,
    /// Decides what verification computes with, and which results are judged where not all are; 0
    /// where that is not known.
    pub seed: u64,
    /// Sizes at which earlier steps of this run were measured, by step.
    pub sizes: BTreeMap<String, u64>,
    /// Sizes of a sweep, ascending: each step is timed at all of them that it can do in reasonable
    /// time. Empty: at the one size that suits it.
    pub sweep_sizes: Vec<u64>,
    /// Threads of a block in a sweep over them: each step has a row for each. Empty: what the step
    /// says.
    pub sweep_blocks: Vec<u32>,
    /// Parameters of the kernels in a sweep over their values: each step has a row for each
    /// combination, with each of the blocks. Empty: what the step says.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sweep_defines: Vec<Defines>,
    /// Seconds without a message after which a step is taken to hang, besides those that its work was
    /// expected to take.
    pub deadline_seconds: u64,
    /// The session that new rows belong to.
    pub session: u32,
    /// What has its row already, so that it need not be done again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub done: Vec<Subject>,
}

/// What a row is about: a step, in a sweep over its variants one of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
pub struct Subject {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// What is not as the step says.
    #[serde(flatten)]
    pub variant: Variant,
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("{}{}", self.step, self.variant.suffix()))
    }
}

/// A reader's kernel in the place of a step's own: `--kernel FILE --as STEP`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Replacement {
    /// A `.cu` or `.ptx` file.
    pub file: PathBuf,
    /// Folder of the step whose place it takes.
    pub step: String,
}

impl Request {
    /// What is to have a row, in the order of the report.
    pub fn subjects(&self) -> Vec<Subject> {
        let variants = Variant::all(&self.sweep_blocks, &self.sweep_defines);
        let of_step = |step: &String| {
            let subject = |variant| Subject { step: step.clone(), variant };
            variants.iter().cloned().map(subject).collect::<Vec<_>>()
        };
        self.steps.iter().flat_map(of_step).collect()
    }

    /// Those of them that have none yet.
    pub fn left(&self) -> Vec<Subject> {
        self.subjects().into_iter().filter(|subject| !self.done.contains(subject)).collect()
    }

    /// Whether steps are to be run at several sizes or in several variants.
    pub fn is_sweep(&self) -> bool {
        let Request { sweep_sizes, sweep_blocks, sweep_defines, .. } = self;
        !(sweep_sizes.is_empty() && sweep_blocks.is_empty() && sweep_defines.is_empty())
    }

    /// The request as a report shows it: without what a run adds to it as it goes on, and files by their
    /// names, without the folders of the machine.
    #[must_use]
    pub fn as_asked(mut self) -> Request {
        // Names that are not text are written as near to it as possible: a report is text.
        let name = |path: PathBuf| {
            path.file_name().map(|name| PathBuf::from(name.to_string_lossy().into_owned()))
        };
        if let Some(file) = name(PathBuf::from(&self.model)) {
            self.model = file.to_string_lossy().into_owned();
        }
        (self.done, self.sizes, self.session) = (Vec::new(), BTreeMap::new(), 0);
        for value in self.problem.values_mut() {
            *value = value.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
        }
        self.replacement = self.replacement.and_then(|replacement| {
            Some(Replacement { file: name(replacement.file)?, step: replacement.step })
        });
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_shows_no_folder_of_the_machine() {
        let request = Request {
            model: "/home/someone/mine.toml".into(),
            problem: [("inputs".to_owned(), "/home/someone/points.csv".to_owned())].into(),
            replacement: Some(Replacement {
                file: "/home/someone/mine.cu".into(),
                step: "05-rsqrt".into(),
            }),
            ..Request::default()
        };
        let shown = serde_json::to_string(&request.as_asked()).expect("data");
        assert!(!shown.contains("someone"), "{shown}");
        assert!(shown.contains("points.csv") && shown.contains("mine.cu"), "{shown}");
    }
}

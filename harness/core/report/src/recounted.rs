//! When what limits the steps of a report was counted anew.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the limits of a report come from, if not from its run: the simulator counted the same kernels again, with
/// better counts. Times stay those of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recounted {
    /// Day of the count in UTC.
    pub date: String,
    /// Git revision of the simulator that counted, with `-dirty` where files differed from it.
    pub revision: Option<String>,
    /// Revision whose kernels were found to be those that were counted: that of the run, or one that was named in its
    /// place.
    pub kernels_of: String,
}

impl std::fmt::Display for Recounted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.date)?;
        match &self.revision {
            Some(revision) => write!(f, ", revision {revision}"),
            None => Ok(()),
        }
    }
}

//! What a report says of the computer. No host name, no user name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The computer a run was made on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Machine {
    /// Operating system: "linux".
    pub os: String,
    /// Processor architecture: "x86_64".
    pub arch: String,
    /// The processor's name as it calls itself; none where the system does not tell.
    pub cpu: Option<String>,
    /// Hardware threads that the run could use.
    pub cores: u32,
}

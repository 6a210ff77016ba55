//! What the harness asks of the library, in an environment variable.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use simt::model::{Gpu, GpuError};

/// The environment variable that carries a [`Config`] as JSON.
pub const VARIABLE: &str = "HARNESS_EXEC";

/// Why the environment holds no configuration.
#[derive(Debug, thiserror::Error)]
#[error("the variable {VARIABLE} holds no configuration: {0}")]
pub struct ConfigError(#[from] serde_json::Error);

/// What the harness asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Config {
    /// File to which records are appended. Without one, hazards and errors go to standard error.
    pub log: Option<PathBuf>,
    /// Folder for the program's PTX, whose lines hazards name.
    pub ptx: Option<PathBuf>,
    /// The modelled GPU: a name, or the path of a TOML file.
    pub gpu: String,
    /// Look for hazards.
    pub hazards: bool,
    /// Seconds of CPU time without the end of a block after which a launch is stopped.
    pub limit: Option<f64>,
    /// Number of launches of each kernel with one grid and block that are watched for hazards and events. The rest run
    /// unchecked. Without a number all are watched.
    #[serde(default)]
    pub watched: Option<u32>,
    /// Memory of the device, in bytes.
    pub memory: u64,
    /// Major version of the runtime that the program was linked with: 13 for `libcudart.so.13`.
    pub release: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            log: None,
            ptx: None,
            gpu: "h200".to_string(),
            hazards: true,
            limit: None,
            watched: None,
            memory: 8 << 30,
            release: 13,
        }
    }
}

impl Config {
    /// The configuration in the environment, or the default without one.
    ///
    /// # Errors
    /// A variable that holds something else.
    pub fn from_environment() -> Result<Config, ConfigError> {
        match std::env::var(VARIABLE) {
            Err(_) => Ok(Config::default()),
            Ok(text) => Ok(serde_json::from_str(&text)?),
        }
    }

    /// The modelled GPU.
    ///
    /// # Errors
    /// An unknown name or a bad file.
    pub fn gpu(&self) -> Result<Gpu, GpuError> {
        Gpu::find(&self.gpu)
    }
}

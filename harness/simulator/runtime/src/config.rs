//! What the harness asks of the library, in an environment variable.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use simt::model::{Gpu, GpuError};

/// The environment variable that carries a [`Config`] as JSON.
pub const VARIABLE: &str = "HARNESS_EXEC";

/// What the harness asks for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Config {
    /// Where records are written; none: what is amiss goes to standard error, and nothing else anywhere.
    pub log: Option<PathBuf>,
    /// Where the PTX of the program is written, so that its lines can be looked up.
    pub ptx: Option<PathBuf>,
    /// The modelled GPU: a name, or a TOML file.
    pub gpu: String,
    /// Look for hazards.
    pub hazards: bool,
    /// Stop a launch if in so many seconds of CPU time none of its blocks ends.
    pub limit: Option<f64>,
    /// Watch so many launches of each kernel with a grid and a block, and only execute the others; none: watch all.
    #[serde(default)]
    pub watched: Option<u32>,
    /// Memory of the device, in bytes.
    pub memory: u64,
    /// The process that started the program, which is not to go on without it; none: nobody waits for it.
    #[serde(default)]
    pub parent: Option<u32>,
    /// The runtime's version that the program asks for: 13 for `libcudart.so.13`.
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
            parent: None,
            release: 13,
        }
    }
}

impl Config {
    /// What the environment says; the default where it says nothing.
    ///
    /// # Errors
    /// A variable that holds something else.
    pub fn from_environment() -> Result<Config, String> {
        match std::env::var(VARIABLE) {
            Err(_) => Ok(Config::default()),
            Ok(text) => serde_json::from_str(&text).map_err(|error| {
                format!("the variable {VARIABLE} holds no configuration: {error}")
            }),
        }
    }

    /// The modelled GPU.
    ///
    /// # Errors
    /// An unknown name or a bad file.
    pub fn gpu(&self) -> Result<Gpu, GpuError> {
        match self.gpu.ends_with(".toml") {
            true => Gpu::read(Path::new(&self.gpu)),
            false => Gpu::named(&self.gpu),
        }
    }
}

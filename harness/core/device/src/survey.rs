//! What this machine has, for `harness doctor`.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cuda::{self, Driver};
use toolchain::clang::{self, Clang};
use toolchain::headers::{self, Headers};
use toolchain::nvrtc::{self, Nvrtc};
use toolchain::{sanitizer, sass};

/// What was found on this machine, and what was not.
#[derive(Debug, Clone, Serialize)]
pub struct Survey {
    /// The NVIDIA driver, if one answers.
    pub driver: Option<Driver>,
    /// Why no driver answers; `None` if one does.
    pub driver_problem: Option<String>,
    /// Version of NVML, which reports clocks, temperature and power, if it answers.
    pub monitor: Option<String>,
    /// Why NVML does not answer; `None` if it does.
    pub monitor_problem: Option<String>,
    /// Every NVRTC that was found, in the order in which they are tried.
    pub compilers: Vec<Compiler>,
    /// Every program that may be a clang, in the order in which they are tried.
    pub clangs: Vec<Compiler>,
    /// CUDA's headers, in the order in which they are tried.
    pub headers: Vec<Headers>,
    /// The disassembler, as its version and path, if one was found.
    pub disassembler: Option<(String, PathBuf)>,
    /// NVIDIA's compute-sanitizer, as its version and path, if one was found.
    pub sanitizer: Option<(String, PathBuf)>,
    /// cuBLAS, as its version and path, if one was found.
    pub cublas: Option<(String, PathBuf)>,
    /// cuDNN, as its version and path, if one was found.
    pub cudnn: Option<(String, PathBuf)>,
    /// The processor, which runs the simulator.
    pub cpu: Cpu,
}

/// An NVRTC or a clang.
#[derive(Debug, Clone, Serialize)]
pub struct Compiler {
    /// The library, or the program.
    pub path: PathBuf,
    /// Its full version, e.g. "11.8.89".
    pub version: Option<String>,
    /// Why it cannot be used.
    pub problem: Option<String>,
}

impl Compiler {
    fn new(path: PathBuf, version: impl Fn(&Path) -> Result<String, toolchain::Error>) -> Compiler {
        match version(&path) {
            Ok(version) => Compiler { path, version: Some(version), problem: None },
            Err(error) => Compiler { path, version: None, problem: Some(error.to_string()) },
        }
    }
}

/// The processor.
#[derive(Debug, Clone, Serialize)]
pub struct Cpu {
    /// Its architecture, e.g. "x86_64".
    pub architecture: String,
    /// Threads that may run at once.
    pub threads: usize,
    /// Those of its vector features that make the simulator faster.
    pub features: Vec<String>,
}

/// Looks at this machine. Nothing here fails, and what is not found is absent from the result.
pub fn survey() -> Survey {
    let (driver, driver_problem) = match cuda::driver() {
        Ok(driver) => (Some(driver), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let (monitor, monitor_problem) = match cuda::monitor() {
        Ok(version) => (Some(version), None),
        Err(problem) => (None, Some(problem)),
    };
    let nvrtc = |path: &Path| Nvrtc::open(path).and_then(|it| it.release().map(str::to_string));
    let clang = |path: &Path| Clang::open(path).map(|it| it.release().to_string());
    let compilers =
        nvrtc::candidates().into_iter().map(|path| Compiler::new(path, nvrtc)).collect();
    let clangs = clang::candidates().into_iter().map(|path| Compiler::new(path, clang)).collect();
    Survey {
        driver,
        driver_problem,
        monitor,
        monitor_problem,
        compilers,
        clangs,
        headers: headers::find_all(),
        disassembler: sass::disassembler().ok().map(|found| (found.release, found.path)),
        sanitizer: sanitizer::find().ok().map(|found| (found.release, found.path)),
        cublas: cuda::found_cublas(),
        cudnn: cuda::found_cudnn(),
        cpu: Cpu {
            architecture: std::env::consts::ARCH.to_string(),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            features: features(),
        },
    }
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<String> {
    [
        ("avx2", is_x86_feature_detected!("avx2")),
        ("fma", is_x86_feature_detected!("fma")),
        ("avx512f", is_x86_feature_detected!("avx512f")),
    ]
    .into_iter()
    .filter(|(_, present)| *present)
    .map(|(name, _)| name.to_string())
    .collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<String> {
    // The simulator's portable path is compiled for the architecture's base features.
    Vec::new()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_survey_answers_on_any_machine() {
        let survey = super::survey();
        assert!(survey.cpu.threads >= 1);
        assert_ne!(survey.driver.is_some(), survey.driver_problem.is_some());
        assert_ne!(survey.monitor.is_some(), survey.monitor_problem.is_some());
    }
}

//! The step that the tests run.

use std::env;
use std::path::PathBuf;

use device::Source;

/// The toy step: kernels `scale`, `spin`, `stray`, `mark` and `hang`, constant `factor`. A test that was built on another
/// machine finds it by the variable that cargo sets when it runs tests: the folder of this crate.
pub fn toy() -> Source {
    const CRATE: &str = "CARGO_MANIFEST_DIR";
    let here = env::var_os(CRATE).map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    Source::from_kernels(&here.join("tests/toy"), "01-scale", "01-scale", &[])
        .expect("the toy step is committed")
}

//! The steps that the tests run.

use std::env;
use std::path::PathBuf;

use device::Source;

/// The toy step: kernels `scale`, `spin`, `stray`, `mark` and `hang`, constant `factor`.
#[allow(dead_code, reason = "not every test program runs both")]
pub fn toy() -> Source {
    step("01-scale")
}

/// A step of `tests/toy`. A test that was built on another machine finds it by the variable that cargo sets when it runs
/// tests: the folder of this crate.
pub fn step(name: &str) -> Source {
    const CRATE: &str = "CARGO_MANIFEST_DIR";
    let here = env::var_os(CRATE).map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    Source::from_kernels(&here.join("tests/toy"), name, name, &[])
        .expect("the toy steps are committed")
}

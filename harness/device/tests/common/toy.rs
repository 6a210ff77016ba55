//! The step that the tests run.

use std::path::Path;

use device::Source;

/// The toy step: kernels `scale`, `spin` and `stray`, constant `factor`.
pub fn toy() -> Source {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
    Source::from_kernels(&dir, "01-scale", "01-scale", &[]).expect("the toy step is committed")
}

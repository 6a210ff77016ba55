//! PTX that `harness new` writes without a compiler is what the pinned one makes of the kernels next to it.

use std::path::Path;

use device::Source;
use harness::new::{self, Parent};
use ladders::LADDERS;
use toolchain::ptx::{self, EVERY_GPU};

#[path = "../all/new_workspace.rs"]
mod new_workspace;

/// Fails unless the PTX of a step is what its kernel gives.
fn expect_compiled(root: &Path, ladder: &str, step: &str) {
    let Some(nvrtc) = EVERY_GPU.compiler() else {
        println!("SKIPPED: no NVRTC {} here; {}", EVERY_GPU.release, EVERY_GPU.install());
        return;
    };
    let folder = root.join("kernels").join(ladder);
    let source = Source::from_kernels(&folder, step, step, &[]).expect("its kernel");
    let made = ptx::generate(&source, nvrtc, EVERY_GPU.target).expect("it compiles");
    assert_eq!(source.ptx[0].text, made, "{ladder}/{step}");
}

#[test]
fn the_ptx_of_new_kernels_is_what_they_give() {
    let root = new_workspace::copy();
    new::ladder(root.path(), "matrix-product").expect("new").write().expect("written");
    expect_compiled(root.path(), "matrix-product", "01-naive");
    let transpose = LADDERS.iter().find(|it| it.name() == "transpose").expect("a ladder");
    let parent = Parent { from: Some("03"), detour: false };
    let step = new::step(root.path(), *transpose, "diagonal", parent).expect("new");
    step.write().expect("written");
    expect_compiled(root.path(), "transpose", "03x-diagonal");
}

/// What `harness new ladder` copies.
#[test]
fn the_ptx_of_the_example_is_what_it_gives() {
    let root = ladder::workspace::root().expect("a clone");
    expect_compiled(&root, "example", "01-naive");
}

//! Ladders with the tests in them: `cargo test -p steps-tests transpose` runs those of one.

#[path = "../access/src/lib.rs"]
pub mod access;
#[path = "../append/src/lib.rs"]
pub mod append;
#[path = "../arithmetic/src/lib.rs"]
pub mod arithmetic;
#[path = "../attention/src/lib.rs"]
pub mod attention;
#[path = "../clusters/src/lib.rs"]
pub mod clusters;
#[path = "../context/src/lib.rs"]
pub mod context;
#[path = "../decode/src/lib.rs"]
pub mod decode;
#[path = "../divergence/src/lib.rs"]
pub mod divergence;
#[path = "../example/src/lib.rs"]
pub mod example;
#[path = "../filter/src/lib.rs"]
pub mod filter;
#[path = "../fusion/src/lib.rs"]
pub mod fusion;
#[path = "../gemm/src/lib.rs"]
pub mod gemm;
#[path = "../groups/src/lib.rs"]
pub mod groups;
#[path = "../histogram/src/lib.rs"]
pub mod histogram;
mod libraries;
#[path = "../norms/src/lib.rs"]
pub mod norms;
#[path = "../occupancy/src/lib.rs"]
pub mod occupancy;
#[path = "../overlap/src/lib.rs"]
pub mod overlap;
#[path = "../queue/src/lib.rs"]
pub mod queue;
#[path = "../reduction/src/lib.rs"]
pub mod reduction;
#[path = "../registers/src/lib.rs"]
pub mod registers;
#[path = "../resample/src/lib.rs"]
pub mod resample;
#[path = "../scan/src/lib.rs"]
pub mod scan;
#[path = "../separable/src/lib.rs"]
pub mod separable;
#[path = "../softmax/src/lib.rs"]
pub mod softmax;
#[path = "../sort/src/lib.rs"]
pub mod sort;
#[path = "../sparse/src/lib.rs"]
pub mod sparse;
#[path = "../spmv/src/lib.rs"]
pub mod spmv;
#[path = "../stencil/src/lib.rs"]
pub mod stencil;
#[path = "../synchronisation/src/lib.rs"]
pub mod synchronisation;
#[path = "../templates/src/lib.rs"]
pub mod templates;
#[path = "../transfers/src/lib.rs"]
pub mod transfers;
#[path = "../transpose/src/lib.rs"]
pub mod transpose;

/// The ladders' own crates do not run their tests, so none may be missing here.
#[test]
fn every_ladder_without_a_test_program_of_its_own_is_here() {
    let here = include_str!("ladders.rs");
    let steps = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a parent");
    let mut found = 0;
    for folder in steps.read_dir().expect("the ladders' folders") {
        let folder = folder.expect("a folder").path();
        let read = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        let runs_none = read("Cargo.toml").lines().any(|line| line.starts_with("test = false"));
        let source = read("src/lib.rs");
        if runs_none && ["mod tests;", "ladder::tests!("].iter().any(|it| source.contains(it)) {
            let name = folder.file_name().and_then(|name| name.to_str()).expect("a name");
            assert!(here.contains(&format!("\"../{name}/src/lib.rs\"")), "{name} is missing");
            found += 1;
        }
    }
    assert_eq!(found, here.lines().filter(|line| line.starts_with("pub mod ")).count());
}

//! The PTX of the tests' own kernels is what the pinned NVRTC makes of their sources.

use std::fs;
use std::path::Path;

use toolchain::nvrtc::{Nvrtc, installed};
use toolchain::ptx::EVERY_GPU;

/// A variable of the environment: what differs is written.
const WRITE: &str = "LADDER_WRITE_PTX";

#[test]
fn the_ptx_is_what_its_source_gives() {
    if EVERY_GPU.compiler().is_none() {
        println!("SKIPPED: no NVRTC {} here; {}", EVERY_GPU.release, EVERY_GPU.install());
        return;
    }
    let broken = check_sources("harness/tests/broken");
    assert!(broken >= 15, "only {broken} broken kernels were found");
    let hazards = check_sources("harness/simulator/simt/tests/kernels");
    assert!(hazards >= 6, "only {hazards} kernels with hazards were found");
    assert_eq!(check_sources("harness/core/device/examples/first"), 1, "the book's first kernel");
    assert_eq!(check_sources("harness/core/device/examples/host"), 1, "the host code's kernel");
    assert_eq!(check_sources("book/interactive/kernels"), 3, "the book's interactive parts");
}

/// The compiler of the release that a PTX's first line names, as in "made from a.cu by NVRTC 12.9.86, …"; the one for
/// every GPU where it names none.
fn compiler(how_it_was_made: &str) -> Option<&'static Nvrtc> {
    let Some((_, release)) = how_it_was_made.split_once("by NVRTC ") else {
        return EVERY_GPU.compiler();
    };
    let release = release.split(',').next().unwrap_or_default();
    installed().iter().find(|nvrtc| nvrtc.release().is_ok_and(|it| it == release))
}

/// Compiles every source of a folder of the workspace, and holds the PTX next to it against what comes out; how many there are.
fn check_sources(folder: &str) -> usize {
    let mut sources = 0;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for entry in fs::read_dir(root.join(folder)).expect(folder) {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "cu") {
            continue;
        }
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let source = fs::read_to_string(&path).expect(name).replace("\r\n", "\n");
        let stands_for = format!("/{folder}/{name}");
        let committed = fs::read_to_string(path.with_extension("ptx")).expect(name);
        let (how_it_was_made, committed) = committed.split_once('\n').expect("a first line");
        let Some(nvrtc) = compiler(how_it_was_made) else {
            println!("SKIPPED: {name}: its compiler is not here: {how_it_was_made}");
            continue;
        };
        // What a kernel needs is in the options that its first line ends with.
        let options = match how_it_was_made.find("--gpu-architecture=") {
            Some(at) => how_it_was_made[at..].to_owned(),
            None => format!("--gpu-architecture={} -lineinfo", EVERY_GPU.target),
        };
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let made = nvrtc.compile(&stands_for, &source, &options).expect(name).ptx;
        let is_same = committed.trim().lines().eq(made.trim().lines());
        if !is_same && std::env::var_os(WRITE).is_some() {
            fs::write(path.with_extension("ptx"), format!("{how_it_was_made}\n{made}"))
                .expect(name);
            continue;
        }
        assert!(is_same, "{name} gives another PTX than the one next to it; {WRITE}=1 writes it");
        sources += 1;
    }
    sources
}

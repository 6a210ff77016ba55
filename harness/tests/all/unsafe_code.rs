//! The workspace's lints deny `unsafe`; these are the modules that may have it, and no others.

use std::fs;
use std::path::Path;

/// Where each module is declared, and its name.
const UNSAFE: [(&str, &str); 19] = [
    ("book/interactive/src/lib.rs", "exports"),
    ("harness/core/device/examples/host/main.rs", "program"),
    ("harness/core/device/src/lib.rs", "cuda"),
    ("harness/core/processes/src/lib.rs", "tie"),
    ("harness/core/toolchain/src/lib.rs", "cc"),
    ("harness/core/toolchain/src/lib.rs", "nvrtc"),
    ("harness/core/toolchain/src/library.rs", "absent"),
    ("harness/core/vectors/src/ceilings.rs", "chains"),
    ("harness/core/vectors/src/lib.rs", "neon"),
    ("harness/core/vectors/src/lib.rs", "run"),
    ("harness/core/vectors/src/lib.rs", "x86"),
    ("harness/simulator/execution/src/lib.rs", "build"),
    ("harness/simulator/memory/src/lib.rs", "host"),
    ("harness/simulator/memory/src/lib.rs", "storage"),
    ("harness/simulator/program/src/lib.rs", "registers"),
    ("harness/simulator/runtime/src/lib.rs", "exports"),
    ("harness/simulator/runtime/src/lib.rs", "host"),
    ("harness/simulator/simt/src/simulator.rs", "host"),
    ("steps/nbody/problem/src/lib.rs", "cpu"),
];

/// The files below a folder with this ending, but for what cargo makes.
fn files(folder: &Path, ending: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && name != "target" {
            files(&path, ending, found);
        } else if name.to_string_lossy().ends_with(ending) {
            found.push(path.to_string_lossy().into_owned());
        }
    }
}

#[test]
fn unsafe_code_is_in_the_listed_modules_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = |file: &String| fs::read_to_string(file).expect("text");
    let (mut sources, mut manifests) = (Vec::new(), Vec::new());
    for folder in ["book/interactive", "book/playground", "book/preprocessor", "harness", "steps"] {
        files(&root.join(folder), ".rs", &mut sources);
        files(&root.join(folder), "Cargo.toml", &mut manifests);
    }
    let exempt = ["allow(unsafe_code", "expect(unsafe_code", "warn(unsafe_code"];
    let mut found = Vec::new();
    for file in
        sources.iter().filter(|file| !file.ends_with(file!().rsplit('/').next().expect("a name")))
    {
        let text = text(file);
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2).filter(|pair| exempt.iter().any(|it| pair[0].contains(it))) {
            let file = file.strip_prefix(&format!("{}/", root.display())).expect("below the root");
            let module = pair[1].rsplit(' ').next().expect("a word");
            found.push((file.to_owned(), module.trim_end_matches(';').to_owned()));
        }
    }
    found.sort();
    assert_eq!(found, UNSAFE.map(|(file, module)| (file.to_owned(), module.to_owned())));
    for manifest in &manifests {
        assert!(text(manifest).contains("[lints]\nworkspace = true"), "{manifest} has other lints");
    }
    let workspace = text(&root.join("Cargo.toml").to_string_lossy().into_owned());
    assert!(workspace.contains("unsafe_code = \"deny\""));
}

//! The current folder is not trusted: a checkout of somebody else's may bring libraries and programs of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Puts a file there, and the folders above it.
fn put(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("a program");
}

#[test]
fn nothing_is_loaded_or_run_from_the_current_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let here = folder.path();
    put(&here.join("Cargo.toml"), "");
    put(&here.join("kernels/README"), "");
    put(&here.join("target/nvrtc/12.9.86/nvidia/cuda_nvrtc/lib/libnvrtc.so.12"), "no library");
    let program = "#!/bin/sh\necho ran >> ran\necho 'gcc, V13.2.51 x'\n";
    put(&here.join("target/nvdisasm/13.2.51/nvidia/cu13/bin/nvdisasm"), program);
    for name in ["gcc", "cc", "clang", "nvdisasm"] {
        put(&here.join("bin").join(name), program);
    }
    let path = std::env::var("PATH").unwrap_or_default();
    let output = crate::program()
        .arg("doctor")
        .current_dir(here)
        .env("PATH", format!("bin:.:{path}"))
        .env("PYTHONPATH", "target/nvrtc/12.9.86:.")
        .env("LD_LIBRARY_PATH", "target/nvrtc/12.9.86/nvidia/cuda_nvrtc/lib")
        .env("CUDA_HOME", "target/nvrtc/12.9.86/nvidia/cuda_nvrtc")
        .env_remove("LADDER_NVRTC")
        .output()
        .expect("it runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(!here.join("ran").exists(), "a program of the current folder ran: {said}");
    let here = here.join("target").display().to_string();
    assert!(!said.contains("no library") && !said.contains(&here), "{said}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let searched = format!("looked for in LADDER_NVRTC, {}", root.join("target/nvrtc").display());
    assert!(said.contains(&searched), "{searched}: {said}");
}

//! A kernel in Rust in the place of a step: it is compiled, verified, and named by its own lines.

use toolchain::rust;

const KERNEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../kernels/nbody/05x-rust.rs");

#[test]
fn a_kernel_in_rust_is_verified_and_a_mistake_in_it_is_said() {
    if let Err(missing) = rust::version() {
        return println!("SKIPPED: {missing}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let run = |kernel: &str| {
        let out = folder.path().join("out");
        let mut command = crate::program();
        command.args(["run", "--kernel", kernel, "--as", "05", "--device", "simt", "--size", "1k"]);
        let output = command.arg("--out").arg(out).env_remove("CARGO").output().expect("it runs");
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let (code, said) = run(KERNEL);
    assert!(code == Some(0) && said.contains("05x-rust.rs in place of 05"), "{said}");
    let text = std::fs::read_to_string(KERNEL).expect("the kernel");
    for (old, new, expected) in [
        ("ax = mul_add(dx, scale, ax)", "ax = mul_add(dy, scale, ax)", "wrong"),
        ("let count = n as usize", "let count = none as usize", "cannot find value `none`"),
    ] {
        let mine = folder.path().join("mine.rs");
        assert_eq!(text.matches(old).count(), 1, "{old}");
        std::fs::write(&mine, text.replace(old, new)).expect("a file");
        let (code, said) = run(mine.to_str().expect("text"));
        assert!(code == Some(1) && said.contains(expected), "{said}");
    }
}

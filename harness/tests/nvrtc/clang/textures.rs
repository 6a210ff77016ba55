//! Functions that sample textures become the same instructions by both compilers.

use toolchain::ptx::EVERY_GPU;

use super::*;

const CUDA: &str = include_str!("textures.cu");

/// The texture instructions of a PTX, sorted: opcode, and the operands after the texture without registers' numbers.
fn samples(ptx: &str) -> Vec<String> {
    let lines = ptx.lines().map(str::trim);
    let samples = lines.filter(|line| line.starts_with("tex.") || line.starts_with("tld4."));
    let shape = |line: &str| {
        let (opcode, operands) = line.split_once(char::is_whitespace).expect("operands");
        let (_, after) = operands.split_once('[').expect("a texture");
        let shape = after.chars().filter(|c| !c.is_ascii_digit() && !c.is_whitespace());
        // LLVM names registers of floats like those of integers.
        format!("{opcode} {}", shape.collect::<String>().replace("%f", "%r"))
    };
    let mut all: Vec<String> = samples.map(shape).collect();
    all.sort();
    all
}

#[test]
fn what_samples_a_texture_is_the_same_instruction_as_nvrtcs() {
    let (Some(clang), Some(nvrtc)) = (clang::installed().first(), EVERY_GPU.compiler()) else {
        return println!("SKIPPED: clang or NVRTC is missing; {}", clang::INSTALL);
    };
    let source = Source {
        name: "textures".into(),
        cuda: Some(CUDA.into()),
        cuda_name: "/textures.cu".into(),
        needs: (7, 5),
        ..Source::default()
    };
    let theirs = samples(&ptx::generate(&source, nvrtc, "compute_75").expect("NVRTC's PTX"));
    let ours = samples(&compiled(source, clang).expect("clang's PTX").ptx[0].text);
    assert_eq!(theirs.len(), CUDA.matches("(texture, ").count(), "{theirs:#?}");
    assert_eq!(ours, theirs);
}

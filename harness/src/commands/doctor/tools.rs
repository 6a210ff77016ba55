//! Compilers and other programs that the harness uses, and the kernels.

use std::path::PathBuf;

use device::{Compiler, Survey, cublas, cudnn};
use ladder::{Code, Function, Step, workspace};
use ladders::LADDERS;
use toolchain::{Error, cc, clang, headers, nvcc, nvrtc, rust, sanitizer, sass};

use super::finding::Finding;

/// What compiles kernels.
pub fn compiler(survey: &Survey) -> Finding {
    let works = |compiler: &&Compiler| compiler.problem.is_none();
    let found = survey.compilers.iter().any(|compiler| works(&compiler));
    let mut lines: Vec<String> = survey.compilers.iter().map(describe).collect();
    let is_pinned = |compiler: &Compiler| {
        compiler.version.as_deref().is_some_and(|version| version.starts_with("11.8."))
    };
    if !found {
        lines.push("missing: no NVRTC was found".into());
        lines.push(
            "adds: edited .cu files are compiled, and on a GPU its own machine code is used; \
             without it the committed PTX runs"
                .into(),
        );
    } else if !survey.compilers.iter().any(is_pinned) {
        lines.push(
            "NVRTC 11.8, which compiles the committed PTX, would add `cargo run -p maintain -- ptx`"
                .into(),
        );
    }
    if let Some(why) = nvrtc::NONE_HERE {
        lines.push(why.into());
    } else if !survey.compilers.iter().any(is_pinned) {
        lines.push("get it: cargo run -p harness -- setup, which asks, and runs".into());
        lines.push(format!("  {}", nvrtc::INSTALL));
    }
    lines.push(format!("looked for in {}", nvrtc::searched()));
    Finding { name: "NVRTC, the compiler for CUDA C++", found, lines }
}

/// What compiles kernels where there is no NVRTC.
pub fn clang(survey: &Survey) -> Finding {
    let found = survey.clangs.iter().any(|clang| clang.problem.is_none());
    let mut lines: Vec<String> = survey.clangs.iter().map(describe).collect();
    if !found {
        lines.push("missing: no clang that compiles for NVIDIA's GPUs was found".into());
        lines.push(
            "adds: edited .cu files are compiled without NVIDIA's software; not needed where NVRTC is found".into(),
        );
        lines.push(
            "get it: cargo run -p harness -- setup --compiler clang, which asks, and runs".into(),
        );
        lines.push(format!("  {}", clang::INSTALL));
    }
    lines.push(format!("looked for in {}", clang::searched()));
    Finding { name: "clang, the other compiler for CUDA C++", found, lines }
}

fn describe(compiler: &Compiler) -> String {
    let path = compiler.path.display();
    match (&compiler.version, &compiler.problem) {
        (_, Some(problem)) => format!("unusable: {problem}"),
        (Some(version), None) => format!("{version}  {path}"),
        (None, None) => path.to_string(),
    }
}

/// The headers that kernels and CUDA programs include.
pub fn cuda_headers(survey: &Survey) -> Finding {
    let name = "CUDA's headers, which kernels include";
    let adds = "your kernels may include cooperative_groups.h, cuda_fp16.h, cuda/atomic, cuda/std/... and others; \
                no step of a ladder does";
    if survey.headers.is_empty() {
        let problem = format!("none were found in {}", headers::searched());
        return Finding::missing(name, &problem, adds, headers::INSTALL);
    }
    if !survey.headers.iter().any(headers::Headers::have_library) {
        let problem = "libcu++ (cuda/atomic, cuda/std/...) is not among those found";
        return Finding::missing(name, problem, adds, headers::INSTALL);
    }
    let described = |headers: &headers::Headers| {
        let (major, minor) = headers.release;
        let folders: Vec<String> =
            headers.folders.iter().map(|it| it.display().to_string()).collect();
        format!("{major}.{minor}  {}", folders.join(", "))
    };
    Finding::found(name, survey.headers.iter().map(described).collect())
}

/// What prints machine code.
pub fn disassembler(survey: &Survey) -> Finding {
    let name = "nvdisasm, which prints machine code";
    let adds = "the machine code of your own kernels, in `explain --sass` and in the time model; that of the \
                ladder's kernels is committed";
    let missing = || Finding::missing(name, "no nvdisasm was found", adds, sass::NVDISASM_INSTALL);
    survey.disassembler.as_ref().map_or_else(missing, |found| program(name, found))
}

/// What checks kernels on a GPU.
pub fn sanitizer(survey: &Survey) -> Finding {
    let name = "compute-sanitizer, which checks kernels while they run on a GPU";
    let adds = "`run --kernel FILE --sanitize` and `watch --sanitize`: your kernel is also run under it on your \
                GPU; the simulator looks for such errors by itself";
    let missing = || Finding::missing(name, "none was found", adds, sanitizer::INSTALL);
    survey.sanitizer.as_ref().map_or_else(missing, |found| program(name, found))
}

/// A program of NVIDIA's, by its version and file.
fn program(name: &'static str, (version, path): &(String, PathBuf)) -> Finding {
    Finding::found(name, vec![format!("{version}  {}", path.display())])
}

/// NVIDIA's library for matrices.
pub fn cublas(survey: &Survey) -> Finding {
    let name = "cuBLAS, which products of matrices are compared with";
    let adds = "on a GPU, cuBLAS as a row of the ladder gemm, and the speed of each step in per cent of it";
    let missing = || {
        let problem = format!("none was found in {}", cublas::searched());
        Finding::missing(name, &problem, adds, cublas::INSTALL)
    };
    survey.cublas.as_ref().map_or_else(missing, |found| program(name, found))
}

/// NVIDIA's library for neural networks.
pub fn cudnn(survey: &Survey) -> Finding {
    let name = "cuDNN, which attention is compared with";
    let adds = "on a GPU, cuDNN as a row of the ladder attention, and the speed of each step in per cent of it";
    let missing = || {
        let problem = format!("none was found in {}", cudnn::searched());
        Finding::missing(name, &problem, adds, cudnn::INSTALL)
    };
    survey.cudnn.as_ref().map_or_else(missing, |found| program(name, found))
}

/// What compiles calls of CUB.
pub fn nvcc() -> Finding {
    let name = "nvcc, which compiles calls of NVIDIA's library CUB";
    match nvcc::Nvcc::find() {
        Ok(found) => program(name, &(found.release, found.program)),
        Err(problem) => {
            let problem = match problem {
                Error::Skipped { reason, .. } => reason,
                other => other.to_string(),
            };
            let calls_cub = |step: &Step| matches!(step.code, Code::Library(Function::Cub { .. }));
            let ladders = LADDERS.iter().filter(|ladder| ladder.libraries().iter().any(calls_cub));
            let ladders = ladders.map(|ladder| ladder.name()).collect::<Vec<_>>().join(", ");
            let adds = format!(
                "on a GPU, CUB as a row of the ladders {ladders}, and the speed of each step in per cent of it"
            );
            Finding::missing(name, &problem, &adds, nvcc::INSTALL)
        }
    }
}

/// The steps that need a C compiler.
fn steps_in_c() -> String {
    let steps = LADDERS.iter().flat_map(|ladder| ladder.steps());
    let names = steps.filter(|step| matches!(step.code, Code::C { .. })).map(|step| step.name);
    names.collect::<Vec<_>>().join(", ")
}

/// What compiles the steps in C.
pub fn c_compiler() -> Finding {
    let name = "C compiler (CPU baseline)";
    match cc::Compiler::find() {
        Ok(compiler) => {
            let line = format!("{}  {}", compiler.version, compiler.program.display());
            Finding::found(name, vec![line])
        }
        Err(problem) => {
            let problem = match problem {
                Error::Skipped { reason, .. } => reason,
                other => other.to_string(),
            };
            let adds = format!("{}, what a C compiler makes of the same loop", steps_in_c());
            Finding::missing(name, &problem, &adds, cc::INSTALL)
        }
    }
}

/// What compiles kernels in Rust.
pub fn nightly_rust() -> Finding {
    let name = "nightly Rust (kernels in Rust)";
    match rust::version() {
        Ok(version) => Finding::found(name, vec![version]),
        Err(Error::Skipped { reason, .. }) => Finding::missing(
            name,
            &reason,
            "`run --kernel mine.rs`, `events mine.rs`",
            rust::INSTALL,
        ),
        Err(other) => Finding::missing(name, &other.to_string(), "kernels in Rust", rust::INSTALL),
    }
}

/// The kernels.
pub fn sources() -> Finding {
    let name = "Workspace with the kernels";
    match workspace::root() {
        Ok(root) => Finding::found(name, vec![root.display().to_string()]),
        Err(error) => {
            let get = "git clone the repository, and run the program in there";
            Finding::missing(name, &error.to_string(), "the kernels of every ladder", get)
        }
    }
}

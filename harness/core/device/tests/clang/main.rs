//! What clang and the headers for it make of CUDA C++, where a clang is found (skipped aloud elsewhere).

use std::fs;
use std::path::PathBuf;

use device::{CodeRoute, Device, Error, Shape, SimulatorDevice, Source};
use toolchain::clang::{self, Clang};
use toolchain::compiler::Maker;

mod functions;

/// A simulator for what clang makes; none where there is no clang.
fn simulator() -> Option<SimulatorDevice> {
    if clang::installed().is_empty() {
        println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
        return None;
    }
    let route = CodeRoute::Compiled(Some(Maker::Clang));
    Some(SimulatorDevice::open(route, device::described("h200").expect("a GPU that is known")))
}

fn source(text: &str, options: &[&str]) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.cu");
    fs::write(&file, text).expect("a file");
    let source = Source::from_file(&file, options).expect("it is read");
    (folder, source)
}

#[test]
fn options_are_followed() {
    let Some(mut device) = simulator() else { return };
    let text =
        "extern \"C\" __global__ void k(float* x) { x[0] = sinf(x[1]) / x[2] + x[3] * x[4] + N; }";
    let mut ptx = |options: &[&str]| {
        let (_folder, source) = source(text, options);
        let module = device.load(&source).unwrap_or_else(|error| panic!("{error}"));
        device.ptx(&module).expect("PTX").text.clone()
    };
    let exact = ptx(&["-DN=1"]);
    assert!(exact.contains("div.rn.f32") && exact.contains("fma.rn.f32"), "{exact}");
    assert!(!exact.contains(".ftz") && !exact.contains("sin.approx"), "{exact}");
    let fast = ptx(&["-DN=1", "--use_fast_math"]);
    assert!(fast.contains("sin.approx.ftz.f32") && fast.contains("div.approx.ftz.f32"), "{fast}");
    let apart = ptx(&["-DN=1", "--use_fast_math", "--fmad=false"]);
    assert!(!apart.contains("fma.") && apart.contains("mul.rn.ftz.f32"), "{apart}");
    let (_folder, source) = source(text, &["--relocatable-device-code=true"]);
    let error = device.load(&source).map(drop).expect_err("unknown").to_string();
    assert!(error.contains("--relocatable-device-code"), "{error}");
}

#[test]
fn errors_have_the_form_of_nvrtcs() {
    let Some(mut device) = simulator() else { return };
    let text = "extern \"C\" __global__ void k(float* x)\n{\n    x[0] = epsq;\n    y = 1\n}\n";
    let (_folder, source) = source(text, &[]);
    let error = device.load(&source).map(drop).expect_err("it is wrong");
    let Error::Code(toolchain::Error::Compile { log, compiler, .. }) = error else {
        panic!("{error}")
    };
    assert!(compiler.starts_with("clang "), "{compiler}");
    for part in [
        "mine.cu(3): error: use of undeclared identifier 'epsq'\n    x[0] = epsq;\n           ^\n\n",
        "mine.cu(4): error: ",
    ] {
        assert!(log.contains(part), "{part}: {log}");
    }
}

/// A program that answers `--version` and the question for architectures with these words.
#[cfg(unix)]
fn program(folder: &tempfile::TempDir, version: &str, architectures: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.path().join("clang");
    let text = format!(
        "#!/bin/sh\ncase $1 in --version) echo '{version}';; *) printf '{architectures}';; esac\n"
    );
    fs::write(&file, text).expect("a file");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("its owner");
    file
}

#[cfg(unix)]
#[test]
fn a_program_that_cannot_compile_kernels_is_told_with_what_to_do() {
    for (version, architectures, words) in [
        (
            "clang version 14.0.6",
            "\\tsm_50\\n\\tsm_70\\n",
            "is clang 14.0.6, and kernels need clang 18",
        ),
        (
            "Apple clang version 17.0.0",
            "error: unable to create target",
            "without its NVPTX back end",
        ),
        ("gcc 12.2.0", "", "is no clang"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        let error = Clang::open(&program(&folder, version, architectures)).expect_err("unusable");
        let error = error.to_string();
        assert!(error.contains(words) && error.contains("setup --compiler clang"), "{error}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let good = program(&folder, "clang version 18.1.8 (x)", "\\tsm_90\\n\\tsm_90a\\n\\tsm_50\\n");
    let clang = Clang::open(&good).expect("it answers");
    assert_eq!((clang.release(), clang.architectures()), ("18.1.8", &[50, 90][..]));
    // As a download that broke off leaves it.
    fs::write(&good, "PK").expect("a file");
    let error = Clang::open(&good).expect_err("no program").to_string();
    assert!(error.contains("cannot be run") && error.contains("remove its folder"), "{error}");
}

/// The headers that kernels include: half precision, bfloat16, cooperative groups.
#[test]
fn kernels_include_headers_of_cudas_names() {
    let Some(mut device) = simulator() else { return };
    let text = r#"#include <cuda_runtime.h>
        #include <cuda_fp16.h>
        #include <cuda_bf16.h>
        #include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        namespace cg = cooperative_groups;
        extern "C" __global__ void k(float* out)
        {
            const auto block = cg::this_thread_block();
            const auto warp = cg::tiled_partition<32>(block);
            const auto tile = cg::tiled_partition<8>(warp);
            const int i = block.thread_rank();
            const half2 h = __floats2half2_rn(i, 0.5f) * __float2half2_rn(2.0f);
            float sum = __low2float(__hfma2(h, h, h)) + __high2float(h);
            sum += __bfloat162float(__nv_bfloat16(1.00390625f) * __nv_bfloat16(2.0f));
            sum += cg::reduce(warp, i % 32, cg::plus<int>()) + cg::reduce(tile, i % 8, cg::greater<int>());
            sum += 0.001f * tile.shfl(i % 32, 3);
            if (i % 3 == 1) {
                const auto some = cg::coalesced_threads();
                sum += 1000.0f * some.size() + 10000.0f * some.thread_rank() + 100000.0f * some.shfl(i % 32, 0);
            }
            block.sync();
            out[i] = sum;
        }"#;
    let (_folder, source) = source(text, &[]);
    let module = device.load(&source).unwrap_or_else(|error| panic!("{error}"));
    let output = device.alloc("out", 4 * 32).expect("memory");
    device.launch(&module, "k", Shape::row(1, 32), &[(&output).into()]).expect("it runs");
    let device: &mut dyn Device = &mut device;
    let found = device.read::<f32>(&output).expect("results");
    for (i, found) in found.iter().enumerate() {
        let twice = 2.0 * i as f32;
        // The bfloat16 nearest to 1.00390625 is 1.0: a half goes to the even one.
        let mut sum =
            twice * twice + twice + 1.0 + 2.0 + 496.0 + 7.0 + 0.001 * (i / 8 * 8 + 3) as f32;
        if i % 3 == 1 {
            sum += 11.0 * 1000.0 + 10_000.0 * (i / 3) as f32 + 100_000.0;
        }
        assert!(
            (found - sum).abs() < 0.01 * sum.abs().max(1.0) * 1e-3 + 0.005,
            "{i}: {found}, not {sum}"
        );
    }
}

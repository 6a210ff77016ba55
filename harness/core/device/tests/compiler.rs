//! NVRTC and clang, where they are found (skipped aloud elsewhere).

#[path = "common/toy.rs"]
mod toy;

use device::{CodeRoute, Device, Error, SimulatorDevice, Source};
use simt::machine::Place;
use toolchain::compiler::{Compiler, Maker};
use toolchain::nvrtc::{self, Nvrtc};
use toolchain::ptx::{self, Header, Mismatch};
use toolchain::{clang, headers};
use toy::{step, toy};

const TOYS: [&str; 2] = ["01-scale", "02-api"];

fn compilers() -> &'static [Nvrtc] {
    let found = nvrtc::installed();
    if found.is_empty() {
        println!("SKIPPED: no NVRTC was found; get one: {}", nvrtc::INSTALL);
    }
    found
}

/// Those, and every clang.
fn all() -> Vec<Compiler<'static>> {
    if clang::installed().is_empty() {
        println!("SKIPPED: no clang was found; get one: {}", clang::INSTALL);
    }
    let clangs = clang::installed().iter().map(Compiler::from);
    compilers().iter().map(Compiler::from).chain(clangs).collect()
}

/// The oldest target that both the compiler and the simulator take.
fn target<'c>(compiler: impl Into<Compiler<'c>>) -> String {
    let compiler = compiler.into();
    let lowest = compiler.architectures().iter().find(|&&architecture| architecture >= 50);
    format!("compute_{}", lowest.expect("all compile for something from Maxwell on"))
}

#[test]
fn generated_ptx_begins_with_its_header_and_matches_its_source() {
    for compiler in all() {
        let mut source = toy();
        let text = ptx::generate(&source, compiler, &target(compiler)).unwrap();
        let header = Header::parse(&text).expect("the text begins with a header");
        assert_eq!(header.source, "kernels/toy/01-scale.cu");
        assert_eq!(header.target(), Some(target(compiler).as_str()));
        assert!(header.compiler.starts_with(&compiler.named("")));
        assert_eq!(ptx::check(&source, &text), Ok(()));

        let edited = source.cuda.take().unwrap().replace("0.5f", "0.25f");
        source.cuda = Some(edited);
        assert_eq!(ptx::check(&source, &text), Err(Mismatch::Changed));
    }
}

#[test]
fn generated_ptx_names_no_folder_of_this_machine_and_has_the_same_bytes_each_time() {
    let here = std::env::current_dir().unwrap();
    for compiler in all() {
        let text = ptx::generate(&toy(), compiler, &target(compiler)).unwrap();
        assert!(text.contains("\"/kernels/toy/01-scale.cu\""));
        assert!(!text.contains(here.to_str().unwrap()));
        let mut windows = toy();
        windows.cuda = windows.cuda.map(|cuda| cuda.replace('\n', "\r\n"));
        assert_eq!(ptx::generate(&windows, compiler, &target(compiler)).unwrap(), text);
    }
}

/// A kernel of two lines and the file that it includes, in a folder of their own.
fn including(included: &str) -> (tempfile::TempDir, Source) {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "#include \"ring.cuh\"\nextern \"C\" __global__ void f(float *x) { *x = ring(*x); }\n";
    std::fs::write(folder.path().join("ring.cuh"), included).unwrap();
    std::fs::write(folder.path().join("mine.cu"), text).unwrap();
    let source = Source::from_file(&folder.path().join("mine.cu"), &[]).unwrap();
    (folder, source)
}

#[test]
fn an_included_file_is_compiled_from_memory_and_named_as_the_source_is() {
    let (folder, source) =
        including("__device__ float ring(float x)\n{\n    return x * 1.5f;\n}\n");
    let here = std::env::current_dir().unwrap();
    drop(folder);
    for compiler in all() {
        let text = ptx::generate(&source, compiler, &target(compiler)).unwrap();
        assert!(text.contains("\"/kernels/ring.cuh\""), "{text}");
        assert!(!text.contains(here.to_str().unwrap()));
        let module = simt::Module::parse("mine.ptx", &text).unwrap();
        let kernel = module.kernel("f").unwrap();
        let place = |i: &simt::Summary| Place::of(kernel, i).to_string();
        let product = kernel.instructions().find(|i| i.class == simt::Class::Fp32Mul);
        assert!(["ring.cuh:3", "ring.cuh:2"].contains(&&*product.map(place).unwrap()), "{text}");
        let mut edited = source.clone();
        edited.includes[0].text += "// edited\n";
        assert_eq!(ptx::check(&edited, &text), Err(Mismatch::Changed));
    }
}

#[test]
fn an_error_in_an_included_file_names_that_file() {
    let (folder, source) = including("__device__ float ring(float x) { return x * two; }\n");
    for maker in makers() {
        let error = simulator(maker).load(&source).map(|_| ()).unwrap_err().to_string();
        let named = format!("{}(1): error", folder.path().join("ring.cuh").display());
        assert!(error.contains(&named), "{error}");
    }
}

/// Whose compilers are here.
fn makers() -> Vec<Maker> {
    let mut makers: Vec<Maker> = all().iter().map(Compiler::maker).collect();
    makers.dedup();
    makers
}

/// A simulator for what this maker's compiler makes.
fn simulator(maker: Maker) -> SimulatorDevice {
    let route = CodeRoute::Compiled(Some(maker));
    SimulatorDevice::open(route, device::described("h200").unwrap())
}

/// Loads a reader's text for the simulator.
fn load(text: &str, maker: Maker) -> Result<(), Error> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.cu");
    std::fs::write(&file, text).unwrap();
    simulator(maker).load(&Source::from_file(&file, &[]).unwrap()).map(drop)
}

#[test]
fn a_readers_file_is_todays_cuda() {
    let text = r#"#include <cstdint>
        #include <cmath>
        #include <climits>
        template <class T> __device__ auto twice(T x) { if constexpr (sizeof(T) == 4) return x + x; else return x; }
        extern "C" __global__ void k(std::uint32_t *out, double *sum, float *x)
        {
            constexpr auto one = [](unsigned x) { return x * 1; };
            static_assert(INT_MAX == INT32_MAX);
            if (uint32_t i = threadIdx.x; i < 8) out[i] = twice(one(i));
            atomicAdd_block(sum, std::sqrt(static_cast<double>(x[0])));
        }"#;
    for maker in makers() {
        load(text, maker).unwrap_or_else(|error| panic!("{maker}: {error}"));
    }
}

#[test]
fn a_readers_file_includes_the_headers_of_cuda() {
    if !headers::installed().iter().any(headers::Headers::have_library) {
        println!("SKIPPED: CUDA's headers were not found; get them: {}", headers::INSTALL);
        return;
    }
    let text = r#"#include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        #include <cuda/atomic>
        #include <cuda/std/array>
        #include <cstdint>
        #include <type_traits>
        namespace cg = cooperative_groups;
        extern "C" __global__ void k(const int *in, int *out)
        {
            static_assert(std::is_same_v<uint64_t, cuda::std::uint64_t>);
            const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
            const int sum = cg::reduce(warp, in[threadIdx.x], cg::plus<int>());
            cuda::std::array<int, 2> two = {sum, 1};
            cuda::atomic_ref<int, cuda::thread_scope_device> total(*out);
            if (warp.thread_rank() == 0) total.fetch_add(two[0] * two[1], cuda::memory_order_relaxed);
        }"#;
    if compilers().is_empty() {
        return;
    }
    load(text, Maker::Nvrtc).unwrap_or_else(|error| panic!("{error}"));
    let error = load("#include <cuda/no_such_header>\n", Maker::Nvrtc).expect_err("there is none");
    assert!(error.to_string().contains("cuda/no_such_header"), "{error}");
}

#[test]
fn the_pinned_compiler_makes_what_is_committed() {
    let Some(nvrtc) = ptx::EVERY_GPU.compiler() else {
        println!("SKIPPED: the pinned NVRTC was not found; get it: {}", ptx::EVERY_GPU.install());
        return;
    };
    for source in TOYS.map(step) {
        assert_eq!(source.ptx[0].text, ptx::generate(&source, nvrtc, "compute_50").unwrap());
    }
}

#[test]
fn what_is_committed_matches_its_source() {
    for source in TOYS.map(step) {
        assert_eq!(ptx::check(&source, &source.ptx[0].text), Ok(()));
    }
}

#[test]
fn a_real_target_gives_a_cubin_and_its_ptx() {
    for nvrtc in compilers() {
        let newest = nvrtc.architectures().last().unwrap();
        let options = [format!("--gpu-architecture=sm_{newest}")];
        let compiled = nvrtc.compile("/x.cu", "extern \"C\" __global__ void f() {}", &options);
        let compiled = compiled.unwrap();
        assert!(compiled.cubin.unwrap().starts_with(b"\x7fELF"));
        assert!(compiled.ptx.contains(".entry f"));
        assert!(compiled.version.starts_with(&nvrtc.version().to_string()));
    }
}

#[test]
fn a_wrong_source_gives_the_compilers_words() {
    for nvrtc in compilers() {
        let options = [format!("--gpu-architecture={}", target(nvrtc))];
        let error =
            nvrtc.compile("/kernels/toy/x.cu", "int a;\nint b = c;\n", &options).unwrap_err();
        assert!(error.to_string().contains("/kernels/toy/x.cu(2)"), "{error}");
        assert!(matches!(error, toolchain::Error::Compile { .. }));
        let error = nvrtc.compile("/x.cu", "int a;\0", &options).unwrap_err();
        assert!(error.to_string().contains("zero byte"), "{error}");
        let error =
            nvrtc.compile("/x.cu", "int a;", &["--no-such-option".to_string()]).unwrap_err();
        assert!(error.to_string().contains("no-such-option"), "{error}");
    }
}

#[test]
fn a_library_without_its_builtins_is_no_compiler() {
    let dir = tempfile::tempdir().unwrap();
    for nvrtc in compilers() {
        let alone = dir.path().join(nvrtc.path().file_name().unwrap());
        std::fs::copy(nvrtc.path(), &alone).unwrap();
        // A process of its own: in this one the builtins are loaded already, and would be found.
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "print_the_survey", "--ignored", "--nocapture"])
            .env("LADDER_NVRTC", &alone)
            .env_remove("LD_LIBRARY_PATH")
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = text.lines().find(|line| line.starts_with(alone.to_str().unwrap())).unwrap();
        if line.contains("Some(\"") && line.ends_with("None") {
            println!("SKIPPED: this system's loader has the builtins: {line}");
            continue;
        }
        assert!(line.contains("builtins"), "{line}");
    }
}

#[test]
#[ignore = "a helper of the test above"]
fn print_the_survey() {
    for compiler in device::survey().compilers {
        println!("\n{} {:?} {:?}", compiler.path.display(), compiler.version, compiler.problem);
    }
}

#[test]
fn a_file_that_is_no_nvrtc_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libnvrtc.so");
    std::fs::write(&path, "text").unwrap();
    let error = Nvrtc::open(&path).unwrap_err();
    assert!(error.to_string().contains("libnvrtc.so"), "{error}");
}

#[test]
#[ignore = "writes the committed PTX of the toy steps"]
fn renew_the_committed_ptx() {
    let nvrtc = ptx::EVERY_GPU.compiler().expect("the pinned NVRTC");
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toy");
    for name in TOYS {
        let text = ptx::generate(&step(name), nvrtc, ptx::EVERY_GPU.target).unwrap();
        std::fs::write(folder.join(format!("{name}.ptx")), text).unwrap();
    }
}

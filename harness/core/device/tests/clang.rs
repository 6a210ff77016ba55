//! What clang and the headers for it make of CUDA C++, where a clang is found (skipped aloud elsewhere).

use std::fs;
use std::path::PathBuf;

use device::clang::{self, Clang};
use device::compiler::Maker;
use device::{Argument, CodeRoute, Device, Error, Shape, SimulatorDevice, Source};

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

/// What `expression` of `x` (and `y`) is for each pair, computed by a kernel.
fn computed<T: bytemuck::Pod>(
    device: &mut SimulatorDevice,
    kind: &str,
    expression: &str,
    arguments: &[(T, T)],
) -> Vec<T> {
    let text = format!(
        "extern \"C\" __global__ void k(const {kind}* in, {kind}* out) {{ \
         const int i = blockIdx.x * blockDim.x + threadIdx.x; const {kind} x = in[2 * i], y = in[2 * i + 1]; \
         out[i] = {expression}; }}"
    );
    let (_folder, source) = source(&text, &[]);
    let module = device.load(&source).unwrap_or_else(|error| panic!("{expression}: {error}"));
    let flat: Vec<T> = arguments.iter().flat_map(|(x, y)| [*x, *y]).collect();
    let input = device.alloc("in", size_of_val(&flat[..])).expect("memory");
    let output = device.alloc("out", size_of::<T>() * arguments.len()).expect("memory");
    device.upload(&input, bytemuck::cast_slice(&flat)).expect("a copy");
    let list = [Argument::from(&input), (&output).into()];
    let shape = Shape::row(u32::try_from(arguments.len() / 128).expect("few"), 128);
    device
        .launch(&module, "k", shape, &list)
        .unwrap_or_else(|error| panic!("{expression}: {error}"));
    let device: &mut dyn Device = device;
    device.read::<T>(&output).expect("results")
}

/// Steps of sequences that have nothing to do with each other.
const GOLDEN: f64 = 0.618_033_988_749_894_9;
const SILVER: f64 = 0.414_213_562_373_095_05;

/// Numbers between two, and both ends: a fixed sequence that fills the interval evenly, with another `step` another one.
fn between(low: f64, high: f64, step: f64) -> Vec<f64> {
    let count = 4096;
    let even = (1..count - 1).map(|i| (i as f64 * step).fract());
    let scaled = even.map(|part| low + part * (high - low));
    [low].into_iter().chain(scaled).chain([high]).collect()
}

/// The distance from `exact` in units of the last place that `digits` leave.
fn ulps(found: f64, exact: f64, digits: i32, least: i32) -> f64 {
    if found.is_nan() && exact.is_nan() || found == exact {
        return 0.0;
    }
    let exponent = (exact.abs().log2().floor() as i32).max(least);
    (found - exact).abs() / f64::from(exponent - digits + 1).exp2()
}

type Function = fn(f64, f64) -> f64;

/// A function as CUDA C++ writes it; the largest error that its documentation gives for float, in units of the last place; the
/// function; between which numbers x is, and y.
type Known = (&'static str, f64, Function, (f64, f64), (f64, f64));

const FUNCTIONS: &[Known] = &[
    ("sqrtf(x)", 0.5, |x, _| x.sqrt(), (0.0, 1e30), (0.0, 0.0)),
    ("rsqrtf(x)", 2.0, |x, _| 1.0 / x.sqrt(), (1e-30, 1e30), (0.0, 0.0)),
    ("cbrtf(x)", 1.0, |x, _| x.cbrt(), (-1e4, 1e30), (0.0, 0.0)),
    ("rcbrtf(x)", 1.0, |x, _| 1.0 / x.cbrt(), (1e-20, 1e4), (0.0, 0.0)),
    ("hypotf(x, y)", 3.0, f64::hypot, (-1e30, 1e30), (-1e30, 1e30)),
    ("expf(x)", 2.0, |x, _| x.exp(), (-86.0, 88.7), (0.0, 0.0)),
    ("exp2f(x)", 2.0, |x, _| x.exp2(), (-125.0, 127.9), (0.0, 0.0)),
    ("exp10f(x)", 2.0, |x, _| (x * std::f64::consts::LN_10).exp(), (-37.0, 38.4), (0.0, 0.0)),
    ("expm1f(x)", 1.0, |x, _| x.exp_m1(), (-5.0, 5.0), (0.0, 0.0)),
    ("logf(x)", 1.0, |x, _| x.ln(), (1e-30, 4.0), (0.0, 0.0)),
    ("log2f(x)", 1.0, |x, _| x.log2(), (1e-30, 4.0), (0.0, 0.0)),
    ("log10f(x)", 2.0, |x, _| x.log10(), (1e-30, 1e30), (0.0, 0.0)),
    ("log1pf(x)", 1.0, |x, _| x.ln_1p(), (-0.99, 2.0), (0.0, 0.0)),
    ("powf(x, y)", 4.0, f64::powf, (0.01, 20.0), (-19.0, 29.0)),
    ("sinf(x)", 2.0, |x, _| x.sin(), (-100.0, 100.0), (0.0, 0.0)),
    ("sinf(x)", 2.0, |x, _| x.sin(), (-3e38, 3e38), (0.0, 0.0)),
    ("cosf(x)", 2.0, |x, _| x.cos(), (-7e4, 7e4), (0.0, 0.0)),
    ("tanf(x)", 4.0, |x, _| x.tan(), (-1e6, 1e6), (0.0, 0.0)),
    (
        "sinpif(x)",
        2.0,
        |x, _| (x.rem_euclid(2.0) * std::f64::consts::PI).sin(),
        (0.0, 9.9),
        (0.0, 0.0),
    ),
    ("asinf(x)", 2.0, |x, _| x.asin(), (-1.0, 1.0), (0.0, 0.0)),
    ("acosf(x)", 2.0, |x, _| x.acos(), (-1.0, 1.0), (0.0, 0.0)),
    ("atanf(x)", 2.0, |x, _| x.atan(), (-9.0, 9.0), (0.0, 0.0)),
    ("atan2f(x, y)", 3.0, f64::atan2, (-9.0, 9.0), (-9.0, 9.0)),
    ("sinhf(x)", 3.0, |x, _| x.sinh(), (-10.0, 10.0), (0.0, 0.0)),
    ("coshf(x)", 2.0, |x, _| x.cosh(), (-89.0, 89.0), (0.0, 0.0)),
    ("tanhf(x)", 2.0, |x, _| x.tanh(), (-3.0, 3.0), (0.0, 0.0)),
    ("asinhf(x)", 3.0, |x, _| x.asinh(), (-9.0, 1e30), (0.0, 0.0)),
    (
        "acoshf(x)",
        4.0,
        |x, _| (x - 1.0 + ((x - 1.0) * (x + 1.0)).sqrt()).ln_1p(),
        (1.0, 9.0),
        (0.0, 0.0),
    ),
    ("atanhf(x)", 3.0, |x, _| x.abs().atanh().copysign(x), (-0.99, 0.99), (0.0, 0.0)),
    ("fmodf(x, y)", 0.0, |x, y| x % y, (-1e9, 1e9), (0.1, 9.0)),
    ("erff(x)", 2.0, |x, _| erf(x), (-3.0, 3.0), (0.0, 0.0)),
    ("tgammaf(x)", 5.0, |x, _| gamma(x), (0.1, 20.0), (0.0, 0.0)),
    ("__expf(x)", 4.0, |x, _| x.exp(), (-1.0, 1.0), (0.0, 0.0)),
    ("__fdividef(x, y)", 2.0, |x, y| x / y, (-9.0, 9.0), (1.0, 9.0)),
    ("fmaxf(x, y) + fminf(x, y)", 0.5, |x, y| x + y, (-9.0, 9.0), (-9.0, 9.0)),
    ("roundf(x) + rintf(y)", 0.0, |x, y| x.round() + y.round_ties_even(), (-9.0, 9.0), (-9.0, 9.0)),
    ("ldexpf(x, (int)y)", 0.5, |x, y| x * y.trunc().exp2(), (1.0, 2.0), (-149.0, 127.0)),
];

/// By a series whose terms have one sign.
fn erf(x: f64) -> f64 {
    let next = |(term, sum): (f64, f64), n: u32| {
        let term = term * 2.0 * x * x / f64::from(2 * n + 1);
        (term, sum + term)
    };
    (1..120).fold((x, x), next).1 * (-x * x).exp() * std::f64::consts::FRAC_2_SQRT_PI
}

/// By Stirling's series where it is exact enough, and by recurrence down from there.
fn gamma(x: f64) -> f64 {
    if x < 20.0 {
        return gamma(x + 1.0) / x;
    }
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    (std::f64::consts::TAU / x).sqrt() * (x * (x.ln() - 1.0) + series).exp()
}

#[test]
fn functions_are_as_exact_as_documented() {
    let Some(mut device) = simulator() else { return };
    let mut wrong = Vec::new();
    for (expression, most, exact, (low, high), (from, to)) in FUNCTIONS {
        let pairs = between(*low, *high, GOLDEN).into_iter().zip(between(*from, *to, SILVER));
        let pairs: Vec<(f32, f32)> = pairs.map(|(x, y)| (x as f32, y as f32)).collect();
        let found = computed(&mut device, "float", expression, &pairs);
        let errors = pairs.iter().zip(&found).map(|((x, y), found)| {
            let exact = exact(f64::from(*x), f64::from(*y));
            let exact =
                if f64::from(exact as f32).is_infinite() { f64::from(exact as f32) } else { exact };
            (ulps(f64::from(*found), exact, 24, -126), *x, *y, *found)
        });
        let worst =
            errors.fold((0.0, 0.0, 0.0, 0.0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a });
        println!("{expression}: {:.2} of {most} ulp at {} {}", worst.0, worst.1, worst.2);
        // What is rounded last cannot be closer than that.
        let is_exact = worst.0 <= most.max(0.501);
        if !is_exact {
            wrong.push(format!("{expression}: {worst:?}, more than {most}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The same of doubles, whose exact values have no more digits here: an ulp more is allowed.
#[test]
fn functions_of_doubles_are_as_exact_as_documented() {
    let Some(mut device) = simulator() else { return };
    let mut wrong = Vec::new();
    for (expression, _, exact, (low, high), (from, to)) in FUNCTIONS {
        let Some((name, rest)) = expression.split_once("f(") else { continue };
        if name.starts_with("__")
            || rest.contains('f')
            || ["tgamma", "exp10", "sinpi", "erf"].contains(&name)
        {
            continue;
        }
        let high = high.min(1e300);
        let pairs = between(*low, high, GOLDEN).into_iter().zip(between(*from, *to, SILVER));
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let found = computed(&mut device, "double", &format!("{name}({rest}"), &pairs);
        let errors = pairs
            .iter()
            .zip(&found)
            .map(|((x, y), found)| (ulps(*found, exact(*x, *y), 53, -1022), *x, *y, *found));
        let worst =
            errors.fold((0.0, 0.0, 0.0, 0.0), |a, b| if b.0 > a.0 || b.0.is_nan() { b } else { a });
        println!("{name}: {:.2} ulp at {} {}", worst.0, worst.1, worst.2);
        let is_exact = worst.0 <= 4.0;
        if !is_exact {
            wrong.push(format!("{name}: {worst:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn special_numbers_are_what_the_standard_says() {
    let Some(mut device) = simulator() else { return };
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (expression, arguments, expected) in [
        ("powf(x, y)", [(0.0, 0.0), (-2.0, 3.0), (-8.0, 0.5), (0.0, -1.0)], [1.0, -8.0, nan, inf]),
        ("expf(x)", [(inf, 0.0), (-inf, 0.0), (nan, 0.0), (1e9, 0.0)], [inf, 0.0, nan, inf]),
        ("logf(x)", [(0.0, 0.0), (-1.0, 0.0), (inf, 0.0), (1.0, 0.0)], [-inf, nan, inf, 0.0]),
        ("fminf(x, y)", [(nan, 1.0), (1.0, nan), (-0.0, 0.0), (nan, nan)], [1.0, 1.0, 0.0, nan]),
        ("sinf(x)", [(inf, 0.0), (nan, 0.0), (0.0, 0.0), (-0.0, 0.0)], [nan, nan, 0.0, 0.0]),
        ("tgammaf(x)", [(-1.0, 0.0), (1.0, 0.0), (5.0, 0.0), (200.0, 0.0)], [nan, 1.0, 24.0, inf]),
        (
            "isnan(x) + 2 * isinf(y)",
            [(nan, inf), (1.0, 1.0), (0.0, -inf), (nan, 1.0)],
            [3.0, 0.0, 2.0, 1.0],
        ),
        (
            "ilogbf(x) + abs(y)",
            [(8.0, -1.0), (0.5, 2.5), (1e-44, 0.0), (1.0, -0.0)],
            [4.0, 1.5, -147.0, 0.0],
        ),
    ] {
        let many: Vec<(f32, f32)> = arguments.into_iter().cycle().take(128).collect();
        let found = computed(&mut device, "float", expression, &many);
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            let is_same = *found == expected || found.is_nan() && expected.is_nan();
            assert!(is_same, "{expression} at {:?}: {found}, not {expected}", arguments[at]);
        }
    }
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
    let Error::Compile { log, compiler, .. } = error else { panic!("{error}") };
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

#[test]
fn doubles_of_functions_that_rust_lacks_are_right() {
    let Some(mut device) = simulator() else { return };
    // By mpmath, with 60 digits.
    for (expression, x, exact) in [
        ("erf(x)", -2.9397000151122654, -0.9999678058666595),
        ("erf(x)", 0.3, 0.3286267594591274),
        ("erfc(x)", 5.0, 1.537459794428035e-12),
        ("erfc(x)", 1.25, 0.07709987174354177),
        ("tgamma(x)", 0.1, 9.51350769866873),
        ("tgamma(x)", 10.5, 1133278.3889487856),
        ("lgamma(x)", 100.5, 361.4355404677776),
        ("exp10(x)", 0.3, 1.9952623149688795),
        ("sinpi(x)", 0.3, 0.8090169943749475),
    ] {
        let found = computed(&mut device, "double", expression, &[(x, 0.0); 128])[0];
        let error = ulps(found, exact, 53, -1022);
        println!("{expression}: {error:.2} ulp at {x}");
        assert!(error <= 10.0, "{expression} at {x}: {found}, not {exact}");
    }
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

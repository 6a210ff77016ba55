//! Mathematical functions of clang's headers, against values that do not come from them.

use device::{Argument, Device, Module, Shape, SimulatorDevice};

use crate::{simulator, source};

/// Kernels that compute expressions of numbers x and y, all compiled at once: the first is `k0`.
struct Kernels<'d> {
    device: &'d mut SimulatorDevice,
    module: Module,
}

impl Kernels<'_> {
    fn compile<'d>(
        device: &'d mut SimulatorDevice,
        kind: &str,
        expressions: &[String],
    ) -> Kernels<'d> {
        let kernels = expressions.iter().enumerate().map(|(number, expression)| {
            format!(
                "extern \"C\" __global__ void k{number}(const {kind}* in, {kind}* out) {{ \
                 const int at = blockIdx.x * blockDim.x + threadIdx.x; \
                 const {kind} x = in[2 * at], y = in[2 * at + 1], pair[2] = {{x, y}}; \
                 const int n = (int)y; {kind} p, q; int i; out[at] = {expression}; }}\n"
            )
        });
        let (_folder, source) = source(&kernels.collect::<String>(), &[]);
        let module = device.load(&source).unwrap_or_else(|error| panic!("{error}"));
        Kernels { device, module }
    }

    /// What kernel `number` makes of pairs; there are at most 128, or a multiple of them.
    fn run<T: bytemuck::Pod>(&mut self, number: usize, arguments: &[(T, T)]) -> Vec<T> {
        let flat: Vec<T> = arguments.iter().flat_map(|(x, y)| [*x, *y]).collect();
        let input = self.device.alloc("in", size_of_val(&flat[..])).expect("memory");
        let output = self.device.alloc("out", size_of::<T>() * arguments.len()).expect("memory");
        self.device.upload(&input, bytemuck::cast_slice(&flat)).expect("a copy");
        let list = [Argument::from(&input), (&output).into()];
        let [count, most] = [arguments.len(), 128].map(|it| u32::try_from(it).expect("few"));
        let shape = Shape::row(count.div_ceil(most), count.min(most));
        self.device
            .launch(&self.module, &format!("k{number}"), shape, &list)
            .unwrap_or_else(|error| panic!("kernel {number}: {error}"));
        let device: &mut dyn Device = self.device;
        device.read::<T>(&output).expect("results")
    }
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
    let expressions: Vec<String> = FUNCTIONS.iter().map(|it| it.0.to_string()).collect();
    let mut kernels = Kernels::compile(&mut device, "float", &expressions);
    for (number, (expression, most, exact, (low, high), (from, to))) in FUNCTIONS.iter().enumerate()
    {
        let pairs = between(*low, *high, GOLDEN).into_iter().zip(between(*from, *to, SILVER));
        let pairs: Vec<(f32, f32)> = pairs.map(|(x, y)| (x as f32, y as f32)).collect();
        let found = kernels.run(number, &pairs);
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

/// A function of the table, its limits and its values.
struct Entry {
    expression: &'static str,
    /// Of float and of double.
    most: [f64; 2],
    is_absolute: bool,
    /// x, y, the value.
    values: Vec<[f64; 3]>,
}

fn table() -> Vec<Entry> {
    let paragraphs = include_str!("functions.txt").split("\n\n").skip(1);
    let number = |word: &str| word.parse::<f64>().unwrap_or_else(|_| panic!("{word}"));
    let entry = |paragraph: &'static str| {
        let (head, values) = paragraph.split_once('\n').expect("values");
        let (expression, limits) = head.split_once(" : ").expect("limits");
        let words: Vec<&str> = limits.split(' ').collect();
        let row = |line: &str| {
            let numbers: Vec<f64> = line.split(' ').map(number).collect();
            <[f64; 3]>::try_from(numbers).expect("three numbers")
        };
        Entry {
            expression,
            most: [number(words[0]), number(words[1])],
            is_absolute: words.len() == 3,
            values: values.lines().map(row).collect(),
        }
    };
    paragraphs.map(entry).collect()
}

/// What is wrong with a function: the value that is furthest from the table's.
fn problem(entry: &Entry, found: &[f64], is_float: bool) -> Option<String> {
    let (digits, least, most) =
        if is_float { (24, -126, entry.most[0]) } else { (53, -1022, entry.most[1]) };
    let errors = entry.values.iter().zip(found).map(|([x, y, exact], found)| {
        let error = match entry.is_absolute {
            true => (found - exact).abs(),
            // What is rounded last cannot be closer than half a unit.
            false => ulps(*found, *exact, digits, least) - 0.5,
        };
        (error, format!("{found} of {x}, {y} is {exact}"))
    });
    let bad = errors.filter(|(error, _)| {
        let is_near = *error <= most.max(0.001);
        !is_near
    });
    let worst = bad.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let kind = if is_float { "float" } else { "double" };
    Some(format!("{} of {kind}: {} by {:.2}, at most {most}", entry.expression, worst.1, worst.0))
}

#[test]
fn every_function_of_the_math_api_has_its_documented_accuracy() {
    let Some(mut device) = simulator() else { return };
    let table = table();
    assert!(table.len() > 80, "only {} functions", table.len());
    let mut wrong = Vec::new();
    let written =
        |suffix| table.iter().map(move |it| it.expression.replace('@', suffix)).collect::<Vec<_>>();
    let mut kernels = Kernels::compile(&mut device, "float", &written("f"));
    for (number, entry) in table.iter().enumerate() {
        let pairs: Vec<_> = entry.values.iter().map(|[x, y, _]| (*x as f32, *y as f32)).collect();
        let found: Vec<f64> = kernels.run(number, &pairs).into_iter().map(f64::from).collect();
        wrong.extend(problem(entry, &found, true));
    }
    let mut kernels = Kernels::compile(&mut device, "double", &written(""));
    for (number, entry) in table.iter().enumerate() {
        let pairs: Vec<_> = entry.values.iter().map(|[x, y, _]| (*x, *y)).collect();
        wrong.extend(problem(entry, &kernels.run(number, &pairs), false));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn special_numbers_are_what_the_standard_says() {
    let Some(mut device) = simulator() else { return };
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let cases = [
        ("powf(x, y)", [(0.0, 0.0), (-2.0, 3.0), (-8.0, 0.5), (0.0, -1.0)], [1.0, -8.0, nan, inf]),
        ("expf(x)", [(inf, 0.0), (-inf, 0.0), (nan, 0.0), (1e9, 0.0)], [inf, 0.0, nan, inf]),
        ("logf(x)", [(0.0, 0.0), (-1.0, 0.0), (inf, 0.0), (1.0, 0.0)], [-inf, nan, inf, 0.0]),
        ("fminf(x, y)", [(nan, 1.0), (1.0, nan), (-0.0, 0.0), (nan, nan)], [1.0, 1.0, 0.0, nan]),
        ("sinf(x)", [(inf, 0.0), (nan, 0.0), (0.0, 0.0), (-0.0, 0.0)], [nan, nan, 0.0, 0.0]),
        ("erfinvf(x)", [(1.0, 0.0), (-1.0, 0.0), (2.0, 0.0), (0.0, 0.0)], [inf, -inf, nan, 0.0]),
        ("y0f(x)", [(0.0, 0.0), (-1.0, 0.0), (inf, 0.0), (nan, 0.0)], [-inf, nan, 0.0, nan]),
        (
            "nextafterf(x, y)",
            [(0.0, 1.0), (1.0, nan), (1.0, 1.0), (inf, 0.0)],
            [1e-45, nan, 1.0, f32::MAX],
        ),
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
    ];
    let expressions: Vec<String> = cases.iter().map(|it| it.0.to_string()).collect();
    let mut kernels = Kernels::compile(&mut device, "float", &expressions);
    for (number, (expression, arguments, expected)) in cases.into_iter().enumerate() {
        let found = kernels.run(number, &arguments);
        for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
            let is_same = *found == expected || found.is_nan() && expected.is_nan();
            assert!(is_same, "{expression} at {:?}: {found}, not {expected}", arguments[at]);
        }
    }
}

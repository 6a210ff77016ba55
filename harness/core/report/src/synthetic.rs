//! Reports made up for tests, as a run writes them. Their numbers stand nowhere else.

mod host;

use std::collections::BTreeMap;

use crate::published::{Line, Published};
use crate::scaling::{self, Scaling, Series};
use crate::statistics::{median, median_interval, spread};
use crate::{
    Accuracy, Bound, Define, EndToEnd, Extra, Figure, Info, Limits, Machine, Occupancy, Outcome,
    Report, Request, Row, SCHEMA, Samples, Suspect, TimeSource, Timed, Whole, bound, relate,
};

pub use host::host;

/// A name that would be markup if it were not escaped.
pub const GPU: &str = "GPU <A&B>";

/// The ladder of all but [`host`] and [`exact`].
pub const LADDER: &str = "pairs";

/// Pairs of points: work is the size squared.
pub fn figure() -> Figure {
    Figure {
        title: "All pairs".to_owned(),
        size: "points".to_owned(),
        pass: "evaluation".to_owned(),
        whole: Some("time step".to_owned()),
        work: "pairs".to_owned(),
        scale: 1e9,
        unit: "10⁹ pairs/s".to_owned(),
        flop: Some(20.0),
        results: "sums".to_owned(),
    }
}

/// A computer.
pub fn machine() -> Machine {
    Machine {
        os: "linux".to_owned(),
        arch: "x86_64".to_owned(),
        cpu: Some("A processor".to_owned()),
        cores: 2,
    }
}

/// A report of these rows, related to each other, on a GPU or on its model.
pub fn report(mut rows: Vec<Row>, modelled: bool) -> Report {
    relate(&mut rows);
    Report {
        schema: SCHEMA,
        date: "2026-11-20".to_owned(),
        machine: machine(),
        device: Some(Info {
            kind: if modelled { "simt" } else { "cuda" }.to_owned(),
            name: if modelled { "simulator" } else { GPU }.to_owned(),
            compute_capability: (!modelled).then_some((9, 0)),
            driver_version: (!modelled).then(|| "580.95.05".to_owned()),
            cuda_version: (!modelled).then(|| "13.0".to_owned()),
            memory_bytes: 150 << 30,
            memory_free_bytes: 149 << 30,
            multiprocessors: Some(132),
            clock_mhz: Some(1980),
            launch_limit_seconds: 20.0,
            modelled: modelled.then(|| GPU.to_owned()),
        }),
        options: Request { ladder: LADDER.to_owned(), ..Request::default() },
        seed: 7,
        revision: Some("0123456789ab".to_owned()),
        recounted: None,
        figures: BTreeMap::from([(LADDER.to_owned(), figure())]),
        rows,
    }
}

/// The same report, its times a model's.
pub fn modelled(mut report: Report) -> Report {
    for row in &mut report.rows {
        (row.outcome, row.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    }
    report
}

/// The same of which less was verified than was timed: `n`, and half of that of the first step.
pub fn verified_up_to(n: u64, mut report: Report) -> Report {
    for (place, row) in report.rows.iter_mut().enumerate() {
        for timed in &mut row.timed {
            timed.accuracy.n = (if place == 0 { n / 2 } else { n }).min(timed.n);
        }
    }
    modelled(report)
}

/// A step's folder, slide, over what it is a speed-up and at which size, and what was printed for
/// each of two GPUs.
pub type Slide<'s> = (&'s str, u32, &'s str, Option<u64>, [&'s str; 2]);

/// The speed-ups of a talk.
pub fn published(lines: &[Slide]) -> Published {
    let mut published = Published { name: "the talk".to_owned(), ..Published::default() };
    published.source = "A. Author, A Talk".to_owned();
    for &(step, slide, against, n, ratios) in lines {
        for (gpu, ratio) in ["GPU One (CC 1.3)", "GPU Two (CC 3.0)"].into_iter().zip(ratios) {
            let [step, against, gpu, ratio] = [step, against, gpu, ratio].map(str::to_owned);
            published.lines.push(Line { step, slide, against, gpu, n, time_steps: None, ratio });
        }
    }
    published
}

/// A step measured on some GPUs.
pub fn scaled(step: &str, gpus: u32, series: Series, n: u64, seconds: f64) -> scaling::Row {
    scaling::Row {
        step: step.to_owned(),
        gpus,
        series,
        n,
        outcome: Outcome::Measured,
        reason: None,
        timed: Some(scaling::Timed {
            seconds,
            interval: None,
            spread: None,
            launches_seconds: 0.9 * seconds,
            work: (n * n) as f64,
            count: 10,
            source: TimeSource::Host,
            samples: vec![seconds],
        }),
        accuracy: None,
        gain: None,
    }
}

/// A report of these rows, related to each other.
pub fn scaling(rows: Vec<scaling::Row>) -> Scaling {
    let mut scaling = Scaling {
        schema: scaling::SCHEMA,
        date: "2026-01-01".to_owned(),
        revision: None,
        machine: machine(),
        figure: figure(),
        gpu: Some("A GPU".to_owned()),
        driver: None,
        exchange: Some("NCCL 2.21.5".to_owned()),
        launched: false,
        sizes: vec![1000],
        weak: 500,
        seed: 0,
        rows,
    };
    scaling.relate();
    scaling
}

/// A row that gives only a step's outcome. One called like 03x-… is a detour.
pub fn row(step: &str, after: Option<&str>, outcome: Outcome) -> Row {
    let reason = (!outcome.is_verified()).then(|| "for a reason".to_owned());
    Row {
        ladder: LADDER.to_owned(),
        step: step.to_owned(),
        title: format!("idea of {step}"),
        changes: format!("what {step} changes"),
        after: after.map(str::to_owned),
        detour: step.get(2..4) == Some("x-"),
        device: Some(GPU.to_owned()),
        outcome,
        reason,
        ..Row::default()
    }
}

/// A step measured at `n`, without samples.
pub fn timed(step: &str, after: Option<&str>, n: u64, seconds: f64) -> Row {
    let mut row = row(step, after, Outcome::Measured);
    row.time_source = Some(TimeSource::Device);
    row.timed = vec![at(n, seconds)];
    row.extras = vec![Extra { name: "energy drift".to_owned(), value: 2e-6 }];
    row
}

/// A time at a size, without samples.
pub fn at(n: u64, seconds: f64) -> Timed {
    Timed {
        n,
        sizes: Vec::new(),
        work: (n as f64).powi(2),
        seconds,
        interval: None,
        spread: None,
        passes: 1,
        whole: Some(Whole { seconds: 1.02 * seconds, interval: None, count: 1 }),
        accuracy: Accuracy { n, rms: Some(2e-7), worst: Some(9e-6), tolerance: 1e-5 },
        parent: None,
        samples: Samples::default(),
    }
}

/// A step with so many 10⁹ pairs per second and such an error.
pub fn reaching(name: &str, rate: f64, error: f64) -> Row {
    let mut row = timed(name, None, 10_000, 1e8 / (rate * 1e9));
    row.timed[0].accuracy.rms = Some(error);
    row
}

/// Two steps are nearer to f64 than 10-fast-math, the last that is published, one of them faster;
/// one is faster and further off.
pub fn accuracies() -> Report {
    let mut first = reaching("01-one-thread", 0.004, 9e-7);
    first.timed[0].n = 4096;
    let rows = vec![
        first,
        reaching("08-no-if", 1400.0, 5.21e-6),
        reaching("09x-unroll-128", 1660.0, 5.18e-6),
        reaching("10-fast-math", 1725.0, 5.19e-6),
        reaching("13-lanes", 1500.0, 2.1e-7),
        reaching("14-pairs", 2900.0, 2.5e-7),
        reaching("16-tensor-sums", 2800.0, 8e-7),
        reaching("17-tensor-distances", 4000.0, 3e-6),
        reaching("18-longer-sums", 4400.0, 9e-6),
    ];
    report(rows, false)
}

/// Name, parent, rate that large sizes reach (10⁹/s), operations and instructions of a pair.
const STEPS: [(&str, Option<&str>, f64, f64, f64); 8] = [
    ("01-one-thread", None, 0.004, 19.0, 30.0),
    ("02-n-threads", Some("01-one-thread"), 450.0, 19.0, 29.0),
    ("03-soa", Some("02-n-threads"), 510.0, 19.0, 28.0),
    ("04-constant-params", Some("03-soa"), 470.0, 19.0, 31.0),
    ("05-rsqrt", Some("04-constant-params"), 780.0, 18.0, 22.0),
    ("05x-two-loops", Some("05-rsqrt"), 960.0, 18.0, 21.0),
    ("06-shared-blocking", Some("05-rsqrt"), 782.0, 18.0, 17.0),
    ("07-unroll", Some("06-shared-blocking"), 1700.0, 18.0, 13.5),
];

/// Sizes of the first step, which is slow, and of the others; each step's own is first.
const SLOW: [u64; 3] = [8192, 1000, 2000];
const FAST: [u64; 9] = [131_072, 1000, 2000, 5000, 10_000, 20_000, 50_000, 200_000, 1_000_000];

/// Noise that is the same in every run, between −1 and 1.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// A sweep over sizes with 30 noisy samples of each point, some of them suspect, with limits.
pub fn sweep() -> Report {
    let mut noise = Noise(1);
    let rows = STEPS.map(|(step, after, rate, flop, instructions)| {
        let mut row = timed(step, after, 1, 1.0);
        let sizes: &[u64] = if after.is_none() { &SLOW } else { &FAST };
        row.timed = sizes.iter().map(|&n| sampled(n, seconds(n, rate), &mut noise)).collect();
        if step == "03-soa" {
            let samples = &mut row.timed[0].samples;
            let reason = "the GPU lowered its clocks: power cap".to_owned();
            samples.suspects =
                [4, 17].map(|sample| Suspect { sample, reason: reason.clone() }).into();
            samples.seconds[4] *= 1.03;
        }
        let own = &row.timed[0];
        row.limits = Some(limits(own.n, own.seconds, flop, instructions));
        row.occupancy = Some(occupancy(256));
        row.end_to_end = Some(EndToEnd {
            code_seconds: 0.21,
            allocate_seconds: 2e-4,
            upload_seconds: 1.6e-4,
            upload_bytes: 4 << 20,
            pass_seconds: 1.2 * own.seconds,
            download_seconds: 1.5e-4,
            download_bytes: 3 << 20,
        });
        row.code = Some("NVRTC 13.0, sm_90".to_owned());
        row
    });
    report(rows.into(), false)
}

/// A sweep over block sizes of two steps.
pub fn blocks() -> Report {
    let mut noise = Noise(2);
    let mut rows = Vec::new();
    for (step, best) in [("06-shared-blocking", 256u32), ("07-unroll", 128)] {
        for block in [32, 64, 128, 256, 512, 1024] {
            let mut row = timed(step, None, 1, 1.0);
            let off = (f64::from(block) / f64::from(best)).log2().abs();
            row.block = Some(block);
            let rate = 1500.0 / (1.0 + 0.08 * off);
            row.timed = vec![sampled(131_072, seconds(131_072, rate), &mut noise)];
            row.occupancy = Some(occupancy(block));
            rows.push(row);
        }
    }
    report(rows, false)
}

/// A sweep over the values of two parameters of two steps' kernels.
pub fn tuning() -> Report {
    let mut noise = Noise(3);
    let mut rows = Vec::new();
    for (step, best) in [("14-pairs", 4i64), ("17-tensor-distances", 2)] {
        for value in [1i64, 2, 4, 8, 16] {
            for flush in [1i64, 2] {
                let mut row = timed(step, None, 1, 1.0);
                let define = |name: &str, value| Define { name: name.to_owned(), value };
                row.defines = vec![define("UNROLL", value), define("FLUSH", flush)];
                let off = (value as f64 / best as f64).log2().abs();
                let rate = 2900.0 / (1.0 + 0.05 * off) * if flush == 1 { 0.9 } else { 1.0 };
                row.timed = vec![sampled(131_072, seconds(131_072, rate), &mut noise)];
                row.occupancy = Some(occupancy(128));
                rows.push(row);
            }
        }
    }
    report(rows, false)
}

/// A ladder of another kind: bytes are moved, results are exact, nobody counts operations. Name,
/// parent, rate (GB/s); the last step is wrong.
pub fn exact() -> Report {
    let steps = [
        ("01-naive", None, 812.0),
        ("02-tiled", Some("01-naive"), 2380.0),
        ("03-padded", Some("02-tiled"), 3950.0),
    ];
    let mut noise = Noise(4);
    let mut rows: Vec<Row> = Vec::new();
    for (step, after, rate) in steps {
        let n = 8192;
        let mut row = timed(step, after, n, 1.0);
        let bytes = 8.0 * (n as f64).powi(2);
        row.ladder = "transpose".to_owned();
        row.extras.clear();
        row.timed = vec![sampled(n, bytes / (rate * 1e9), &mut noise)];
        row.timed[0].work = bytes;
        row.timed[0].whole = None;
        row.timed[0].samples.whole_seconds.clear();
        row.timed[0].accuracy = Accuracy { n, rms: Some(0.0), worst: Some(0.0), tolerance: 0.0 };
        let seconds = row.timed[0].seconds;
        let mut limits = limits(n, seconds, 0.0, 3.0);
        (limits.dram_bytes, limits.flop_executed) = (bytes, 0.0);
        let least = |name: &str, part: f64| Bound {
            name: name.to_owned(),
            seconds: part * seconds,
            fraction: part,
        };
        let fraction = bytes / 4.8e12 / seconds;
        limits.bounds = vec![least(bound::DRAM, fraction), least(bound::ISSUE, 0.1 * fraction)];
        row.limits = Some(limits);
        row.occupancy = Some(occupancy(256));
        rows.push(row);
    }
    let mut wrong = row("04-vectors", Some("03-padded"), Outcome::Wrong);
    wrong.ladder = "transpose".to_owned();
    rows.push(wrong);
    let mut report = report(rows, false);
    report.options.ladder = "transpose".to_owned();
    let figure = Figure {
        title: "Matrix transposition".to_owned(),
        size: "rows and columns".to_owned(),
        pass: "transposition".to_owned(),
        whole: None,
        work: "bytes".to_owned(),
        scale: 1e9,
        unit: "GB/s".to_owned(),
        flop: None,
        results: "elements".to_owned(),
    };
    report.figures = BTreeMap::from([("transpose".to_owned(), figure)]);
    report
}

fn seconds(n: u64, rate: f64) -> f64 {
    let pairs = (n as f64).powi(2);
    // A launch takes 3 µs, and small sizes do not fill the GPU.
    3e-6 + pairs / (rate * 1e9) * (1.0 + 6000.0 / n as f64)
}

fn sampled(n: u64, seconds: f64, noise: &mut Noise) -> Timed {
    let mut own = at(n, seconds);
    let wide = if n < 3000 { 0.05 } else { 0.004 };
    let mut samples = Samples { round: (0..30).collect(), ..Samples::default() };
    for _ in 0..30 {
        let sample = seconds * (1.0 + wide * noise.next() * noise.next());
        samples.seconds.push(sample);
        samples.whole_seconds.push(1.02 * sample + 2e-6);
        samples.clock_mhz.push(1965 + (10.0 * noise.next()) as u32);
        samples.memory_clock_mhz.push(2619);
        samples.temperature_c.push(52);
        samples.power_w.push(560.0 + 20.0 * noise.next());
    }
    own.seconds = median(&samples.seconds).unwrap();
    own.interval = median_interval(&samples.seconds, 0.95);
    own.spread = spread(&samples.seconds);
    own.whole = Some(Whole {
        seconds: median(&samples.whole_seconds).unwrap(),
        interval: median_interval(&samples.whole_seconds, 0.95),
        count: 4,
    });
    own.passes = 4;
    own.samples = samples;
    own
}

/// What a chip of 66.9 TFLOP/s, 4.8 TB/s from DRAM and 12 TB/s from L2 needs at least: as many
/// bounds as a real run has. One of the operations is a special function.
fn limits(n: u64, seconds: f64, flop: f64, instructions: f64) -> Limits {
    let pairs = (n as f64).powi(2);
    let (l2_bytes, dram_bytes) = (pairs / 16.0, 28.0 * n as f64);
    let least = |name: &str, least: f64| Bound {
        name: name.to_owned(),
        seconds: least,
        fraction: least / seconds,
    };
    let mut bounds = vec![
        least(bound::FP32_PEAK, pairs * (flop - 1.0) / 66.9e12),
        least(bound::FP32_PIPE, pairs * 0.75 * instructions / 33.4e12),
        least(bound::ISSUE, pairs * instructions / 33.4e12),
        least(bound::MUFU, pairs / 4.2e12),
        least(bound::SHARED, pairs * 4.0 / 33e12),
        least(bound::LOAD_STORE, pairs * 4.1 / 33e12),
        least(bound::L1, pairs / 12e12),
        least("integer", pairs * 2.0 / 16.7e12),
        least("integer multiply", pairs / 400e12),
        least("constants", n as f64 / 1e12),
        least(bound::LATENCY, 0.3 * seconds),
        least(bound::L2, l2_bytes / 12e12),
        least(bound::DRAM, dram_bytes / 4.8e12),
    ];
    bounds.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    Limits {
        gpu: "h200".to_owned(),
        clock_mhz: 1965.0,
        clock_was_seen: true,
        peak_flop_per_second: Some(66.9e12),
        counted_n: 4096,
        n,
        flop_executed: flop,
        instructions,
        global_bytes: pairs,
        l2_bytes,
        dram_bytes,
        shared_bytes: pairs * 4.0,
        bounds,
    }
}

fn occupancy(block: u32) -> Occupancy {
    let blocks = (64 / (block / 32)).min(24).min(65_536 / (40 * block));
    Occupancy {
        block,
        registers: Some(40),
        blocks,
        warps: blocks * block / 32,
        most_warps: 64,
        limit: if blocks == 24 { "blocks" } else { "registers" }.to_owned(),
    }
}

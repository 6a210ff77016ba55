//! Made-up runs at many sizes, with many blocks and many values of parameters.

use std::collections::BTreeMap;

use super::{at, report, row, timed};
use crate::statistics::{median, median_interval, spread};
use crate::{
    Accuracy, Bound, Define, EndToEnd, Figure, Limits, Occupancy, Outcome, Report, Row, Samples,
    Suspect, Timed, Whole, bound,
};

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
        size: "rows and columns".to_owned(),
        pass: "transposition".to_owned(),
        ..Figure::of_bytes("Matrix transposition")
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

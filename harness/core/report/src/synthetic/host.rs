//! A report of a CPU's ladder, made up for tests.

use std::collections::BTreeMap;

use super::{figure, report, timed};
use crate::{Bound, CpuLimits, Executed, Info, Rates, Report, TimeSource};

/// Name, parent, rate (10⁹/s) and threads of the steps of a CPU.
const HOST_STEPS: [(&str, Option<&str>, f64, u32); 9] = [
    ("01-c-loop", None, 0.31, 1),
    ("02-soa", Some("01-c-loop"), 0.33, 1),
    ("03-no-if", Some("02-soa"), 0.36, 1),
    ("04-lanes", Some("03-no-if"), 1.9, 1),
    ("05-rsqrt", Some("04-lanes"), 4.4, 1),
    ("05x-gcc", Some("05-rsqrt"), 2.7, 1),
    ("06-registers", Some("05-rsqrt"), 6.1, 1),
    ("07-pairs", Some("06-registers"), 5.8, 1),
    ("08-threads", Some("07-pairs"), 171.0, 32),
];

/// A report of the CPU's ladder.
pub fn host() -> Report {
    let rows = HOST_STEPS.map(|(step, after, rate, threads)| {
        let mut row = timed(step, after, 16_384, 16_384f64.powi(2) / (rate * 1e9));
        row.ladder = "cpu".to_owned();
        row.time_source = Some(TimeSource::Host);
        row.threads = Some(threads);
        let counted = step >= "05-rsqrt" && step != "05x-gcc";
        row.cpu_limits = Some(cpu_limits(1.0 / (rate * 1e9), threads, counted));
        row
    });
    let mut report = report(rows.into(), false);
    report.options.ladder = "cpu".to_owned();
    report.figures = BTreeMap::from([("cpu".to_owned(), figure())]);
    report.device = report.device.map(|device| Info {
        kind: "cpu".to_owned(),
        name: "A processor".to_owned(),
        compute_capability: None,
        driver_version: None,
        cuda_version: None,
        multiprocessors: None,
        ..device
    });
    report
}

/// What cores of 3.7 GHz with a multiplier of 16 lanes each need at least for 16 operations a pair, of which a step takes so many seconds for each.
fn cpu_limits(seconds: f64, threads: u32, counted: bool) -> CpuLimits {
    let rate = 3.7e9 * f64::from(threads);
    let executed = |count: f64| count * 16_384f64.powi(2) / 16.0;
    let bound = |name: &str, instructions: f64, rate: f64| Bound {
        name: name.to_owned(),
        seconds: executed(instructions) / rate,
        fraction: instructions / 16.0 / rate / seconds,
    };
    let bounds = vec![
        bound("multiply", 8.0, rate),
        bound("load", 4.0, rate),
        bound("add", 3.0, rate),
        bound("1/√ estimate", 1.0, rate / 2.0),
        bound("store", 0.5, rate / 2.0),
    ];
    CpuLimits {
        threads,
        clock_mhz: Some(3700.0),
        peak_flop_per_second: 2.0 * 16.0 * rate,
        n: 16_384,
        vectors: "avx512".to_owned(),
        lanes: 16,
        rates: Rates {
            add: rate,
            mul: rate,
            mul_add: rate,
            mixed: 2.0 * rate,
            rsqrt: rate / 2.0,
            rsqrt_mul: rate,
            div_sqrt: rate / 8.0,
            load: rate,
            store: rate / 2.0,
        },
        executed: counted.then(|| Executed {
            counted_n: 2048,
            add: executed(3.0),
            mul: executed(4.0),
            mul_add: executed(4.0),
            rsqrt: executed(1.0),
            sqrt: 0.0,
            div: 0.0,
            load: executed(4.0),
            store: executed(0.5),
        }),
        bounds: if counted { bounds } else { Vec::new() },
    }
}

//! Reports made up for tests, as a run writes them. Their numbers stand nowhere else.

mod host;
mod libraries;
mod sweeps;

use std::collections::BTreeMap;

use crate::published::{Line, Published};
use crate::scaling::{self, Scaling, Series};
use crate::{
    Accuracy, Extra, Figure, Info, Machine, Outcome, Report, Request, Row, SCHEMA, Samples,
    TimeSource, Timed, Whole, relate,
};

pub use host::host;
pub use libraries::{beside, committed, library};
pub use sweeps::{blocks, exact, sweep, tuning};

/// A name that would be markup if it were not escaped.
pub const GPU: &str = "GPU <A&B>";

/// The ladder of all but [`host`] and [`exact`].
pub const LADDER: &str = "pairs";

/// Pairs of points: work is the size squared.
pub fn figure() -> Figure {
    Figure {
        size: "points".to_owned(),
        pass: "evaluation".to_owned(),
        whole: Some("time step".to_owned()),
        flop: Some(20.0),
        results: "sums".to_owned(),
        ..Figure::of("All pairs", "pairs")
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
        libraries: Vec::new(),
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

//! Limits of the steps on the CPU: what is counted at few bodies holds at many, and no time is shorter.

use std::fs;

use cpu_ladder::{LADDER, STEPS};
use ladder::limits::count_on_cpu;
use ladder::{Ladder, OpenProblem, Threads};
use nbody::rust::{Evaluation, Rust, Sources, Sums};
use nbody::{SEED, Step, plummer};
use report::bound::cpu::MULTIPLY;
use report::{Executed, Report, Request};
use vectors::{Counts, Vectors};

fn open() -> Box<dyn OpenProblem> {
    LADDER.open(&Request::default()).expect("a problem")
}

/// Counts the force evaluation of `n` bodies itself, on one thread.
fn direct(step: &Step, n: usize, vectors: Vectors) -> Counts {
    let Some(Rust::Vectors(force)) = step.host.rust else { panic!("{} has vectors", step.name) };
    let bodies = plummer(n, SEED);
    let [x, y, z] = &bodies.position;
    let sources = Sources { mass: &bodies.mass, x, y, z };
    let evaluation = Evaluation { step: 1, dthf: 0.01, softening: 0.01, vectors };
    let mut to = Sums::zeros(n);
    let mut work = || vectors::count(|| force(&sources, to.first(n), &evaluation)).1;
    match step.threads {
        Threads::Cores => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
            pool.install(work)
        }
        _ => work(),
    }
}

#[test]
#[ignore = "runs in CI as a job of its own: all steps with all vectors"]
fn counts_of_few_bodies_hold_for_many() {
    let n = 2304;
    for vectors in Vectors::available() {
        let mut counted = 0;
        for step in STEPS {
            let Some(few) = count_on_cpu(&*open(), &step.facts(), vectors) else { continue };
            counted += 1;
            let (scaled, direct) = (few.at(n as u64), direct(step, n, vectors));
            assert!(scaled.counted_n < n as u64);
            for (what, scaled, direct) in [
                ("add", scaled.add, direct.add),
                ("mul", scaled.mul, direct.mul),
                ("mul_add", scaled.mul_add, direct.mul_add),
                ("rsqrt", scaled.rsqrt, direct.rsqrt),
                ("sqrt", scaled.sqrt, direct.sqrt),
                ("div", scaled.div, direct.div),
                ("load", scaled.load, direct.load),
                ("store", scaled.store, direct.store),
            ] {
                let off = (scaled - direct as f64).abs();
                let way = format!("{}, {vectors}, {what}: {scaled} against {direct}", step.name);
                assert!(off <= 0.01 * direct as f64, "{way}");
            }
        }
        let least = if vectors == Vectors::Scalar { 0 } else { 5 };
        assert!(counted >= least, "{vectors}: {counted} steps were counted");
    }
}

/// What the steps' own headers say of their loops, by 16 pairs of bodies with 16 lanes.
#[test]
fn what_is_counted_is_what_the_loops_are_written_to_do() {
    let n = 16_384;
    let vectors = Vectors::best();
    if vectors == Vectors::Scalar {
        println!("SKIPPED: this CPU has no vectors");
        return;
    }
    let of = |name: &str| -> [f64; 6] {
        let step = LADDER.step(name).expect("a step");
        let Executed { add, mul, mul_add, rsqrt, sqrt, div, .. } =
            count_on_cpu(&*open(), &step, vectors).expect("counts").at(n);
        let vectors_of_interactions = (n as f64).powi(2) / vectors.lanes() as f64;
        [add, mul, mul_add, rsqrt, sqrt, div].map(|count| count / vectors_of_interactions)
    };
    let near = |one: [f64; 6], other: [f64; 6]| {
        one.iter().zip(other).all(|(one, other)| (one - other).abs() < 0.02)
    };
    // 3 differences, r² of 3 multiply-adds, 1 ÷ √, a product, its cube and 3 sums.
    let wide = of("05-wide-vectors");
    assert!(near(wide, [3.0, 3.0, 6.0, 0.0, 1.0, 1.0]), "{wide:?}");
    if vectors.lanes() > 4 {
        // A pair is two interactions: half of 9, 7, 5 and 1.
        let pairs = of("09-register-blocks");
        assert!(near(pairs, [4.5, 3.5, 2.5, 0.5, 0.0, 0.0]), "{pairs:?}");
    }
}

/// What a run of three steps prints, its report and its page.
fn a_run() -> (String, Report, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = [
        "run",
        "cpu",
        "--steps",
        "04,06,11",
        "--size",
        "2000",
        "--threads",
        "2",
        "--details",
        "--out",
    ];
    let output = crate::program().args(run).arg(folder.path()).output().expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let report = Report::read(&folder.path().join("report.json")).expect("a report");
    (text, report, fs::read_to_string(folder.path().join("report.html")).expect("a page"))
}

fn no_limit_is_beaten(report: &Report) -> bool {
    let mut bounds = report
        .rows
        .iter()
        .filter_map(|row| row.cpu_limits.as_ref())
        .flat_map(|limits| &limits.bounds)
        .inspect(|bound| println!("{bound:?}"));
    bounds.all(|bound| bound.fraction < 1.1)
}

/// A real run: every step with vectors has its limits, none is beaten, and C says that it was not counted.
#[test]
fn a_run_tells_how_near_the_limit_is() {
    // Rates are seen for moments only, and others may use the CPU: of three runs one must beat no limit.
    let mut runs = (0..3).map(|_| a_run());
    let quiet = runs.find(|(_, report, _)| no_limit_is_beaten(report));
    let (text, report, page) = quiet.expect("a run in which no limit is beaten");
    for row in &report.rows {
        if Vectors::best() == Vectors::Scalar {
            assert_eq!(row.cpu_limits, None, "{}", row.step);
            continue;
        }
        let limits = row.cpu_limits.as_ref().expect("limits");
        assert_eq!((limits.n, Some(limits.threads)), (2000, row.threads), "{}", row.step);
        assert_eq!(limits.lanes as usize, Vectors::best().lanes());
        assert!(limits.rates.mul_add > 0.0 && limits.peak_flop_per_second > 1e9, "{limits:?}");
        let counted = row.step != "04-lanes";
        assert_eq!(limits.executed.is_some(), counted, "{}: whose vectors?", row.step);
        assert_eq!(limits.bounds.is_empty(), !counted, "{}", row.step);
        if counted {
            let multiply = limits.bounds.iter().find(|bound| bound.name == MULTIPLY);
            assert!(multiply.is_some_and(|bound| bound.fraction > 0.005), "{}", row.step);
        }
    }
    if Vectors::best() != Vectors::Scalar {
        assert!(text.contains("LIMITS") && text.contains("multiply"), "{text}");
        assert!(page.contains("id=\"limits\"") && page.contains("not counted"));
        assert!(!page.contains("The GPU"));
    }
    assert!(!text.contains("PCIe") && !text.contains("GPU"), "{text}");
}

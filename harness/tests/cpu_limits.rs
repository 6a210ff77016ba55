//! Limits of the steps on the CPU: what is counted at few bodies holds at many.

use harness::ladders::LADDERS;
use ladder::limits::count_on_cpu;
use ladder::nbody::host::{Evaluation, Rust, Sources, Sums};
use ladder::nbody::{SEED, plummer};
use ladder::report::Executed;
use ladder::{Code, Step, Threads};
use vectors::{Counts, Vectors};

fn steps() -> &'static [Step] {
    LADDERS.iter().find(|ladder| ladder.name == "cpu").expect("the ladder").steps
}

/// Counts the force evaluation of `n` bodies itself, on one thread.
fn direct(step: &Step, n: usize, vectors: Vectors) -> Counts {
    let Code::Rust(Rust::Arrays(force)) = step.code else { panic!("{} has arrays", step.name) };
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
fn counts_of_few_bodies_hold_for_many() {
    let n = 4608;
    for vectors in Vectors::available() {
        let mut counted = 0;
        for step in steps() {
            let Some(few) = count_on_cpu(step, vectors) else { continue };
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
        let step = steps().iter().find(|step| step.name == name).expect("a step");
        let Executed { add, mul, mul_add, rsqrt, sqrt, div, .. } =
            count_on_cpu(step, vectors).expect("counts").at(n);
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

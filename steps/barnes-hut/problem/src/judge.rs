//! What a time step left, held against the reference.

use std::borrow::Cow;

use ladder::judge::{Errors, Mismatch, Tolerance, judge};
use ladder::problem::Checked;
use nbody::Bodies;
use rayon::prelude::*;
use report::Extra;

use crate::case::Case;
use crate::defect::Defect;
use crate::downloaded::{Downloaded, State};
use crate::moments::{difference, square};
use crate::step::Host;
use crate::trajectory::{Trajectory, energy_of};
use crate::tree::Shape;
use crate::walk::{Force, Forces, Grown};

/// What must be the same but for rounding.
const SAME: &str = "accelerations by the same walk";

/// How far accelerations in f32 may be from those of the same walk in f64, all together. Roundings make 3e-6. But some nodes are so
/// near to the limit that one opens what the other does not: each adds its own error of the method for one body or one group. Where
/// nodes are opened from distances 0.2 % shorter, errors are 1e-4 or more, with 5 % 1e-3 or more (600 to 2503 bodies).
const SAME_WALK: Tolerance = Tolerance { rms: 1e-4, worst: 2e-2 };

/// How far one may be off by rounding alone, of the sum of all pulls: 12 · 2⁻²⁴ was the most in 100 000 accelerations (200 to 10 000
/// bodies of every kind).
const ROUNDED: f64 = 64.0 / (1 << 24) as f64;

/// Errors of the method for a cluster are about 0.006 θ² of the root mean square. A close pair beside a cell makes more: of some
/// hundred clusters of 1031 bodies one had 0.031.
const METHOD: f64 = 0.045;

/// Fewer bodies have larger ones: errors of few cells do not cancel.
const FEW: f64 = 1024.0;

/// So many times larger may the error of one body be.
const ONE_BODY: f64 = 30.0;

/// Bodies that are no cluster may have forces that nearly cancel.
const HARDER: f64 = 30.0;

/// Bodies that a thread looks at, at least.
const BODIES: usize = 1 << 12;

/// How far off a position may be after an advance, of the greatest number in it.
const ROUNDINGS: f64 = 4e-7;

/// Judges what a case left.
///
/// # Errors
/// What is wrong.
pub(crate) fn check(case: &Case, host: &Host, found: &Downloaded) -> Result<Checked, Mismatch> {
    check_among(case, host, found, |own| Ok(Some(vec![own])))
}

/// The same where there may be more trees than that of the case. `all` gives them with it; nothing where they are not known, and then
/// the walk is not done again.
///
/// # Errors
/// What is wrong.
pub(crate) fn check_among<'c>(
    case: &'c Case,
    host: &Host,
    found: &Downloaded,
    all: impl FnOnce(Grown<'c>) -> Result<Option<Vec<Grown<'c>>>, Mismatch>,
) -> Result<Checked, Mismatch> {
    let n = case.bodies.len() as u64;
    let wrong = |defect: Defect| defect.at(n);
    let order = found.order().map_err(wrong)?;
    let state = found.state(&order);
    if state.mass != case.bodies.mass {
        let what = "a time step changed masses, or mixed bodies up";
        return Err(wrong(Defect(what.to_owned())));
    }
    if let Some(trajectory) = &case.trajectory {
        return check_end(case, trajectory, &state);
    }
    let tree = (host.tree)(found).map_err(wrong)?;
    let (shape, nodes) = tree.check(&case.bodies).map_err(wrong)?;
    let got: Vec<[f64; 3]> =
        case.targets.iter().map(|&i| state.acceleration[i].map(f64::from)).collect();
    let (each, got, direct) = (got.clone(), scaled(case, got), scaled(case, case.direct.clone()));
    let place = |at: usize| format!("body {}", case.targets[at]);
    let (bodies, values, sizes) = (&case.bodies, case.values, found.sizes);
    let trees = all(Grown { tree, nodes, bodies: Cow::Borrowed(bodies) })?;
    let mut same = host.walks.iter().zip(trees.iter().cycle()).map(|(&walk, trees)| {
        let forces = Forces { walk, trees, bodies, order: &order, values, sizes };
        let same = forces.of(&case.targets);
        let of_all = scaled(case, same.iter().map(|it| it.acceleration).collect());
        judge(SAME, n, (&got, &of_all), SAME_WALK, place)?;
        check_each(case, &each, &same)
    });
    if let Some(Err(wrong)) = same.next()
        && !same.any(|other| other.is_ok())
    {
        return Err(wrong);
    }
    let tolerance = tolerance(case);
    let errors = judge("accelerations", n, (&got, &direct), tolerance, place)?;
    check_advance(case, &state)?;
    Ok(Checked {
        errors,
        tolerance,
        extras: extras(case, &got, errors, shape),
        bits: (bits(&state), 3),
    })
}

/// Holds each acceleration against that of the same walk. But for nodes at the limit of being opened, only rounding differs.
fn check_each(case: &Case, got: &[[f64; 3]], same: &[Force]) -> Result<(), Mismatch> {
    for ((body, got), same) in case.targets.iter().zip(got).zip(same) {
        let error = square(difference(*got, same.acceleration)).sqrt();
        let allowed = ROUNDED * same.pulls + same.doubt;
        if error > allowed {
            let vector = |v: [f64; 3]| format!("({})", v.map(|x| format!("{x:.6e}")).join(", "));
            let what = format!(
                "{SAME}: body {body} got {}, expected {}; error {error:.2e} (allowed {allowed:.2e})",
                vector(*got),
                vector(same.acceleration),
            );
            return Err(Mismatch::Other { n: case.bodies.len() as u64, what });
        }
    }
    Ok(())
}

/// The same where bodies are a cluster. Elsewhere forces may cancel, and errors are relative to the greatest pull that
/// all bodies together can have on one: it stands among them as one more.
fn scaled(case: &Case, mut accelerations: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    if !case.is_cluster {
        let mass = case.mass;
        // m·d/(d² + ε²)^(3/2) is greatest at d = ε/√2.
        accelerations.push([0.385 * mass / f64::from(case.values.epssq), 0.0, 0.0]);
    }
    accelerations
}

/// How far accelerations may be from direct sums.
fn tolerance(case: &Case) -> Tolerance {
    let method = METHOD * f64::from(case.values.theta).powi(2);
    let method = method * (FEW / case.bodies.len() as f64).sqrt().max(1.0);
    let rms = if case.is_cluster { method } else { HARDER * method };
    Tolerance { rms, worst: ONE_BODY * rms }
}

fn extras(case: &Case, got: &[[f64; 3]], errors: Errors, shape: Shape) -> Vec<Extra> {
    if !case.is_cluster {
        return Vec::new();
    }
    let extra = |name: &str, value: f64| Extra { name: name.to_owned(), value };
    vec![
        extra("rms error", errors.rms),
        percentile(got, &case.direct),
        extra("nodes", shape.nodes as f64),
        extra("levels", f64::from(shape.levels)),
    ]
}

/// What 99 % of the errors |a − r| / |r| are below.
pub fn percentile(got: &[[f64; 3]], expected: &[[f64; 3]]) -> Extra {
    let length = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let off = |(a, r): (&[f64; 3], &[f64; 3])| {
        length(std::array::from_fn(|axis| a[axis] - r[axis])) / length(*r)
    };
    let mut each: Vec<f64> =
        got.iter().zip(expected).map(off).filter(|it| it.is_finite()).collect();
    each.sort_by(f64::total_cmp);
    let last = each.get((each.len() * 99 / 100).min(each.len().saturating_sub(1)));
    Extra { name: "99th percentile of errors".to_owned(), value: last.copied().unwrap_or(0.0) }
}

fn bits(state: &State) -> Vec<u64> {
    state.acceleration.par_iter().flatten_iter().map(|x| x.to_bits().into()).collect()
}

/// Whether velocities and positions follow from the accelerations.
fn check_advance(case: &Case, state: &State) -> Result<(), Mismatch> {
    let dtime = f64::from(case.values.dtime);
    let wrong = |i: usize| {
        let (x, v) = (case.bodies.position_of(i), case.bodies.velocity_of(i));
        let of = |axis: usize| {
            let [x, v, a] = [x[axis], v[axis], state.acceleration[i][axis]].map(f64::from);
            let faster = v + a * dtime;
            let further = x + faster * dtime;
            let [velocity, position] =
                [state.velocity[i][axis], state.position[i][axis]].map(f64::from);
            let scale =
                |values: [f64; 3]| values.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
            let slow = ROUNDINGS * scale([v, faster, a * dtime]);
            let near = ROUNDINGS * scale([x, further, faster * dtime]) + slow * dtime;
            // NaN is near nothing.
            if (velocity - faster).abs() <= slow && (position - further).abs() <= near {
                return None;
            }
            Some(format!(
                "body {i} was at {x} along axis {axis} with velocity {v} and acceleration {a}; the time step \
                 left it at {position} with {velocity}, expected {further} with {faster}"
            ))
        };
        (0..3).find_map(of)
    };
    let all = (0..case.bodies.len()).into_par_iter().with_min_len(BODIES);
    match all.find_map_first(wrong) {
        Some(what) => Err(Mismatch::Other { n: case.bodies.len() as u64, what }),
        None => Ok(()),
    }
}

/// Judges several time steps: what they changed.
fn check_end(case: &Case, trajectory: &Trajectory, state: &State) -> Result<Checked, Mismatch> {
    let n = case.bodies.len() as u64;
    let place = |i: usize| format!("body {i}");
    let tolerance = tolerance(case);
    let changes = |now: &[[f32; 3]], then: &dyn Fn(usize) -> [f32; 3]| -> Vec<[f64; 3]> {
        let change = |i: usize| {
            std::array::from_fn(|axis| f64::from(now[i][axis]) - f64::from(then(i)[axis]))
        };
        (0..now.len()).map(change).collect()
    };
    let expected = |end: &[[f64; 3]], then: &dyn Fn(usize) -> [f32; 3]| -> Vec<[f64; 3]> {
        (0..end.len())
            .map(|i| std::array::from_fn(|axis| end[i][axis] - f64::from(then(i)[axis])))
            .collect()
    };
    let v = |i: usize| case.bodies.velocity_of(i);
    let x = |i: usize| case.bodies.position_of(i);
    let got = changes(&state.velocity, &v);
    let errors = judge(
        "changes of velocities",
        n,
        (&got, &expected(&trajectory.velocity, &v)),
        tolerance,
        place,
    )?;
    let got = changes(&state.position, &x);
    judge(
        "changes of positions",
        n,
        (&got, &expected(&trajectory.position, &x)),
        tolerance,
        place,
    )?;
    let drift = trajectory.energy.map(|energy| {
        let end = energy_of(moved(&case.bodies, state), case.values);
        Extra { name: "energy drift".to_owned(), value: ((end - energy) / energy).abs() }
    });
    let extras = drift.into_iter().collect();
    Ok(Checked { errors, tolerance, extras, bits: (bits(state), 3) })
}

/// The bodies as they are now.
fn moved(bodies: &Bodies, state: &State) -> Bodies {
    let mut now = Bodies::with_capacity(bodies.len());
    for (i, mass) in bodies.mass.iter().enumerate() {
        now.push(*mass, state.position[i], state.velocity[i]);
    }
    now
}

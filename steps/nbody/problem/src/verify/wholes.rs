//! Whole time steps at the size at which they are timed: of few bodies all is judged, of many as much
//! as can be afforded.
//!
//! A time step leaves positions x, velocities v and the accelerations a that it moved them with. So
//! the positions before it are known, x − (v − a·dt/2)·dt, and with them what a was to be. After two
//! time steps from a known start the accelerations of the first follow from the velocities, and the
//! way from the start to the end is closed: a body that one of the launches left out, or moved
//! wrongly, does not fit.

use ladder::judge::Mismatch;

use super::bodies::sample;
use super::case::Forces;
use super::compare::{Judged, acceleration_of, check_stray, other};
use crate::constants::Constants;
use crate::reference::Reference;
use crate::simulation::State;
use crate::tolerance::{Allowed, Precision, Pulls, ROUNDING};

/// Interactions of the reference that are computed after the time steps, at most: a second on one
/// core.
const AFFORDABLE: usize = 1 << 27;

/// Bodies whose accelerations are judged by them: at least and at most.
const JUDGED: (usize, usize) = (64, 1024);

/// Roundings of one number on its way through two time steps, at most: each is added to, or
/// subtracted from, about six times, and what is computed back from it as often.
const ROUNDINGS: f64 = 16.0;

/// Standard deviations of a sum of rounding errors that correct code stays within.
const DEVIATIONS: f64 = 4.0;

/// Judges what `count` whole time steps left of the bodies.
///
/// # Errors
/// [`Mismatch`]: something is not finite, or not what the positions, velocities or accelerations before
/// make it.
pub fn judge_wholes(
    forces: &Forces,
    count: u32,
    state: &State,
    precision: &Precision,
) -> Result<(), Mismatch> {
    check_finite(forces, count, state)?;
    let Constants { dtime, .. } = forces.constants;
    let (dtime, half) = (f64::from(dtime), f64::from(forces.constants.dthf()));
    let end = Ends::new(forces, state);
    // Before the last time step.
    let before = end.each(|x, v, a| x - (v - a * half) * dtime);
    match count {
        1 => {
            let velocity = end.each(|_, v, a| v - a * dtime);
            end.check("position", (&before, &end.start.position), |(position, _)| position)?;
            end.check("velocity", (&velocity, &end.start.velocity), |(_, velocity)| velocity)?;
            end.check_first(&end.now.acceleration, 0.0, precision)
        }
        2 => {
            let first: Vec<[f64; 3]> = (0..end.len())
                .map(|i| {
                    std::array::from_fn(|k| {
                        (end.now.velocity[i][k] - end.start.velocity[i][k]) / half
                            - 3.0 * end.now.acceleration[i][k]
                    })
                })
                .collect();
            let way: Vec<[f64; 3]> = (0..end.len())
                .map(|i| {
                    std::array::from_fn(|k| {
                        let between = end.start.velocity[i][k] + first[i][k] * half;
                        end.start.position[i][k] + between * dtime
                    })
                })
                .collect();
            end.check("position", (&before, &way), |(position, _)| position)?;
            end.check_first(&first, ROUNDINGS * ROUNDING / half, precision)?;
            end.check_last(before, precision)
        }
        _ => end.check_last(before, precision),
    }
}

/// Judges what `count` time steps and a last force evaluation left of the bodies: accelerations at
/// the places where they are.
///
/// # Errors
/// As [`judge_wholes`].
pub fn judge_end(
    forces: &Forces,
    count: u32,
    state: &State,
    precision: &Precision,
) -> Result<(), Mismatch> {
    check_finite(forces, count, state)?;
    let end = Ends::new(forces, state);
    let targets = end.targets();
    let expected = Reference::new(&state.bodies).with(forces.constants).accelerations(&targets);
    let got: Vec<[f64; 3]> = targets.iter().map(|&i| acceleration_of(state, i)).collect();
    let quantity = "accelerations at the end";
    let judged = Judged { quantity, n: end.len(), targets: &targets };
    let pulls = Pulls::on(&state.bodies, forces.constants, &targets);
    judged.check_each(&got, &expected, &precision.accelerations(&expected, &pulls)).map(drop)
}

fn check_finite(forces: &Forces, count: u32, state: &State) -> Result<(), Mismatch> {
    let n = forces.bodies.len();
    check_stray(n, state)?;
    if state.bodies.mass != forces.bodies.mass {
        return Err(other(n, "a time step changed masses".to_owned()));
    }
    let columns = [
        ("position", &state.bodies.position),
        ("velocity", &state.bodies.velocity),
        ("acceleration", &state.acceleration),
    ];
    for (what, axes) in columns {
        let bad = |i: &usize| axes.iter().any(|axis| !axis[*i].is_finite());
        if let Some(i) = (0..n).find(bad) {
            let numbers = axes.each_ref().map(|axis| axis[i]);
            let plural = if count == 1 { "" } else { "s" };
            return Err(other(
                n,
                format!("after {count} time step{plural} the {what} of body {i} is {numbers:?}"),
            ));
        }
    }
    Ok(())
}

/// Bodies in f64.
struct Moving {
    position: Vec<[f64; 3]>,
    velocity: Vec<[f64; 3]>,
    acceleration: Vec<[f64; 3]>,
}

/// Where bodies began, and where they are.
struct Ends<'f> {
    forces: &'f Forces,
    start: Moving,
    now: Moving,
}

impl<'f> Ends<'f> {
    fn new(forces: &'f Forces, state: &State) -> Ends<'f> {
        let moving = |reference: Reference| {
            let [position, velocity, acceleration] = reference.state();
            Moving { position, velocity, acceleration }
        };
        let acceleration = (0..forces.bodies.len()).map(|i| acceleration_of(state, i)).collect();
        Ends {
            forces,
            start: moving(Reference::new(&forces.bodies)),
            now: moving(Reference::new(&state.bodies).resumed(acceleration)),
        }
    }

    fn len(&self) -> usize {
        self.start.position.len()
    }

    /// A vector of each body, from its position, velocity and acceleration now.
    fn each(&self, of: impl Fn(f64, f64, f64) -> f64) -> Vec<[f64; 3]> {
        let Moving { position, velocity, acceleration } = &self.now;
        (0..self.len())
            .map(|i| {
                std::array::from_fn(|k| of(position[i][k], velocity[i][k], acceleration[i][k]))
            })
            .collect()
    }

    /// The greatest number among a body's positions, and among its velocities and what they change
    /// by in a time step: what its roundings are relative to.
    fn scales(&self, i: usize) -> (f64, f64) {
        let greatest = |it: &[[f64; 3]]| it[i].iter().fold(0.0f64, |most, x| most.max(x.abs()));
        let ends = [&self.start, &self.now];
        let most = |of: fn(&Moving) -> &[[f64; 3]]| {
            ends.iter().map(|end| greatest(of(end))).fold(0.0, f64::max)
        };
        let dtime = f64::from(self.forces.constants.dtime);
        let velocity = most(|it| &it.velocity) + greatest(&self.now.acceleration) * dtime;
        (most(|it| &it.position) + velocity * dtime, velocity)
    }

    /// Judges what bodies had before the last time step: as computed back from what that left, and
    /// as it followed from the start. Both are rounded numbers as large as `scale` chooses.
    fn check(
        &self,
        what: &str,
        (back, forth): (&[[f64; 3]], &[[f64; 3]]),
        scale: fn((f64, f64)) -> f64,
    ) -> Result<(), Mismatch> {
        for (i, (back, forth)) in back.iter().zip(forth).enumerate() {
            let off = back.iter().zip(forth).map(|(one, other)| (one - other).abs());
            let off = off.fold(0.0, f64::max);
            if off > ROUNDINGS * ROUNDING * scale(self.scales(i)) {
                let what = format!(
                    "before the last time step the {what} of body {i} was {forth:?}, and what that \
                     step left comes from {back:?}: was the body moved, and once?"
                );
                return Err(other(self.len(), what));
            }
        }
        Ok(())
    }

    /// Judges accelerations of the first time step, which are known up to roundings of velocities.
    fn check_first(
        &self,
        got: &[[f64; 3]],
        rounding: f64,
        precision: &Precision,
    ) -> Result<(), Mismatch> {
        let Forces { targets, expected, pulls, .. } = self.forces;
        let got: Vec<[f64; 3]> = targets.iter().map(|&i| got[i]).collect();
        let unsure: Vec<f64> = targets.iter().map(|&i| rounding * self.scales(i).1).collect();
        self.accelerations(
            "accelerations of the first time step",
            targets,
            (&got, expected),
            &unsure,
            precision.accelerations(expected, pulls),
        )
    }

    /// Judges accelerations of the last time step, at places that are known up to a rounding.
    fn check_last(&self, before: Vec<[f64; 3]>, precision: &Precision) -> Result<(), Mismatch> {
        let targets = self.targets();
        let rounded: Vec<f64> =
            (0..self.len()).map(|i| 2.0 * ROUNDING * self.scales(i).0).collect();
        let reference = Reference::new(&self.forces.bodies).with(self.forces.constants).at(&before);
        let expected = reference.accelerations(&targets);
        let unsure: Vec<f64> = reference
            .changes(&targets, &rounded)
            .into_iter()
            .map(|deviation| DEVIATIONS * deviation)
            .collect();
        let mut bodies = self.forces.bodies.clone();
        for (i, place) in before.iter().enumerate() {
            (0..3).for_each(|axis| bodies.position[axis][i] = place[axis] as f32);
        }
        let pulls = Pulls::on(&bodies, self.forces.constants, &targets);
        let got: Vec<[f64; 3]> = targets.iter().map(|&i| self.now.acceleration[i]).collect();
        self.accelerations(
            "accelerations of the last time step",
            &targets,
            (&got, &expected),
            &unsure,
            precision.accelerations(&expected, &pulls),
        )
    }

    /// Judges accelerations of which each is known up to a number of its own.
    fn accelerations(
        &self,
        quantity: &str,
        targets: &[usize],
        (got, expected): (&[[f64; 3]], &[[f64; 3]]),
        unsure: &[f64],
        mut allowed: Allowed,
    ) -> Result<(), Mismatch> {
        let square = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>();
        let mean = |sum: f64| (sum / expected.len().max(1) as f64).sqrt();
        let rms = mean(expected.iter().map(square).sum());
        let unsure_rms = mean(unsure.iter().map(|it| it * it).sum());
        let worst = unsure.iter().zip(expected).map(|(it, r)| it / square(r).sqrt().max(rms));
        let more = |part: f64| if part.is_finite() { part } else { 0.0 };
        allowed.tolerance.rms += more(unsure_rms / rms);
        allowed.tolerance.worst += worst.map(more).fold(0.0, f64::max);
        allowed.each.iter_mut().zip(unsure).for_each(|(own, unsure)| *own += unsure);
        let judged = Judged { quantity, n: self.len(), targets };
        judged.check_each(got, expected, &allowed).map(drop)
    }

    /// Which accelerations are judged by the reference: as many as can be afforded, others than those
    /// of the first time step.
    fn targets(&self) -> Vec<usize> {
        let n = self.len();
        let count = (AFFORDABLE / n.max(1)).clamp(JUDGED.0, JUDGED.1);
        sample(n, count, self.forces.seed.wrapping_add(6))
    }
}

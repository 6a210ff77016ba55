//! Bodies with what the reference says of them.

use super::blocks::Sampled;
use super::bodies::{random_vectors, sample, verification_bodies};
use super::sizes::time_steps;
use crate::bodies::Bodies;
use crate::constants::Constants;
use crate::random::Random;
use crate::reference::Reference;
use crate::tolerance::Pulls;

/// Above this many bodies only a sample of the accelerations is verified.
const ALL_VERIFIED: usize = 8192;

/// How many are verified then.
const SAMPLE: usize = 1024;

/// How many of `n` bodies have their accelerations verified.
pub fn judged(n: usize) -> usize {
    if n <= ALL_VERIFIED { n } else { SAMPLE }
}

/// What is run over which bodies, and what is expected of it.
#[derive(Debug)]
pub enum Case {
    /// The force evaluation of this number; nobody asks what comes out.
    Unjudged(Bodies, u32),
    /// The first force evaluation.
    First(Forces),
    /// Some blocks of it.
    Sampled(Box<Sampled>),
    /// A later one, from a state of its own.
    Later(Box<Forces>, Start),
    /// The first or a later one, of which some sums are judged to the last bit.
    Sums(Box<Forces>, Option<Start>),
    /// One advance, from a state of its own.
    Advance(Start),
    /// A few time steps.
    TimeSteps(Box<Trajectory>),
}

/// Bodies and the accelerations of some of them.
#[derive(Debug)]
pub struct Forces {
    /// The bodies.
    pub bodies: Bodies,
    /// What they are moved with.
    pub constants: Constants,
    /// Decides what is chosen at random where not all is judged.
    pub seed: u64,
    /// Which accelerations are verified, ascending.
    pub targets: Vec<usize>,
    /// Those accelerations.
    pub expected: Vec<[f64; 3]>,
    /// What their errors are made of.
    pub pulls: Vec<Pulls>,
}

/// Bodies and where they are after some time steps.
#[derive(Debug)]
pub struct Trajectory {
    /// The bodies at the start.
    pub bodies: Bodies,
    /// What they are moved with.
    pub constants: Constants,
    /// How many time steps.
    pub steps: u32,
    /// The start in f64.
    pub start: Reference,
    /// The end in f64, velocities corrected.
    pub end: Reference,
    /// Energy at the start.
    pub energy: f64,
    /// What the errors of accelerations are made of, at the start and at the end.
    pub pulls: [Vec<Pulls>; 2],
}

impl Forces {
    /// Computes what is expected of `bodies`: all accelerations, or of many a sample that `seed`
    /// decides.
    pub fn new(bodies: Bodies, constants: Constants, seed: u64) -> Forces {
        let n = bodies.len();
        let targets = sample(n, judged(n), seed);
        let expected = Reference::new(&bodies).with(constants).accelerations(&targets);
        let pulls = Pulls::on(&bodies, constants, &targets);
        Forces { bodies, constants, seed, targets, expected, pulls }
    }

    /// `n` bodies for verification, as the seed draws them.
    pub fn drawn(n: u64, seed: u64) -> Forces {
        let bodies = verification_bodies(n as usize, seed);
        Forces::new(bodies, Constants::drawn(seed ^ n), seed)
    }

    /// The same in other units: lengths 2⁴ to 2⁸ times as great, and masses so that accelerations are 2⁸ to 2¹¹ times as
    /// great. Powers of two leave all roundings as they are.
    pub fn scaled(n: u64, seed: u64) -> Forces {
        let mut random = Random::new(seed ^ n);
        let mut power = |least: i32, end: usize| 2f32.powi(least + random.below(end) as i32);
        let (longer, stronger) = (power(4, 5), power(8, 4));
        let mut bodies = verification_bodies(n as usize, seed);
        bodies.position.iter_mut().flatten().for_each(|x| *x *= longer);
        bodies.mass.iter_mut().for_each(|mass| *mass *= longer * longer * stronger);
        let mut constants = Constants::drawn(seed ^ n);
        constants.epssq *= longer * longer;
        Forces::new(bodies, constants, seed)
    }

    /// The same bodies with other numbers, at which the same is expected of each.
    pub fn renumbered(&self, seed: u64) -> Forces {
        let n = self.bodies.len();
        let by = 1 + Random::new(seed).below(n.saturating_sub(1).max(1));
        let number = |i: usize| (i + by) % n;
        let expected = self.expected.iter().copied().zip(self.pulls.iter().copied());
        let mut judged: Vec<(usize, ([f64; 3], Pulls))> =
            self.targets.iter().map(|&i| number(i)).zip(expected).collect();
        judged.sort_unstable_by_key(|(i, _)| *i);
        let (targets, (expected, pulls)) = judged.into_iter().unzip();
        let mut bodies = self.bodies.clone();
        for column in bodies.columns() {
            column.rotate_right(by % n);
        }
        Forces { bodies, constants: self.constants, seed, targets, expected, pulls }
    }
}

/// Softening of few bodies over many time steps, in those drawn for one launch: in close encounters
/// rounding errors would grow beyond any tolerance.
const SMOOTHER: f32 = 2.0;

impl Trajectory {
    /// `n` bodies for verification, as the seed draws them, over as many time steps as it draws.
    pub fn drawn(n: u64, seed: u64) -> Trajectory {
        let mut constants = Constants::drawn(seed ^ n);
        constants.epssq *= SMOOTHER;
        Trajectory::new(verification_bodies(n as usize, seed), constants, time_steps(n, seed))
    }

    /// Computes where `bodies` are to go.
    pub fn new(bodies: Bodies, constants: Constants, steps: u32) -> Trajectory {
        let start = Reference::new(&bodies).with(constants);
        let end = start.clone().after(steps);
        let energy = start.energy();
        let targets: Vec<usize> = (0..bodies.len()).collect();
        let pulls = [&bodies, &end.bodies()].map(|bodies| Pulls::on(bodies, constants, &targets));
        Trajectory { bodies, constants, steps, start, end, energy, pulls }
    }
}

/// What a launch begins with.
#[derive(Debug, Clone)]
pub struct Start {
    /// The bodies.
    pub bodies: Bodies,
    /// What they are moved with.
    pub constants: Constants,
    /// Their accelerations: x, y, z.
    pub acceleration: [Vec<f32>; 3],
}

impl Start {
    /// For a force evaluation: positions as in `bodies`, so that the new accelerations are known.
    pub fn of_force(forces: &Forces) -> Start {
        let Forces { bodies, constants, seed, .. } = forces;
        let n = bodies.len();
        let velocity = random_vectors(n, 0.01, seed.wrapping_add(1));
        let acceleration = random_vectors(n, 2.0, seed.wrapping_add(2));
        Start { bodies: Bodies { velocity, ..bodies.clone() }, constants: *constants, acceleration }
    }

    /// For an advance: near the origin, fast, and as much accelerated in half a time step.
    pub fn of_advance(n: u64, seed: u64) -> Start {
        let Bodies { mass, .. } = verification_bodies(n as usize, seed);
        let constants = Constants::drawn(seed ^ n);
        let (n, dtime) = (mass.len(), f64::from(constants.dtime));
        let position = random_vectors(n, dtime, seed.wrapping_add(3));
        let velocity = random_vectors(n, 1.0, seed.wrapping_add(4));
        let acceleration = random_vectors(n, 2.0 / dtime, seed.wrapping_add(5));
        let bodies = Bodies { position, velocity, mass };
        Start { bodies, constants, acceleration }
    }
}

impl Case {
    /// The bodies at the start, and their accelerations where they have some.
    pub fn start(&self) -> (&Bodies, Option<&[Vec<f32>; 3]>) {
        match self {
            Case::Unjudged(bodies, _) => (bodies, None),
            Case::First(forces) => (&forces.bodies, None),
            Case::Sampled(sampled) => (&sampled.bodies, None),
            Case::Sums(forces, None) => (&forces.bodies, None),
            Case::Later(_, start) | Case::Sums(_, Some(start)) | Case::Advance(start) => {
                (&start.bodies, Some(&start.acceleration))
            }
            Case::TimeSteps(trajectory) => (&trajectory.bodies, None),
        }
    }

    /// What the bodies are moved with.
    pub fn constants(&self) -> Constants {
        match self {
            Case::Unjudged(..) => Constants::USUAL,
            Case::First(forces) => forces.constants,
            Case::Sampled(sampled) => sampled.constants,
            Case::Sums(forces, _) => forces.constants,
            Case::Later(_, start) | Case::Advance(start) => start.constants,
            Case::TimeSteps(trajectory) => trajectory.constants,
        }
    }
}

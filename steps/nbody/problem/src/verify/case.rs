//! Bodies with what the reference says of them.

use ladder::problem::SEED;

use super::bodies::{random_vectors, sample};
use crate::DTIME;
use crate::bodies::Bodies;
use crate::reference::Reference;
use crate::tolerance::Pulls;

/// Time steps after which positions and velocities are verified.
pub const TIME_STEPS: u32 = 3;

/// Above this many bodies only a sample of the accelerations is verified.
const ALL_VERIFIED: usize = 16_384;

/// How many are verified then.
const SAMPLE: usize = 1024;

/// What is run over which bodies, and what is expected of it.
#[derive(Debug)]
pub enum Case {
    /// The force evaluation of this number; nobody asks what comes out.
    Unjudged(Bodies, u32),
    /// The first force evaluation.
    First(Forces),
    /// A later one, from a state of its own.
    Later(Box<Forces>, Start),
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
    /// Which accelerations are verified, ascending.
    pub targets: Vec<usize>,
    /// Those accelerations.
    pub expected: Vec<[f64; 3]>,
    /// What their errors are made of.
    pub pulls: Vec<Pulls>,
}

/// Bodies and where they are after [`TIME_STEPS`] time steps.
#[derive(Debug)]
pub struct Trajectory {
    /// The bodies at the start.
    pub bodies: Bodies,
    /// The same in f64.
    pub start: Reference,
    /// The end in f64, velocities corrected.
    pub end: Reference,
    /// Energy at the start.
    pub energy: f64,
    /// What the errors of accelerations are made of, at the start and at the end.
    pub pulls: [Vec<Pulls>; 2],
}

impl Forces {
    /// Computes what is expected of `bodies`: all accelerations, or a seeded sample of many.
    pub fn new(bodies: Bodies) -> Forces {
        let n = bodies.len();
        let targets = sample(n, if n <= ALL_VERIFIED { n } else { SAMPLE }, SEED);
        let expected = Reference::new(&bodies).accelerations(&targets);
        let pulls = Pulls::on(&bodies, &targets);
        Forces { bodies, targets, expected, pulls }
    }
}

impl Trajectory {
    /// Computes where `bodies` are to go.
    pub fn new(bodies: Bodies) -> Trajectory {
        let start = Reference::new(&bodies);
        let end = start.clone().after(TIME_STEPS);
        let energy = start.energy();
        let targets: Vec<usize> = (0..bodies.len()).collect();
        let pulls = [&bodies, &end.bodies()].map(|bodies| Pulls::on(bodies, &targets));
        Trajectory { bodies, start, end, energy, pulls }
    }
}

/// What a launch begins with.
#[derive(Debug, Clone)]
pub struct Start {
    /// The bodies.
    pub bodies: Bodies,
    /// Their accelerations: x, y, z.
    pub acceleration: [Vec<f32>; 3],
}

impl Start {
    /// For a force evaluation: positions as in `bodies`, so that the new accelerations are known.
    pub fn of_force(bodies: &Bodies) -> Start {
        let n = bodies.len();
        let velocity = random_vectors(n, 0.01, SEED + 1);
        Start {
            bodies: Bodies { velocity, ..bodies.clone() },
            acceleration: random_vectors(n, 2.0, SEED + 2),
        }
    }

    /// For an advance: near the origin, fast, and as much accelerated in half a time step.
    pub fn of_advance(bodies: &Bodies) -> Start {
        let n = bodies.len();
        let position = random_vectors(n, f64::from(DTIME), SEED + 3);
        let velocity = random_vectors(n, 1.0, SEED + 4);
        Start {
            bodies: Bodies { position, velocity, mass: bodies.mass.clone() },
            acceleration: random_vectors(n, 2.0 / f64::from(DTIME), SEED + 5),
        }
    }
}

impl Case {
    /// The bodies at the start, and their accelerations where they have some.
    pub fn start(&self) -> (&Bodies, Option<&[Vec<f32>; 3]>) {
        match self {
            Case::Unjudged(bodies, _) => (bodies, None),
            Case::First(forces) => (&forces.bodies, None),
            Case::Later(_, start) | Case::Advance(start) => {
                (&start.bodies, Some(&start.acceleration))
            }
            Case::TimeSteps(trajectory) => (&trajectory.bodies, None),
        }
    }
}

//! Bodies with what the reference says of them, computed once and shared between steps.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::nbody::{Bodies, Reference, SEED, plummer, sample, verification_bodies};

/// Time steps after which positions and velocities are verified.
pub const TIME_STEPS: u32 = 3;

/// Above this many bodies only a sample of the accelerations is verified.
const ALL_VERIFIED: usize = 16_384;

/// How many are verified then.
const SAMPLE: usize = 1024;

/// Bodies and the accelerations of some of them.
#[derive(Debug)]
pub struct Case {
    /// The bodies.
    pub bodies: Bodies,
    /// Which accelerations are verified, ascending.
    pub targets: Vec<usize>,
    /// Those accelerations.
    pub expected: Vec<[f64; 3]>,
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
}

/// All cases of a process.
#[derive(Debug, Default)]
pub struct Cases {
    verification: HashMap<usize, Arc<Case>>,
    trajectories: HashMap<usize, Arc<Trajectory>>,
    timed: HashMap<usize, Arc<Case>>,
    from_file: Option<Bodies>,
}

impl Case {
    /// Computes what is expected of `bodies`: all accelerations, or a seeded sample of many.
    pub fn new(bodies: Bodies) -> Case {
        let n = bodies.len();
        let targets = sample(n, if n <= ALL_VERIFIED { n } else { SAMPLE }, SEED);
        let expected = Reference::new(&bodies).accelerations(&targets);
        Case { bodies, targets, expected }
    }
}

impl Cases {
    /// Cases whose timed bodies come from a file instead of the generator.
    pub fn from_file(bodies: Option<Bodies>) -> Cases {
        Cases { from_file: bodies, ..Cases::default() }
    }

    /// How many bodies the file has.
    pub fn file_len(&self) -> Option<usize> {
        self.from_file.as_ref().map(Bodies::len)
    }

    /// Bodies for verification at size `n`.
    pub fn verification(&mut self, n: usize) -> Arc<Case> {
        once(&mut self.verification, n, || Case::new(verification_bodies(n, SEED)))
    }

    /// Time steps of `n` bodies for verification.
    pub fn trajectory(&mut self, n: usize) -> Arc<Trajectory> {
        once(&mut self.trajectories, n, || {
            let bodies = verification_bodies(n, SEED);
            let start = Reference::new(&bodies);
            let end = start.clone().after(TIME_STEPS);
            let energy = start.energy();
            Trajectory { bodies, start, end, energy }
        })
    }

    /// The `n` bodies that are timed, with what is expected of them.
    pub fn timed(&mut self, n: usize) -> Arc<Case> {
        let from_file = self.from_file.as_ref();
        once(&mut self.timed, n, || Case::new(cluster(from_file, n)))
    }

    /// The same bodies alone: nothing is computed that nobody may ask for.
    pub fn bodies(&self, n: usize) -> Bodies {
        cluster(self.from_file.as_ref(), n)
    }
}

/// The seeded cluster, or the first bodies of the file.
fn cluster(from_file: Option<&Bodies>, n: usize) -> Bodies {
    from_file.map_or_else(|| plummer(n, SEED), |bodies| bodies.first(n))
}

/// The value at `n`, computed when it is first asked for.
fn once<T>(cache: &mut HashMap<usize, Arc<T>>, n: usize, make: impl FnOnce() -> T) -> Arc<T> {
    match cache.entry(n) {
        Entry::Occupied(entry) => entry.get().clone(),
        Entry::Vacant(entry) => entry.insert(Arc::new(make())).clone(),
    }
}

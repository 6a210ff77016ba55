//! Inputs of one size, with what is expected of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use nbody::Bodies;
use nbody::verify::sample;
use rayon::prelude::*;
use report::Extra;

use crate::array::Sizes;
use crate::kept::Kept;
use crate::share::Shares;
use crate::trajectory::Trajectory;
use crate::values::{Values, reference};

/// Up to so many bodies all accelerations are judged.
pub(crate) const ALL_JUDGED: usize = 1 << 14;

/// How many are judged of more.
const SAMPLE: usize = 2000;

/// Inputs, and what is expected of them.
pub struct Case {
    pub(crate) bodies: Bodies,
    /// The mass of all that pull.
    pub(crate) mass: f64,
    pub(crate) values: Values,
    /// Whether they are a cluster: errors of the method are known for these.
    pub(crate) is_cluster: bool,
    /// Whether launches are timed one by one.
    pub(crate) is_timed: bool,
    /// Bodies whose accelerations are judged; nobody asks what comes out where there are none.
    pub(crate) targets: Vec<usize>,
    /// Their accelerations, summed over all bodies.
    pub(crate) direct: Vec<[f64; 3]>,
    /// Cells that there is room for, where that is not as usual.
    pub(crate) cells: Option<u64>,
    /// Which kernels run alone, if a time step does not.
    pub(crate) alone: Option<&'static str>,
    /// Several time steps, where these are judged.
    pub(crate) trajectory: Option<Trajectory>,
    pub(crate) kept: Kept,
    /// How long each kernel of a step takes, by the step: looked at once.
    pub(crate) kernels: Mutex<HashMap<&'static str, Vec<Extra>>>,
    /// Which GPU has which bodies, by the number of GPUs.
    pub(crate) shares: Mutex<HashMap<usize, Arc<Shares>>>,
}

impl Case {
    /// Nobody asks what comes out.
    pub(crate) fn unjudged(bodies: Bodies, values: Values) -> Case {
        let mass = bodies.mass.iter().map(|&m| f64::from(m)).sum();
        Case {
            bodies,
            mass,
            values,
            is_cluster: true,
            is_timed: false,
            targets: Vec::new(),
            direct: Vec::new(),
            cells: None,
            alone: None,
            trajectory: None,
            kept: Kept::default(),
            kernels: Mutex::default(),
            shares: Mutex::default(),
        }
    }

    /// The bodies of each of so many GPUs, which are divided once.
    pub(crate) fn shares(&self, gpus: usize) -> Arc<Shares> {
        let mut known = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(gpus).or_insert_with(|| Arc::new(Shares::new(&self.bodies, gpus))).clone()
    }

    /// Some of the bodies, by their numbers, which ascend; all pull at them.
    pub(crate) fn of(&self, some: &[u32]) -> Case {
        let column = |of: &Vec<f32>| some.par_iter().map(|&body| of[body as usize]).collect();
        let bodies = Bodies {
            mass: column(&self.bodies.mass),
            position: self.bodies.position.each_ref().map(column),
            velocity: self.bodies.velocity.each_ref().map(column),
        };
        let judged = self.targets.iter().zip(&self.direct).filter_map(|(&target, direct)| {
            Some((some.binary_search(&(target as u32)).ok()?, *direct))
        });
        let (targets, direct) = judged.unzip();
        Case {
            mass: self.mass,
            is_cluster: self.is_cluster,
            is_timed: self.is_timed,
            targets,
            direct,
            trajectory: self.trajectory.as_ref().map(|it| it.of(some)),
            ..Case::unjudged(bodies, self.values)
        }
    }

    /// One time step of a cluster; `seed` decides which accelerations are judged.
    pub(crate) fn judged(bodies: Bodies, values: Values, seed: u64) -> Case {
        let n = bodies.len();
        let targets = sample(n, judged(n), seed);
        let direct = reference(&bodies, values).accelerations(&targets);
        Case { targets, direct, ..Case::unjudged(bodies, values) }
    }

    /// Kernels alone, by what they are verified with.
    pub(crate) fn alone(what: &'static str, bodies: Bodies, values: Values) -> Case {
        Case { alone: Some(what), ..Case::unjudged(bodies, values) }
    }

    /// What sizes of arrays and grids depend on.
    pub(crate) fn sizes(&self, multiprocessors: u32) -> Sizes {
        let usual = Sizes::new(self.bodies.len() as u64, multiprocessors);
        Sizes { cells: self.cells.unwrap_or(usual.cells), ..usual }
    }

    /// Several time steps.
    pub(crate) fn time_steps(bodies: Bodies, values: Values, count: u32) -> Case {
        let trajectory = Some(Trajectory::new(&bodies, values, count));
        Case { trajectory, ..Case::unjudged(bodies, values) }
    }

    /// The same bodies with other numbers: accelerations are the same, at other places.
    pub(crate) fn renumbered(&self, seed: u64) -> Case {
        let (bodies, targets) = renumbered(&self.bodies, &self.targets, seed);
        Case {
            is_timed: self.is_timed,
            targets,
            direct: self.direct.clone(),
            ..Case::unjudged(bodies, self.values)
        }
    }
}

/// The same bodies with other numbers, and the new numbers of some of them.
pub fn renumbered(bodies: &Bodies, some: &[usize], seed: u64) -> (Bodies, Vec<usize>) {
    let n = bodies.len();
    let by = 1 + (seed % n as u64) as usize;
    let mut bodies = bodies.clone();
    let columns = bodies.position.iter_mut().chain(&mut bodies.velocity);
    columns.chain([&mut bodies.mass]).for_each(|column| column.rotate_right(by % n));
    (bodies, some.iter().map(|&i| (i + by) % n).collect())
}

/// How many accelerations of `n` bodies are judged.
pub(crate) fn judged(n: usize) -> usize {
    if n <= ALL_JUDGED { n } else { SAMPLE }
}

//! Inputs of one size, with what is expected of them.

use std::collections::HashMap;
use std::sync::Mutex;

use nbody::Bodies;
use nbody::verify::sample;
use report::Extra;

use crate::array::Sizes;
use crate::kept::Kept;
use crate::trajectory::Trajectory;
use crate::values::{Values, reference};

/// Up to so many bodies all accelerations are judged.
const ALL_JUDGED: usize = 1 << 14;

/// How many are judged of more.
const SAMPLE: usize = 2000;

/// Inputs, and what is expected of them.
pub struct Case {
    pub(crate) bodies: Bodies,
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
}

impl Case {
    /// Nobody asks what comes out.
    pub(crate) fn unjudged(bodies: Bodies, values: Values) -> Case {
        Case {
            bodies,
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

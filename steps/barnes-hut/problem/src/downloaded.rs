//! The arrays of a step, copied to the host.

use std::hash::{DefaultHasher, Hasher};

use rayon::prelude::*;

use crate::array::{Array, Role, Sizes};
use crate::defect::Defect;

/// Bodies that a thread looks at, at least.
const BODIES: usize = 1 << 12;

/// Words of an array whose digest is made at once.
const DIGESTED: usize = 1 << 16;

/// Arrays copied to the host.
#[derive(Debug, Clone)]
pub struct Downloaded {
    pub(crate) sizes: Sizes,
    pub(crate) arrays: Vec<(Array, Vec<u32>)>,
}

/// Bodies after a time step, in the order of the input.
#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) mass: Vec<f32>,
    pub(crate) position: Vec<[f32; 3]>,
    pub(crate) velocity: Vec<[f32; 3]>,
    pub(crate) acceleration: Vec<[f32; 3]>,
}

impl Downloaded {
    /// The number of bodies.
    pub fn n(&self) -> usize {
        self.sizes.n as usize
    }

    /// An array as words.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn words(&self, name: &str) -> &[u32] {
        let found = self.arrays.iter().find(|(array, _)| array.name == name);
        &found.unwrap_or_else(|| panic!("the step has no array `{name}`")).1
    }

    /// An array as signed numbers.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn ints(&self, name: &str) -> &[i32] {
        bytemuck::cast_slice(self.words(name))
    }

    /// An array as floats.
    ///
    /// # Panics
    /// The step has no such array.
    pub fn floats(&self, name: &str) -> &[f32] {
        bytemuck::cast_slice(self.words(name))
    }

    /// A number that is the same where all arrays are, bit by bit.
    pub(crate) fn digest(&self) -> u64 {
        let of = |words: &[u32]| {
            let mut digest = DefaultHasher::new();
            digest.write(bytemuck::cast_slice(words));
            digest.finish()
        };
        let mut digest = DefaultHasher::new();
        for (_, words) in &self.arrays {
            let parts: Vec<u64> = words.par_chunks(DIGESTED).map(of).collect();
            digest.write(bytemuck::cast_slice(&parts));
        }
        digest.finish()
    }

    fn of_role(&self, role: Role) -> Option<&[u32]> {
        self.arrays.iter().find(|(array, _)| array.role == role).map(|(_, words)| &words[..])
    }

    /// The bodies in the order in which warps have them, by their numbers in the input.
    ///
    /// # Errors
    /// It is no permutation.
    pub(crate) fn order(&self) -> Result<Vec<u32>, Defect> {
        let of = |role| self.of_role(role).map(|words| words[..self.n()].to_vec());
        let Some(order) = of(Role::Order).or_else(|| of(Role::Sorted)) else {
            return Ok((0..self.n() as u32).collect());
        };
        let mut met = vec![false; self.n()];
        for (place, &body) in order.iter().enumerate() {
            match met.get_mut(body as usize) {
                Some(met) if !*met => *met = true,
                Some(_) => {
                    return Err(Defect(format!(
                        "body {body} is twice in the order, again at {place}"
                    )));
                }
                None => {
                    return Err(Defect(format!(
                        "place {place} of the order holds {}",
                        body as i32
                    )));
                }
            }
        }
        Ok(order)
    }

    /// The bodies, in the order of the input; `order` says where each is if the step moves them.
    pub(crate) fn state(&self, order: &[u32]) -> State {
        let mut places: Vec<usize> = (0..self.n()).collect();
        if self.of_role(Role::Order).is_some() {
            order.iter().enumerate().for_each(|(place, &body)| places[body as usize] = place);
        }
        let mut state = State {
            mass: vec![0.0; self.n()],
            position: vec![[0.0; 3]; self.n()],
            velocity: vec![[0.0; 3]; self.n()],
            acceleration: vec![[0.0; 3]; self.n()],
        };
        for (array, words) in &self.arrays {
            let float = |at: usize| f32::from_bits(words[at]);
            let three = |place: usize| std::array::from_fn(|axis| float(4 * place + axis));
            match array.role {
                Role::Mass => each(&places, &mut state.mass, float),
                Role::Position(axis) => {
                    along(&places, &mut state.position, axis, float);
                }
                Role::Velocity(axis) => {
                    along(&places, &mut state.velocity, axis, float);
                }
                Role::Acceleration(axis) => {
                    along(&places, &mut state.acceleration, axis, float);
                }
                Role::PositionMass => {
                    each(&places, &mut state.position, three);
                    each(&places, &mut state.mass, |place| float(4 * place + 3));
                }
                Role::Velocities => each(&places, &mut state.velocity, three),
                Role::Accelerations => each(&places, &mut state.acceleration, three),
                Role::Order
                | Role::Sorted
                | Role::Tree
                | Role::Whole
                | Role::Boxes
                | Role::Zero
                | Role::Scratch
                | Role::Exchanged => {}
            }
        }
        state
    }
}

/// What `of` gives for each body's place.
fn each<T: Send>(places: &[usize], all: &mut [T], of: impl Fn(usize) -> T + Sync) {
    let all = all.par_iter_mut().zip(places).with_min_len(BODIES);
    all.for_each(|(it, &place)| *it = of(place));
}

/// The same along an axis.
fn along(places: &[usize], all: &mut [[f32; 3]], axis: usize, of: impl Fn(usize) -> f32 + Sync) {
    let all = all.par_iter_mut().zip(places).with_min_len(BODIES);
    all.for_each(|(it, &place)| it[axis] = of(place));
}

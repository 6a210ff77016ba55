//! The arrays of a step, copied to the host.

use crate::array::{Array, Role, Sizes};

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

    fn of_role(&self, role: Role) -> Option<&[u32]> {
        self.arrays.iter().find(|(array, _)| array.role == role).map(|(_, words)| &words[..])
    }

    /// The bodies in the order in which warps have them, by their numbers in the input.
    ///
    /// # Errors
    /// It is no permutation.
    pub(crate) fn order(&self) -> Result<Vec<u32>, String> {
        let of = |role| self.of_role(role).map(|words| words[..self.n()].to_vec());
        let Some(order) = of(Role::Order).or_else(|| of(Role::Sorted)) else {
            return Ok((0..self.n() as u32).collect());
        };
        let mut met = vec![false; self.n()];
        for (place, &body) in order.iter().enumerate() {
            match met.get_mut(body as usize) {
                Some(met) if !*met => *met = true,
                Some(_) => {
                    return Err(format!("body {body} is twice in the order, again at {place}"));
                }
                None => return Err(format!("place {place} of the order holds {}", body as i32)),
            }
        }
        Ok(order)
    }

    /// The bodies, in the order of the input; `order` says where each is if the step moves them.
    pub(crate) fn state(&self, order: &[u32]) -> State {
        let moves = self.of_role(Role::Order).is_some();
        let number = |place: usize| if moves { order[place] as usize } else { place };
        let mut state = State {
            mass: vec![0.0; self.n()],
            position: vec![[0.0; 3]; self.n()],
            velocity: vec![[0.0; 3]; self.n()],
            acceleration: vec![[0.0; 3]; self.n()],
        };
        for (array, words) in &self.arrays {
            let float = |at: usize| f32::from_bits(words[at]);
            let three = |place: usize| std::array::from_fn(|axis| float(4 * place + axis));
            for place in 0..self.n() {
                let body = number(place);
                match array.role {
                    Role::Mass => state.mass[body] = float(place),
                    Role::Position(axis) => state.position[body][axis] = float(place),
                    Role::Velocity(axis) => state.velocity[body][axis] = float(place),
                    Role::Acceleration(axis) => state.acceleration[body][axis] = float(place),
                    Role::PositionMass => {
                        state.position[body] = three(place);
                        state.mass[body] = float(4 * place + 3);
                    }
                    Role::Velocities => state.velocity[body] = three(place),
                    Role::Accelerations => state.acceleration[body] = three(place),
                    Role::Order | Role::Sorted | Role::Zero | Role::Scratch | Role::Exchanged => {
                        break;
                    }
                }
            }
        }
        state
    }
}

//! A set of bodies on the host.

/// Bodies as one array per field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bodies {
    /// Masses.
    pub mass: Vec<f32>,
    /// Positions: x, y, z.
    pub position: [Vec<f32>; 3],
    /// Velocities: x, y, z.
    pub velocity: [Vec<f32>; 3],
}

impl Bodies {
    /// No bodies, with room for `n`.
    pub fn with_capacity(n: usize) -> Bodies {
        let room = || Vec::with_capacity(n);
        Bodies {
            mass: room(),
            position: std::array::from_fn(|_| room()),
            velocity: std::array::from_fn(|_| room()),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// The first `n` of them.
    #[must_use]
    pub fn first(&self, n: usize) -> Bodies {
        let first = |values: &Vec<f32>| values[..n].to_vec();
        Bodies {
            mass: first(&self.mass),
            position: self.position.each_ref().map(first),
            velocity: self.velocity.each_ref().map(first),
        }
    }

    /// Adds one.
    pub fn push(&mut self, mass: f32, position: [f32; 3], velocity: [f32; 3]) {
        self.mass.push(mass);
        for axis in 0..3 {
            self.position[axis].push(position[axis]);
            self.velocity[axis].push(velocity[axis]);
        }
    }

    /// All numbers, field by field.
    pub(crate) fn columns(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        let vectors = self.position.iter_mut().chain(&mut self.velocity);
        std::iter::once(&mut self.mass).chain(vectors)
    }

    /// Position of body `i`.
    pub fn position_of(&self, i: usize) -> [f32; 3] {
        std::array::from_fn(|axis| self.position[axis][i])
    }

    /// Velocity of body `i`.
    pub fn velocity_of(&self, i: usize) -> [f32; 3] {
        std::array::from_fn(|axis| self.velocity[axis][i])
    }

    /// Whether f32 arithmetic can compute with these bodies.
    ///
    /// # Errors
    /// The first body that is too far, too fast or too heavy, and what to do.
    pub fn check_range(&self) -> Result<(), OutOfRange> {
        for i in 0..self.len() {
            let places = self.position_of(i).into_iter().chain(self.velocity_of(i));
            let farthest = places.fold(0.0, |most: f32, x| most.max(x.abs()));
            if farthest > MOST_LENGTH || self.mass[i] > MOST_MASS {
                return Err(OutOfRange { body: i, mass: self.mass[i], farthest });
            }
        }
        Ok(())
    }
}

/// A body with which f32 arithmetic cannot compute.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "body {body} has mass {mass:e}, and {farthest:e} in its position or velocity: their products leave the range of f32; use \
     units in which the cluster's mass and size are near 1"
)]
pub struct OutOfRange {
    /// Its number.
    pub body: usize,
    /// Its mass.
    pub mass: f32,
    /// The greatest size of a coordinate of its position or velocity.
    pub farthest: f32,
}

/// Greatest coordinate: the cube of an inverse distance, times a small mass, must stay above 1.2e-38.
const MOST_LENGTH: f32 = 1e10;

/// Greatest mass: a million of them, over the softening length cubed, must stay below 3.4e38.
const MOST_MASS: f32 = 1e25;

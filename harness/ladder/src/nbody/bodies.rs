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

    /// Position of body `i`.
    pub fn position_of(&self, i: usize) -> [f32; 3] {
        std::array::from_fn(|axis| self.position[axis][i])
    }

    /// Velocity of body `i`.
    pub fn velocity_of(&self, i: usize) -> [f32; 3] {
        std::array::from_fn(|axis| self.velocity[axis][i])
    }
}

//! Many bodies as one: their mass, and their centre.

use std::iter::Sum;
use std::ops::AddAssign;

use nbody::rust::Sources;

/// Mass, and mass times place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Moments {
    mass: f64,
    weighted: [f64; 3],
}

impl Moments {
    /// Those of a body.
    pub fn of(bodies: &Sources, i: usize) -> Moments {
        Moments::at(bodies.position(i), bodies.mass[i])
    }

    /// Those of a mass on a point.
    pub fn at(place: [f32; 3], mass: f32) -> Moments {
        let mass = f64::from(mass);
        Moments { mass, weighted: place.map(|axis| mass * f64::from(axis)) }
    }

    /// The mass.
    pub fn mass(&self) -> f32 {
        self.mass as f32
    }

    /// The centre of mass; the origin where there is no mass, which pulls nothing from anywhere.
    pub fn centre(&self) -> [f32; 3] {
        if self.mass == 0.0 {
            [0.0; 3]
        } else {
            self.weighted.map(|axis| (axis / self.mass) as f32)
        }
    }
}

impl AddAssign for Moments {
    fn add_assign(&mut self, other: Moments) {
        self.mass += other.mass;
        for (sum, axis) in self.weighted.iter_mut().zip(other.weighted) {
            *sum += axis;
        }
    }
}

impl Sum for Moments {
    fn sum<I: Iterator<Item = Moments>>(all: I) -> Moments {
        all.fold(Moments::default(), |mut sum, moments| {
            sum += moments;
            sum
        })
    }
}

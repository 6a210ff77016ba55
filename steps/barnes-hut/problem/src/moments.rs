//! Sums over the bodies of a node, in f64, and how it pulls at others.

use nbody::Bodies;

/// Sums over the bodies of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Moments {
    pub(crate) mass: f64,
    /// The centre of mass.
    pub(crate) centre: [f64; 3],
    /// Sums of m·x·x, m·x·y and so on around it, by row and column.
    pub(crate) second: [[f64; 3]; 3],
    /// How many bodies.
    pub(crate) bodies: u32,
    /// The number of one of them.
    pub(crate) some_body: u32,
}

impl Moments {
    /// Those of one body.
    pub(crate) fn of_body(bodies: &Bodies, body: u32) -> Moments {
        let centre = bodies.position_of(body as usize).map(f64::from);
        let mass = bodies.mass[body as usize].into();
        Moments { mass, centre, bodies: 1, some_body: body, ..Moments::default() }
    }

    /// Those of several parts together.
    pub(crate) fn of(parts: &[Moments]) -> Moments {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let Moments { centre: first, some_body, .. } = parts.first().copied().unwrap_or_default();
        let bodies = parts.iter().map(|part| part.bodies).sum();
        let share = if mass > 0.0 { 1.0 / mass } else { 0.0 };
        let centre = std::array::from_fn(|axis| {
            let moment = |part: &Moments| part.mass * (part.centre[axis] - first[axis]);
            first[axis] + parts.iter().map(moment).sum::<f64>() * share
        });
        let mut second = [[0.0; 3]; 3];
        for part in parts {
            let d = difference(part.centre, centre);
            for (row, own) in second.iter_mut().enumerate() {
                for (column, sum) in own.iter_mut().enumerate() {
                    *sum += part.second[row][column] + part.mass * d[row] * d[column];
                }
            }
        }
        Moments { mass, centre, second, bodies, some_body }
    }

    /// The sum of masses times squared distances from their centre.
    pub(crate) fn spread(&self) -> f64 {
        (0..3).map(|axis| self.second[axis][axis]).sum()
    }

    /// What one mass does to a body at a place.
    pub(crate) fn pull(&self, at: [f64; 3], epssq: f64) -> [f64; 3] {
        let d = difference(self.centre, at);
        let softened = square(d) + epssq;
        d.map(|x| x * self.mass / (softened * softened.sqrt()))
    }

    /// The same with the second moments S: with u the inverse of the softened distance,
    /// d (m u³ + 15/2 u⁷ d·S d − 3/2 u⁵ trace S) − 3 u⁵ S d.
    pub(crate) fn pull_with_second(&self, at: [f64; 3], epssq: f64) -> [f64; 3] {
        let d = difference(self.centre, at);
        let inverse = 1.0 / (square(d) + epssq).sqrt();
        let (cube, squared) = (inverse.powi(3), inverse.powi(2));
        let turned = self.second.map(|row| dot(row, d));
        let more = 7.5 * squared * dot(turned, d) - 1.5 * self.spread();
        let along = cube * (self.mass + squared * more);
        std::array::from_fn(|axis| along * d[axis] - 3.0 * cube * squared * turned[axis])
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(crate) fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(crate) fn square(v: [f64; 3]) -> f64 {
    dot(v, v)
}

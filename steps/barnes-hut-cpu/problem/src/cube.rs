//! Space, halved along each axis again and again.

use nbody::rust::Sources;

/// Cells are not divided further than this: bodies that are still together are as good as on one point. 32 halvings of
/// a cluster are less than two neighbouring `f32` lie apart, but near its least coordinates.
pub const DEEPEST: u32 = 32;

/// A cube.
#[derive(Debug, Clone, Copy)]
pub struct Cube {
    /// Its least corner.
    pub corner: [f32; 3],
    /// Length of an edge.
    pub side: f32,
}

impl Cube {
    /// The smallest cube around all bodies from the least of their coordinates on.
    pub fn around(bodies: &Sources) -> Cube {
        let mut corner = [0.0; 3];
        let mut side: f32 = 0.0;
        for (axis, values) in [bodies.x, bodies.y, bodies.z].into_iter().enumerate() {
            let least = values.iter().copied().fold(f32::INFINITY, f32::min);
            let most = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            corner[axis] = least;
            side = side.max(most - least);
        }
        Cube { corner, side }
    }

    /// In which of its eight parts a place is: bit 0 for x, 1 for y, 2 for z.
    pub fn octant(&self, place: [f32; 3]) -> usize {
        let half = self.side / 2.0;
        let upper = |axis: usize| usize::from(place[axis] >= self.corner[axis] + half) << axis;
        upper(0) | upper(1) | upper(2)
    }

    /// One of its eight parts.
    pub fn part(&self, octant: usize) -> Cube {
        let half = self.side / 2.0;
        let corner =
            |axis: usize| self.corner[axis] + if octant >> axis & 1 == 1 { half } else { 0.0 };
        Cube { corner: [corner(0), corner(1), corner(2)], side: half }
    }

    /// Brings bodies into the order of the parts that they are in; those of each part that has some.
    pub fn parts<'m>(
        &self,
        bodies: &Sources,
        members: &'m mut [u32],
    ) -> Vec<(usize, &'m mut [u32])> {
        let mut sorted: [Vec<u32>; 8] = Default::default();
        for &body in &*members {
            sorted[self.octant(bodies.position(body as usize))].push(body);
        }
        let mut rest = members;
        let mut parts = Vec::with_capacity(8);
        for (octant, sorted) in sorted.iter().enumerate().filter(|(_, part)| !part.is_empty()) {
            let (part, others) = rest.split_at_mut(sorted.len());
            part.copy_from_slice(sorted);
            parts.push((octant, part));
            rest = others;
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_where_their_bodies_are() {
        let (x, y, z) = ([0.0, 3.0, 4.0, 8.0], [0.0, 5.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
        let bodies = Sources { mass: &[1.0; 4], x: &x, y: &y, z: &z };
        let cube = Cube::around(&bodies);
        assert_eq!((cube.corner, cube.side), ([0.0; 3], 8.0));
        let mut members = [3, 2, 1, 0];
        let parts: Vec<(usize, Vec<u32>)> = cube
            .parts(&bodies, &mut members)
            .into_iter()
            .map(|(o, part)| (o, part.to_vec()))
            .collect();
        // On the border: in the upper part.
        assert_eq!(parts, [(0, vec![0]), (1, vec![3, 2]), (2, vec![1])]);
        let upper = cube.part(1);
        assert_eq!((upper.corner, upper.side), ([4.0, 0.0, 0.0], 4.0));
    }
}

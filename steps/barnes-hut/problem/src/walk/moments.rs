//! What is known of the bodies of a node, in f64, and how it pulls at others.

use std::collections::HashMap;

use nbody::Bodies;
use rayon::prelude::*;

use crate::tree::{CELLS, Child, Tree, levels};

pub(super) fn difference(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub(super) fn square(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum()
}

/// Of the bodies of a node.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moments {
    pub(super) mass: f64,
    /// The centre of mass.
    pub(super) centre: [f64; 3],
    /// Sums of m·x·x, m·x·y and so on around it, by row and column.
    pub(super) second: [[f64; 3]; 3],
}

impl Moments {
    /// Those of one body.
    pub(super) fn of_body(bodies: &Bodies, body: u32) -> Moments {
        let centre = bodies.position_of(body as usize).map(f64::from);
        Moments { mass: bodies.mass[body as usize].into(), centre, second: [[0.0; 3]; 3] }
    }

    /// Those of several parts together.
    pub(super) fn of(parts: &[Moments]) -> Moments {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        let first = parts.first().copied().unwrap_or_default().centre;
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
        Moments { mass, centre, second }
    }

    /// The sum of masses times squared distances from their centre.
    pub(super) fn spread(&self) -> f64 {
        (0..3).map(|axis| self.second[axis][axis]).sum()
    }

    /// Adds to the accelerations at each place what one mass does.
    pub(super) fn pull<'p>(
        &self,
        at: impl Iterator<Item = &'p [f64; 3]>,
        epssq: f64,
        sums: &mut [[f64; 3]],
    ) {
        for (sum, at) in sums.iter_mut().zip(at) {
            let d = difference(self.centre, *at);
            let softened = square(d) + epssq;
            let scale = self.mass / (softened * softened.sqrt());
            (0..3).for_each(|axis| sum[axis] += d[axis] * scale);
        }
    }

    /// The same with the second moments S: with u the inverse of the softened distance,
    /// d (m u³ + 15/2 u⁷ d·S d − 3/2 u⁵ trace S) − 3 u⁵ S d.
    pub(super) fn pull_with_second<'p>(
        &self,
        at: impl Iterator<Item = &'p [f64; 3]>,
        epssq: f64,
        sums: &mut [[f64; 3]],
    ) {
        for (sum, at) in sums.iter_mut().zip(at) {
            let d = difference(self.centre, *at);
            let inverse = 1.0 / (square(d) + epssq).sqrt();
            let (cube, square) = (inverse.powi(3), inverse.powi(2));
            let turned: [f64; 3] = std::array::from_fn(|row| {
                (0..3).map(|column| self.second[row][column] * d[column]).sum()
            });
            let along: f64 = (0..3).map(|axis| turned[axis] * d[axis]).sum();
            let scale = cube * (self.mass + square * (7.5 * square * along - 1.5 * self.spread()));
            let other = -3.0 * cube * square;
            (0..3).for_each(|axis| sum[axis] += d[axis] * scale + turned[axis] * other);
        }
    }
}

/// What is known of the nodes of a tree.
pub(super) struct Nodes {
    /// By cell.
    pub(super) cells: Vec<Moments>,
    /// Leaves by their first body's place in the tree.
    pub(super) leaves: HashMap<u32, Moments>,
}

impl Nodes {
    /// Of a tree over bodies.
    ///
    /// # Errors
    /// A cell or body is met twice or never.
    pub(super) fn new(tree: &Tree, bodies: &Bodies) -> Result<Nodes, String> {
        let mut nodes =
            Nodes { cells: vec![Moments::default(); tree.cells.len()], leaves: HashMap::new() };
        let order = tree.order(bodies.len())?;
        for level in levels(&order).rev() {
            let of_cell = |&(cell, _): &(u32, u32)| nodes.of_cell(tree, bodies, cell);
            let found: Vec<_> = level.par_iter().with_min_len(CELLS).map(of_cell).collect();
            for (&(cell, _), (moments, leaves)) in level.iter().zip(found) {
                nodes.cells[cell as usize] = moments;
                nodes.leaves.extend(leaves);
            }
        }
        Ok(nodes)
    }

    /// Of a cell whose children are known, and of its leaves with several bodies.
    fn of_cell(&self, tree: &Tree, bodies: &Bodies, cell: u32) -> (Moments, Vec<(u32, Moments)>) {
        let (mut parts, mut count, mut leaves) = ([Moments::default(); 8], 0, Vec::new());
        for child in tree.cells[cell as usize].children {
            parts[count] = match child {
                Child::None => continue,
                Child::Cell(child) => self.cells[child as usize],
                Child::Bodies { first, count: 1 } => {
                    Moments::of_body(bodies, tree.bodies[first as usize])
                }
                Child::Bodies { first, count } => {
                    let own = &tree.bodies[first as usize..(first + count) as usize];
                    let own: Vec<Moments> =
                        own.iter().map(|&body| Moments::of_body(bodies, body)).collect();
                    let leaf = Moments::of(&own);
                    leaves.push((first, leaf));
                    leaf
                }
            };
            count += 1;
        }
        (Moments::of(&parts[..count]), leaves)
    }

    /// Of all bodies.
    pub(super) fn root(&self) -> &Moments {
        &self.cells[0]
    }
}

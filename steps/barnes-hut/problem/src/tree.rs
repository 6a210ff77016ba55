//! The tree that a step left, checked cell by cell against its bodies.

use std::collections::HashMap;

use nbody::Bodies;
use rayon::prelude::*;

use crate::defect::Defect;
use crate::moments::Moments;

/// A tree as the host sees it.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    /// Cells; the first is the root.
    pub cells: Vec<Cell>,
    /// Bodies by their numbers in the input, so that those of a leaf follow each other.
    pub bodies: Vec<u32>,
    /// Side of the root's cube, which is the smallest one around all bodies.
    pub side: f64,
    /// The cube that is cut, if it is not the smallest one.
    pub cube: Option<Cube>,
    /// Levels of cells that are cut by place; bodies that these do not part may be anywhere below.
    pub even_levels: u32,
}

/// A cell.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// Mass of its bodies.
    pub mass: f32,
    /// Their centre of mass.
    pub centre: [f32; 3],
    /// How many.
    pub bodies: u32,
    /// What it consists of.
    pub children: [Child; 8],
}

/// A part of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Child {
    /// Nothing.
    None,
    /// A cell of half the side.
    Cell(u32),
    /// A leaf: so many of [`Tree::bodies`].
    Bodies {
        /// The first.
        first: u32,
        /// How many.
        count: u32,
    },
}

/// What is known of a right tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Bodies and cells.
    pub nodes: u64,
    /// Levels of cells.
    pub levels: u32,
}

/// How far off masses and centres may be, of the total and of the root's side: rounding of sums of sums in f32.
const ROUNDING: f64 = 2e-6;

/// Side of the root that bodies may have which are all at one place.
pub(crate) const LEAST_SIDE: f64 = 2e-30;

/// Cells that a thread checks at least.
const CELLS: usize = 1 << 10;

/// A cube of space.
#[derive(Debug, Clone, Copy)]
pub struct Cube {
    centre: [f64; 3],
    half: f64,
}

impl Cube {
    /// The smallest one around a box, with the same middle; the least coordinates come first, then the greatest.
    pub(crate) fn of(bounds: &[f32]) -> Cube {
        let ends = |axis: usize| [bounds[axis], bounds[3 + axis]].map(f64::from);
        let centre = [0, 1, 2].map(|axis| 0.5 * (ends(axis)[0] + ends(axis)[1]));
        let half = (0..3).map(|axis| 0.5 * (ends(axis)[1] - ends(axis)[0])).fold(0.0, f64::max);
        Cube { centre, half }
    }

    fn eighth(&self, octant: usize) -> Cube {
        let half = 0.5 * self.half;
        let centre = std::array::from_fn(|axis| {
            self.centre[axis] + if octant >> axis & 1 == 1 { half } else { -half }
        });
        Cube { centre, half }
    }

    fn octant(&self, at: [f64; 3]) -> usize {
        (0..3).map(|axis| usize::from(at[axis] > self.centre[axis]) << axis).sum()
    }

    /// Whether a place lies in it, up to a rounding.
    fn has(&self, at: [f64; 3], rounding: f64) -> bool {
        (0..3).all(|axis| (at[axis] - self.centre[axis]).abs() <= self.half + rounding)
    }
}

/// Sums over the bodies of each node of a tree.
#[derive(Debug, Default)]
pub(crate) struct Nodes {
    /// By cell.
    pub(crate) cells: Vec<Moments>,
    /// Leaves with several bodies, by the first one's place in [`Tree::bodies`].
    pub(crate) leaves: HashMap<u32, Moments>,
}

impl Tree {
    /// Checks the tree of `bodies`: its root is the smallest cube, each lies in one leaf and inside all cells above it, a cell holds at least two of
    /// them unless it is the root, eighths of a cell are different ones, and counts, masses and centres are those of f64
    /// sums.
    ///
    /// # Errors
    /// What is wrong, and where.
    pub(crate) fn check(&self, bodies: &Bodies) -> Result<(Shape, Nodes), Defect> {
        let order = self.order(bodies.len())?;
        let nodes = self.nodes(bodies, &order);
        let sums = &nodes.cells;
        let total = sums[0].mass;
        let farthest =
            |i| bodies.position_of(i).into_iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        let extent = (0..bodies.len()).into_par_iter().map(farthest).reduce(|| 0.0, f32::max);
        let extent = self.side.max(f64::from(extent));
        let cube = smallest(bodies);
        let is_smallest = (self.side - 2.0 * cube.half).abs() <= ROUNDING * extent + LEAST_SIDE;
        if !is_smallest {
            return Err(Defect(format!(
                "the root has side {:e}, and the smallest cube around all bodies {:e}",
                self.side,
                2.0 * cube.half
            )));
        }
        let wrong = |&(cell, _): &(u32, u32)| {
            self.check_sums(cell, &sums[cell as usize], (total, extent)).err()
        };
        if let Some(wrong) = order.par_iter().find_map_first(wrong) {
            return Err(wrong);
        }
        let cut = self.cube.unwrap_or(cube);
        let rounding = ROUNDING * extent.max(2.0 * cut.half);
        self.check_places(bodies, sums, &order, cut, rounding)?;
        let levels = order.iter().map(|(_, level)| level + 1).max().unwrap_or(0);
        Ok((Shape { nodes: (bodies.len() + order.len()) as u64, levels }, nodes))
    }

    /// Cells that can be reached, parents before children, each with its level.
    ///
    /// # Errors
    /// A cell or body is met twice or never.
    fn order(&self, n: usize) -> Result<Vec<(u32, u32)>, Defect> {
        if self.cells.is_empty() {
            return Err(Defect("the tree has no root".to_owned()));
        }
        let (mut cells, mut found) = (vec![false; self.cells.len()], vec![false; n]);
        let mut order = vec![(0, 0)];
        let mut next = 0;
        while let Some(&(cell, level)) = order.get(next) {
            next += 1;
            for child in self.cells[cell as usize].children {
                match child {
                    Child::None => {}
                    Child::Cell(own) => {
                        let met = cells.get_mut(own as usize);
                        let met = met.ok_or_else(|| format!("there is no cell {own}"))?;
                        if own == 0 || std::mem::replace(met, true) {
                            return Err(Defect(format!("cell {own} is a child of two cells")));
                        }
                        order.push((own, level + 1));
                    }
                    Child::Bodies { first, count } => {
                        for place in first..first + count {
                            let body = self.bodies.get(place as usize).copied();
                            let met = body.and_then(|body| found.get_mut(body as usize));
                            let met = met.ok_or_else(|| format!("a leaf has place {place}"))?;
                            if std::mem::replace(met, true) {
                                return Err(Defect(format!(
                                    "body {} is in two leaves",
                                    body.unwrap_or(0)
                                )));
                            }
                        }
                    }
                }
            }
        }
        match found.iter().position(|met| !met) {
            Some(body) => {
                let lost = found.iter().filter(|met| !**met).count();
                Err(Defect(format!("body {body} is in no leaf ({lost} of {n} are in none)")))
            }
            None => Ok(order),
        }
    }

    /// Sums over the bodies of each node, from the last level up.
    fn nodes(&self, bodies: &Bodies, order: &[(u32, u32)]) -> Nodes {
        let cells = vec![Moments::default(); self.cells.len()];
        let mut nodes = Nodes { cells, ..Nodes::default() };
        for level in levels(order).rev() {
            let of_cell = |&(cell, _): &(u32, u32)| self.sums(bodies, &nodes, cell);
            let found: Vec<_> = level.par_iter().with_min_len(CELLS).map(of_cell).collect();
            for (&(cell, _), (sums, leaves)) in level.iter().zip(found) {
                nodes.cells[cell as usize] = sums;
                nodes.leaves.extend(leaves);
            }
        }
        nodes
    }

    /// The same of a cell whose children are known, and of its leaves with several bodies.
    fn sums(&self, bodies: &Bodies, nodes: &Nodes, cell: u32) -> (Moments, Vec<(u32, Moments)>) {
        let (mut parts, mut count, mut leaves) = ([Moments::default(); 8], 0, Vec::new());
        for child in self.cells[cell as usize].children {
            parts[count] = match child {
                Child::None => continue,
                Child::Cell(child) => nodes.cells[child as usize],
                Child::Bodies { first, count: 1 } => {
                    Moments::of_body(bodies, self.bodies[first as usize])
                }
                Child::Bodies { first, count } => {
                    let own = &self.bodies[first as usize..(first + count) as usize];
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

    fn check_sums(
        &self,
        cell: u32,
        sums: &Moments,
        (total, extent): (f64, f64),
    ) -> Result<(), Defect> {
        let own = &self.cells[cell as usize];
        if own.bodies != sums.bodies {
            return Err(Defect(format!(
                "cell {cell} counts {} bodies and has {}",
                own.bodies, sums.bodies
            )));
        }
        if cell != 0 && sums.bodies < 2 {
            return Err(Defect(format!("cell {cell} has {} bodies: a leaf would do", sums.bodies)));
        }
        let mass = f64::from(own.mass);
        let is_near = (mass - sums.mass).abs() <= ROUNDING * sums.mass.max(1e-9 * total);
        if !is_near {
            return Err(Defect(format!(
                "cell {cell} has mass {mass:e}, and its bodies {:e}",
                sums.mass
            )));
        }
        if sums.mass == 0.0 {
            return Ok(());
        }
        let expected = sums.centre;
        let off = (0..3).map(|axis| (f64::from(own.centre[axis]) - expected[axis]).abs());
        match off.into_iter().all(|off| off <= ROUNDING * extent) {
            true => Ok(()),
            false => Err(Defect(format!(
                "cell {cell} has its centre of mass at {:?}, and its bodies at {expected:?}",
                own.centre
            ))),
        }
    }

    /// Whether bodies lie inside their cells, and the eighths of a cell are different ones.
    fn check_places(
        &self,
        bodies: &Bodies,
        sums: &[Moments],
        order: &[(u32, u32)],
        root: Cube,
        rounding: f64,
    ) -> Result<(), Defect> {
        let mut cubes = vec![root; self.cells.len()];
        for level in levels(order) {
            let parts = |&(cell, level): &(u32, u32)| {
                let cube = cubes[cell as usize];
                let is_cut = level < self.even_levels && 0.25 * cube.half > rounding;
                self.check_parts(bodies, sums, cell, (cube, is_cut), rounding)
            };
            let parts: Vec<_> = level.par_iter().with_min_len(CELLS).map(parts).collect();
            for (&(cell, _), parts) in level.iter().zip(parts) {
                let (cube, parts) = (cubes[cell as usize], parts?);
                for (child, octant) in self.cells[cell as usize].children.iter().zip(parts) {
                    if let Child::Cell(child) = *child {
                        cubes[child as usize] = octant.map_or(cube, |octant| cube.eighth(octant));
                    }
                }
            }
        }
        Ok(())
    }

    /// The same of a cell and its children: in which octant each cell lies, where they are cut by place.
    fn check_parts(
        &self,
        bodies: &Bodies,
        sums: &[Moments],
        cell: u32,
        (cube, is_cut): (Cube, bool),
        rounding: f64,
    ) -> Result<[Option<usize>; 8], Defect> {
        let at = |body: u32| bodies.position_of(body as usize).map(f64::from);
        // Not by any body: one on a border may have been rounded to the other side.
        let place = |child: u32| match sums[child as usize].mass > 0.0 {
            true => sums[child as usize].centre,
            false => at(sums[child as usize].some_body),
        };
        let octants = match is_cut {
            true => self.octants(cell, cube, place, rounding)?,
            false => [None; 8],
        };
        for child in &self.cells[cell as usize].children {
            match *child {
                Child::None | Child::Cell(_) => {}
                Child::Bodies { first, count } => {
                    let own = &self.bodies[first as usize..(first + count) as usize];
                    if let Some(&body) = own.iter().find(|&&body| !cube.has(at(body), rounding)) {
                        return Err(Defect(format!(
                            "body {body} at {:?} is not inside its cell {cell}, of side {:e} around {:?}",
                            at(body),
                            2.0 * cube.half,
                            cube.centre
                        )));
                    }
                }
            }
        }
        Ok(octants)
    }

    /// The octants of the cells that a cell consists of, by their `place`. Where all bodies of one are on a border, up to a
    /// rounding, either side will do, if no other cell is there.
    fn octants(
        &self,
        cell: u32,
        cube: Cube,
        place: impl Fn(u32) -> [f64; 3],
        rounding: f64,
    ) -> Result<[Option<usize>; 8], Defect> {
        let sides = |at: [f64; 3]| {
            let borders = (0..3).filter(|&axis| (at[axis] - cube.centre[axis]).abs() <= rounding);
            let first = vec![cube.octant(at)];
            borders.fold(first, |sides, axis| {
                let others = sides.iter().map(|octant| octant ^ (1 << axis)).collect::<Vec<_>>();
                [sides, others].concat()
            })
        };
        let children = self.cells[cell as usize].children.iter().enumerate();
        let mut possible: Vec<(usize, Vec<usize>)> = children
            .filter_map(|(k, child)| match *child {
                Child::Cell(child) => Some((k, sides(place(child)))),
                _ => None,
            })
            .collect();
        // Those first that have no choice.
        possible.sort_by_key(|(_, sides)| sides.len());
        let mut octants = [None; 8];
        for (k, sides) in possible {
            let free = sides.iter().find(|octant| !octants.contains(&Some(**octant)));
            let taken = || format!("two cells are octant {} of cell {cell}", sides[0]);
            octants[k] = Some(*free.ok_or_else(taken)?);
        }
        Ok(octants)
    }
}

/// Cells level by level: those of one do not depend on each other.
fn levels(order: &[(u32, u32)]) -> impl DoubleEndedIterator<Item = &[(u32, u32)]> {
    order.chunk_by(|one, next| one.1 == next.1)
}

/// The smallest cube around all bodies, with its centre in the middle of the smallest box.
fn smallest(bodies: &Bodies) -> Cube {
    let ends = bodies.position.each_ref().map(|axis| {
        let least = axis.iter().copied().fold(f32::INFINITY, f32::min);
        let most = axis.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        [f64::from(least), f64::from(most)]
    });
    let half = ends.map(|[least, most]| 0.5 * (most - least)).into_iter().fold(0.0, f64::max);
    Cube { centre: ends.map(|[least, most]| 0.5 * (least + most)), half }
}

#[cfg(test)]
pub(crate) mod tests;

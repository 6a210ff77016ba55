//! The walk of a step once more, in f64: what its forces are but for rounding. So a node that is opened too rarely, a body
//! that its group forgets or a moment that is wrong shows, however good the forces still are.

use std::borrow::Cow;

use nbody::Bodies;
use rayon::prelude::*;

use crate::array::Sizes;
use crate::moments::{Moments, difference, square};
use crate::tree::{Child, Nodes, Tree};
use crate::values::{ErrorLimit, Values};

/// Lanes of a warp.
const WARP: usize = 32;

/// The square of a box's diagonal, in squares of the distance from the cluster: wider ones are divided.
const WIDE: f64 = 0.1;

/// Which bodies walk the tree together, and which nodes they open.
#[derive(Debug, Clone, Copy)]
pub enum Walk {
    /// So many bodies, which follow each other in the order; a cell is opened if it is near to any of them for its side.
    BySide(usize),
    /// A warp's bodies; a node is opened if it is near to any of them for its size: twice the root mean square distance of
    /// its bodies from their centre.
    BySize,
    /// A warp's bodies; a node is opened if its error is too large a part of the acceleration that any of them had.
    ByError(ErrorLimit),
    /// Groups whose box is narrow, of so many bodies at most; the error counts by the distance of the box.
    OfGroups(Largest, ErrorLimit),
    /// The same, where nodes pull with their second moments; of the error without these a share is accepted.
    WithSecondMoments(Largest, ErrorLimit, f32),
}

/// How many bodies a group has at most.
pub type Largest = fn(&Sizes) -> u64;

/// Bodies that walk together.
struct Group {
    /// Their places in the order.
    places: std::ops::Range<usize>,
    positions: Vec<[f64; 3]>,
    /// Absolute values of the accelerations that they had; 0 in the first time step.
    strengths: Vec<f64>,
    /// The box around them.
    low: [f64; 3],
    high: [f64; 3],
}

/// What a node is to a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Opened,
    Mass,
    WithSecondMoments,
}

/// A tree with its bodies.
pub(crate) struct Grown<'a> {
    pub(crate) tree: Tree,
    pub(crate) nodes: Nodes,
    pub(crate) bodies: Cow<'a, Bodies>,
}

/// A time step's forces.
pub(crate) struct Forces<'a> {
    pub(crate) walk: Walk,
    /// All trees that are walked.
    pub(crate) trees: &'a [Grown<'a>],
    /// The bodies that walk.
    pub(crate) bodies: &'a Bodies,
    /// These in the order in which warps have them.
    pub(crate) order: &'a [u32],
    pub(crate) values: Values,
    pub(crate) sizes: Sizes,
}

impl Forces<'_> {
    /// Accelerations of `targets`, of a time step whose bodies had, where that counts, the accelerations of a first one.
    pub(crate) fn of(&self, targets: &[usize]) -> Vec<[f64; 3]> {
        let together = match self.walk {
            Walk::BySide(size) => size,
            _ => WARP,
        };
        let mut place = vec![0; self.order.len()];
        self.order.iter().enumerate().for_each(|(at, &body)| place[body as usize] = at);
        let mut firsts: Vec<usize> =
            targets.iter().map(|&body| place[body] / together * together).collect();
        firsts.sort_unstable();
        firsts.dedup();
        let all = |before: &[[f64; 3]]| {
            let found: Vec<(usize, Vec<[f64; 3]>)> = firsts
                .par_iter()
                .flat_map_iter(|&first| self.groups(first, together, before))
                .map(|group| (group.places.start, self.walk(&group)))
                .collect();
            let mut at_places = vec![[0.0; 3]; self.order.len()];
            for (first, found) in found {
                at_places[first..first + found.len()].copy_from_slice(&found);
            }
            at_places
        };
        let mut at_places = all(&[]);
        if matches!(self.walk, Walk::ByError(_) | Walk::OfGroups(..) | Walk::WithSecondMoments(..))
        {
            at_places = all(&at_places);
        }
        targets.iter().map(|&body| at_places[place[body]]).collect()
    }

    fn position(&self, place: usize) -> [f64; 3] {
        self.bodies.position_of(self.order[place] as usize).map(f64::from)
    }

    /// The groups of bodies that begin at a place; `before` has the accelerations at each place, if there are any.
    fn groups(&self, first: usize, together: usize, before: &[[f64; 3]]) -> Vec<Group> {
        let end = (first + together).min(self.order.len());
        let group = |places: std::ops::Range<usize>| {
            let positions: Vec<[f64; 3]> = places.clone().map(|at| self.position(at)).collect();
            let strength = |at: usize| before.get(at).map_or(0.0, |it| square(*it).sqrt());
            let along = |axis: usize, of: fn(f64, f64) -> f64, start| {
                positions.iter().map(|at| at[axis]).fold(start, of)
            };
            Group {
                strengths: places.clone().map(strength).collect(),
                low: std::array::from_fn(|axis| along(axis, f64::min, f64::INFINITY)),
                high: std::array::from_fn(|axis| along(axis, f64::max, f64::NEG_INFINITY)),
                positions,
                places,
            }
        };
        let (Walk::OfGroups(largest, _) | Walk::WithSecondMoments(largest, ..)) = self.walk else {
            return vec![group(first..end)];
        };
        // One becomes part of one twice as large where both halves and that one are narrow; missing bodies are as the last.
        let largest = largest(&self.sizes) as usize;
        let mut groups: Vec<Group> = (first..end).map(|at| group(at..at + 1)).collect();
        let mut size = 1;
        while 2 * size <= largest.min(WARP) {
            let mut larger: Vec<Group> = Vec::with_capacity(groups.len());
            for one in groups {
                let is_second = (one.places.start - first) % (2 * size) == size;
                let full = |it: &Group| it.places.len() == size || it.places.end == end;
                match larger.pop() {
                    Some(other) if is_second && other.places.len() == size && full(&one) => {
                        let both = group(other.places.start..one.places.end);
                        match self.is_narrow(&both) {
                            true => larger.push(both),
                            false => larger.extend([other, one]),
                        }
                    }
                    other => larger.extend(other.into_iter().chain([one])),
                }
            }
            groups = larger;
            size *= 2;
        }
        groups
    }

    /// Whether a box is small against the distance at which the whole cluster as one mass pulls as the weakest of its bodies
    /// is pulled.
    fn is_narrow(&self, group: &Group) -> bool {
        let roots: Vec<Moments> = self.trees.iter().map(|it| it.nodes.cells[0]).collect();
        let whole = Moments::of(&roots);
        let epssq = f64::from(self.values.epssq);
        let pull = |(at, &strength): (&[f64; 3], &f64)| match strength > 0.0 {
            true => strength,
            false => whole.mass / (square(difference(*at, whole.centre)) + epssq),
        };
        let weakest =
            group.positions.iter().zip(&group.strengths).map(pull).fold(f64::MAX, f64::min);
        square(difference(group.high, group.low)) * weakest <= WIDE * whole.mass
    }

    /// Accelerations of a group's bodies.
    fn walk(&self, group: &Group) -> Vec<[f64; 3]> {
        let mut sums = vec![[0.0; 3]; group.positions.len()];
        self.trees.iter().for_each(|tree| self.walk_tree(tree, group, &mut sums));
        sums
    }

    fn walk_tree(&self, grown: &Grown, group: &Group, sums: &mut [[f64; 3]]) {
        let Grown { tree, nodes, .. } = grown;
        let (opening, epssq) = (self.values.opening().into(), self.values.epssq.into());
        // The last is the square of the distance up to which the children of a cell are near.
        let root = tree.side * tree.side * opening;
        let mut todo = vec![(Child::Cell(0), root)];
        while let Some((child, limit)) = todo.pop() {
            let node = match child {
                Child::None => continue,
                Child::Cell(cell) => &nodes.cells[cell as usize],
                Child::Bodies { first, count } => match nodes.leaves.get(&first) {
                    Some(leaf) if count > 1 => leaf,
                    _ => {
                        grown.pull_of_bodies((first, count), epssq, group, sums);
                        continue;
                    }
                },
            };
            match (self.kind(group, node, (child, limit), (opening, epssq)), child) {
                (Kind::Opened, Child::Cell(cell)) => {
                    let children = tree.cells[cell as usize].children;
                    todo.extend(children.map(|child| (child, 0.25 * limit)));
                }
                (Kind::Opened, Child::Bodies { first, count }) => {
                    grown.pull_of_bodies((first, count), epssq, group, sums);
                }
                (Kind::Mass, _) => node.pull(&group.positions, epssq, sums),
                (Kind::WithSecondMoments, _) => {
                    node.pull_with_second(&group.positions, epssq, sums);
                }
                (Kind::Opened, Child::None) => {}
            }
        }
    }

    /// What a node is to a group; `limit` is the square of the distance up to which it is near for its side.
    fn kind(
        &self,
        group: &Group,
        node: &Moments,
        (child, limit): (Child, f64),
        (opening, epssq): (f64, f64),
    ) -> Kind {
        let opened = |is_opened| if is_opened { Kind::Opened } else { Kind::Mass };
        let (spread, mass) = (node.spread(), node.mass);
        let distances = || group.positions.iter().map(|at| square(difference(node.centre, *at)));
        let is_near = |dsq: f64| 4.0 * spread * opening > mass * dsq;
        // Of a box, zero inside.
        let of_box = square(std::array::from_fn(|axis| {
            (group.low[axis] - node.centre[axis]).max(node.centre[axis] - group.high[axis]).max(0.0)
        }));
        let softened = of_box + epssq;
        let accepted = |scaled: ErrorLimit| f64::from(scaled.at(self.values.theta));
        let weakest = group.strengths.iter().copied().fold(f64::MAX, f64::min);
        match self.walk {
            // The root and leaves are opened whatever they are.
            Walk::BySide(_) => {
                let is_cell = matches!(child, Child::Cell(number) if number > 0);
                opened(!is_cell || distances().any(|dsq| dsq < limit))
            }
            Walk::ByError(scaled) if group.strengths[0] > 0.0 => {
                let is_wrong = |(dsq, strength): (f64, &f64)| {
                    let softened = dsq + epssq;
                    spread > (accepted(scaled) * strength * softened).min(mass) * softened
                };
                opened(distances().zip(&group.strengths).any(is_wrong))
            }
            Walk::BySize | Walk::ByError(_) => opened(distances().any(is_near)),
            Walk::OfGroups(_, scaled) if weakest > 0.0 => {
                let accepted = accepted(scaled) * weakest;
                opened(spread > (accepted * softened).min(mass) * softened)
            }
            Walk::OfGroups(..) => opened(is_near(of_box)),
            Walk::WithSecondMoments(_, scaled, share) => {
                let more = accepted(scaled) * weakest;
                if spread <= f64::from(share) * more * softened * softened {
                    return Kind::Mass;
                }
                let is_opened = match more > 0.0 {
                    true => {
                        spread * spread.sqrt()
                            > more * (mass * softened).sqrt() * softened * softened
                            || spread > mass * softened
                    }
                    false => is_near(of_box),
                };
                if is_opened { Kind::Opened } else { Kind::WithSecondMoments }
            }
        }
    }
}

impl Grown<'_> {
    fn pull_of_bodies(
        &self,
        (first, count): (u32, u32),
        epssq: f64,
        group: &Group,
        sums: &mut [[f64; 3]],
    ) {
        for &body in &self.tree.bodies[first as usize..(first + count) as usize] {
            Moments::of_body(&self.bodies, body).pull(&group.positions, epssq, sums);
        }
    }
}

#[cfg(test)]
mod tests;

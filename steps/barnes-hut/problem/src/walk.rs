//! The walk of a step once more, in f64: what its forces are but for rounding. So a node that is opened too rarely, a body
//! that its group forgets or a moment that is wrong shows, however good the forces still are.
//!
//! Rounding also decides about nodes that are at the limit of being opened. What difference these make is known for each body.

use std::borrow::Cow;

use nbody::Bodies;
use rayon::prelude::*;

use crate::array::Sizes;
use crate::moments::{Moments, difference, square};
use crate::tree::{Child, Nodes, Tree};
use crate::values::{ErrorLimit, Values};

mod sums;

pub(crate) use sums::Force;
use sums::Sums;

/// Lanes of a warp.
const WARP: usize = 32;

/// The square of a box's diagonal, in squares of the distance from the cluster: wider ones are divided.
const WIDE: f64 = 0.1;

/// How far the two sides of a test may be off by rounding, of themselves: a spread is a sum of many squares.
const AT_LIMIT: f64 = 5e-4;

/// The same where places of a size of 1 are 1 apart: differences of places lose what their places are larger.
const OF_PLACES: f64 = 16.0 / (1 << 24) as f64;

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
    /// How far these may be off, of themselves, at most.
    doubt: f64,
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
    /// Forces on `targets`, of a time step whose bodies had, where that counts, the accelerations of a first one.
    pub(crate) fn of(&self, targets: &[usize]) -> Vec<Force> {
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
        let all = |before: &[Force]| {
            let found: Vec<(usize, Vec<Force>)> = firsts
                .par_iter()
                .flat_map_iter(|&first| self.groups(first, together, before))
                .map(|group| (group.places.start, self.walk(&group)))
                .collect();
            let mut at_places = vec![Force::default(); self.order.len()];
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
    fn groups(&self, first: usize, together: usize, before: &[Force]) -> Vec<Group> {
        let end = (first + together).min(self.order.len());
        let group = |places: std::ops::Range<usize>| {
            let positions: Vec<[f64; 3]> = places.clone().map(|at| self.position(at)).collect();
            let strength = |at: usize| before.get(at).map_or(0.0, Force::strength);
            let doubt = |at: usize| before.get(at).map_or(0.0, Force::relative_doubt);
            let along = |axis: usize, of: fn(f64, f64) -> f64, start| {
                positions.iter().map(|at| at[axis]).fold(start, of)
            };
            Group {
                strengths: places.clone().map(strength).collect(),
                doubt: places.clone().map(doubt).fold(0.0, f64::max),
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
        let mut at_limit = false;
        let mut size = 1;
        while 2 * size <= largest.min(WARP) {
            let mut larger: Vec<Group> = Vec::with_capacity(groups.len());
            for one in groups {
                let is_second = (one.places.start - first) % (2 * size) == size;
                let full = |it: &Group| it.places.len() == size || it.places.end == end;
                match larger.pop() {
                    Some(other) if is_second && other.places.len() == size && full(&one) => {
                        let both = group(other.places.start..one.places.end);
                        let (width, most) = self.width(&both);
                        let off = self.at_limit(&both, both.diagonal());
                        at_limit |= (width - most).abs() <= off * most;
                        match width <= most {
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
        if at_limit {
            groups.iter_mut().for_each(|it| it.doubt = f64::INFINITY); // they may be others
        }
        groups
    }

    /// What says how wide a box is, and the most of it: its diagonal counts against the distance at which the whole cluster as one
    /// mass pulls as the weakest of its bodies is pulled.
    fn width(&self, group: &Group) -> (f64, f64) {
        let roots: Vec<Moments> = self.trees.iter().map(|it| it.nodes.cells[0]).collect();
        let whole = Moments::of(&roots);
        let epssq = f64::from(self.values.epssq);
        let pull = |(at, &strength): (&[f64; 3], &f64)| match strength > 0.0 {
            true => strength,
            false => whole.mass / (square(difference(*at, whole.centre)) + epssq),
        };
        let weakest =
            group.positions.iter().zip(&group.strengths).map(pull).fold(f64::MAX, f64::min);
        (group.diagonal().powi(2) * weakest, WIDE * whole.mass)
    }

    /// How far the two sides of a test may be off, of themselves, where it is about a distance from a group.
    fn at_limit(&self, group: &Group, distance: f64) -> f64 {
        let farthest = |of: [f64; 3]| of.into_iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let place = farthest(group.low).max(farthest(group.high));
        AT_LIMIT + group.doubt + OF_PLACES * place / distance.max(f64::MIN_POSITIVE)
    }

    /// Forces on a group's bodies.
    fn walk(&self, group: &Group) -> Vec<Force> {
        let mut sums = Sums::new(&group.positions, self.values.epssq.into());
        for tree in self.trees {
            // The last is the square of the distance up to which the children of a cell are near.
            let opening = f64::from(self.values.opening());
            let limit = tree.tree.side * tree.tree.side * opening;
            self.walk_from(tree, group, (Child::Cell(0), limit), &mut sums);
        }
        sums.forces(group.doubt)
    }

    /// Adds what a node and all below it do.
    fn walk_from(
        &self,
        grown: &Grown,
        group: &Group,
        (child, limit): (Child, f64),
        sums: &mut Sums,
    ) {
        let node = match child {
            Child::None => return,
            Child::Cell(cell) => &grown.nodes.cells[cell as usize],
            Child::Bodies { first, count } => match grown.nodes.leaves.get(&first) {
                Some(leaf) if count > 1 => leaf,
                _ => return grown.pull_of_bodies((first, count), sums),
            },
        };
        let add = |kind: Kind, sums: &mut Sums| match (kind, child) {
            (Kind::Opened, Child::Cell(cell)) => {
                for child in grown.tree.cells[cell as usize].children {
                    self.walk_from(grown, group, (child, 0.25 * limit), sums);
                }
            }
            (Kind::Opened, Child::Bodies { first, count }) => {
                grown.pull_of_bodies((first, count), sums);
            }
            (Kind::Mass, _) => sums.pull(node),
            (Kind::WithSecondMoments, _) => sums.pull_with_second(node),
            (Kind::Opened, Child::None) => {}
        };
        let kind = |share: f64| self.kind(group, node, (child, limit), share);
        let distance = match self.walk {
            Walk::OfGroups(..) | Walk::WithSecondMoments(..) => group.distance(node.centre),
            _ => group.squared_distances(node.centre).fold(f64::MAX, f64::min).sqrt(),
        };
        let off = self.at_limit(group, distance).min(0.5);
        let chosen = kind(1.0);
        let mut others = vec![kind(1.0 - off), kind(1.0 + off)];
        others.dedup();
        others.retain(|other| *other != chosen);
        if others.is_empty() {
            return add(chosen, sums);
        }
        let alone = |kind: Kind| {
            let mut alone = sums.empty();
            add(kind, &mut alone);
            alone
        };
        let (chosen, others) = (alone(chosen), others.into_iter().map(alone).collect::<Vec<_>>());
        sums.add_doubtful(&chosen, &others);
    }

    /// What a node is to a group; `limit` is the square of the distance up to which it is near for its side. Where `share` is
    /// not 1, what says that it must be opened is so many times larger.
    fn kind(
        &self,
        group: &Group,
        node: &Moments,
        (child, limit): (Child, f64),
        share: f64,
    ) -> Kind {
        let (opening, epssq) = (f64::from(self.values.opening()), f64::from(self.values.epssq));
        let opened = |is_opened| if is_opened { Kind::Opened } else { Kind::Mass };
        let (spread, mass) = (share * node.spread(), node.mass);
        let distances = || group.squared_distances(node.centre);
        let is_near = |dsq: f64| 4.0 * spread * opening > mass * dsq;
        let of_box = group.distance(node.centre).powi(2);
        let softened = of_box + epssq;
        let accepted = |scaled: ErrorLimit| f64::from(scaled.at(self.values.theta));
        let weakest = group.strengths.iter().copied().fold(f64::MAX, f64::min);
        match self.walk {
            // The root and leaves are opened whatever they are.
            Walk::BySide(_) => {
                let is_cell = matches!(child, Child::Cell(number) if number > 0);
                opened(!is_cell || distances().any(|dsq| dsq < share * limit))
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
            Walk::WithSecondMoments(_, scaled, of_mass) => {
                let more = accepted(scaled) * weakest;
                if spread <= f64::from(of_mass) * more * softened * softened {
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

impl Group {
    /// Of a place from the box, zero inside.
    fn distance(&self, place: [f64; 3]) -> f64 {
        square(std::array::from_fn(|axis| {
            (self.low[axis] - place[axis]).max(place[axis] - self.high[axis]).max(0.0)
        }))
        .sqrt()
    }

    /// The squares of the distances of its bodies from a place.
    fn squared_distances(&self, place: [f64; 3]) -> impl Iterator<Item = f64> {
        self.positions.iter().map(move |at| square(difference(place, *at)))
    }

    fn diagonal(&self) -> f64 {
        square(difference(self.high, self.low)).sqrt()
    }
}

impl Grown<'_> {
    fn pull_of_bodies(&self, (first, count): (u32, u32), sums: &mut Sums) {
        for &body in &self.tree.bodies[first as usize..(first + count) as usize] {
            sums.pull(&Moments::of_body(&self.bodies, body));
        }
    }
}

#[cfg(test)]
mod tests;

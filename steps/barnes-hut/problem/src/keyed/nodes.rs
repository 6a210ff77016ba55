//! The tree as these steps leave it in memory: nodes level by level, of which each leaf has up to sixteen bodies.

use rayon::prelude::*;

use super::alone::KEY_DIGITS;
use crate::defect::Defect;
use crate::downloaded::Downloaded;
use crate::moments::Moments;
use crate::tree::{Cell, Child, LEAST_SIDE, Tree};

/// Words of a node.
const NODE: usize = 8;

/// Added to the number of bodies of a leaf.
const LEAF: u32 = 256;

/// Reads the tree from the arrays `node`, `totals`, `order` and `sorted body`.
///
/// # Errors
/// A node is none, or what it knows of its bodies is not what they are.
pub(super) fn read(from: &Downloaded) -> Result<Tree, Defect> {
    let bodies = from.words("order").to_vec();
    let all = all_nodes(from)?;
    check_spreads(from, &all)?;
    let leaf = |k: usize| Child::Bodies { first: all[k].first, count: all[k].count - LEAF };
    // A leaf with one body is that body.
    let is_cell = |k: usize| k == 0 || all[k].count != LEAF + 1;
    let mut number = vec![0; all.len()];
    for k in 1..all.len() {
        number[k] = number[k - 1] + u32::from(is_cell(k - 1));
    }
    let mut held = vec![0; all.len()]; // bodies of each node
    for (k, node) in all.iter().enumerate().rev() {
        held[k] = match node.count.checked_sub(LEAF) {
            Some(count) => count,
            None => node.children().map(|child| held[child]).sum(),
        };
    }
    let cell = |k: usize| {
        let mut children = [Child::None; 8];
        match all[k].count > LEAF {
            true => children[0] = leaf(k),
            false => {
                for (to, child) in children.iter_mut().zip(all[k].children()) {
                    *to = if is_cell(child) { Child::Cell(number[child]) } else { leaf(child) };
                }
            }
        }
        Cell { mass: all[k].mass, centre: all[k].centre, bodies: held[k], children }
    };
    let cells = (0..all.len()).filter(|&k| is_cell(k)).map(cell).collect();
    Ok(Tree { cells, bodies, side: side(from), cube: None, even_levels: KEY_DIGITS })
}

/// A node as it lies in memory.
#[derive(Debug, Clone, Copy)]
struct Node {
    centre: [f32; 3],
    mass: f32,
    spread: f32,
    first: u32,
    count: u32,
    parent: u32,
}

impl Node {
    fn children(&self) -> impl Iterator<Item = usize> + use<> {
        let first = self.first as usize;
        first..first + self.count as usize
    }
}

/// The nodes, of which each but the first one is a child of another, and leaves have the bodies that there are.
fn all_nodes(from: &Downloaded) -> Result<Vec<Node>, Defect> {
    let words = from.words("node");
    let total: u64 = from.words("totals").iter().map(|&level| u64::from(level)).sum();
    let count = usize::try_from(total).ok().filter(|&it| it >= 1 && it * NODE <= words.len());
    let room = words.len() / NODE;
    let count = count.ok_or_else(|| format!("the tree has {total} nodes, with room for {room}"))?;
    let node = |it: &[u32]| Node {
        centre: std::array::from_fn(|axis| f32::from_bits(it[axis])),
        mass: f32::from_bits(it[3]),
        spread: f32::from_bits(it[4]),
        first: it[5],
        count: it[6],
        parent: it[7],
    };
    let all: Vec<Node> = words[..count * NODE].chunks(NODE).map(node).collect();
    for (k, node) in all.iter().enumerate() {
        let (first, held) = (node.first as usize, node.count as usize);
        let is_leaf = node.count > LEAF && node.count <= LEAF + 16;
        let end = first.saturating_add(if is_leaf { held - LEAF as usize } else { held });
        let fits = match is_leaf {
            true => end <= from.n(),
            false => (1..=8).contains(&held) && first > k && end <= count,
        };
        if !fits {
            return Err(Defect(format!("node {k} has {held} parts from {first} on")));
        }
        if let Some(child) = (first..end).find(|&child| !is_leaf && all[child].parent != k as u32) {
            return Err(Defect(format!(
                "node {child} of cell {k} has parent {}",
                all[child].parent
            )));
        }
    }
    Ok(all)
}

/// Nodes that a thread sums up at least.
const NODES: usize = 1 << 10;

/// How far off a spread may be, of itself.
const ROUNDING: f64 = 1e-4;

/// Holds the spread of each node against its bodies, in f64: the sum of masses times squared distances from its centre.
fn check_spreads(from: &Downloaded, all: &[Node]) -> Result<(), Defect> {
    let bodies = bodies(from);
    let body = |i: u32| {
        let at = &bodies[4 * i as usize..][..4];
        let centre = std::array::from_fn(|axis| at[axis].into());
        Moments { mass: at[3].into(), centre, bodies: 1, ..Moments::default() }
    };
    let mut sums = vec![Moments::default(); all.len()];
    // What floats and sums of floats at these places can tell apart.
    let farthest =
        bodies.chunks(4).flat_map(|body| &body[..3]).fold(0.0f32, |far, x| far.max(x.abs()));
    let resolved = 1e-6 * f64::from(farthest);
    let leaves = sums.par_iter_mut().zip(all).with_min_len(NODES);
    leaves.for_each(|(sums, node)| {
        if let Some(count) = node.count.checked_sub(LEAF) {
            let parts: Vec<Moments> = (node.first..node.first + count).map(body).collect();
            *sums = Moments::of(&parts);
        }
    });
    for (k, node) in all.iter().enumerate().rev() {
        if node.count <= LEAF {
            let parts: Vec<Moments> = node.children().map(|child| sums[child]).collect();
            sums[k] = Moments::of(&parts);
        }
        let (mass, spread) = (sums[k].mass, sums[k].spread());
        // Distances from the centre are off by as much, whatever they are.
        let least = mass * resolved.powi(2) + 0.2 * resolved * (mass * spread).sqrt();
        let is_near = (f64::from(node.spread) - spread).abs() <= ROUNDING * spread + least;
        if !is_near {
            return Err(Defect(format!(
                "node {k} has spread {:e}, and its bodies {spread:e}",
                node.spread
            )));
        }
    }
    Ok(())
}

/// The bodies in their order; what other GPUs send comes after them.
fn bodies(from: &Downloaded) -> &[f32] {
    &from.floats("sorted body")[..4 * from.n()]
}

/// The side of the cube around all bodies.
fn side(from: &Downloaded) -> f64 {
    let bodies = bodies(from);
    let extent = (0..3).map(|axis| {
        let along = || bodies.iter().skip(axis).step_by(4);
        let low = along().copied().fold(f32::INFINITY, f32::min);
        let high = along().copied().fold(f32::NEG_INFINITY, f32::max);
        f64::from(high) - f64::from(low)
    });
    extent.fold(LEAST_SIDE, f64::max)
}

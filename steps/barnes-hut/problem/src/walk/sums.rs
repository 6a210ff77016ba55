//! What nodes and bodies do to those of a group, with what rounding may change of it.

use crate::moments::{Moments, difference, square};

/// What all others do to a body.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Force {
    pub(crate) acceleration: [f64; 3],
    /// How much of it depends on nodes at the limit of being opened.
    pub(crate) doubt: f64,
    /// What the masses of all nodes do at their distances, each as many times as differences of places are rounded more than numbers.
    pub(crate) pulls: f64,
}

impl Force {
    pub(super) fn strength(&self) -> f64 {
        square(self.acceleration).sqrt()
    }

    /// How far the strength may be off, of itself.
    pub(super) fn relative_doubt(&self) -> f64 {
        match self.strength() {
            0.0 => f64::INFINITY,
            strength => (self.doubt + 1e-6 * self.pulls) / strength,
        }
    }
}

/// Sums for the bodies of a group.
pub(super) struct Sums<'g> {
    positions: &'g [[f64; 3]],
    epssq: f64,
    each: Vec<Force>,
}

impl<'g> Sums<'g> {
    pub(super) fn new(positions: &'g [[f64; 3]], epssq: f64) -> Sums<'g> {
        Sums { positions, epssq, each: vec![Force::default(); positions.len()] }
    }

    /// The sums, of a group that may be another one where `doubt` is infinite.
    pub(super) fn forces(mut self, doubt: f64) -> Vec<Force> {
        if doubt.is_infinite() {
            self.each.iter_mut().for_each(|it| it.doubt = doubt);
        }
        self.each
    }

    /// Adds what a node does as one mass.
    pub(super) fn pull(&mut self, node: &Moments) {
        self.add(node, Moments::pull);
    }

    /// The same with its second moments.
    pub(super) fn pull_with_second(&mut self, node: &Moments) {
        self.add(node, Moments::pull_with_second);
    }

    fn add(&mut self, node: &Moments, pull: fn(&Moments, [f64; 3], f64) -> [f64; 3]) {
        for (sum, at) in self.each.iter_mut().zip(self.positions) {
            let its = pull(node, *at, self.epssq);
            (0..3).for_each(|axis| sum.acceleration[axis] += its[axis]);
            let largest = at.iter().chain(&node.centre).fold(0.0, |most: f64, x| most.max(x.abs()));
            let apart = (square(difference(node.centre, *at)) + self.epssq).sqrt();
            sum.pulls += node.mass / apart.powi(3) * (apart + largest);
        }
    }

    /// None yet, for the same bodies.
    pub(super) fn empty(&self) -> Sums<'g> {
        Sums::new(self.positions, self.epssq)
    }

    /// Adds the sums of a part of the walk, of which rounding decides whether they are those or others.
    pub(super) fn add_doubtful(&mut self, part: &Sums, others: &[Sums]) {
        for (body, (sum, its)) in self.each.iter_mut().zip(&part.each).enumerate() {
            let off = |other: &Sums| {
                let other = other.each[body];
                square(difference(its.acceleration, other.acceleration)).sqrt() + other.doubt
            };
            sum.doubt += its.doubt + others.iter().map(off).sum::<f64>();
            sum.pulls += its.pulls;
            (0..3).for_each(|axis| sum.acceleration[axis] += its.acceleration[axis]);
        }
    }
}

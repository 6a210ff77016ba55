//! Columns of bodies, piece by piece.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use vectors::{Simd, Vector};

use super::{Accelerations, Sources};

impl<'a> Sources<'a> {
    /// How many there are, with the padding.
    #[inline(always)]
    #[must_use]
    pub fn len(&self) -> usize {
        self.mass.len()
    }

    /// Whether there are none.
    #[inline(always)]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.mass.is_empty()
    }

    /// Some of them.
    #[inline(always)]
    #[must_use]
    pub fn range(&self, range: Range<usize>) -> Sources<'a> {
        Sources {
            mass: &self.mass[range.clone()],
            x: &self.x[range.clone()],
            y: &self.y[range.clone()],
            z: &self.z[range],
        }
    }

    /// Position of a body.
    #[inline(always)]
    #[must_use]
    pub fn position(&self, i: usize) -> [f32; 3] {
        [self.x[i], self.y[i], self.z[i]]
    }

    /// Every `size` of them by themselves; fewer in the end.
    pub fn chunks(&self, size: usize) -> impl Iterator<Item = Sources<'a>> + use<'a> {
        let all = *self;
        (0..all.len()).step_by(size).map(move |at| all.range(at..all.len().min(at + size)))
    }

    /// A vector of them from body `at` on: mass, x, y, z.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, at: usize) -> [S::Vector; 4] {
        // No closures: they would be compiled without the instruction set.
        [
            simd.load(&self.mass[at..]),
            simd.load(&self.x[at..]),
            simd.load(&self.y[at..]),
            simd.load(&self.z[at..]),
        ]
    }
}

impl Accelerations<'_> {
    /// Sets all to zero.
    pub fn clear(&mut self) {
        self.x.fill(0.0);
        self.y.fill(0.0);
        self.z.fill(0.0);
    }

    /// Those of some of the bodies.
    #[inline(always)]
    pub fn range(&mut self, range: Range<usize>) -> Accelerations<'_> {
        Accelerations {
            x: &mut self.x[range.clone()],
            y: &mut self.y[range.clone()],
            z: &mut self.z[range],
        }
    }

    /// Those of the first `at` bodies, and those of the others.
    #[inline(always)]
    pub fn split(&mut self, at: usize) -> (Accelerations<'_>, Accelerations<'_>) {
        let (x, y, z) = (self.x.split_at_mut(at), self.y.split_at_mut(at), self.z.split_at_mut(at));
        (Accelerations { x: x.0, y: y.0, z: z.0 }, Accelerations { x: x.1, y: y.1, z: z.1 })
    }

    /// Those of every `size` bodies by themselves; of fewer in the end.
    pub fn chunks(&mut self, size: usize) -> impl Iterator<Item = Accelerations<'_>> {
        let (x, y) = (self.x.chunks_mut(size), self.y.chunks_mut(size));
        x.zip(y).zip(self.z.chunks_mut(size)).map(|((x, y), z)| Accelerations { x, y, z })
    }

    /// Sets that of a body.
    #[inline(always)]
    pub fn set(&mut self, i: usize, [x, y, z]: [f32; 3]) {
        (self.x[i], self.y[i], self.z[i]) = (x, y, z);
    }

    /// Adds to that of a body.
    #[inline(always)]
    pub fn add(&mut self, i: usize, [x, y, z]: [f32; 3]) {
        self.x[i] += x;
        self.y[i] += y;
        self.z[i] += z;
    }

    /// Adds others to them, each to its own.
    pub fn add_all(&mut self, others: &Accelerations) {
        let add = |to: &mut [f32], from: &[f32]| {
            to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
        };
        add(self.x, others.x);
        add(self.y, others.y);
        add(self.z, others.z);
    }

    /// A vector of them from body `at` on: x, y, z.
    #[inline(always)]
    pub fn load<S: Simd>(&self, simd: S, at: usize) -> [S::Vector; 3] {
        [simd.load(&self.x[at..]), simd.load(&self.y[at..]), simd.load(&self.z[at..])]
    }

    /// Writes a vector of them from body `at` on: x, y, z.
    #[inline(always)]
    pub fn store<V: Vector>(&mut self, at: usize, [x, y, z]: [V; 3]) {
        x.store(&mut self.x[at..]);
        y.store(&mut self.y[at..]);
        z.store(&mut self.z[at..]);
    }
}

/// Accelerations or forces that a step keeps for itself, each column at the beginning of a cache line: a
/// vector that lies in two costs twice.
#[derive(Debug, Clone)]
pub struct Sums([Vec<Line>; 3]);

/// A cache line.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; 16]);

impl Sums {
    /// Zeros for at least `bodies` of them.
    #[must_use]
    pub fn zeros(bodies: usize) -> Sums {
        Sums(std::array::from_fn(|_| vec![Line::zeroed(); bodies.div_ceil(16)]))
    }

    /// Those of the first `bodies`.
    ///
    /// # Panics
    /// If there are fewer.
    pub fn first(&mut self, bodies: usize) -> Accelerations<'_> {
        let [x, y, z] = &mut self.0;
        let column = |lines| &mut bytemuck::cast_slice_mut::<Line, f32>(lines)[..bodies];
        Accelerations { x: column(x), y: column(y), z: column(z) }
    }
}

//! Which texels a sample is made of.

use super::coordinate::{Axis, Pair, Place};
use super::cube;
use super::object::{Texels, Texture};
use super::sampler::{AddressMode, Filter, Sampler};
use super::shape::Geometry;

/// Texels of a sample at most.
pub const MOST: usize = 8;
/// Texels of a slice of a volume, the most that are summed at once.
pub(super) const SLICE: usize = 4;

/// A texel's place; outside under `AddressMode::Border`, `None`.
pub type Texel = Option<[u32; 3]>;

/// The texels of a sample: 1, 2, 4 or 8, x fastest, and the weight of each in 256ths.
#[derive(Debug, Clone, Copy)]
pub struct Footprint {
    texels: [Texel; MOST],
    count: u8,
    weights: [u32; MOST],
}

impl Footprint {
    #[inline]
    pub fn texels(&self) -> &[Texel] {
        &self.texels[..usize::from(self.count)]
    }

    pub(super) fn weights(&self) -> &[u32] {
        &self.weights[..usize::from(self.count)]
    }

    /// One texel.
    fn one(texel: Texel) -> Footprint {
        let mut footprint = Footprint { texels: [None; MOST], count: 1, weights: [0; MOST] };
        (footprint.texels[0], footprint.weights[0]) = (texel, ONE);
        footprint
    }

    /// The texels at all combinations of the places on each axis of the plane or space of a layer: two on every axis, or one.
    fn of(axes: &[Place], layer: Option<u32>) -> Footprint {
        let mut footprint = Footprint::one(None);
        if axes[0].is_pair {
            let mut along = [0; 3];
            for (weight, place) in along.iter_mut().zip(axes) {
                *weight = place.weight;
            }
            (footprint.count, footprint.weights) = (1 << axes.len(), weights(along));
        }
        let count = usize::from(footprint.count);
        for (k, texel) in footprint.texels[..count].iter_mut().enumerate() {
            let mut at = [0, 0, layer.unwrap_or(0)];
            let mut axes = axes.iter().enumerate();
            let is_inside = axes.all(|(axis, place)| {
                let index = place.indices[k >> axis & 1];
                at[axis] = index.unwrap_or(0);
                index.is_some()
            });
            *texel = is_inside.then_some(at);
        }
        footprint
    }

    /// The four texels around a place on a face of a seamless cube. At a corner of the cube three faces meet: the texel that
    /// is in none of them leaves its weight to the others.
    fn around(cube: u32, face: u32, extent: u32, [x, y]: [Pair; 2]) -> Footprint {
        let mut footprint = Footprint { texels: [None; MOST], count: 4, weights: [0; MOST] };
        footprint.weights = weights([x.weight, y.weight, 0]);
        for (k, texel) in footprint.texels[..4].iter_mut().enumerate() {
            let at = [x.first + (k & 1) as i64, y.first + (k >> 1) as i64];
            *texel =
                cube::neighbour(face, extent, at).map(|(face, [x, y])| [x, y, 6 * cube + face]);
        }
        if let Some(missing) = footprint.texels[..4].iter().position(Option::is_none) {
            let weight = footprint.weights[missing];
            // A third, rounded; what is left goes to the texel that lies opposite.
            let third = (weight + 1) / 3;
            footprint.weights[missing ^ 1] += third;
            footprint.weights[missing ^ 2] += third;
            footprint.weights[missing ^ 3] += weight - 2 * third;
            footprint.weights[missing] = 0;
            footprint.texels[missing] = footprint.texels[missing ^ 3];
        }
        footprint
    }
}

/// A whole weight.
const ONE: u32 = 256;

/// The weights of the texels of a sample, x fastest, by how far it lies from the first to the second of each axis. An H100 shares
/// out the whole along z, then x, then y. Each share is rounded to 256ths, a half up, but down on the side of the first in x;
/// its neighbour gets what is left.
fn weights([a, b, c]: [u32; 3]) -> [u32; MOST] {
    const UP: u32 = ONE / 2;
    const DOWN: u32 = UP - 1;
    let share = |whole: u32, part: u32, round: u32| (whole * part + round) / ONE;
    let mut weights = [0; MOST];
    for (slice, weights) in [ONE - c, c].into_iter().zip(weights.chunks_exact_mut(4)) {
        let second = share(slice, a, UP);
        let first = slice - second;
        weights[2..].copy_from_slice(&[share(first, b, DOWN), share(second, b, UP)]);
        (weights[0], weights[1]) = (first - weights[2], second - weights[3]);
    }
    weights
}

/// What a `tex` or `tld4` asks for.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// In the order of the instruction, a layer first.
    pub coordinates: [u32; 4],
    /// Whether they are whole texels.
    pub whole: bool,
    /// Whether the four texels around are wanted, one by one.
    pub gathers: bool,
    /// Texels that are added to the place, for x, y and z.
    pub offsets: [i32; 3],
}

/// The texels of a sample.
pub fn footprint(texture: &Texture, request: &Request) -> Footprint {
    let shape = texture.texels.shape();
    let Sampler { mut address, filter, mut normalised, seamless, .. } = texture.sampler;
    if matches!(shape.geometry, Geometry::Cube | Geometry::Cubes) {
        // A direction has no texels to count.
        normalised = true;
        if seamless {
            address = [AddressMode::Clamp; 3];
        }
    }
    let [_, _, depth] = shape.extent;
    if matches!(texture.texels, Texels::Linear { .. }) {
        address = [AddressMode::Border; 3];
    }
    let [a, b, c, d] = request.coordinates;
    let pairs = request.gathers || filter == Filter::Linear && !request.whole;
    let axis_of = |axis: usize| Axis {
        extent: shape.extent[axis],
        address: address[axis],
        normalised,
        pairs,
        offset: request.offsets[axis].into(),
    };
    let place = |axis: usize, coordinate: u32| {
        let along = axis_of(axis);
        if request.whole { along.whole(coordinate) } else { along.at(f32::from_bits(coordinate)) }
    };
    let layer = |number: u32, layers: u32| Some(number.min(layers - 1));
    let is_layered = matches!(shape.geometry, Geometry::Rows | Geometry::Planes);
    if request.whole && is_layered && a >= depth {
        return Footprint::one(None);
    }
    match shape.geometry {
        // A row of an array is a plane that is sampled at y = 0, half of which is its border.
        Geometry::Row if pairs && address[1] == AddressMode::Border => {
            let half = Place { indices: [None, Some(0)], is_pair: true, weight: 128 };
            Footprint::of(&[place(0, a), half], None)
        }
        // The compiler takes every row that is read by whole coordinates for linear memory.
        Geometry::Row if request.whole && !matches!(texture.texels, Texels::Linear { .. }) => {
            Footprint::one(None)
        }
        Geometry::Row => Footprint::of(&[place(0, a)], None),
        Geometry::Plane => Footprint::of(&[place(0, a), place(1, b)], None),
        Geometry::Space => Footprint::of(&[place(0, a), place(1, b), place(2, c)], None),
        Geometry::Rows => Footprint::of(&[place(0, b)], layer(a, depth)),
        Geometry::Planes => Footprint::of(&[place(0, b), place(1, c)], layer(a, depth)),
        Geometry::Cube | Geometry::Cubes => {
            let cubes = shape.geometry == Geometry::Cubes;
            let (number, direction) = if cubes { (a, [b, c, d]) } else { (0, [a, b, c]) };
            let (face, at) = cube::face(cube::scaled(direction.map(f32::from_bits)));
            let number = number.min(depth / 6 - 1);
            if pairs && seamless {
                let pairs = [0, 1].map(|axis| axis_of(axis).pair_on_face(at[axis]));
                return Footprint::around(number, face, shape.extent[0], pairs);
            }
            let places = [0, 1].map(|axis| axis_of(axis).on_face(at[axis]));
            Footprint::of(&places, Some(6 * number + face))
        }
    }
}

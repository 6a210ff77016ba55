//! Which texels a sample is made of.

use super::coordinate::{Axis, Place};
use super::cube;
use super::object::{Texels, Texture};
use super::sampler::{AddressMode, Filter, Sampler};
use super::shape::Geometry;

/// Texels of a sample at most.
pub(crate) const MOST: usize = 8;

/// A texel's place; outside under `AddressMode::Border`, `None`.
pub(crate) type Texel = Option<[u32; 3]>;

/// The texels of a sample: 1, 2, 4 or 8, x fastest, and how far the sample lies from the first to the last of each axis,
/// in 256ths.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Footprint {
    texels: [Texel; MOST],
    count: u8,
    pub(super) weights: [u32; 3],
}

impl Footprint {
    pub(crate) fn texels(&self) -> &[Texel] {
        &self.texels[..usize::from(self.count)]
    }

    /// The texels at all combinations of two places (or one) on each axis of the plane or space of a layer.
    fn of(axes: &[Place], layer: Option<u32>) -> Footprint {
        let mut footprint = Footprint { texels: [None; MOST], count: 1, weights: [0; 3] };
        footprint.texels[0] = Some([0; 3]);
        for (axis, place) in axes.iter().enumerate() {
            let before = usize::from(footprint.count);
            footprint.weights[axis] = place.weight;
            let along = |texel: Texel, index: Option<u32>| {
                let mut texel = texel?;
                texel[axis] = index?;
                Some(texel)
            };
            if place.is_pair {
                for k in 0..before {
                    footprint.texels[before + k] = along(footprint.texels[k], place.indices[1]);
                }
                footprint.count *= 2;
            }
            for texel in &mut footprint.texels[..before] {
                *texel = along(*texel, place.indices[0]);
            }
        }
        if let Some(layer) = layer {
            for texel in footprint.texels.iter_mut().flatten() {
                texel[2] = layer;
            }
        }
        footprint
    }
}

/// What a `tex` or `tld4` asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request {
    /// In the order of the instruction, a layer first.
    pub coordinates: [u32; 4],
    /// Whether they are whole texels.
    pub whole: bool,
    /// Whether the four texels around are wanted, one by one.
    pub gathers: bool,
}

/// The texels of a sample.
pub(crate) fn footprint(texture: &Texture, request: &Request) -> Footprint {
    let shape = texture.texels.shape();
    let Sampler { mut address, filter, mut normalised, .. } = texture.sampler;
    // A direction has no texels to count.
    normalised |= matches!(shape.geometry, Geometry::Cube | Geometry::Cubes);
    let [_, _, depth] = shape.extent;
    if matches!(texture.texels, Texels::Linear { .. }) {
        address = [AddressMode::Border; 3];
    }
    let [a, b, c, d] = request.coordinates;
    let pairs = request.gathers || filter == Filter::Linear && !request.whole;
    let place = |axis: usize, coordinate: u32| {
        let along = Axis { extent: shape.extent[axis], address: address[axis], normalised, pairs };
        if request.whole { along.whole(coordinate) } else { along.at(f32::from_bits(coordinate)) }
    };
    let layer = |number: u32, layers: u32| Some(number.min(layers - 1));
    let is_layered = matches!(shape.geometry, Geometry::Rows | Geometry::Planes);
    if request.whole && is_layered && a >= depth {
        return Footprint { texels: [None; MOST], count: 1, weights: [0; 3] };
    }
    match shape.geometry {
        // A row of an array is a plane that is sampled at y = 0, half of which is its border.
        Geometry::Row if pairs && address[1] == AddressMode::Border => {
            let half = Place { indices: [None, Some(0)], is_pair: true, weight: 128 };
            Footprint::of(&[place(0, a), half], None)
        }
        Geometry::Row => Footprint::of(&[place(0, a)], None),
        Geometry::Plane => Footprint::of(&[place(0, a), place(1, b)], None),
        Geometry::Space => Footprint::of(&[place(0, a), place(1, b), place(2, c)], None),
        Geometry::Rows => Footprint::of(&[place(0, b)], layer(a, depth)),
        Geometry::Planes => Footprint::of(&[place(0, b), place(1, c)], layer(a, depth)),
        Geometry::Cube | Geometry::Cubes => {
            let cubes = shape.geometry == Geometry::Cubes;
            let (number, direction) = if cubes { (a, [b, c, d]) } else { (0, [a, b, c]) };
            let (face, [x, y]) = cube::face(direction.map(f32::from_bits));
            let number = number.min(depth / 6 - 1);
            Footprint::of(&[place(0, x.to_bits()), place(1, y.to_bits())], Some(6 * number + face))
        }
    }
}

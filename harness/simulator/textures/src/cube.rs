//! Cubes: which face a direction meets, where, and what lies beyond a face's edge.

use semantics::approximate::rcp;
use semantics::float32::flush;

/// A direction divided by its greatest component, as the compiler has it done before a cube is sampled: by an approximate
/// reciprocal that takes subnormal numbers for 0 and gives 0 for them. NaN is less than all numbers.
pub(super) fn scaled(direction: [f32; 3]) -> [f32; 3] {
    let [ax, ay, az] = direction.map(f32::abs);
    let factor = flush(rcp(flush(ax.max(ay).max(az))));
    direction.map(|component| component * factor)
}

/// The face, in the order +x, -x, +y, -y, +z, -z, and the place on it from -1 to 1 (CUDA C++ Programming Guide, "Cubemap
/// Textures"), of a direction whose greatest component is 1. Of equal components z comes first, then y; NaN is less than all
/// numbers, and positive.
pub(super) fn face(direction: [f32; 3]) -> (u32, [f32; 2]) {
    let size = direction.map(|c| if c.is_nan() { -1.0 } else { c.abs() });
    let axis = if size[2] >= size[0].max(size[1]) {
        2
    } else if size[1] >= size[0] {
        1
    } else {
        0
    };
    let is_negative = direction[axis] < 0.0;
    let face = 2 * axis as u32 + u32::from(is_negative);
    (face, on_face(face, direction, |c| -c))
}

/// The components of a vector that are the coordinates of a face.
fn on_face<T: Copy>(face: u32, [x, y, z]: [T; 3], negated: impl Fn(T) -> T) -> [T; 2] {
    match face {
        0 => [negated(z), negated(y)],
        1 => [z, negated(y)],
        2 => [x, z],
        3 => [x, negated(z)],
        4 => [x, negated(y)],
        _ => [negated(x), negated(y)],
    }
}

/// The texel at a place of a face or at most one beyond its edges: a face and a place on it. `None` beyond a corner.
pub(super) fn neighbour(face: u32, extent: u32, at: [i64; 2]) -> Option<(u32, [u32; 2])> {
    let extent = i64::from(extent);
    // Middles of texels in half texels from the middle of the face, and how far they lie beyond its edge.
    let [s, t] = at.map(|at| 2 * at + 1 - extent);
    let beyond = |c: i64| c.abs() > extent;
    if beyond(s) && beyond(t) {
        return None;
    }
    // One texel beyond the edge is the first behind it on the other face.
    let depth = if beyond(s) || beyond(t) { extent - 1 } else { extent };
    let [s, t] = [s, t].map(|c| c.clamp(-extent, extent));
    let direction = match face {
        0 => [depth, -t, -s],
        1 => [-depth, -t, s],
        2 => [s, depth, t],
        3 => [s, -depth, -t],
        4 => [s, -t, depth],
        _ => [-s, -t, -depth],
    };
    let axis = direction.iter().position(|c| c.abs() == extent).expect("the edge or the face");
    let face = 2 * axis as u32 + u32::from(direction[axis] < 0);
    let place = on_face(face, direction, |c: i64| -c);
    Some((face, place.map(|c| ((c + extent - 1) / 2) as u32)))
}

//! Cubes: which face a direction meets, and where.

/// The face, in the order +x, -x, +y, -y, +z, -z, and the place on it from 0 to 1 (CUDA C++ Programming Guide, "Cubemap
/// Textures").
pub(super) fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    let (face, major, s, t) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, ax, -z, -y) } else { (1, ax, z, -y) }
    } else if ay >= az {
        if y >= 0.0 { (2, ay, x, z) } else { (3, ay, x, -z) }
    } else if z >= 0.0 {
        (4, az, x, -y)
    } else {
        (5, az, -x, -y)
    };
    (face, [s, t].map(|c| (c / major + 1.0) / 2.0))
}

//! Cubes: which face a direction meets, and where.

/// The face, in the order +x, -x, +y, -y, +z, -z, and the place on it from 0 to 1 (CUDA C++ Programming Guide, "Cubemap
/// Textures").
pub(super) fn face([x, y, z]: [f32; 3]) -> (u32, [f32; 2]) {
    let [ax, ay, az] = [x.abs(), y.abs(), z.abs()];
    // NaN is less than all numbers. Of equal ones, z comes first.
    let major = ax.max(ay).max(az);
    let (face, s, t) = if az == major {
        if z >= 0.0 { (4, x, -y) } else { (5, -x, -y) }
    } else if ay == major {
        if y >= 0.0 { (2, x, z) } else { (3, x, -z) }
    } else if x >= 0.0 {
        (0, -z, -y)
    } else {
        (1, z, -y)
    };
    // A quotient that is no number is the middle.
    let place = |quotient: f32| if quotient.is_nan() { 0.5 } else { (quotient + 1.0) / 2.0 };
    (face, [s, t].map(|c| place(c / major)))
}

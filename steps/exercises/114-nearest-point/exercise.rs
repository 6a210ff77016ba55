/// The square of the distance from `at` to the nearest point of the box from `low` to `high`.
pub fn distance2(low: [f32; 3], high: [f32; 3], at: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    for axis in 0..3 {
        let nearest = 0.5 * (low[axis] + high[axis]); // TODO: the middle is not the nearest point
        let d = at[axis] - nearest;
        sum += d * d;
    }
    sum
}

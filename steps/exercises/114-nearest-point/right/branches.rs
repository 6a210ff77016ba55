/// The square of the distance, case by case.
pub fn distance2(low: [f32; 3], high: [f32; 3], at: [f32; 3]) -> f32 {
    let mut nearest = at;
    for axis in 0..3 {
        if at[axis] < low[axis] {
            nearest[axis] = low[axis];
        } else if at[axis] > high[axis] {
            nearest[axis] = high[axis];
        }
    }
    let [x, y, z] = [0, 1, 2].map(|axis| f64::from(at[axis]) - f64::from(nearest[axis]));
    (x * x + y * y + z * z) as f32
}

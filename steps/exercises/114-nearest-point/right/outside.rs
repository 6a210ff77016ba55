/// The square of the distance: how far outside of the box along each axis.
pub fn distance2(low: [f32; 3], high: [f32; 3], at: [f32; 3]) -> f32 {
    (0..3).map(|axis| (low[axis] - at[axis]).max(at[axis] - high[axis]).max(0.0).powi(2)).sum()
}

/// The square of the distance, from the middle of the box and half of its width.
pub fn distance2(low: [f32; 3], high: [f32; 3], at: [f32; 3]) -> f32 {
    let mut sum = 0.0;
    for ((low, high), at) in low.into_iter().zip(high).zip(at) {
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        let outside = ((at - middle).abs() - half).max(0.0);
        sum += outside * outside;
    }
    sum
}

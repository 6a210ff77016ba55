use crate::meter::Number;

const LANES: usize = 8;

/// The sum of all values.
pub fn sum<N: Number>(values: &[N]) -> N {
    let mut sums = [N::ZERO; LANES];
    let chunks = values.chunks_exact(LANES);
    for values in chunks.clone() {
        for lane in 0..LANES {
            sums[lane] += values[lane];
        }
    }
    let mut total = N::ZERO;
    for &value in chunks.remainder() {
        total += value;
    }
    for sum in sums {
        total += sum;
    }
    total
}

use crate::meter::Number;

pub fn sum<N: Number>(values: &[N]) -> N {
    let mut sums = [N::ZERO; 16];
    for (i, value) in values.iter().enumerate() {
        sums[i % 16] += *value;
    }
    let mut width = 8;
    while width > 0 {
        for lane in 0..width {
            sums[lane] = sums[lane] + sums[lane + width];
        }
        width /= 2;
    }
    sums[0]
}

use crate::meter::Number;

pub fn sum<N: Number>(values: &[N]) -> N {
    match values.len() {
        0 => N::ZERO,
        1 => values[0],
        n => sum(&values[..n / 2]) + sum(&values[n / 2..]),
    }
}

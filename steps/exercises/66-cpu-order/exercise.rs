use crate::meter::Number;

/// The sum of all values.
pub fn sum<N: Number>(values: &[N]) -> N {
    // TODO: another order
    let mut total = N::ZERO;
    for &value in values {
        total += value;
    }
    total
}

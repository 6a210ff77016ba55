use crate::meter::Number;

/// The sum of all values.
pub fn sum<N: Number>(values: &[N]) -> N {
    match values {
        [] => N::ZERO,
        [one] => *one,
        _ => {
            let (left, right) = values.split_at(values.len() / 2);
            sum(left) + sum(right)
        }
    }
}

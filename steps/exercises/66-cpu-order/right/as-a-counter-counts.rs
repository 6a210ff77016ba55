use crate::meter::Number;

/// Sums of 1, 2, 4, 8 … values: two of a size become one of the next, as the digits of a binary counter.
pub fn sum<N: Number>(values: &[N]) -> N {
    let mut sums: Vec<(usize, N)> = Vec::new();
    for &value in values {
        let mut new = (1, value);
        while let Some(&(size, last)) = sums.last() {
            if size != new.0 {
                break;
            }
            sums.pop();
            new = (2 * size, last + new.1);
        }
        sums.push(new);
    }
    let total = sums.into_iter().map(|(_, sum)| sum).reduce(|last, before| before + last);
    total.unwrap_or(N::ZERO)
}

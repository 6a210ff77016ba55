use crate::meter::Number;

pub fn sum<N: Number>(values: &[N]) -> N {
    if values.len() <= 16 {
        let Some((first, others)) = values.split_first() else { return N::ZERO };
        return others.iter().fold(*first, |sum, value| sum + *value);
    }
    let sums: Vec<N> = values.chunks(16).map(sum).collect();
    sum(&sums)
}

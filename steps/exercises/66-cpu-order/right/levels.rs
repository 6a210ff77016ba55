use crate::meter::Number;

pub fn sum<N: Number>(values: &[N]) -> N {
    let mut all = values.to_vec();
    while all.len() > 1 {
        all = all.chunks(2).map(|pair| if let [a, b] = pair { *a + *b } else { pair[0] }).collect();
    }
    all.first().copied().unwrap_or(N::ZERO)
}

//! Freivalds' check: whether C = α A B + β C₀ holds for all elements, from sums over rows. (A B) x is A (B x), which costs
//! as much as to read the matrices.

use ladder::arrays::{Judge, Residues, Values};
use rayon::prelude::*;

/// Two numbers for each row of a matrix: its product with the vector x of random signs, and that with x_j · (j + 1). A
/// single wrong element adds its error to the first, up to its sign, and its error times its column to the second.
type Sums = Vec<[f64; 2]>;

/// Deviations that one of some ten thousand sums may be off: once in 10⁶ times.
const DEVIATIONS: f64 = 7.0;

/// What the rows of a product must add up to.
#[derive(Debug)]
pub struct Product {
    signs: Vec<f64>,
    expected: Sums,
    /// Root mean square of the elements.
    rms: f64,
}

/// Matrices, row by row.
pub struct Matrices<'m> {
    /// m × k.
    pub a: &'m [f32],
    /// k × n.
    pub b: &'m [f32],
    /// m × n; none where β is zero.
    pub c: Option<&'m [f32]>,
    /// The factor of A B.
    pub alpha: f32,
    /// The factor of C.
    pub beta: f32,
}

impl Product {
    /// What must come out of matrices, for random signs of the columns.
    pub fn new(
        Matrices { a, b, c, alpha, beta }: &Matrices,
        k: usize,
        signs: Vec<f64>,
        rms: f64,
    ) -> Product {
        let inner = weighted(b, &signs);
        let outer = a.par_chunks_exact(k).map(|row| {
            row.iter().zip(&inner).fold([0.0; 2], |[one, two], (&a, [x, y])| {
                [one + f64::from(a) * x, two + f64::from(a) * y]
            })
        });
        let mut expected: Sums =
            outer.map(|sums| sums.map(|sum| f64::from(*alpha) * sum)).collect();
        if let Some(c) = c {
            let before = weighted(c, &signs);
            expected.iter_mut().zip(before).for_each(|(sums, before)| {
                sums[0] += f64::from(*beta) * before[0];
                sums[1] += f64::from(*beta) * before[1];
            });
        }
        Product { signs, expected, rms }
    }
}

impl Residues for Product {
    fn defect(&self, got: &Values, judge: Judge) -> Option<String> {
        let Values::F32(got) = got else { return Some("are not floats".to_owned()) };
        let deviation = if let Judge::Deviating(deviation) = judge { deviation } else { 0.0 };
        let columns = self.signs.len();
        let off = |row: usize| {
            let [sums, expected] =
                [weighted_row(&got[row * columns..][..columns], &self.signs), self.expected[row]];
            [sums[0] - expected[0], sums[1] - expected[1]]
        };
        // An element is off by `deviation` of its value or of their root mean square, whichever is larger.
        let allowed = |row: usize| {
            let noise = |(j, &it): (usize, &f32)| {
                let square = f64::from(it).powi(2) + self.rms.powi(2);
                [square, square * (j as f64 + 1.0).powi(2)]
            };
            let elements = got[row * columns..][..columns].iter().enumerate();
            let squares = elements.map(noise).fold([0.0; 2], |[a, b], [c, d]| [a + c, b + d]);
            squares.map(|square| DEVIATIONS * deviation * square.sqrt())
        };
        let is_wrong = |row: &usize| {
            let (off, allowed) = (off(*row), allowed(*row));
            !(off[0].abs() <= allowed[0] && off[1].abs() <= allowed[1]) // nor is NaN
        };
        let row = (0..self.expected.len()).into_par_iter().find_first(is_wrong)?;
        let [first, second] = off(row);
        let column = (second / first - 1.0).round();
        // The second sum of a single wrong element says where it is.
        if (0.0..columns as f64).contains(&column)
            && (second - first * (column + 1.0)).abs() <= (first / 4.0).abs()
        {
            let at = column as usize;
            let got = f64::from(got[row * columns + at]);
            let expected = got - first * self.signs[at];
            return Some(format!(
                "in row {row}, column {at} got {got:.6e}, expected about {expected:.6e}"
            ));
        }
        Some(format!(
            "in row {row} is wrong: its elements with random signs add up to {:.6e}, expected {:.6e}",
            self.expected[row][0] + first,
            self.expected[row][0]
        ))
    }
}

/// The sums of each row of a matrix.
fn weighted(matrix: &[f32], signs: &[f64]) -> Sums {
    matrix.par_chunks_exact(signs.len()).map(|row| weighted_row(row, signs)).collect()
}

fn weighted_row(row: &[f32], signs: &[f64]) -> [f64; 2] {
    let terms = row.iter().zip(signs).enumerate();
    terms.fold([0.0; 2], |[one, two], (j, (&element, sign))| {
        let term = f64::from(element) * sign;
        [one + term, two + term * (j as f64 + 1.0)]
    })
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;
    use ladder::arrays::Random;

    use super::super::matrices::{elements, normal, signs};
    use super::super::precision::Precision;
    use super::*;

    const SHAPE: [usize; 3] = [90, 130, 70];
    const RMS: f64 = 8.4;

    /// A product, and its elements rounded once.
    fn product(factors: [f32; 2]) -> (Product, Vec<f32>) {
        let [m, n, k] = SHAPE;
        let [alpha, beta] = factors;
        let mut random = Random::seed_from_u64(1);
        let mut matrix = |rows: usize, columns: usize| normal((rows * columns) as u64, &mut random);
        let (a, b, c) = (matrix(m, k), matrix(k, n), matrix(m, n));
        let c = (beta != 0.0).then_some(&c[..]);
        let matrices = Matrices { a: &a, b: &b, c, alpha, beta };
        let all: Vec<usize> = (0..m * n).collect();
        let elements = elements(&matrices, [n, k], &all);
        (Product::new(&matrices, k, signs(n as u64, &mut random), RMS), elements)
    }

    #[test]
    fn a_single_wrong_element_is_named() {
        let [_, n, k] = SHAPE;
        for factors in [[1.0, 0.0], [-1.5, 0.5]] {
            let (product, right) = product(factors);
            // What may be seen of one element: the noise of its row, some hundred times that of an element.
            for (precision, off) in
                [(Precision::Fp32, 0.01), (Precision::Bf16, 0.01), (Precision::Tf32, 5.0)]
            {
                let judge = Judge::Deviating(precision.deviation(k as u64));
                let defect = |got: &[f32]| product.defect(&got.to_vec().into(), judge);
                assert_eq!(defect(&right), None);
                for (row, column) in [(0, 0), (0, n - 1), (89, 0), (89, n - 1), (17, 93)] {
                    let mut got = right.clone();
                    got[row * n + column] += off;
                    let found = defect(&got).expect("it is wrong");
                    let place = format!("in row {row}, column {column} got ");
                    assert!(found.starts_with(&place), "{precision:?}: {found}");
                    got[row * n + column] = f32::NAN;
                    assert!(defect(&got).expect("NaN").starts_with(&format!("in row {row} ")));
                }
            }
        }
    }

    #[test]
    fn errors_within_the_bound_are_no_defect_and_exchanged_rows_are_one() {
        let [_, n, k] = SHAPE;
        let (product, right) = product([1.0, 0.0]);
        let deviation = Precision::Tf32.deviation(k as u64);
        let noise = normal(right.len() as u64, &mut Random::seed_from_u64(2));
        let noisy =
            right.iter().zip(noise).map(|(it, noise)| it + noise * (deviation * RMS) as f32);
        let mut got: Vec<f32> = noisy.collect();
        let defect =
            |got: &[f32]| product.defect(&got.to_vec().into(), Judge::Deviating(deviation));
        assert_eq!(defect(&got), None);
        got.rotate_left(n);
        assert!(defect(&got).expect("other rows").starts_with("in row 0 "));
        assert!(product.defect(&vec![1u32].into(), Judge::Exactly).is_some());
    }
}

//! Freivalds' check: whether C = α A B + β C₀ holds for all elements, from sums over rows. (A B) x is A (B x), which costs
//! as much as to read the matrices.

use ladder::arrays::{Judge, Residues, Values};
use rayon::prelude::*;

/// Two numbers for each row of a matrix: its product with the vector x of random signs, and that with x_j · (j + 1). A
/// single wrong element adds its error to the first, up to its sign, and its error times its column to the second.
type Sums = Vec<[f64; 2]>;

/// Deviations that one of some ten thousand sums may be off: once in 10⁶ times.
const DEVIATIONS: f64 = 7.0;

/// Deviations of a column's number up to which it is known.
const MOST_BLUR: f64 = 0.05;

/// How far doubles may be off it.
const LEAST_BLUR: f64 = 1e-6;

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
        // How far the sums of a row are off, and how far they may be: an element is off by `deviation` of its value or of
        // their root mean square, whichever is larger.
        let off_and_allowed = |row: usize| {
            let elements = &got[row * columns..][..columns];
            let [first, second] = self.expected[row];
            let mut off = [-first, -second];
            let mut squares = [0.0; 2];
            for (j, (&element, sign)) in elements.iter().zip(&self.signs).enumerate() {
                let (element, place) = (f64::from(element), j as f64 + 1.0);
                off[0] += element * sign;
                off[1] += element * sign * place;
                let square = element * element + self.rms * self.rms;
                squares[0] += square;
                squares[1] += square * place * place;
            }
            (off, squares.map(|square| DEVIATIONS * deviation * square.sqrt()))
        };
        let is_wrong = |row: &usize| {
            let (off, allowed) = off_and_allowed(*row);
            !(off[0].abs() <= allowed[0] && off[1].abs() <= allowed[1]) // nor is NaN
        };
        let row = (0..self.expected.len()).into_par_iter().find_first(is_wrong)?;
        let ([first, second], allowed) = off_and_allowed(row);
        // The second sum of a single wrong element says where it is, as far as the errors of the others let it.
        let ratio = second / first - 1.0;
        let column = ratio.round();
        let deviation = (allowed[1] + allowed[0] * (column + 1.0)) / (DEVIATIONS * first).abs();
        if (0.0..columns as f64).contains(&column)
            && deviation < MOST_BLUR
            && (ratio - column).abs() <= 3.0 * deviation + LEAST_BLUR
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
    let sums = |row: &[f32]| {
        let terms = row.iter().zip(signs).enumerate();
        terms.fold([0.0; 2], |[one, two], (j, (&element, sign))| {
            let term = f64::from(element) * sign;
            [one + term, two + term * (j as f64 + 1.0)]
        })
    };
    matrix.par_chunks_exact(signs.len()).map(sums).collect()
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
            // Of TF32, the errors of the others hide in which column it is.
            let all = [(Precision::Fp32, 1.0), (Precision::Bf16, 1.0), (Precision::Tf32, 5.0)];
            for (precision, off) in all {
                let judge = Judge::Deviating(precision.deviation(k as u64));
                let defect = |got: &[f32]| product.defect(&got.to_vec().into(), judge);
                assert_eq!(defect(&right), None);
                let mut got = right.clone();
                got[700] += off / 100.0;
                assert_eq!(defect(&got).is_some(), precision != Precision::Tf32);
                for (row, column) in [(0, 0), (0, n - 1), (89, 0), (89, n - 1), (17, 93)] {
                    let mut got = right.clone();
                    got[row * n + column] += off;
                    let found = defect(&got).expect("it is wrong");
                    let place = match precision {
                        Precision::Tf32 => format!("in row {row} is wrong"),
                        _ => format!("in row {row}, column {column} got "),
                    };
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

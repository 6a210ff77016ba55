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

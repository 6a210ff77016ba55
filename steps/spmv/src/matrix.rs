//! Sparse matrices: how long their rows are, and where their elements lie.

use chacha20::rand_core::Rng;
use ladder::arrays::{Random, drawn, fraction};
use rayon::prelude::*;

/// Elements of a row that are not zero, on average over all rows of any matrix with at least as many columns.
const MEAN: u64 = 16;

/// Columns over which a row's elements are spread, for each element.
const SPREAD: u64 = 4;

/// The largest of the whole numbers in a matrix.
const WHOLE: u32 = 8;

/// How the lengths of rows are distributed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// Exponentially: few rows have several times the mean, none far more.
    Varied,
    /// All equal.
    Equal,
    /// By a power law: a few rows have thousands of times the mean.
    PowerLaw,
    /// The first half of the rows is empty, and every other of the second half on average.
    Empty,
    /// One row has an element in each column, and the others share the rest.
    OneDense,
}

/// A square matrix by rows, in CSR: compressed sparse rows.
#[derive(Debug, Clone)]
pub struct Matrix {
    /// Where each row starts among the elements, and at last their number.
    pub starts: Vec<u32>,
    /// The column of each element, ascending in a row.
    pub columns: Vec<u32>,
    /// The elements.
    pub values: Vec<f32>,
}

/// Elements of a matrix that are not zero.
pub fn elements(rows: u64) -> u64 {
    rows * rows.min(MEAN)
}

/// Numbers of a matrix or vector: positive ones between 0.5 and 1, so that each counts; or small whole ones of either sign, whose
/// sums are exact.
pub fn numbers(count: u64, are_whole: bool, random: &mut Random) -> Vec<f32> {
    drawn(count, random, |word| match are_whole {
        true => (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32,
        false => 0.5 + fraction(word) / 2.0,
    })
}

impl Lengths {
    /// How long each row is relative to the others.
    fn weights(self, rows: u64, random: &mut Random) -> Vec<f64> {
        let dense = random.next_u64() % rows;
        let weight = |row: u64| {
            let word = random.next_u32();
            let fraction = (f64::from(word) + 1.0) / (f64::from(u32::MAX) + 1.0); // more than 0
            match self {
                Lengths::Varied => -fraction.ln(),
                Lengths::Equal => 1.0,
                Lengths::PowerLaw => fraction.powf(-1.0 / 1.5),
                Lengths::Empty if row < rows / 2 || word.is_multiple_of(2) => 0.0,
                Lengths::Empty => fraction,
                Lengths::OneDense if row == dense => rows as f64,
                Lengths::OneDense => (MEAN - 1) as f64,
            }
        };
        (0..rows).map(weight).collect()
    }

    /// Where rows start, so that together they have [`elements`], whatever their lengths.
    fn starts(self, rows: u64, random: &mut Random) -> Vec<u32> {
        let weights = self.weights(rows, random);
        let (all, total) = (elements(rows), weights.iter().sum::<f64>().max(f64::MIN_POSITIVE));
        let mut sum = 0.0;
        let mut before = 0;
        let mut lengths: Vec<u64> = weights
            .iter()
            .map(|weight| {
                sum += weight;
                let end = (sum / total * all as f64).round() as u64;
                let length = (end - before).min(rows);
                before = end;
                length
            })
            .collect();
        // What a row has no column for, or rounding has left over, is for the first rows with room.
        let mut surplus = all - lengths.iter().sum::<u64>();
        for length in &mut lengths {
            let more = surplus.min(rows - *length);
            *length += more;
            surplus -= more;
        }
        let ends = lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end as u32)
        });
        [0].into_iter().chain(ends).collect()
    }
}

impl Matrix {
    /// A random matrix of so many rows and columns. The elements of a row lie around the diagonal, as where each unknown of a
    /// grid has to do with its neighbours.
    pub fn random(lengths: Lengths, rows: u64, are_whole: bool, random: &mut Random) -> Matrix {
        let starts = lengths.starts(rows, random);
        let words: Vec<u32> = drawn(elements(rows), random, |word| word);
        let columns = |row: u64| {
            let [start, end] = [starts[row as usize], starts[row as usize + 1]].map(u64::from);
            let length = end - start;
            let width = rows.min(SPREAD * length);
            let first = (row.saturating_sub(width / 2)).min(rows - width);
            let words = &words;
            // One column of each of as many intervals as the row has elements.
            (0..length).map(move |j| {
                let [from, to] = [j, j + 1].map(|j| j * width / length);
                (first + from + u64::from(words[(start + j) as usize]) % (to - from)) as u32
            })
        };
        let columns = (0..rows).into_par_iter().flat_map_iter(columns).collect();
        Matrix { columns, values: numbers(elements(rows), are_whole, random), starts }
    }

    /// Rows, and columns.
    pub fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where a row's elements are.
    pub fn row(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// The longest row's elements.
    pub fn longest(&self) -> usize {
        (0..self.rows()).map(|row| self.row(row).len()).max().unwrap_or(0)
    }

    /// The product with a vector, computed in doubles.
    pub fn times(&self, x: &[f32]) -> Vec<f32> {
        let product = |i: usize| f64::from(self.values[i]) * f64::from(x[self.columns[i] as usize]);
        let rows = (0..self.rows()).into_par_iter();
        // A sum of −0 alone is 0, as in kernels, which begin with 0.
        rows.map(|row| self.row(row).map(product).fold(0.0, |sum, it| sum + it) as f32).collect()
    }
}

#[cfg(test)]
mod tests {
    use chacha20::rand_core::SeedableRng;

    use super::*;

    const ALL: [Lengths; 5] =
        [Lengths::Varied, Lengths::Equal, Lengths::PowerLaw, Lengths::Empty, Lengths::OneDense];

    fn lengths(of: Lengths, rows: u64) -> Vec<usize> {
        let matrix = Matrix::random(of, rows, false, &mut Random::seed_from_u64(1));
        (0..matrix.rows()).map(|row| matrix.row(row).len()).collect()
    }

    #[test]
    fn all_matrices_of_a_size_have_as_many_elements_in_ascending_columns() {
        for of in ALL {
            for rows in [1, 2, 3, 16, 17, 100, 5000] {
                let matrix = Matrix::random(of, rows, false, &mut Random::seed_from_u64(rows));
                let count = elements(rows) as usize;
                assert_eq!([matrix.columns.len(), matrix.values.len()], [count; 2], "{of:?}");
                assert_eq!(matrix.starts.last(), Some(&(count as u32)), "{of:?} of {rows}");
                for row in 0..matrix.rows() {
                    let columns = &matrix.columns[matrix.row(row)];
                    assert!(columns.windows(2).all(|pair| pair[0] < pair[1]), "{of:?} of {rows}");
                    assert!(columns.last().is_none_or(|&last| u64::from(last) < rows));
                }
            }
        }
    }

    #[test]
    fn rows_are_as_long_as_their_distribution_says() {
        let rows = 20_000;
        assert!(lengths(Lengths::Equal, rows).iter().all(|&it| it as u64 == MEAN));
        let longest = |of| lengths(of, rows).into_iter().max();
        assert!((120..400).contains(&longest(Lengths::Varied).expect("rows")));
        assert!(longest(Lengths::PowerLaw).expect("rows") > 2000);
        assert!(longest(Lengths::OneDense).expect("rows") as u64 > rows - 100);
        let empty = lengths(Lengths::Empty, rows).iter().filter(|&&it| it == 0).count();
        assert!((14_700..15_500).contains(&empty), "{empty}");
    }

    #[test]
    fn a_product_is_the_sum_of_products() {
        let (starts, columns) = (vec![0, 2, 2, 3], vec![0, 2, 1]);
        let matrix = Matrix { starts, columns, values: vec![2.0, 3.0, 5.0] };
        assert_eq!(matrix.times(&[10.0, 100.0, 1000.0]), [3020.0, 0.0, 500.0]);
        assert_eq!(matrix.longest(), 2);
    }
}

//! Formats of a sparse matrix in which neighbouring rows lie next to each other. They fill up short rows with zeros, and leave the
//! ends of long ones where they are in CSR.

use rayon::prelude::*;

use super::matrix::Matrix;

/// Rows of a slice: lanes of a warp.
const LANES: usize = 32;

/// Elements of a row in slices, at most.
const LONGEST: usize = 256;

/// Rows that are sorted by their lengths together.
const WINDOW: usize = 4096;

/// Elements of a piece of what does not fit a format, at most.
const PIECE: usize = 512;

/// Slices of 32 rows. The first elements of a slice's rows come first, then the second ones, and so on.
#[derive(Debug, Clone)]
pub struct Slices {
    /// Where each slice starts among the elements, and at last their number.
    pub starts: Vec<u32>,
    /// The column of each element; that of a zero is 0.
    pub columns: Vec<u32>,
    /// The elements.
    pub values: Vec<f32>,
    /// The rows of the matrix in the order of the slices.
    pub order: Vec<u32>,
    /// Ends of long rows: row, first element and end in CSR, for each piece of at most so many elements.
    pub pieces: Vec<u32>,
}

impl Slices {
    /// ELL: one width for all rows. A column of elements is there for at least a third of the rows, or is the first.
    pub fn of_one_width(matrix: &Matrix) -> (Slices, u32) {
        let mut longer = vec![0; matrix.longest() + 1]; // rows with more elements than that
        (0..matrix.rows())
            .for_each(|row| longer[..matrix.row(row).len()].iter_mut().for_each(|it| *it += 1));
        let width = longer.iter().take_while(|&&it| 3 * it >= matrix.rows()).count().max(1);
        let order = (0..matrix.rows() as u32).collect();
        let all = matrix.rows().next_multiple_of(LANES);
        (Slices::of(matrix, order, all, |_| width), width as u32)
    }

    /// Each slice is as wide as its longest row. Rows are in order, or sorted by length among their neighbours.
    pub fn of_own_widths(matrix: &Matrix, are_sorted: bool) -> Slices {
        let mut order: Vec<u32> = (0..matrix.rows() as u32).collect();
        if are_sorted {
            let longest_first = |row: &u32| std::cmp::Reverse(matrix.row(*row as usize).len());
            order.par_chunks_mut(WINDOW).for_each(|window| window.sort_by_key(longest_first));
        }
        Slices::of(matrix, order, LANES, |longest| longest.min(LONGEST))
    }

    /// Slices of so many rows, whose width depends on their longest row.
    fn of(
        matrix: &Matrix,
        order: Vec<u32>,
        rows: usize,
        width: impl Fn(usize) -> usize + Sync,
    ) -> Slices {
        let length = |row: &u32| matrix.row(*row as usize).len();
        let widths: Vec<usize> = order
            .par_chunks(rows)
            .map(|slice| width(slice.iter().map(length).max().unwrap_or(0)))
            .collect();
        let mut starts = vec![0];
        starts.extend(widths.iter().scan(0, |end, width| {
            *end += (rows * width) as u32;
            Some(*end)
        }));
        // Of each slice the first elements of its rows, then the second ones.
        let all: Vec<(usize, usize)> = widths
            .iter()
            .enumerate()
            .flat_map(|(slice, &width)| (0..width).map(move |j| (slice, j)))
            .collect();
        let neighbours = |&(slice, j): &(usize, usize)| {
            let order = &order;
            (slice * rows..(slice + 1) * rows).map(move |place| {
                let row = order.get(place).map_or(0..0, |&row| matrix.row(row as usize));
                let at = (j < row.len()).then_some(row.start + j);
                at.map_or((0, 0.0), |at| (matrix.columns[at], matrix.values[at]))
            })
        };
        let (columns, values) = all.par_iter().flat_map_iter(neighbours).unzip();
        let ends = order.iter().enumerate().flat_map(|(i, &row)| {
            let all = matrix.row(row as usize);
            let kept = (all.start + widths[i / rows]).min(all.end);
            (kept..all.end)
                .step_by(PIECE)
                .flat_map(move |from| [row, from as u32, all.end.min(from + PIECE) as u32])
        });
        let pieces = ends.collect();
        Slices { starts, columns, values, pieces, order }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of these lengths, whose elements are 1, 2, 3 and so on, in columns 0, 1, 2 of each row.
    fn matrix(lengths: &[u32]) -> Matrix {
        let mut starts = vec![0];
        starts.extend(lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        }));
        let columns: Vec<u32> = lengths.iter().flat_map(|&length| 0..length).collect();
        let values = (1..=columns.len()).map(|it| it as f32).collect();
        Matrix { starts, columns, values }
    }

    #[test]
    fn rows_lie_side_by_side_and_short_ones_are_filled_up() {
        let slices = Slices::of_own_widths(&matrix(&[2, 0, 3]), false);
        assert_eq!(slices.starts, [0, 96]);
        let rows: [Vec<f32>; 3] =
            [0, 1, 2].map(|lane| slices.values.iter().skip(lane).step_by(LANES).copied().collect());
        assert_eq!(rows, [vec![1.0, 2.0, 0.0], vec![0.0; 3], vec![3.0, 4.0, 5.0]]);
        assert_eq!(slices.columns[2 * LANES + 2], 2);
        assert!(slices.pieces.is_empty());
    }

    #[test]
    fn a_width_that_few_rows_need_is_not_for_all() {
        let (slices, width) = Slices::of_one_width(&matrix(&[1, 1, 2, 2, 5, 1]));
        assert_eq!((width, slices.values.len()), (2, 2 * LANES));
        assert_eq!(slices.pieces, [4, 8, 11], "the last three of row 4");
    }

    #[test]
    fn long_rows_end_in_pieces() {
        let long = (LONGEST + PIECE + 1) as u32;
        let slices = Slices::of_own_widths(&matrix(&[1, long]), false);
        assert_eq!(slices.starts, [0, (LANES * LONGEST) as u32]);
        let [from, middle, end] = [LONGEST, LONGEST + PIECE, LONGEST + PIECE + 1];
        let pieces = [1, 1 + from, 1 + middle, 1, 1 + middle, 1 + end].map(|it| it as u32);
        assert_eq!(slices.pieces, pieces);
    }

    #[test]
    fn sorted_rows_are_the_same_ones() {
        let lengths: Vec<u32> = (0..100).map(|it| it * 37 % 101).collect();
        let sorted = Slices::of_own_widths(&matrix(&lengths), true);
        let kept: Vec<u32> = sorted.order.iter().map(|&row| lengths[row as usize]).collect();
        assert!(kept.windows(2).all(|pair| pair[0] >= pair[1]));
        let mut rows = sorted.order.clone();
        rows.sort_unstable();
        assert_eq!(rows, (0..100).collect::<Vec<_>>());
        let unsorted = Slices::of_own_widths(&matrix(&lengths), false);
        assert!(sorted.values.len() < unsorted.values.len() * 3 / 4);
    }
}

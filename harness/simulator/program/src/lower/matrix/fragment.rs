//! The layout of `wmma` fragments in registers, which is that of the 16×8 `mma`s of which they consist.
//!
//! The ISA leaves the layout open. An H100 has this one, element by element (`tests/instructions/tiles.rs`).

/// A matrix of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    A,
    B,
    /// c and d.
    Sums,
}

/// The shape of a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tile {
    pub rows: usize,
    pub columns: usize,
    pub depth: usize,
}

/// Consecutive elements of a lane, in one register or in consecutive registers.
///
/// `group` counts along the rows of a, the columns of b and the rows of the sums, `thread` along the other dimension.
/// The position is that of lane 0; other lanes have theirs lane / 4 further along `group`, and lane % 4 times the
/// number of elements further along `thread`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub group: usize,
    pub thread: usize,
}

impl Tile {
    /// `m16n16k16`.
    pub(super) fn parse(word: &str) -> Option<Tile> {
        let (rows, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (columns, depth) = rest.split_once('k')?;
        let number = |word: &str| word.parse().ok();
        Some(Tile { rows: number(rows)?, columns: number(columns)?, depth: number(depth)? })
    }

    /// Whether the shape exists for elements of a and b of this many bits.
    pub(super) fn exists(self, bits: usize) -> bool {
        let Tile { rows, columns, depth } = self;
        match (bits, depth) {
            (8 | 16, 16) => matches!((rows, columns), (16, 16) | (32, 8) | (8, 32)),
            (32, 8) => (rows, columns) == (16, 16),
            (64, 4) | (4, 32) | (1, 128) => (rows, columns) == (8, 8),
            _ => false,
        }
    }

    /// Whether a and b are exchanged, so that there are at least 16 rows.
    pub(super) fn is_turned(self) -> bool {
        self.rows < 16 && self.columns > 8
    }

    /// Rows and columns after the exchange.
    fn sides(self) -> (usize, usize) {
        if self.is_turned() { (self.columns, self.rows) } else { (self.rows, self.columns) }
    }

    /// Rows of the `mma`s of which it consists, and their number along rows and columns.
    pub(super) fn products(self) -> (usize, usize, usize) {
        let (rows, columns) = self.sides();
        let tall = rows.min(16);
        (tall, rows / tall, columns / 8)
    }

    /// The pieces of a matrix, if a register holds `packed` elements of a and b.
    pub(super) fn pieces(self, role: Role, packed: usize) -> Vec<Piece> {
        let (tall, below, beside) = self.products();
        let along = self.depth / (4 * packed);
        let mut pieces = Vec::new();
        let is_first = role == if self.is_turned() { Role::B } else { Role::A };
        if role == Role::Sums {
            for product in 0..below * beside {
                let (top, left) = (tall * (product / beside), 8 * (product % beside));
                pieces.extend((0..tall / 8).map(|k| Piece { group: top + 8 * k, thread: left }));
            }
        } else if is_first {
            for top in (0..below).map(|product| tall * product) {
                for k in 0..along * tall / 8 {
                    let (group, thread) = (top + 8 * (k % (tall / 8)), k / (tall / 8));
                    pieces.push(Piece { group, thread: 4 * packed * thread });
                }
            }
        } else {
            for left in (0..beside).map(|product| 8 * product) {
                pieces.extend((0..along).map(|k| Piece { group: left, thread: 4 * packed * k }));
            }
        }
        pieces
    }

    /// Whether elements along `thread` are consecutive in memory.
    pub(super) fn is_along_thread(self, role: Role, row_major: bool) -> bool {
        match role {
            Role::A => row_major,
            Role::B => !row_major,
            Role::Sums => row_major != self.is_turned(),
        }
    }

    /// The default stride between rows (or columns) in memory, in elements.
    pub(super) fn stride(self, role: Role, row_major: bool) -> usize {
        match (role, row_major) {
            (Role::A, true) | (Role::B, false) => self.depth,
            (Role::A, false) | (Role::Sums, false) => self.rows,
            (Role::B, true) | (Role::Sums, true) => self.columns,
        }
    }
}

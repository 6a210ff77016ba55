//! How the host launches the kernels of a step.

use device::texture::TensorElement;
use device::{Boxes, PADDED_TO, Shape};
use ladder::Launch;
use ladder::arrays::{Call, Data, Extent, KernelArgument};

use super::precision::Precision;

/// The launches of a step.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// What is multiplied.
    pub precision: Precision,
    /// Columns and rows of C that a block computes.
    pub tile: [u32; 2],
    /// Threads of a block, in x and y.
    pub threads: [u32; 2],
    /// Dynamic shared memory of a block in bytes.
    pub shared_bytes: u32,
    /// Terms that a block adds at a time, if tiles must be full: A and B are copied with zeros around them if they are not
    /// whole tiles, and `gemm` gets the columns of B.
    pub padded: Option<u32>,
    /// Whether sums are divided among blocks where there are few tiles. Then `gemm` gets scratch memory for the sums of
    /// each part, and `reduce` adds them.
    pub split: bool,
    /// Whether blocks are numbered in one row, and the kernel chooses the order of their tiles.
    pub ordered: bool,
    /// Whether the copy engine brings tiles. Then `gemm` gets tensor maps of A and B, which read zeros around these, and no
    /// columns of B. Rows of both are padded to 16 bytes.
    pub maps: bool,
    /// Whether no more blocks run than there are multiprocessors, each computing several tiles.
    pub persistent: bool,
    /// Blocks of a cluster, which share copies. There is a multiple of them.
    pub cluster: u32,
}

/// Elements of 16 bits of the widest row that the copy engine permutes, and the bytes of that.
const BOX_COLUMNS: u32 = 64;
const SWIZZLE: u8 = 128;

/// Elements of 16 bits to which rows are padded for tensor maps.
const PADDED_FOR_MAPS: u32 = 8;

/// The same of elements of 8 bits.
const BOX_BYTES: u32 = 128;

/// Bytes, as tensor maps know them: they have no type for e4m3.
const BYTE: TensorElement =
    TensorElement { bytes: 1, is_float: false, is_brain: false, is_signed: false };

/// BF16, as tensor maps know it.
const BRAIN: TensorElement =
    TensorElement { bytes: 2, is_float: true, is_brain: true, is_signed: false };

/// Terms of a part of a sum, at least.
const SHORTEST: u64 = 64;

/// Parts of a sum, at most.
const PARTS: u64 = 256;

/// Sums of all parts together, at most: 64 MB.
const PARTIAL_SUMS: u64 = 1 << 24;

/// Threads of a block that adds parts, or that copies.
const BLOCK: u32 = 256;

/// Rows that a thread copies: `PAD_ROWS` in `kernels/gemm/padding.cuh`.
const PAD_ROWS: u32 = 8;

/// Rows of A, columns of A and columns of B are padded to multiples of these, or of a divisor of them.
const PADDED: Extent = [128, 64, 256];

const PADDED_A: &str = "a with zeros";
const PADDED_B: &str = "b with zeros";
const PARTIAL: &str = "partial";

impl Plan {
    /// One launch, a block for each tile, without dynamic shared memory.
    pub const fn of(precision: Precision, tile: [u32; 2], threads: [u32; 2]) -> Plan {
        let (shared_bytes, padded) = (0, None);
        let (split, ordered, maps, persistent, cluster) = (false, false, false, false, 1);
        Plan {
            precision,
            tile,
            threads,
            shared_bytes,
            padded,
            split,
            ordered,
            maps,
            persistent,
            cluster,
        }
    }

    /// Into how many parts the sums of a product are divided, so that all multiprocessors have two blocks, and each block
    /// has terms.
    fn parts(&self, [m, n, k]: Extent, multiprocessors: u32) -> u32 {
        if !self.split {
            return 1;
        }
        let tiles = n.div_ceil(self.tile[0].into()) * m.div_ceil(self.tile[1].into());
        let wanted = u64::from(2 * multiprocessors) / tiles;
        let most = (k / SHORTEST).min(parts_at_most(m * n));
        let rounds = k.div_ceil(self.padded.unwrap_or(1).into());
        rounds.div_ceil(rounds.div_ceil(wanted.clamp(1, most.max(1)))) as u32
    }

    /// What m, n and k are padded to multiples of.
    fn multiples(&self, depth: u32) -> [u32; 3] {
        match self.maps {
            false => [self.tile[1], self.tile[0], depth],
            true if self.precision.is_bytes() => [PADDED_TO as u32; 3],
            true => [PADDED_FOR_MAPS; 3],
        }
    }

    /// The launches of a product.
    pub fn calls(&self, extent: Extent, multiprocessors: u32) -> Vec<Call> {
        let [m, n, k] = extent.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let [columns, rows] = self.tile;
        let [mut a, mut b, c] = self.precision.arguments();
        let mut calls = Vec::new();
        let mut sizes = vec![m.into(), n.into(), k.into()];
        if let Some(depth) = self.padded {
            let multiples = self.multiples(depth);
            let is_bytes = self.precision.is_bytes();
            let whole: [u32; 3] =
                std::array::from_fn(|at| [m, n, k][at].next_multiple_of(multiples[at]));
            let [rows_of_a, pitch, terms] = whole;
            if whole != [m, n, k] && !is_bytes {
                calls.push(self.pad([m, k], [rows_of_a, terms], [a, PADDED_A.into()]));
                calls.push(self.pad([k, n], [terms, pitch], [b, PADDED_B.into()]));
                (a, b) = (PADDED_A.into(), PADDED_B.into());
            }
            if is_bytes {
                // B lies column by column. Each block of a cluster copies a part of its tile.
                let boxes = |size, rows| Boxes {
                    element: BYTE,
                    size,
                    of: [BOX_BYTES, rows],
                    swizzle: SWIZZLE,
                };
                a = mapped(a, boxes([terms, rows_of_a], rows));
                b = mapped(b, boxes([terms, pitch], columns / self.cluster));
            } else if self.maps {
                let boxes = |size, of| Boxes { element: BRAIN, size, of, swizzle: SWIZZLE };
                a = mapped(a, boxes([terms, rows_of_a], [depth, rows]));
                b = mapped(b, boxes([pitch, terms], [BOX_COLUMNS, depth]));
            } else {
                sizes = vec![m.into(), n.into(), terms.into(), pitch.into()];
            }
        }
        let parts = self.parts(extent, multiprocessors);
        let (across, down) = (n.div_ceil(columns), m.div_ceil(rows));
        let whole_clusters = |blocks: u32| blocks / self.cluster * self.cluster;
        let grid = match self.ordered {
            true if self.persistent => {
                let tiles = across * down.next_multiple_of(self.cluster);
                [whole_clusters(tiles.min(multiprocessors)).max(self.cluster), 1, parts]
            }
            true => [across * down, 1, parts],
            false => [across, down, parts],
        };
        let shape = Shape::new(grid, [self.threads[0], self.threads[1], 1]);
        let shape = Shape { shared_bytes: self.shared_bytes, ..shape };
        // Said here as well as in the kernels, since LLVM's PTX does not say it.
        let shape = if self.cluster > 1 { shape.in_clusters(self.cluster) } else { shape };
        let [alpha, beta] = ["alpha", "beta"].map(KernelArgument::Scalar);
        let mut given = sizes;
        given.extend([alpha, a, b, beta, c]);
        given.extend(self.split.then_some(KernelArgument::Array(PARTIAL)));
        calls.push(Call::Launch(Launch { kernel: "gemm", shape }, given));
        if parts > 1 {
            let launch = Launch::row("reduce", (m * n).div_ceil(BLOCK), BLOCK);
            let given = vec![(m * n).into(), parts.into(), alpha, PARTIAL.into(), beta, c];
            calls.push(Call::Launch(launch, given));
        }
        calls
    }

    /// Copies a matrix of some rows and columns to a larger one.
    fn pad(
        &self,
        [rows, columns]: [u32; 2],
        whole: [u32; 2],
        [from, to]: [KernelArgument; 2],
    ) -> Call {
        let across = whole[1] / self.precision.elements_of_four_bytes();
        let shape = Shape::new([across.div_ceil(BLOCK), whole[0] / PAD_ROWS], [BLOCK, 1]);
        let given = vec![rows.into(), columns.into(), whole[1].into(), from, to];
        Call::Launch(Launch { kernel: "pad", shape }, given)
    }

    /// What the host does, for the page of a step.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        let [columns, rows] = self.tile;
        let mut facts = vec![
            ("multiplies", self.precision.words().to_owned()),
            ("a block computes", format!("{rows} rows and {columns} columns of C")),
        ];
        if let Some(depth) = self.padded {
            let [m, n, k] = self.multiples(depth);
            let whole = format!("to multiples of {m}, {n} and {k} for m, n and k");
            facts.push(("A and B are padded", whole));
        }
        if self.split {
            facts.push(("sums", "in parts, where there are few tiles".to_owned()));
        }
        facts
    }
}

/// The tensor map of an array.
///
/// # Panics
/// It is no array.
fn mapped(array: KernelArgument, boxes: Boxes) -> KernelArgument {
    match array {
        KernelArgument::Array(name) => KernelArgument::TensorMap(name, boxes),
        other => panic!("a tensor map of {other:?}"),
    }
}

/// Adds what steps keep between their launches.
pub fn with_scratch(data: Data, [m, n, k]: Extent) -> Data {
    let [rows, terms, columns] = PADDED;
    let (m_of_a, k_of_both, n_of_b) =
        (m.next_multiple_of(rows), k.next_multiple_of(terms), n.next_multiple_of(columns));
    let floats = |count: u64| 4 * count as usize;
    data.scratch(PARTIAL, floats(parts_at_most(m * n) * m * n))
        .scratch(PADDED_A, floats(m_of_a * k_of_both))
        .scratch(PADDED_B, floats(k_of_both * n_of_b))
}

/// Parts of the sums of so many elements for which there is memory.
fn parts_at_most(elements: u64) -> u64 {
    (PARTIAL_SUMS / elements).min(PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each block of a tile has terms to add, since a kernel divides them as the host does.
    #[test]
    fn no_part_is_empty() {
        let plan = Plan {
            padded: Some(8),
            split: true,
            ..Plan::of(Precision::Fp32, [128, 128], [128, 1])
        };
        for k in [1, 8, 64, 100, 512, 528, 4096, 65_536] {
            for multiprocessors in [1, 2, 30, 132, 188] {
                let parts = u64::from(plan.parts([256, 256, k], multiprocessors));
                let rounds = k.div_ceil(8);
                assert!((parts - 1) * rounds.div_ceil(parts) < rounds, "{k}: {parts}");
            }
        }
        assert_eq!(plan.parts([256, 256, 65_536], 132), 66);
        assert_eq!(plan.parts([4096, 4096, 4096], 132), 1);
    }
}

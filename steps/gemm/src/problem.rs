//! The product as a problem: shapes, data, launches, and the figure of merit.

use std::sync::Arc;

use chacha20::rand_core::Rng;
use device::Shape;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, chosen};
use ladder::problem::{OptionError, ProblemOption, Shape as NamedSizes};
use ladder::{BlockError, Launch};
use report::{Figure, NamedSize, Request};

use super::matrices::{elements, factor, normal, signs, whole};
use super::precision::Precision;
use super::residues::{Matrices, Product};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes: C is m × n, and each of its elements is a sum of k products.
const NAMES: [&str; 3] = ["m", "n", "k"];

/// C = α A B + β C, of matrices whose rows lie one after the other.
#[derive(Default)]
pub struct Gemm {
    shape: NamedSizes<3>,
}

/// How the host launches a step.
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
    /// Whether sums are divided among blocks where there are few tiles. Then `gemm` gets scratch memory for the sums of
    /// each part, and `reduce` adds them.
    pub split: bool,
}

impl Plan {
    /// One launch, a block for each tile, without dynamic shared memory.
    pub const fn of(precision: Precision, tile: [u32; 2], threads: [u32; 2]) -> Plan {
        Plan { precision, tile, threads, shared_bytes: 0, split: false }
    }

    /// Into how many parts the sums of a product are divided, so that all multiprocessors have two blocks.
    fn parts(&self, [m, n, k]: Extent, multiprocessors: u32) -> u32 {
        let tiles = n.div_ceil(self.tile[0].into()) * m.div_ceil(self.tile[1].into());
        let wanted = u64::from(2 * multiprocessors) / tiles;
        let most = (k / SHORTEST).min(parts_at_most(m * n));
        if self.split { wanted.clamp(1, most.max(1)) as u32 } else { 1 }
    }
}

/// Parts of the sums of so many elements for which there is memory.
fn parts_at_most(elements: u64) -> u64 {
    (PARTIAL_SUMS / elements).min(PARTS)
}

const SQUARE: &str = "a square";
const RAGGED: &str = "any shape";
const WHOLE: &str = "whole numbers";
const WIDE: &str = "few rows";
const TALL: &str = "few columns";
const LONG: &str = "long sums";
const ONE_ROW: &str = "one row";
const ONE_COLUMN: &str = "one column";
const ONE_TERM: &str = "one term";

/// Terms of a part of a sum, at least.
const SHORTEST: u64 = 64;

/// Parts of a sum, at most.
const PARTS: u64 = 256;

/// Sums of all parts together, at most: 64 MB.
const PARTIAL_SUMS: u64 = 1 << 24;

/// Threads of a block that adds parts.
const REDUCING: u32 = 256;

/// Columns and rows of a tile whose corners are compared.
const TILE: u64 = 128;

/// Multiplications of the reference: a fraction of a second.
const REFERENCE: u64 = 1 << 26;

/// Elements that are compared where sums are long.
const FEWEST: u64 = 1 << 10;

impl Arrays for Gemm {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 7, 33, 130],
        drawn: &[(100, 200)],
        planned_for_few: &[],
        repeated: Some(100),
        measured: 4096,
        simulated: 256,
        most: 1 << 15, // an `int` counts all elements
    };
    const KINDS: &'static [&'static str] =
        &[SQUARE, RAGGED, WHOLE, WIDE, TALL, LONG, ONE_ROW, ONE_COLUMN, ONE_TERM];
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("m", "Rows of C"),
        ProblemOption::size("n", "Columns of C"),
        ProblemOption::size("k", "Terms of the sum that is an element of C"),
    ];
    const BLOCKS_ALONE: bool = true;

    fn open(request: &Request) -> Result<Gemm, OptionError> {
        let (measured, most) = (Self::SIZES.measured, Self::SIZES.most);
        Ok(Gemm { shape: NamedSizes::open(request, NAMES, measured, most)? })
    }

    fn implied_size(&self) -> Option<u64> {
        self.shape.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        self.shape.named(NAMES, n)
    }

    fn figure() -> Figure {
        Figure {
            size: "rows and columns".to_owned(),
            pass: "product".to_owned(),
            scale: 1e12,
            unit: "TFLOP/s".to_owned(),
            ..Figure::of("Product of matrices", "floating-point operations")
        }
    }

    /// Multiplications and additions.
    fn work(&self, n: u64) -> f64 {
        let [m, n, k] = self.shape.at(n).map(|it| it as f64);
        2.0 * m * n * k
    }

    /// A and B of 16 bits, C of 32.
    fn moved(&self, n: u64) -> f64 {
        let [m, n, k] = self.shape.at(n).map(|it| it as f64);
        2.0 * k * (m + n) + 4.0 * m * n
    }

    fn bytes(&self, n: u64) -> u64 {
        let [m, n, k] = self.shape.at(n);
        4 * (m * k + k * n + m * n)
    }

    /// m, n and k. Those that are drawn are no multiples of anything.
    fn extent(&self, size: u64, kind: &str, random: &mut Random) -> Extent {
        let mut about = |size: u64| 1 + random.next_u64() % (size + size / 2);
        match kind {
            RAGGED | WHOLE => [about(size), about(size), about(size)],
            WIDE => [about(size / 8 + 1), 2 * size + 1, about(size)],
            TALL => [2 * size + 1, about(size / 8 + 1), about(size)],
            LONG => [about(20), about(20), 3 * size + about(size)],
            ONE_ROW => [1, size, about(size)],
            ONE_COLUMN => [size, 1, about(size)],
            ONE_TERM => [size, about(size), 1],
            _ => self.shape.at(size),
        }
    }

    fn data([m, n, k]: Extent, kind: &str, random: &mut Random) -> Data {
        let numbers = if kind == WHOLE { whole } else { normal };
        let [alpha, beta] = match kind {
            SQUARE => [1.0, 0.0],
            WHOLE => [-3.0, 2.0],
            WIDE => [1.0, factor(random)],
            TALL => [factor(random), 1.0],
            ONE_COLUMN => [factor(random), 0.0],
            _ => [factor(random), factor(random)],
        };
        let (a, b) = (numbers(m * k, random), numbers(k * n, random));
        // Else it is not to be read: it holds no numbers.
        let c = (beta != 0.0).then(|| numbers(m * n, random));
        let most = (REFERENCE / k).max(FEWEST);
        let at = chosen([n, m, 1], TILE, most as usize, random);
        let signs = signs(n, random);

        let reference = |a: &[f32], b: &[f32]| {
            let matrices = Matrices { a, b, c: c.as_deref(), alpha, beta };
            let expected = elements(&matrices, [n as usize, k as usize], &at);
            let squares: f64 = expected.iter().map(|&it| f64::from(it).powi(2)).sum();
            let rms = (squares / expected.len() as f64).sqrt();
            let product = Product::new(&matrices, k as usize, signs.clone(), rms);
            (expected, rms, Arc::new(product))
        };
        // What a random element of the result would be: few may happen to be small, and their errors are not.
        let typical = (f64::from(alpha) * (k as f64).sqrt()).hypot(f64::from(beta));
        let output =
            |data: Data,
             precision: Precision,
             (expected, rms, product): &(Vec<f32>, f64, Arc<Product>)| {
                let deviation = precision.deviation(k) * (typical / rms).max(1.0);
                let judge =
                    if kind == WHOLE { Judge::Exactly } else { Judge::Deviating(deviation) };
                let all = (m * n) as usize;
                let data = data.sampled_output(
                    precision.names().c,
                    all,
                    (at.clone(), expected.clone()),
                    judge,
                );
                let data = if at.len() < all { data.with_residues(product.clone()) } else { data };
                c.iter().fold(data, |data, c| data.holding(c.clone()))
            };
        let mut data = Data::default().scalar("alpha", alpha).scalar("beta", beta);
        for precision in [Precision::Bf16, Precision::Fp16] {
            let ((bits_of_a, a), (bits_of_b, b)) = (precision.rounded(&a), precision.rounded(&b));
            data = output(data, precision, &reference(&a, &b));
            let names = precision.names();
            data = data.input(names.a, bits_of_a).input(names.b, bits_of_b);
        }
        let of_floats = reference(&a, &b);
        data = output(data, Precision::Fp32, &of_floats);
        data = output(data, Precision::Tf32, &of_floats);
        let partial = 4 * parts_at_most(m * n) * m * n;
        data.input("a", a).input("b", b).scratch("partial", partial as usize)
    }

    fn calls(step: &Step, extent: Extent, multiprocessors: u32) -> Vec<Call> {
        let Plan { precision, tile, threads, shared_bytes, split } = step.host;
        let [m, n, k] = extent.map(|size| u32::try_from(size).unwrap_or(u32::MAX));
        let parts = step.host.parts(extent, multiprocessors);
        let grid = [n.div_ceil(tile[0]), m.div_ceil(tile[1]), parts];
        let shape = Shape { shared_bytes, ..Shape::new(grid, [threads[0], threads[1], 1]) };
        let [a, b, c] = precision.arguments();
        let [alpha, beta] = ["alpha", "beta"].map(KernelArgument::Scalar);
        let mut given = vec![m.into(), n.into(), k.into(), alpha, a, b, beta, c];
        given.extend(split.then_some(KernelArgument::Array("partial")));
        let mut calls = vec![Call::Launch(Launch { kernel: "gemm", shape }, given)];
        if parts > 1 {
            let launch = Launch::row("reduce", (m * n).div_ceil(REDUCING), REDUCING);
            let given = vec![(m * n).into(), parts.into(), alpha, "partial".into(), beta, c];
            calls.push(Call::Launch(launch, given));
        }
        calls
    }

    fn place([_, n, k]: Extent, array: &str, i: usize) -> String {
        let columns = if array.starts_with('a') { k } else { n };
        format!("row {}, column {}", i as u64 / columns, i as u64 % columns)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let [columns, rows] = step.host.tile;
        let mut facts = vec![
            ("multiplies", step.host.precision.words().to_owned()),
            ("a block computes", format!("{rows} rows and {columns} columns of C")),
        ];
        if step.host.split {
            facts.push(("sums", "in parts, where there are few tiles".to_owned()));
        }
        facts
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks compute tiles, whose shape is fixed"))
    }
}

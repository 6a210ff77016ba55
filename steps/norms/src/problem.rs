//! Norms of rows as a problem: shapes, launches, and the figure of merit.

use std::ops::Range;

use chacha20::rand_core::Rng;
use device::Shape;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, fraction,
};
use ladder::problem::{OptionError, ProblemOption, Shape as NamedSizes};
use ladder::{BlockError, Launch};
use report::{Figure, NamedSize, Request};

use super::rows::{
    self, ENDS, EPSILON, Elements, HELD, OF_A_BLOCK, OF_A_WARP, OF_CLUSTERS, OF_SEVEN_BLOCKS,
    layer_norm, rms_norm, rounded,
};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes.
const NAMES: [&str; 2] = ["rows", "columns"];

/// Bytes of an element.
const BYTES: u64 = 4;

/// Threads of a block of which each or each warp has rows, or that loops over one.
const BLOCK: u32 = 256;

/// Blocks of a cluster, at most: every GPU that has clusters has these.
const MOST_BLOCKS: u32 = 8;

/// Elements of a block of a cluster, if there may be as many blocks: small blocks wait at different times.
const OF_A_MEMBER: u32 = OF_A_BLOCK / 2;

/// The longest row of a cluster.
const OF_A_CLUSTER: u32 = MOST_BLOCKS * OF_A_BLOCK;

/// What blocks of a team have: `TEAM_THREADS`, `SHARE`, bytes of a `RING` of shares, and bytes of what a block has told in the kernel.
const TEAM_THREADS: u32 = 128;
const SHARE: u32 = TEAM_THREADS * HELD;
const RING: u32 = 4 * SHARE * BYTES as u32;
const TOLD: u32 = 8 * 2 * 8;

/// Such blocks on a multiprocessor.
const TEAM_BLOCKS: u32 = 3;

/// Multiprocessors of a GPU whose teams have room for what their blocks tell each other.
const MOST_MULTIPROCESSORS: u32 = 1024;

/// Multiprocessors that have room for a team of each row of all ends, and a size at which few have a single team for many long
/// rows: a block may be turns ahead of another.
const OF_A_TEAM: u32 = 4;
const FOR_A_TEAM: u64 = 38;

/// Sizes at which rows are the longest of a kernel's or the shortest of the next one's.
const EDGES: Range<u64> = 30..38;

/// Lengths of long rows at the last of these sizes, from this one on.
const FIRST_LONG: u64 = 32;
const LONG_EDGES: [u64; 6] = [
    OF_SEVEN_BLOCKS,
    OF_A_CLUSTER as u64 + 4,
    OF_A_BLOCK as u64,
    OF_A_BLOCK as u64 + 1,
    OF_A_CLUSTER as u64,
    OF_A_CLUSTER as u64 + 1,
];

/// The most rows or columns.
const LONGEST: u64 = 1 << 24;

const SQUARE: &str = "a square";
const SHORT: &str = "short rows";
const MIDDLE: &str = "rows of a block";
const LONG: &str = "long rows";
const FAR: &str = "means far from 0";
const EQUAL: &str = "equal elements";
const ROW_ENDS: &str = "ends of rows";

/// Norms of rows.
#[derive(Default)]
pub struct Norms {
    shape: NamedSizes<2>,
}

/// How the host launches a step, and what the step computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Who has a row.
    pub rows: Rows,
    /// The results.
    pub writes: Written,
}

/// Who has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// A thread.
    Threads,
    /// A block, of any length.
    Blocks,
    /// Those who hold a row of this length in registers.
    ByLength {
        /// There is a kernel for short rows, a warp or a part of one for each.
        warps: bool,
        /// Who has a long row.
        long: Long,
    },
    /// Nobody: all elements are alike.
    All,
}

/// Who has a row that is too long for a block to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Long {
    /// A block that reads it twice.
    Block,
    /// A cluster.
    Cluster,
    /// A team of blocks that takes many rows, if these are whole pieces; a cluster if not.
    Team,
}

/// What a step computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    /// Layer norm.
    Layer,
    /// RMS norm.
    Root,
    /// Sums with another matrix, and their RMS norm.
    Residual,
    /// The elements as they are: the yardstick.
    Copy,
}

impl Arrays for Norms {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 5, 30, 31, 32, 33, 34, 35, 36, 37, 128, 129],
        drawn: &[(130, 250), (250, 350)],
        planned_for_few: &[FOR_A_TEAM],
        repeated: Some(300),
        measured: 8192,
        simulated: 512,
        most: 1 << 15, // an `int` counts all elements
    };
    const KINDS: &'static [&'static str] = &[SQUARE, SHORT, MIDDLE, LONG, FAR, EQUAL];
    const ALONE: (&'static str, Range<u64>, u32) = (ROW_ENDS, ENDS, OF_A_TEAM);
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("rows", "Rows of the matrix"),
        ProblemOption::size("columns", "Elements of a row"),
    ];
    const BLOCKS_ALONE: bool = true;

    fn open(request: &Request) -> Result<Norms, OptionError> {
        let shape = NamedSizes::open(request, NAMES, Self::SIZES.measured, LONGEST)?;
        let [rows, columns] = shape.at(shape.implied_size().unwrap_or(1));
        if i32::try_from(rows * columns).is_err() {
            return Err(OptionError::Value {
                option: "columns",
                value: columns.to_string(),
                possible: format!("with --rows {rows} there may be {} elements", i32::MAX),
            });
        }
        Ok(Norms { shape })
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
            pass: "norm".to_owned(),
            ..Figure::of("Norms of rows", "elements")
        }
    }

    /// Elements.
    fn work(&self, n: u64) -> f64 {
        let [rows, columns] = self.shape.at(n);
        rows as f64 * columns as f64
    }

    /// Each element is read and written.
    fn moved(&self, n: u64) -> f64 {
        2.0 * BYTES as f64 * self.work(n)
    }

    /// Those of the step with most arrays: two matrices that are read, and two that are written.
    fn bytes(&self, n: u64) -> u64 {
        let [rows, columns] = self.shape.at(n);
        4 * BYTES * rows * columns
    }

    /// Columns and rows. Of even n, rows are whole pieces of four elements; of odd n, their length is odd.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        let mut about = |from: u64, most: u64| {
            let length = from + random.next_u64() % (most - from);
            if n.is_multiple_of(2) { length.next_multiple_of(4) } else { length | 1 }
        };
        // The kernels for short rows change after the longest of each.
        let from = [1, 129, 257, 513][(n / 2 % 4) as usize];
        let longest = [128, 256, 512, 1024][(n / 2 % 4) as usize];
        match kind {
            SHORT if EDGES.contains(&n) => [if n.is_multiple_of(2) { longest } else { from }, n, 1],
            SHORT => [about(from, longest), n, 1],
            MIDDLE => [about(1025, 1025 + 40 * n), 4, 1],
            LONG if (FIRST_LONG..EDGES.end).contains(&n) => {
                [LONG_EDGES[(n - FIRST_LONG) as usize], 1, 1]
            }
            LONG if n == FOR_A_TEAM => {
                [about(u64::from(OF_A_BLOCK) + 1, 5 * u64::from(SHARE)), 12, 1]
            }
            LONG if n < EDGES.start => [about(1, 40 * n), 3, 1],
            LONG => [about(16_385, 70_000), 2, 1],
            FAR | EQUAL => match n % 3 {
                0 => [about(1, 1024), 8, 1],
                1 => [about(1025, 4000), 3, 1],
                _ => [about(16_385, 20_000), 2, 1],
            },
            ROW_ENDS => [rows::end(n, random), if n < OF_CLUSTERS { 3 } else { 1 }, 1],
            _ => {
                let [rows, columns] = self.shape.at(n);
                [columns, rows, 1]
            }
        }
    }

    fn data([columns, rows, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let elements = match kind {
            SQUARE => Elements::Alike,
            FAR | ROW_ENDS => Elements::Far, // of which an element too many is seen
            EQUAL => Elements::Equal,
            LONG => Elements::Rare,
            _ => Elements::Scaled,
        };
        let x = elements.rows(rows, columns, random);
        let residual = elements.rows(rows, columns, random);
        // Of either sign.
        let weight: Vec<f32> = drawn(columns, random, |word| match 4.0 * fraction(word) - 2.0 {
            less if less < 0.0 => less / 2.0 - 0.5,
            more => more / 2.0 + 0.5,
        });
        let bias: Vec<f32> = drawn(columns, random, |word| 2.0 * fraction(word) - 1.0);
        let sums: Vec<f32> = x.iter().zip(&residual).map(|(x, more)| x + more).collect();
        let epsilon = match kind {
            SQUARE => EPSILON,
            _ => EPSILON * (0.1 + 9.9 * fraction(random.next_u32())),
        };
        let judge = |has_mean| Judge::Within(rounded(&x, weight.len(), epsilon, has_mean));
        Data::default()
            .scalar("epsilon", epsilon)
            .output("y", layer_norm(&x, &weight, &bias, epsilon), judge(true))
            .output("root", rms_norm(&x, &weight, epsilon), judge(false))
            .output("root_of_sums", rms_norm(&sums, &weight, epsilon), judge(false))
            .output("sums", sums, Judge::Exactly)
            .output("copied", x.clone(), Judge::Exactly)
            .input("x", x)
            .input("residual", residual)
            .input("weight", weight)
            .input("bias", bias)
            .scratch("told", (MOST_MULTIPROCESSORS * TEAM_BLOCKS * TOLD) as usize)
    }

    fn calls(step: &Step, [columns, rows, _]: Extent, multiprocessors: u32) -> Vec<Call> {
        let [rows, columns] = [rows, columns].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let (kernel, shape) = match step.host.rows {
            Rows::Threads => {
                let threads = step.threads.block().unwrap_or(1);
                ("norms", Shape::row(rows.div_ceil(threads), threads))
            }
            Rows::All => {
                let threads = u32::try_from(u64::from(rows) * u64::from(columns) / 4 + 1);
                ("norms", Shape::row(threads.unwrap_or(u32::MAX).div_ceil(BLOCK), BLOCK))
            }
            Rows::ByLength { warps: true, .. } if columns <= OF_A_WARP => {
                let lanes = (columns.next_power_of_two() / 16).clamp(8, 32);
                ("norms_short", Shape::row(rows.div_ceil(BLOCK / lanes), BLOCK))
            }
            Rows::ByLength { .. } if columns <= OF_A_BLOCK => {
                ("norms", Shape::row(rows, threads_of(columns)))
            }
            Rows::ByLength { long: Long::Team, .. } if has_team(columns, multiprocessors) => {
                let size = columns.div_ceil(SHARE);
                let teams = (TEAM_BLOCKS * multiprocessors / size).min(rows);
                let shape = Shape::row(teams * size, TEAM_THREADS).with_shared(RING);
                let launch = Launch { kernel: "norms_teams", shape };
                let mut given =
                    vec![rows.into(), columns.into(), KernelArgument::Scalar("epsilon")];
                given.extend(["x", "weight", "bias", "y", "told"].map(KernelArgument::Array));
                return vec![Call::Fill("told", 0), Call::Together(launch, given)];
            }
            Rows::ByLength { long: Long::Cluster | Long::Team, .. } if columns <= OF_A_CLUSTER => {
                let blocks = columns.div_ceil(OF_A_MEMBER).next_power_of_two().min(MOST_BLOCKS);
                let shape = Shape::row(rows * blocks, threads_of(columns.div_ceil(blocks)));
                ("norms_cluster", shape.in_clusters(blocks))
            }
            Rows::ByLength { .. } => ("norms_long", Shape::row(rows, BLOCK)),
            Rows::Blocks => ("norms", Shape::row(rows, BLOCK)),
        };
        let arrays: &[&'static str] = match step.host.writes {
            Written::Layer => &["x", "weight", "bias", "y"],
            Written::Root => &["x", "weight", "root"],
            Written::Residual => &["x", "residual", "weight", "sums", "root_of_sums"],
            Written::Copy => &["x", "weight", "bias", "copied"],
        };
        let mut given = vec![rows.into(), columns.into(), KernelArgument::Scalar("epsilon")];
        given.extend(arrays.iter().map(|it| KernelArgument::Array(it)));
        vec![Call::Launch(Launch { kernel, shape }, given)]
    }

    fn place([columns, ..]: Extent, _: &str, i: usize) -> String {
        format!("row {}, column {}", i as u64 / columns, i as u64 % columns)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let rows = match step.host.rows {
            Rows::Threads => "a thread".to_owned(),
            Rows::Blocks => "a block".to_owned(),
            Rows::All => return vec![],
            Rows::ByLength { warps, long } => {
                let warp = match warps {
                    true => format!("up to {OF_A_WARP} elements a warp, "),
                    false => String::new(),
                };
                let cluster = match long {
                    Long::Block => String::new(),
                    Long::Cluster => format!("up to {OF_A_CLUSTER} a cluster, "),
                    Long::Team => {
                        format!("up to {OF_A_CLUSTER} a team, or a cluster if it has an odd end, ")
                    }
                };
                let longer = "longer ones a block that reads them twice";
                format!("{warp}up to {OF_A_BLOCK} a block that holds them, {cluster}{longer}")
            }
        };
        vec![("a row has", rows)]
    }

    /// # Errors
    /// Always: blocks are as large as rows need.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks are as large as a row needs"))
    }
}

/// Whether a team has all elements of a row at once, and the copy engine all its bytes.
fn has_team(columns: u32, multiprocessors: u32) -> bool {
    columns.is_multiple_of(4)
        && columns <= OF_A_CLUSTER
        && columns.div_ceil(SHARE) <= TEAM_BLOCKS * multiprocessors
        && multiprocessors <= MOST_MULTIPROCESSORS
}

/// Threads of a block that holds so many elements.
fn threads_of(elements: u32) -> u32 {
    elements.div_ceil(HELD).next_multiple_of(32)
}

//! Softmax as a problem: rows, launches, and the figure of merit.

use std::ops::Range;

use chacha20::rand_core::Rng;
use device::Shape;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, fraction,
};
use ladder::problem::{OptionError, ProblemOption, Shape as NamedSizes};
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::{Figure, NamedSize, Request};

use super::rows::{mask, rounded, softmax};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes.
const NAMES: [&str; 2] = ["rows", "columns"];

/// Bytes of an element.
const BYTES: u64 = 4;

/// Elements of a row that a thread holds in registers.
const HELD: u32 = 32;

/// The longest row of a warp.
const OF_A_WARP: u32 = 32 * HELD;

/// The longest row of a block.
const OF_A_BLOCK: u32 = 1024 * HELD;

/// Blocks that share a row, as in the step's `.cu`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Team {
    /// Of a block.
    pub threads: u32,
    /// Elements of a row that a block holds.
    pub share: u32,
    /// Blocks for which a multiprocessor has room.
    pub blocks: u32,
}

/// Blocks of a team, at most: a lane reads the part of each.
const MOST_MEMBERS: u32 = 32;

/// Blocks of a team's kernel for which a multiprocessor has room, at most.
const TEAM_BLOCKS: usize = 4;

/// Elements that a thread of a loop takes at a time, and threads of a block.
const BLOCK: u32 = 256;

/// Sizes at which short rows are the longest of a kernel's or the shortest of the next one's.
const EDGES: Range<u64> = 30..38;

/// The same of long rows, at the last of these sizes: four or five whole parts of a team.
const LONG_EDGES: [u64; 4] = [40_960, OF_A_BLOCK as u64 + 1, OF_A_BLOCK as u64, 40_961];

/// The size at which a long row has seventeen members: half of a warp's lanes are not enough for their parts.
const MANY_MEMBERS: u64 = 300;

/// Sizes at which two multiprocessors have a single team for many of the first two of these long rows: a member may be rows ahead.
const FOR_A_TEAM: [u64; 2] = [38, 39];

/// The most rows or columns.
const LONGEST: u64 = 1 << 24;

const SQUARE: &str = "a square";
const SHORT: &str = "short rows";
const MIDDLE: &str = "rows of a block";
const LONG: &str = "long rows";
const MASKED: &str = "minus infinity among them";
const ENDS: &str = "ends of rows";

/// Columns of a piece that a warp takes at a time: four of each lane. Of rows of a block each warp takes one.
const PIECE: u64 = 128;

/// Sizes of that kind: rows end in each quarter of each piece, of a warp's rows, then of a block's; odd ones, then whole groups of
/// four. Then come the shortest rows, then those of teams.
const END_SIZES: Range<u64> = 64..225;

/// The first of these, and of those of teams: odd ends in each quarter of each piece, then whole groups in each piece.
const SHORTEST: u64 = 192;
const TEAMS: u64 = 200;
const TEAMS_OF_FOUR: u64 = TEAMS + 4 * TEAM_PIECES;

/// Pieces that a thread of a team's block holds, elements of all its threads in one, and in all.
const TEAM_PIECES: u64 = 5;
const TEAM_PIECE: u64 = 2048;
const SHARE: u64 = TEAM_PIECES * TEAM_PIECE;

/// Multiprocessors that have room for the team of each of these rows.
const OF_A_TEAM: u32 = 3;

/// Numbers of a row are in 0 ≤ x < `SPREAD`, so that exponentials differ by up to e²⁰.
const SPREAD: f32 = 20.0;

/// What all numbers of a row are more than that, in a row that is only verified: no exponential of theirs has a float.
const OFFSETS: [f32; 4] = [0.0, 1000.0, -1000.0, -3e38];

/// How much one element of some rows is above all others: a kernel whose maximum is not this one overflows.
const PEAK: f32 = 200.0;

/// Exponentials of each row, divided by their sum.
#[derive(Default)]
pub struct Softmax {
    shape: NamedSizes<2>,
}

/// How the host launches a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// A thread for each row.
    ThreadRows,
    /// A block for each row, of any length.
    BlockRows,
    /// A kernel that holds rows of this length in registers, if there is one.
    ByLength {
        /// There is one for short rows, a warp for each.
        warps: bool,
        /// There is one for long rows, several blocks for each.
        teams: Option<Team>,
    },
    /// Copies the elements: the yardstick.
    Copy,
}

impl Arrays for Softmax {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 5, 30, 31, 32, 33, 34, 35, 36, 37, 128, 129, 300],
        drawn: &[(130, 250), (250, 350)],
        planned_for_few: &FOR_A_TEAM,
        repeated: Some(300),
        measured: 8192,
        simulated: 512,
        most: 1 << 15, // an `int` counts all elements
    };
    const KINDS: &'static [&'static str] = &[SQUARE, SHORT, MIDDLE, LONG, MASKED];
    const ALONE: (&'static str, Range<u64>, u32) = (ENDS, END_SIZES, OF_A_TEAM);
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("rows", "Rows of the matrix"),
        ProblemOption::size("columns", "Elements of a row"),
    ];
    const BLOCKS_ALONE: bool = true;

    fn open(request: &Request) -> Result<Softmax, OptionError> {
        let shape = NamedSizes::open(request, NAMES, Self::SIZES.measured, LONGEST)?;
        let [rows, columns] = shape.at(shape.implied_size().unwrap_or(1));
        if i32::try_from(rows * columns).is_err() {
            let count = rows * columns;
            let possible = format!(
                "with --rows {rows} there are {count} elements, and an `int` counts {}",
                i32::MAX
            );
            return Err(OptionError::Value {
                option: "columns",
                value: columns.to_string(),
                possible,
            });
        }
        Ok(Softmax { shape })
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
            pass: "softmax".to_owned(),
            ..Figure::of_bytes("Softmax of rows")
        }
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        let [rows, columns] = self.shape.at(n);
        2.0 * BYTES as f64 * rows as f64 * columns as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        let [rows, columns] = self.shape.at(n);
        3 * BYTES * rows * columns
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
        let is_edge = EDGES.contains(&n);
        match kind {
            SHORT if is_edge => [if n.is_multiple_of(2) { longest } else { from }, n, 1],
            SHORT => [about(from, longest), n, 1], // as many pieces for each lane of a warp as there may be
            MIDDLE => [about(1025, 1025 + 100 * n), 4, 1],
            LONG if n < EDGES.start => [about(1, 40 * n), 3, 1],
            LONG if (34..38).contains(&n) => [LONG_EDGES[n as usize - 34], 3, 1],
            LONG if FOR_A_TEAM.contains(&n) => [LONG_EDGES[(n - FOR_A_TEAM[0]) as usize], 12, 1],
            LONG if n == MANY_MEMBERS => [17 * SHARE - 3, 1, 1],
            LONG => [about(31_000, 42_000), 3, 1], // for a block, and for several
            MASKED => [n, 1 + random.next_u64() % 20, 1],
            ENDS if n >= TEAMS => {
                let quarter = PIECE / 4;
                let is_odd = n < TEAMS_OF_FOUR;
                let (piece, end) = match is_odd {
                    true => ((n - TEAMS) / 4, (n - TEAMS) % 4 * quarter + 1),
                    false => (n - TEAMS_OF_FOUR, 4),
                };
                // A row of a team has more elements than three blocks and a piece hold.
                let shares = if piece < 2 { 4 } else { 3 };
                let warp = random.next_u64() % (TEAM_PIECE / PIECE);
                let lane = random.next_u64() % quarter;
                let end = end + if is_odd { lane & !1 } else { 4 * lane };
                [shares * SHARE + piece * TEAM_PIECE + warp * PIECE + end, 1, 1]
            }
            ENDS if n >= SHORTEST => [n + 1 - SHORTEST, 40, 1],
            ENDS => {
                let (quarter, of_a_block) = (PIECE / 4, n / 32 % 2 == 1);
                let end = n % 32 * quarter + random.next_u64() % quarter;
                let end = if n < 128 { end | 1 } else { (end + 1).next_multiple_of(4) };
                let (pieces, rest) = ((end - 1) / PIECE, (end - 1) % PIECE + 1);
                // The shortest rows of a block end in the last four pieces of its two warps.
                let before = match (of_a_block, pieces < 4) {
                    (true, true) => 8 + 2 * pieces + random.next_u64() % 2,
                    (true, false) => 8 * pieces + random.next_u64() % 8,
                    (false, _) => pieces,
                };
                [before * PIECE + rest, 3, 1]
            }
            _ => {
                let [rows, columns] = self.shape.at(n);
                [columns, rows, 1]
            }
        }
    }

    fn data([columns, rows, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let mut x: Vec<f32> = drawn(rows * columns, random, fraction);
        x.par_iter_mut().for_each(|it| *it *= SPREAD);
        if kind != SQUARE {
            for (number, row) in x.chunks_mut(columns as usize).enumerate() {
                let offset = OFFSETS[random.next_u64() as usize % OFFSETS.len()];
                row.iter_mut().for_each(|it| *it += offset);
                if row.len() > OF_A_BLOCK as usize {
                    peaks(row, number, random);
                } else if random.next_u32().is_multiple_of(3) {
                    row[random.next_u64() as usize % row.len()] += PEAK;
                }
                if matches!(kind, LONG | MASKED) {
                    mask(row, random);
                }
            }
        }
        let expected = softmax(&x, columns as usize);
        let copied = x.clone();
        let parts = 2 * 2 * 4 * TEAM_BLOCKS * MOST_MULTIPROCESSORS;
        Data::default()
            .input("x", x)
            .scratch("parts", parts)
            .scratch("arrived", parts)
            .output("y", expected, Judge::Each(rounded(columns)))
            .output("copied", copied, Judge::Exactly)
    }

    fn calls(step: &Step, [columns, rows, _]: Extent, multiprocessors: u32) -> Vec<Call> {
        let [rows, columns] = [rows, columns].map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let launch = |kernel, blocks, threads, y: &'static str| {
            let given = vec![rows.into(), columns.into(), "x".into(), y.into()];
            Call::Launch(Launch { kernel, shape: Shape::row(blocks, threads) }, given)
        };
        let one = |kernel, blocks, threads| vec![launch(kernel, blocks, threads, "y")];
        match step.host {
            Plan::ThreadRows => {
                let threads = step.threads.block().unwrap_or(1);
                one("softmax", rows.div_ceil(threads), threads)
            }
            Plan::BlockRows => one("softmax", rows, BLOCK),
            Plan::Copy => {
                let threads = u32::try_from(u64::from(rows) * u64::from(columns) / 4 + 1);
                let blocks = threads.unwrap_or(u32::MAX).div_ceil(BLOCK);
                vec![launch("softmax", blocks, BLOCK, "copied")]
            }
            Plan::ByLength { warps: true, .. } if columns <= OF_A_WARP => {
                let lanes = (columns.next_power_of_two() / 16).clamp(8, 32);
                one("softmax_short", rows.div_ceil(BLOCK / lanes), BLOCK)
            }
            Plan::ByLength { .. } if columns <= OF_A_BLOCK => {
                one("softmax", rows, columns.div_ceil(HELD).next_multiple_of(32))
            }
            Plan::ByLength { teams, .. } => {
                let fits = |team: &Team| {
                    columns.div_ceil(team.share) <= MOST_MEMBERS.min(team.blocks * multiprocessors)
                        && multiprocessors as usize <= MOST_MULTIPROCESSORS
                };
                let Some(team) = teams.filter(fits) else {
                    return one("softmax_long", rows, BLOCK);
                };
                let shape = Shape::row(team.blocks * multiprocessors, team.threads);
                let arrays = ["x", "y", "parts", "arrived"].map(KernelArgument::Array);
                let given = [rows.into(), columns.into()].into_iter().chain(arrays).collect();
                let launch = Launch { kernel: "softmax_teams", shape };
                vec![Call::Fill("arrived", 0), Call::Together(launch, given)]
            }
        }
    }

    fn place([columns, ..]: Extent, _: &str, i: usize) -> String {
        format!("row {}, column {}", i as u64 / columns, i as u64 % columns)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let rows = match step.host {
            Plan::ThreadRows => "a thread".to_owned(),
            Plan::BlockRows => "a block".to_owned(),
            Plan::Copy => return vec![],
            Plan::ByLength { warps, teams } => {
                let warp = if warps {
                    format!("up to {OF_A_WARP} elements a warp, ")
                } else {
                    String::new()
                };
                let team = if teams.is_some() {
                    "longer ones a team of blocks"
                } else {
                    "longer ones a block that reads them twice"
                };
                format!("{warp}up to {OF_A_BLOCK} a block that holds them, {team}")
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

/// Multiprocessors of a GPU whose teams have room for their parts.
const MOST_MULTIPROCESSORS: usize = 1024;

/// One element of each part of a row that a block of a team has is above all others of that part: by turns each of the four
/// elements of each piece that a thread has, in any thread.
fn peaks(row: &mut [f32], number: usize, random: &mut Random) {
    let is_odd = !row.len().is_multiple_of(4);
    for (part, elements) in row.chunks_mut(SHARE as usize).enumerate() {
        let turn = (4 * number + part) % (4 * TEAM_PIECES as usize);
        let (piece, of_four) = (turn / 4, turn % 4);
        let warp = random.next_u64() % (TEAM_PIECE / PIECE) * PIECE;
        let lane = random.next_u64() as usize % 32;
        let within = if is_odd { 32 * of_four + lane } else { 4 * lane + of_four };
        if let Some(it) = elements.get_mut(piece * TEAM_PIECE as usize + warp as usize + within) {
            *it += PEAK;
        }
    }
}

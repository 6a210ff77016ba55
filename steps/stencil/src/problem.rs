//! Two steps of the heat equation as a problem: points, launches, and the figure of merit.

use chacha20::rand_core::Rng;
use device::Shape;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, fraction};
use ladder::problem::{OptionError, ProblemOption, Sample, Shape as NamedSizes};
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::{Figure, NamedSize, Request};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Names of the sizes.
const NAMES: [&str; 3] = ["nx", "ny", "nz"];

/// The most points along an edge.
const LONGEST: u64 = 1 << 20;

/// Bytes of a point.
const BYTES: u64 = 4;

/// Time steps of a pass.
const STEPS: u64 = 2;

/// Threads of a block along x and y: a warp has neighbours.
const THREADS: [u32; 2] = [32, 8];

/// Planes of a block that goes along z: `DEPTH` in the kernels.
const DEPTH: u32 = 64;

/// Edge of the tile of two steps, and of the part of it that is right after both: `TILE` and `OUT` in the kernel.
const TILE: u32 = 32;
const OUT: u32 = TILE - 4;

/// Rows of a thread of that tile: `ROWS` in the kernel.
const TILE_ROWS: u32 = 4;

/// Points along an edge that the simulator runs to model a larger box.
const SAMPLED: u64 = 144;

/// The largest of the whole numbers.
const WHOLE: u32 = 1000;

const CUBE: &str = "a cube";
const BOX: &str = "a box";
const ROWS: &str = "long rows";
const COLUMNS: &str = "long columns";
const EXACT: &str = "whole numbers";

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The standard deviation of the error of a result, relative to the root mean square of all. A step adds up seven terms with
/// weights that are powers of two: six roundings of sums that are at most a few times the result. Errors of the first step are
/// averaged by the second one.
const DEVIATION: f64 = 3.0 * UNIT;

/// An axis of the box. Neighbours along x are neighbours in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// The first.
    X,
    /// The last.
    Z,
}

/// Which points a thread has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// One. Neighbouring lanes have neighbours along this axis.
    Points(Axis),
    /// A part of a column along z.
    Columns,
    /// Four neighbouring columns, where rows are whole fours.
    Vectors,
    /// A part of a column, for both steps.
    Together,
    /// Copies the points: the yardstick.
    Copy,
}

/// Heat in a box whose faces keep their temperature.
#[derive(Default)]
pub struct Stencil {
    shape: NamedSizes<3>,
}

impl Arrays for Stencil {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 4, 5, 6, 7, 8, 16, 28, 29, 33],
        drawn: &[(3, 30), (20, 40)],
        planned_for_few: &[],
        repeated: Some(20),
        measured: 512,
        simulated: 32,
        most: 1024, // an `int` counts all points
    };
    const KINDS: &'static [&'static str] = &[CUBE, BOX, ROWS, COLUMNS, EXACT];
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption::size("nx", "Points along x: neighbours in memory"),
        ProblemOption::size("ny", "Points along y"),
        ProblemOption::size("nz", "Points along z"),
    ];

    fn open(request: &Request) -> Result<Stencil, OptionError> {
        let shape = NamedSizes::open(request, NAMES, Self::SIZES.measured, LONGEST)?;
        let [nx, ny, nz] = shape.at(shape.implied_size().unwrap_or(1));
        if i32::try_from(nx * ny * nz).is_err() {
            return Err(OptionError::Value {
                option: "nz",
                value: nz.to_string(),
                possible: format!("with --nx {nx} --ny {ny} there may be {} points", i32::MAX),
            });
        }
        Ok(Stencil { shape })
    }

    fn implied_size(&self) -> Option<u64> {
        self.shape.implied_size()
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        self.shape.named(NAMES, n)
    }

    fn figure() -> Figure {
        Figure {
            size: "points along an edge".to_owned(),
            pass: "pair of steps".to_owned(),
            results: "points".to_owned(),
            ..Figure::of("Heat in a box", "points")
        }
    }

    /// New values of points, in both steps.
    fn work(&self, n: u64) -> f64 {
        (STEPS * self.points(n)) as f64
    }

    /// Each point is read and written once, whatever the number of steps.
    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * self.points(n)) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        3 * BYTES * self.points(n)
    }

    /// Points along x, y and z.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        let mut from = |least: u64, most: u64| least + random.next_u64() % (most + 1 - least);
        match kind {
            BOX | EXACT => [(); 3].map(|()| from(1, n + n / 2)),
            // Several blocks wide; of even n, whole fours.
            ROWS => {
                let row = from(1, 15 * n);
                [
                    if n.is_multiple_of(2) { row.next_multiple_of(4) } else { row },
                    from(3, 10),
                    from(3, 10),
                ]
            }
            // Ends on both sides of that of a block's planes; of large n, several blocks.
            COLUMNS => {
                let deep = u64::from(DEPTH);
                let column = if n < 20 { deep - 4 + n } else { from(deep, 4 * deep) };
                [from(3, 10), from(6, 20), column]
            }
            _ => self.shape.at(n),
        }
    }

    fn data(extent: Extent, kind: &str, random: &mut Random) -> Data {
        let is_whole = kind == EXACT;
        let from: Vec<f32> = drawn(extent.iter().product(), random, |word| match is_whole {
            true => (word % (2 * WHOLE + 1)) as f32 - WHOLE as f32,
            false => 2.0 * fraction(word) - 1.0,
        });
        let first: Vec<f64> = from.par_iter().map(|&it| f64::from(it)).collect();
        let to = stepped(&stepped(&first, extent), extent);
        let to: Vec<f32> = to.par_iter().map(|&it| it as f32).collect();
        let judge = if is_whole { Judge::Exactly } else { Judge::Deviating(DEVIATION) };
        Data::default()
            .output("copied", from.clone(), Judge::Exactly)
            .output("to", to, judge)
            .scratch("between", from.len() * size_of::<f32>())
            .input("from", from)
    }

    fn calls(step: &Step, extent: Extent, _: u32) -> Vec<Call> {
        let [nx, ny, nz] = extent.map(|it| u32::try_from(it).unwrap_or(u32::MAX));
        let [width, height] = THREADS;
        let in_plane = [nx.div_ceil(width), ny.div_ceil(height)];
        let deep = nz.div_ceil(DEPTH);
        let launch = |kernel, blocks, threads, from: &'static str, to: &'static str| {
            let given = vec![nx.into(), ny.into(), nz.into(), from.into(), to.into()];
            Call::Launch(Launch { kernel, shape: Shape::new(blocks, threads) }, given)
        };
        let twice = |kernel, blocks: [u32; 3]| {
            ["from", "between", "to"]
                .windows(2)
                .map(|pair| launch(kernel, blocks, [width, height, 1], pair[0], pair[1]))
                .collect()
        };
        match step.host {
            Plan::Points(Axis::X) => twice("advance", [in_plane[0], in_plane[1], nz]),
            Plan::Points(Axis::Z) => twice("advance", [nz.div_ceil(width), in_plane[1], nx]),
            Plan::Vectors if nx.is_multiple_of(4) => {
                twice("advance_four", [nx.div_ceil(4 * width), in_plane[1], deep])
            }
            Plan::Columns | Plan::Vectors => twice("advance", [in_plane[0], in_plane[1], deep]),
            Plan::Together => {
                let blocks = [nx.div_ceil(OUT), ny.div_ceil(OUT), deep];
                vec![launch("advance", blocks, [TILE, TILE / TILE_ROWS, 1], "from", "to")]
            }
            Plan::Copy => {
                let block = width * height;
                let points = u32::try_from(extent.iter().product::<u64>()).unwrap_or(u32::MAX);
                let blocks = [points.div_ceil(4 * block), 1, 1];
                let copy = |from, to| launch("advance", blocks, [block, 1, 1], from, to);
                vec![copy("from", "between"), copy("between", "copied")]
            }
        }
    }

    /// A part of the chip has a smaller box: blocks find in the L2 cache what their neighbours have read.
    fn sample(&self, _: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        let sampled = n.min(SAMPLED);
        let share = (sampled as f64 / n as f64).powi(3);
        let part = (f64::from(multiprocessors) * share).round().max(1.0);
        Sample::AllBlocks { n: sampled, multiprocessors: part as u32 }
    }

    fn place([nx, ny, _]: Extent, _: &str, i: usize) -> String {
        let i = i as u64;
        format!("x = {}, y = {}, z = {}", i % nx, i / nx % ny, i / (nx * ny))
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let points = match step.host {
            Plan::Points(_) => "one".to_owned(),
            Plan::Columns => format!("a column of {DEPTH}"),
            Plan::Together => format!("{TILE_ROWS} columns of {DEPTH}"),
            Plan::Vectors => format!("four columns of {DEPTH}, where rows are whole fours"),
            Plan::Copy => "four".to_owned(),
        };
        let launches = if step.host == Plan::Together { 1 } else { STEPS };
        vec![("points of a thread", points), ("launches", launches.to_string())]
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks have tiles, whose shape is fixed"))
    }
}

impl Stencil {
    /// Points of the box.
    fn points(&self, n: u64) -> u64 {
        self.shape.at(n).iter().product()
    }
}

/// All points after a step: a quarter of each and an eighth of its six neighbours; points of a face stay as they are.
fn stepped(all: &[f64], [nx, ny, nz]: Extent) -> Vec<f64> {
    let [nx, ny, nz] = [nx, ny, nz].map(|it| it as usize);
    let inner = |i: usize, n: usize| i > 0 && i + 1 < n;
    let next = |i: usize| {
        let (x, y, z) = (i % nx, i / nx % ny, i / (nx * ny));
        if !(inner(x, nx) && inner(y, ny) && inner(z, nz)) {
            return all[i];
        }
        let neighbours: f64 =
            [1, nx, nx * ny].iter().map(|apart| all[i - apart] + all[i + apart]).sum();
        all[i] / 4.0 + neighbours / 8.0
    };
    (0..all.len()).into_par_iter().map(next).collect()
}

#[cfg(test)]
mod reference {
    use super::stepped;

    #[test]
    fn heat_spreads_to_six_neighbours_and_faces_keep_theirs() {
        let extent = [5, 5, 5];
        let at = |x: usize, y: usize, z: usize| x + 5 * (y + 5 * z);
        let mut all = vec![0.0; 125];
        all[at(2, 2, 2)] = 8.0;
        all[at(0, 2, 2)] = 16.0; // of a face
        let after = stepped(&all, extent);
        assert_eq!((after[at(2, 2, 2)], after[at(2, 1, 2)], after[at(2, 2, 3)]), (2.0, 1.0, 1.0));
        assert_eq!((after[at(0, 2, 2)], after[at(1, 2, 2)]), (16.0, 3.0));
        assert_eq!(after.iter().sum::<f64>(), 16.0 + 2.0 + 5.0 + 3.0);
    }
}

//! Transposition as a problem: matrices, what is verified, launches, and the figure of merit.

use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Argument, Buffer, Device, Error, Info, Module, Shape};
use ladder::judge::judge_exactly;
use ladder::limits::Chip;
use ladder::problem::{Checked, Copied, Failed, Input, Pass, Problem, Purpose};
use ladder::{Launch, Threads};
use report::{Figure, Request};

use crate::Step;
use crate::matrix::Matrix;

/// Rows and columns of the tile that a block moves.
pub const TILE: u32 = 32;

/// Bytes of an element.
const BYTES: u64 = 4;

/// Sizes that are verified: one element, both sides of the edge of a tile, of two tiles and of eight,
/// and some that are no multiple of anything.
pub const SIZES: [u64; 12] = [1, 2, 31, 32, 33, 63, 65, 100, 255, 256, 257, 1000];

/// The most rows and columns: an `int` counts all elements.
const MOST: u64 = 1 << 15;

/// No number: what no kernel has written shows in the results.
const POISON: u8 = 0xff;

const SQUARE: &str = "a square";
const RECTANGLE: &str = "a rectangle";
const ONE_COLUMN: &str = "one column";
const ONE_ROW: &str = "one row";
const DRAWN: &str = "a rectangle of its own";

/// How many rectangles the seed of a run draws. Over runs they leave every remainder of a tile, and of
/// a thread's elements, in both directions.
const DRAWN_COUNT: usize = 4;

/// The most rows and columns of these.
const DRAWN_MOST: u32 = 200;

/// Transposition of a matrix.
pub struct Transpose;

/// A matrix, and what it is transposed.
pub struct Case {
    matrix: Matrix,
    expected: Matrix,
}

impl Case {
    fn new(matrix: Matrix) -> Case {
        Case { expected: matrix.transposed(), matrix }
    }
}

/// Rows or columns.
fn drawn(random: &mut impl Rng) -> u64 {
    u64::from(1 + random.next_u32() % DRAWN_MOST)
}

struct Placed<'m> {
    case: Arc<Case>,
    module: &'m Module,
    launch: Launch,
    from: Buffer,
    to: Buffer,
}

impl Problem for Transpose {
    type Host = ();
    type Case = Case;

    fn figure() -> Figure {
        Figure {
            title: "Transposition of a matrix".to_owned(),
            size: "rows and columns".to_owned(),
            pass: "transposition".to_owned(),
            whole: None,
            work: "bytes".to_owned(),
            scale: 1e9,
            unit: "GB/s".to_owned(),
            flop: None,
            results: "elements".to_owned(),
        }
    }

    /// Bytes that are read and written.
    fn work(n: u64) -> f64 {
        2.0 * BYTES as f64 * (n as f64).powi(2)
    }

    fn least_seconds(n: u64, chip: &Chip) -> f64 {
        chip.memory_seconds(Transpose::work(n))
    }

    /// Far more than the caches hold where it is measured: 512 MiB; a second of the simulator's time
    /// where it is modelled.
    fn default_size(&self, _: &Step, info: &Info) -> u64 {
        if info.modelled.is_some() { 1024 } else { 8192 }
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step, _: bool, seed: u64) -> Vec<Input> {
        let verified = |n, what| Input::verified(n, what, seed);
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let drawn = (0..DRAWN_COUNT).map(|_| verified(drawn(&mut random), DRAWN));
        let each = |&n: &u64| [SQUARE, RECTANGLE].map(|what| verified(n, what));
        let lines =
            [100, 257].into_iter().flat_map(|n| [verified(n, ONE_COLUMN), verified(n, ONE_ROW)]);
        SIZES.iter().flat_map(each).chain(lines).chain(drawn).collect()
    }

    fn case(&self, input: Input) -> Case {
        let n = usize::try_from(input.n).expect("few rows");
        let seed = input.data_seed();
        let (rows, columns) = match input.purpose {
            Purpose::Verified(RECTANGLE) => (n, 2 * n / 3 + 5),
            Purpose::Verified(ONE_COLUMN) => (n, 1),
            Purpose::Verified(ONE_ROW) => (1, n),
            Purpose::Verified(DRAWN) => {
                (n, drawn(&mut ChaCha8Rng::seed_from_u64(seed ^ input.n)) as usize)
            }
            _ => (n, n),
        };
        Case::new(Matrix::random(rows, columns, seed))
    }

    /// The elements moved on.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let mut matrix = case.matrix.clone();
        let count = matrix.elements.len() as u64;
        matrix.elements.rotate_left((seed.wrapping_add(1) % count.max(1)) as usize);
        Some(Case::new(matrix))
    }

    fn bytes(_: &Step, n: u64) -> u64 {
        2 * BYTES * n * n
    }

    fn launches(step: &Step, n: u64, _: u32) -> Vec<Launch> {
        vec![launch(step, n, n)]
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, String> {
        Err("its blocks move tiles of 32 × 32 elements, whose shape is fixed".to_owned())
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        _: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let Matrix { rows, columns, elements } = &case.matrix;
        let bytes = size_of_val(elements.as_slice());
        let launch = launch(step, *rows as u64, *columns as u64);
        let (from, to) = (device.alloc("in", bytes)?, device.alloc("out", bytes)?);
        Ok(Box::new(Placed { case, module, launch, from, to }))
    }

    fn open(_: &Request) -> Result<Transpose, String> {
        Ok(Transpose)
    }
}

/// A block for each tile.
fn launch(step: &Step, rows: u64, columns: u64) -> Launch {
    let tiles = |count: u64| u32::try_from(count).unwrap_or(u32::MAX).div_ceil(TILE);
    let threads = match step.threads {
        Threads::Blocks { block, .. } => block,
        Threads::One | Threads::Cores => TILE,
    };
    let shape = Shape::new([tiles(columns), tiles(rows)], [TILE, threads / TILE]);
    Launch { kernel: "transpose", shape }
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        device.upload(&self.from, bytemuck::cast_slice(&self.case.matrix.elements))?;
        device.fill(&self.to, POISON)?;
        device.forget(&self.to, 0, self.to.bytes())
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let count = |count: usize| Argument::I32(i32::try_from(count).unwrap_or(i32::MAX));
        let arguments = [
            count(self.case.matrix.rows),
            count(self.case.matrix.columns),
            (&self.from).into(),
            (&self.to).into(),
        ];
        device.launch(self.module, self.launch.kernel, self.launch.shape, &arguments)
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        Ok(vec![Copied::from(device, &self.to)?])
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        device.check_guards(&self.from)?;
        device.check_guards(&self.to)?;
        let Case { matrix, expected } = &*self.case;
        let n = matrix.rows as u64;
        let place = |of: &Matrix, i: usize| {
            format!(
                "row {}, column {} of {} × {}",
                i / of.columns,
                i % of.columns,
                of.rows,
                of.columns
            )
        };
        let input = device.read(&self.from)?;
        judge_exactly("input", n, (&input, &matrix.elements), |i| place(matrix, i))?;
        let got = device.read(&self.to)?;
        let errors =
            judge_exactly("elements", n, (&got, &expected.elements), |i| place(expected, i))?;
        Ok(Checked::exact(errors))
    }

    fn bytes(&self) -> (u64, u64) {
        (self.from.bytes() as u64, self.to.bytes() as u64)
    }
}

//! Problems whose data begin and end on the host: a pass is the whole way to the GPU and back. What such a ladder states is
//! what is computed, and host programs; inputs, poison, checks and judge are the same for all, and are here.
//!
//! ```text
//! RoundTrip   elements, what is expected, programs: what a ladder states
//!   └ ends    the host's elements and results, in ordinary or page-locked memory
//!   └ program a step's host program over them
//! RoundTrips  the problem that follows
//! ```

mod ends;

use std::marker::PhantomData;
use std::sync::Arc;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Buffer, Device, Error, Info, Module, Shape};
use elements::edges::{self, plant};
use elements::{drawn, fraction};
use report::{Figure, Request};

use crate::judge::judge_exactly;
use crate::limits::Chip;
use crate::problem::{Checked, Copied, Failed, Input, OptionError, Pass, Problem, Purpose};
use crate::step::{BlockError, Launch, Step};
use ends::POISON;

pub use ends::{BYTES, Ends, Locked, Ordinary};

/// Threads of a block.
pub const BLOCK: u32 = 256;

/// Sizes that are verified in every run: one element, fewer than there are pieces, two odd halves, and some that are no
/// multiple of anything.
const SIZES: [u64; 10] = [1, 2, 3, 31, 33, 127, 129, 1002, 4099, 10_007];

/// A size at which a program is run twice: what it keeps between passes is then not as at first.
const REPEATED: u64 = 1002;

/// A size in each of these ranges is drawn by the seed of a run: over runs they leave every remainder
/// of a warp, of a block and of the pieces.
const DRAWN: [(u64, u64); 3] = [(2, 40), (40, 1100), (1100, 12_000)];

/// The most elements: an `int` counts their bytes.
const MOST: u64 = 1 << 29;

/// What a ladder of round trips defines.
pub trait RoundTrip: Send + Sync + 'static {
    /// Which host program a step has.
    type Host: Copy + Send + Sync;

    /// The title of the figure of merit.
    const TITLE: &'static str;
    /// Elements that the simulator runs as a whole, and verifies, where the time of more is modelled.
    const SIMULATED: u64;
    /// Operations of a lane for each element.
    const OPERATIONS: u32;
    /// Whether each result is that of its own element alone: then results move on with the elements, and need not be
    /// computed again.
    const OWN_ELEMENT: bool;

    /// An element, from a fraction that is below 1.
    fn element(fraction: f32) -> f32 {
        fraction
    }

    /// The results of elements, rounded as kernels round.
    fn expected(elements: &[f32]) -> Vec<f32>;

    /// What a step's program uses, in words: name and value.
    fn on_the_host(host: Self::Host) -> Vec<(&'static str, String)>;

    /// Elements that the GPU's memory holds, and as many results.
    fn on_the_gpu(host: Self::Host, n: usize) -> usize {
        let _ = host;
        n
    }

    /// The kernel, and the threads of each of its launches.
    fn launches(host: Self::Host, n: usize) -> (&'static str, Vec<usize>);

    /// Allocates what a step's program needs for `n` elements.
    ///
    /// # Errors
    /// The device's: out of memory, no such memory.
    fn program<'m>(
        device: &mut dyn Device,
        host: Self::Host,
        module: &'m Module,
        n: usize,
    ) -> Result<Box<dyn Program + 'm>, Error>;
}

/// The host program of a step.
pub trait Program {
    /// Elements in, kernel, results out: the program that the ladder is about.
    ///
    /// # Errors
    /// The device's.
    fn run(&self, device: &mut dyn Device) -> Result<(), Error>;

    /// What the host has.
    fn ends(&mut self) -> &mut dyn Ends;

    /// Memory of the GPU that elements and results pass through.
    fn buffers(&self) -> Vec<&Buffer>;

    /// Poisons that memory before a pass.
    ///
    /// # Errors
    /// The device's.
    fn poison(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.buffers().into_iter().try_for_each(|buffer| poison(device, buffer))
    }

    /// Looks whether anything was written around that memory, after all work launched so far.
    ///
    /// # Errors
    /// The device's.
    fn check_guards(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.buffers().into_iter().try_for_each(|buffer| device.check_guards(buffer))
    }
}

/// Leaves in a buffer what is no number, and what nobody has written.
///
/// # Errors
/// The device's.
pub fn poison(device: &mut dyn Device, buffer: &Buffer) -> Result<(), Error> {
    device.fill(buffer, POISON)?;
    device.forget(buffer, 0, buffer.bytes())
}

/// The launch for so many threads.
pub fn shape(threads: usize) -> Shape {
    Shape::row(u32::try_from(threads).unwrap_or(u32::MAX).div_ceil(BLOCK), BLOCK)
}

/// The problem of a ladder's round trips.
pub struct RoundTrips<R>(PhantomData<R>);

/// Elements, and what is expected.
pub struct Case {
    elements: Vec<f32>,
    expected: Vec<f32>,
}

struct Placed<'m> {
    case: Arc<Case>,
    program: Box<dyn Program + 'm>,
}

fn size(n: u64) -> usize {
    usize::try_from(n).unwrap_or(usize::MAX)
}

impl<R: RoundTrip> Problem for RoundTrips<R> {
    type Host = R::Host;
    type Case = Case;

    const IS_HOST_PROGRAM: bool = true;

    fn figure() -> Figure {
        Figure { pass: "round trip".to_owned(), ..Figure::of_bytes(R::TITLE) }
    }

    /// Bytes that go to the GPU and come back.
    fn work(&self, n: u64) -> f64 {
        2.0 * BYTES as f64 * n as f64
    }

    /// What the bus of a machine can do is not known here.
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        chip.arithmetic_seconds(n as f64 * f64::from(R::OPERATIONS))
    }

    fn on_the_host(step: &Step<R::Host>) -> Vec<(&'static str, String)> {
        let threads = ("threads", format!("in blocks of {BLOCK}"));
        std::iter::once(threads).chain(R::on_the_host(step.host)).collect()
    }

    /// 64 MiB in each direction: enough to fill the bus, also in sixteen pieces.
    fn default_size(&self, _: &Step<R::Host>, _: &Info) -> u64 {
        1 << 24
    }

    fn simulated_size(&self, _: &Step<R::Host>, n: u64) -> u64 {
        n.min(R::SIMULATED)
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step<R::Host>, _: bool, seed: u64) -> Vec<Input> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let drawn = DRAWN.map(|(least, end)| least + random.next_u64() % (end - least));
        let verified = |n| Input::verified(n, "results", seed);
        let repeated = Input { purpose: Purpose::Repeated("a later pass"), ..verified(REPEATED) };
        SIZES.into_iter().chain(drawn).map(verified).chain([repeated]).collect()
    }

    fn case(&self, input: Input) -> Case {
        // Nobody judges what is counted, and its time is the same for any numbers.
        if input.purpose == Purpose::Counted {
            let elements = vec![R::element(0.5); size(input.n)];
            return Case { elements, expected: Vec::new() };
        }
        let mut random = ChaCha8Rng::seed_from_u64(input.data_seed());
        let mut elements = drawn(input.n, &mut random, |word| R::element(fraction(word)));
        plant(&mut elements, &edges::FLOATS, &mut random);
        // The element in the middle is its own mirror image, and -0 + -0 is -0.
        if input.n > 1 && input.n % 2 == 1 {
            elements[size(input.n / 2)] = -0.0;
        }
        Case { expected: R::expected(&elements), elements }
    }

    /// The elements moved on.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let by = seed.wrapping_add(1) % case.elements.len() as u64;
        let moved = |all: &[f32]| {
            let mut all = all.to_vec();
            all.rotate_left(by as usize);
            all
        };
        let elements = moved(&case.elements);
        let expected = match R::OWN_ELEMENT {
            true => moved(&case.expected),
            false => R::expected(&elements),
        };
        Some(Case { elements, expected })
    }

    fn bytes(&self, step: &Step<R::Host>, n: u64) -> u64 {
        2 * (BYTES * R::on_the_gpu(step.host, size(n))) as u64
    }

    fn launches(&self, step: &Step<R::Host>, n: u64, _: u32) -> Vec<Launch> {
        let (kernel, threads) = R::launches(step.host, size(n));
        threads.into_iter().map(|threads| Launch { kernel, shape: shape(threads) }).collect()
    }

    /// # Errors
    /// Always: the kernel is not what the steps are about.
    fn with_block(_: &Step<R::Host>, _: u32) -> Result<Step<R::Host>, BlockError> {
        Err(BlockError::Fixed("its subject is the host's program, so blocks have one size"))
    }

    fn place<'m>(
        device: &mut dyn Device,
        step: &Step<R::Host>,
        module: &'m mut Module,
        case: Arc<Case>,
        _: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let program = R::program(device, step.host, module, case.elements.len())?;
        Ok(Box::new(Placed { case, program }))
    }

    fn open(_: &Request) -> Result<RoundTrips<R>, OptionError> {
        Ok(RoundTrips(PhantomData))
    }
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        self.program.poison(device)?;
        self.program.ends().begin(device, &self.case.elements)
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        self.program.run(device)
    }

    /// Results come back in every pass.
    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        device.synchronize()?;
        Ok(Vec::new())
    }

    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        device.synchronize()?;
        self.program.check_guards(device)?;
        let [elements, got] = self.program.ends().end(device)?;
        let n = elements.len() as u64;
        let place = |i: usize| format!("element {i}");
        judge_exactly("input", n, (&elements, &self.case.elements), place)?;
        let errors = judge_exactly("elements", n, (&got, &self.case.expected), place)?;
        Ok(Checked::exact(errors))
    }

    /// What is copied is part of the pass.
    fn bytes(&self) -> (u64, u64) {
        (0, 0)
    }
}

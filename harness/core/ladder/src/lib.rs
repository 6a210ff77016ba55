//! What a ladder and its steps are, and how a step becomes a row of a report.
//!
//! A ladder is a problem ([`problem`]) and steps that are data ([`step`]); [`ladder`] hides which
//! problem. [`LadderRun`] takes a step along the way of the data:
//!
//! ```text
//! inputs        problem   from size and seed, or a file; with what the reference says of them
//!   └ pass      problem   on a device: upload, launches or host program, download, check
//!   └ verify    verify    at awkward sizes and at the timed one
//!   └ diagnose  diagnose  why results are wrong on a GPU: kernel, race or chip
//!   └ measure   measure   only what verified
//!   └ rounds    run       round by round with the other steps
//!   └ limits    limits    counted by the simulator, against what the chip could do
//!   └ row       run       measured, simulated, wrong, failed or skipped; [`message`] says why a reader's kernel is
//! report        record    rows, related to each other; the only source of numbers
//! ```
//!
//! Nothing here knows the name of a problem or a step.
//!
//! A ladder of one step, verified on the simulator. A kernel that leaves out the last element fails here.
//!
//! ```
//! use device::{Choice, CodeRoute, Source};
//! use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn};
//! use ladder::{Ladder, Launch, Step, Steps, verify};
//! use report::{Figure, Request};
//!
//! /// Sums of two arrays, element by element.
//! #[derive(Default)]
//! struct Sums;
//!
//! impl Arrays for Sums {
//!     type Host = (); // steps differ in their kernels alone
//!
//!     const SIZES: Sizes = Sizes {
//!         verified: &[1, 31, 33, 1000],
//!         drawn: &[(2, 300)],
//!         planned_for_few: &[],
//!         repeated: None,
//!         measured: 1 << 25,
//!         simulated: 1 << 12,
//!         most: 1 << 30,
//!     };
//!     const KINDS: &'static [&'static str] = &["random floats"];
//!
//!     fn figure() -> Figure {
//!         Figure { pass: "sum".to_owned(), ..Figure::of_bytes("Sums of two arrays") }
//!     }
//!
//!     /// Bytes that are read and written.
//!     fn work(&self, n: u64) -> f64 {
//!         12.0 * n as f64
//!     }
//!
//!     fn bytes(&self, n: u64) -> u64 {
//!         12 * n
//!     }
//!
//!     fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
//!         let a: Vec<f32> = drawn(n, random, |word| (word % 100) as f32);
//!         let b: Vec<f32> = drawn(n, random, |word| (word % 100) as f32);
//!         let sums: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
//!         Data::default().input("a", a).input("b", b).output("sum", sums, Judge::Exactly)
//!     }
//!
//!     fn calls(_: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
//!         let launch = Launch::row("add", n.div_ceil(256) as u32, 256);
//!         vec![Call::Launch(launch, vec![(n as i32).into(), "a".into(), "b".into(), "sum".into()])]
//!     }
//! }
//!
//! const ADD: Step = Step::first("01-add", "Add", "a thread for each element", 256, ());
//! static LADDER: Steps<Sums> = Steps::of("sums", &[ADD]);
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut device = device::open(Choice::Simt, CodeRoute::Committed, "h200")?;
//! let ptx = concat!(env!("CARGO_MANIFEST_DIR"), "/../device/examples/first/add.ptx");
//! let mut module = device.load(&Source::from_file(ptx.as_ref(), &[])?)?;
//! let mut open = LADDER.open(&Request::default())?;
//! let how = verify::Verification::default();
//! verify::verify(&mut *device, &mut *open, &ADD, &mut module, &how, &mut |_| ())?;
//! # Ok(())
//! # }
//! ```

pub mod arrays;
#[cfg(test)]
mod clockwork;
mod diagnose;
pub mod gaps;
pub mod judge;
pub mod ladder;
pub mod limits;
mod measure;
pub mod message;
pub mod problem;
mod progress;
mod record;
pub mod residency;
pub mod round_trip;
pub mod run;
pub mod screening;
mod sources;
mod step;
pub mod testing;
#[cfg(test)]
mod toy;
mod variant;
pub mod verify;
pub mod workspace;

pub use ladder::{Ladder, OpenProblem, Steps};
pub use problem::{OptionError, Problem};
pub use progress::Progress;
pub use record::{machine, record, revision};
pub use run::{CountError, LadderRun, RunError};
pub use step::{BlockError, Code, Function, Grid, Launch, MOST_LINES, Step, Threads};

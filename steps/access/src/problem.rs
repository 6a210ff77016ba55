//! A copy as a problem: elements, launches, and the figure of merit.

use device::Shape;
use ladder::Launch;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, edges, plant};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Share>;

/// Bytes of an element.
const BYTES: u64 = 4;

/// A copy of floats.
#[derive(Default)]
pub struct Copy;

/// What of the array a thread copies.
#[derive(Debug, Clone, std::marker::Copy)]
pub enum Share {
    /// An element; a row of blocks copies every so many-th, and as many rows copy all.
    Strided(u32),
    /// So many elements, one after the other.
    Record(u32),
    /// A byte.
    Byte,
    /// So many elements for each block, in shared memory on their way.
    Tile(u32),
}

impl Arrays for Copy {
    type Host = Share;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 4, 8, 9, 31, 32, 33, 255, 256, 257, 1000, 2560, 8192, 10_007],
        drawn: &[(3, 300), (300, 9000), (9000, 30_000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 23,
        most: 1 << 30, // an `unsigned int` counts their bytes
    };
    const KINDS: &'static [&'static str] = &["random floats"];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure { pass: "copy".to_owned(), ..Figure::of_bytes("Copy of floats") }
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        2.0 * BYTES as f64 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        2 * BYTES * n
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut elements: Vec<f32> = drawn(n, random, |word| word as f32);
        plant(&mut elements, &edges::FLOATS, random);
        plant(&mut elements, &edges::NOT_FINITE, random);
        Data::default().input("in", elements.clone()).output("out", elements, Judge::Exactly)
    }

    /// As many threads as it takes; one more where some elements are left over.
    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let blocks = match step.host {
            Share::Strided(stride) => [n.div_ceil(stride).div_ceil(block), stride],
            Share::Record(elements) => [(n / elements + 1).div_ceil(block), 1],
            Share::Byte => [n.div_ceil(block / BYTES as u32), 1],
            Share::Tile(elements) => [n.div_ceil(elements), 1],
        };
        let shape = Shape::new(blocks, [block, 1]);
        let given = vec![n.into(), "in".into(), "out".into()];
        vec![Call::Launch(Launch { kernel: "copy", shape }, given)]
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let share = match step.host {
            Share::Strided(1) => "an element".to_owned(),
            Share::Strided(stride) => format!("an element; {stride} rows of blocks"),
            Share::Record(elements) => format!("{elements} elements"),
            Share::Byte => "a byte".to_owned(),
            Share::Tile(elements) => {
                return vec![("a block copies", format!("{elements} elements"))];
            }
        };
        vec![("a thread copies", share)]
    }
}

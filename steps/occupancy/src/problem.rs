//! A copy as a problem, in launches that leave room for more or fewer blocks.

use ladder::Launch;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes, drawn, edges, plant};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// What the host asks for with the launch of a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Dynamic shared memory of a block, KiB.
    pub shared_kib: u32,
    /// Elements of a thread.
    pub each: u32,
}

/// A copy.
#[derive(Default)]
pub struct Occupancy;

impl Arrays for Occupancy {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 5, 31, 32, 33, 199, 201, 255, 256, 257, 1000, 1023, 1025, 4099],
        drawn: &[(2, 300), (300, 5000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 26,
        simulated: 1 << 20,
        most: 1 << 30, // an `int` counts elements with room for the last vector
    };
    const KINDS: &'static [&'static str] = &["random numbers"];
    const BLOCKS_ALONE: bool = true;
    const WATCHES_RESIDENCY: bool = true;

    fn figure() -> Figure {
        Figure { pass: "copy".to_owned(), ..Figure::of_bytes("Occupancy of a copy") }
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        2.0 * size_of::<f32>() as f64 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        2 * (size_of::<f32>() as u64) * n
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut elements: Vec<f32> = drawn(n, random, |word| (word >> 8) as f32);
        plant(&mut elements, &edges::FLOATS, random);
        plant(&mut elements, &edges::NOT_FINITE, random);
        Data::default().input("in", elements.clone()).output("out", elements, Judge::Exactly)
    }

    fn calls(step: &Step, [n, ..]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let Host { shared_kib, each } = step.host;
        let blocks = u32::try_from(n).unwrap_or(u32::MAX).div_ceil(block * each);
        let Launch { kernel, shape } = Launch::row("copy", blocks, block);
        let launch = Launch { kernel, shape: shape.with_shared(shared_kib << 10) };
        let n = i32::try_from(n).unwrap_or(i32::MAX);
        vec![Call::Launch(launch, vec![n.into(), "in".into(), "out".into()])]
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        vec![("shared memory of a block", format!("{} KiB", step.host.shared_kib))]
    }
}

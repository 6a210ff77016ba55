//! A chain of operations as a problem: min(√|(a + b) · factor|, most) of each pair of elements.

use chacha20::rand_core::Rng;
use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, edges, fraction, plant,
};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Kernels>;

/// Bytes of an element.
const BYTES: u64 = 4;

/// Five operations, each on all elements of a vector.
#[derive(Default)]
pub struct Chain;

/// How a step divides them into kernels.
#[derive(Debug, Clone, Copy)]
pub enum Kernels {
    /// One for each operation.
    Five,
    /// One for the first two, one for each other.
    Four,
    /// One for all, of which a thread computes so many elements.
    One {
        /// Elements of a thread.
        elements: u32,
    },
}

impl Arrays for Chain {
    type Host = Kernels;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 31, 32, 33, 255, 256, 257, 1000, 4099],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 22,
        most: 1 << 31,
    };
    const KINDS: &'static [&'static str] = &["numbers of both signs"];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure {
            pass: "chain".to_owned(),
            work: "bytes that must move".to_owned(),
            ..Figure::of_bytes("Five operations on vectors")
        }
    }

    /// Bytes of both inputs and of the result.
    fn work(&self, n: u64) -> f64 {
        3.0 * BYTES as f64 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        3 * BYTES * n
    }

    /// Each operation rounds once, and no product is followed by a sum, so that results are the same bits however
    /// operations are put together.
    /// Numbers, and the bits of what they are multiplied by and of the cap.
    fn extent(&self, n: u64, _: &str, random: &mut Random) -> Extent {
        let factor = 2.0 * fraction(random.next_u32()) - 1.0;
        let most = 0.5 + fraction(random.next_u32()) / 2.0;
        [n, factor.to_bits().into(), most.to_bits().into()]
    }

    fn data([n, factor, most]: Extent, _: &str, random: &mut Random) -> Data {
        let mut vector = || -> Vec<f32> { drawn(n, random, |word| 2.0 * fraction(word) - 1.0) };
        let (mut a, mut b) = (vector(), vector());
        plant(&mut a, &edges::FLOATS, random);
        plant(&mut b, &edges::FLOATS, random);
        let (factor, most) = (float(factor), float(most));
        let one = |(a, b): (&f32, &f32)| ((a + b) * factor).abs().sqrt().min(most);
        let expected: Vec<f32> = a.par_iter().zip(&b).map(one).collect();
        Data::default().input("a", a).input("b", b).output("c", expected, Judge::Exactly)
    }

    fn calls(step: &Step, [n, factor, most]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let launch = |kernel, threads: u32, given: &[KernelArgument]| {
            let given = [&[n.into()], given].concat();
            Call::Launch(Launch::row(kernel, threads.div_ceil(block), block), given)
        };
        let (a, b, c) =
            (KernelArgument::Array("a"), KernelArgument::Array("b"), KernelArgument::Array("c"));
        let (factor, most) =
            (KernelArgument::from(float(factor)), KernelArgument::from(float(most)));
        let last =
            [launch("absolute", n, &[c]), launch("root", n, &[c]), launch("cap", n, &[most, c])];
        match step.host {
            Kernels::Five => [launch("add", n, &[a, b, c]), launch("scale", n, &[factor, c])]
                .into_iter()
                .chain(last)
                .collect(),
            Kernels::Four => {
                [launch("add_scale", n, &[factor, a, b, c])].into_iter().chain(last).collect()
            }
            Kernels::One { elements: 1 } => vec![launch("chain", n, &[factor, most, a, b, c])],
            Kernels::One { elements } => {
                vec![launch("chain", n / elements + 1, &[factor, most, a, b, c])]
            }
        }
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let launches = match step.host {
            Kernels::Five => "5, a thread for each element".to_owned(),
            Kernels::Four => "4, a thread for each element".to_owned(),
            Kernels::One { elements: 1 } => "1, a thread for each element".to_owned(),
            Kernels::One { elements } => format!("1, a thread for each {elements} elements"),
        };
        vec![("launches", launches)]
    }
}

/// A float from its bits.
fn float(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

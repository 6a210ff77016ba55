//! Two operations on an array as a problem: a copy, which is timed, and a count over a window of 64 elements.

use chacha20::rand_core::Rng;
use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, plant,
};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Flag>;

/// Elements that are looked at to count.
const WINDOW: usize = 64;

const COPIED: &str = "copied";
const COUNTED: &str = "counted";
/// None is above the mean, or elements are that by one at most.
const EQUAL: &str = "counted, all equal or nearly";

/// One of two operations on each element.
#[derive(Default)]
pub struct Window;

/// How a kernel learns which of the two is wanted.
#[derive(Debug, Clone, Copy)]
pub enum Flag {
    /// From constant memory.
    Constant,
    /// From an argument.
    Argument,
    /// By the entry point that the host launches.
    EntryPoint,
}

impl Arrays for Window {
    type Host = Flag;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 22,
        most: 1 << 31,
    };
    const KINDS: &'static [&'static str] = &[COPIED, COUNTED, EQUAL];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure::of_bytes("Copied or counted")
    }

    /// Bytes that a copy reads and writes.
    fn work(&self, n: u64) -> f64 {
        8.0 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        4 * (2 * n + WINDOW as u64)
    }

    /// Elements, the flag, and in how many numbers in a row all elements lie; 0: in any.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        match kind {
            COPIED => [n, 0, 0],
            EQUAL => [n, 2, 1 + 2 * (n % 2)],
            _ => [n, random.next_u32().max(1).into(), 0], // any number but 0 is true
        }
    }

    fn data([n, counts, near]: Extent, _: &str, random: &mut Random) -> Data {
        // 64 of them fit an `unsigned int`, and one times 64 does.
        let least = (random.next_u32() >> 6).saturating_sub(near as u32);
        let small = |word| if near == 0 { word >> 6 } else { least + word % near as u32 };
        let mut elements: Vec<u32> = drawn(n + WINDOW as u64, random, small);
        if near == 0 {
            plant(&mut elements, &[0, 1, u32::MAX >> 6], random);
        }
        let expected = match counts {
            0 => elements[..n as usize].to_vec(),
            _ => elements.par_windows(WINDOW).take(n as usize).map(above_mean).collect(),
        };
        Data::default().constant("counts", &[counts as u32]).input("in", elements).output(
            "out",
            expected,
            Judge::Exactly,
        )
    }

    fn calls(step: &Step, [n, counts, _]: Extent, _: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let mut given: Vec<KernelArgument> = vec![n.into(), "in".into(), "out".into()];
        let kernel = match step.host {
            Flag::Constant => "process",
            Flag::Argument => {
                given.push((counts as u32).into());
                "process"
            }
            Flag::EntryPoint if counts == 0 => "copy",
            Flag::EntryPoint => "count",
        };
        vec![Call::Launch(Launch::row(kernel, n.div_ceil(block), block), given)]
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let flag = match step.host {
            Flag::Constant => "a constant",
            Flag::Argument => "an argument",
            Flag::EntryPoint => "the kernel that is launched",
        };
        vec![("what is wanted", flag.to_owned())]
    }
}

/// How many elements of a window are above their mean.
fn above_mean(window: &[u32]) -> u32 {
    let sum: u32 = window.iter().sum();
    window.iter().filter(|&&value| value * WINDOW as u32 > sum).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_above_the_mean_are_counted() {
        let mut window = [5; WINDOW];
        assert_eq!(above_mean(&window), 0);
        window[..3].fill(6);
        assert_eq!(above_mean(&window), 3);
    }
}

//! Arithmetic as a problem: numbers, what each subject makes of them, launches, and the figure of merit.

use chacha20::rand_core::Rng;
use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, edges, fraction, plant,
};
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Threads of a block.
pub const THREADS: u32 = 256;

/// Elements of a thread whose loop is the subject.
pub const EACH: u32 = 32;

/// Terms of a sum.
pub const TERMS: u64 = 256;

/// What whole numbers are divided by.
const TEN: u32 = 10;

/// Divisions of each integer.
const DIVISIONS: usize = 16;

/// Roots of each number.
const ROOTS: i32 = 8;

/// Sums that a thread of the host computes.
const TOGETHER: usize = 1 << 10;

/// What whole numbers are subtracted from: exact in 11 bits, as they are.
const WHOLE: f32 = 1024.0;

/// Multiply-adds of each whole number.
const ROUNDS: u16 = 255;

/// Whole numbers are subtracted from [`WHOLE`] again and again.
const REFLECTED: &str = "random numbers";

/// One is added to whole numbers again and again, so that every round counts; two reflections cancel out.
const COUNTED_UP: &str = "random numbers, to which ones are added";

/// Half the distance between 1 and the next f32.
const ROUNDING: f64 = 1.0 / 16_777_216.0; // 2⁻²⁴

/// What is allowed over the deviation that a step states: last bits of functions are off by a little more than a rounding.
const ROOM: f64 = 1.3;

/// What the host gives the kernel of a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// An argument of its own.
    pub value: Option<Value>,
    /// What it reads.
    pub from: &'static str,
    /// What it makes.
    pub to: &'static str,
    /// Elements of a thread.
    pub each: u32,
    /// Standard deviation of a result's relative error, in units of 2⁻²⁴; 0 where results are exact.
    pub deviation: f64,
}

/// An argument that only some kernels have.
#[derive(Debug, Clone, Copy)]
pub enum Value {
    /// What is divided by.
    Divisor,
    /// How far the elements of a thread lie apart.
    Stride,
    /// What a number is multiplied by, and what is added.
    MultiplyAdd,
}

/// Operations on each of many numbers.
#[derive(Default)]
pub struct Arithmetic;

impl Arrays for Arithmetic {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 31, 32, 33, 255, 256, 257, 1000, 4099, 10_007],
        drawn: &[(2, 300), (300, 3000)],
        planned_for_few: &[],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 16,
        most: 1 << 28,
    };
    const KINDS: &'static [&'static str] = &[REFLECTED, COUNTED_UP];
    const BLOCKS_ALONE: bool = true;

    fn figure() -> Figure {
        Figure { results: "results".to_owned(), ..Figure::of("Arithmetic", "numbers") }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Each number is read; whether a result is written for each depends on the subject.
    fn moved(&self, n: u64) -> f64 {
        size_of::<f32>() as f64 * n as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        2 * (size_of::<f32>() as u64) * n.next_multiple_of(TERMS)
    }

    /// Numbers, whether ones are added, and the divisor where it is an argument: any, but where time is taken that of the
    /// step after it.
    fn extent(&self, n: u64, kind: &str, random: &mut Random) -> Extent {
        match kind {
            COUNTED_UP => [n, 1, u64::from((random.next_u32() >> (random.next_u32() % 32)).max(1))],
            _ => [n, 0, u64::from(TEN)],
        }
    }

    fn data([n, counted_up, divisor]: Extent, _: &str, random: &mut Random) -> Data {
        let mut integers: Vec<u32> = drawn(n, random, |word| word);
        plant(&mut integers, &edges::WORDS, random);
        let numbers: Vec<f32> =
            integers.par_iter().map(|&it| 1.0 + (it >> 8) as f32 / f32::from(1u16 << 14)).collect();
        let whole: Vec<f32> = integers.par_iter().map(|&it| (it % 1024) as f32).collect();
        let sums = n.div_ceil(TERMS);
        let terms: Vec<f32> = drawn(sums * TERMS, random, fraction);
        let negated: Vec<f32> = numbers.par_iter().map(|it| -it).collect();
        let last = |it: &f32| match counted_up {
            0 => WHOLE - it,
            _ => it + f32::from(ROUNDS),
        };
        let multiply_added: Vec<f32> = whole.par_iter().map(last).collect();
        Data::default()
            .output("divided", divided(&integers, divisor as u32), Judge::Exactly)
            .output("by ten", divided(&integers, TEN), Judge::Exactly)
            .output("by sixteen", divided(&integers, 16), Judge::Exactly)
            .output("negated", negated, Judge::Exactly)
            .output("roots", roots(&numbers), Judge::Exactly)
            .output("multiply-added", multiply_added, Judge::Exactly)
            .output("sums", summed(&terms, sums as usize), Judge::Exactly)
            .input("integers", integers)
            .input("numbers", numbers)
            .input("whole numbers", whole)
            .input("terms", terms)
    }

    fn judge(step: &Step, _: &str, stated: Judge) -> Judge {
        match step.host.deviation {
            0.0 => stated,
            deviation => Judge::Deviating(ROOM * ROUNDING * deviation),
        }
    }

    fn calls(step: &Step, [n, counted_up, divisor]: Extent, _: u32) -> Vec<Call> {
        let Host { value, from, to, each, .. } = step.host;
        let block = step.threads.block().unwrap_or(1);
        let whole = |count: u64| i32::try_from(count).unwrap_or(i32::MAX);
        let blocks = n.div_ceil(u64::from(each)).div_ceil(u64::from(block));
        let blocks = u32::try_from(blocks).unwrap_or(u32::MAX);
        let count = if to == "sums" { whole(n.div_ceil(TERMS)) } else { whole(n) };
        let mut given: Vec<KernelArgument> = vec![count.into()];
        match value {
            Some(Value::Divisor) => given.push((divisor as u32).into()),
            Some(Value::Stride) => given.push((blocks * block).into()),
            Some(Value::MultiplyAdd) => given.extend(match counted_up {
                0 => [KernelArgument::from(-1.0f32), WHOLE.into()],
                _ => [KernelArgument::from(1.0f32), 1.0f32.into()],
            }),
            None => {}
        }
        given.extend([KernelArgument::from(from), to.into()]);
        vec![Call::Launch(Launch::row("compute", blocks, block), given)]
    }
}

/// Quotients and remainders, mixed, again and again. Where the host's compiler knows the divisor it multiplies instead, which
/// is several times as fast.
fn divided(integers: &[u32], divisor: u32) -> Vec<u32> {
    let all = |mixed: fn(u32, u32) -> u32| {
        let folded = |&x: &u32| (0..DIVISIONS).fold(x, |x, _| mixed(x, divisor));
        integers.par_iter().map(folded).collect()
    };
    match divisor {
        TEN => all(|x, _| mixed(x, TEN)),
        16 => all(|x, _| mixed(x, 16)),
        _ => all(mixed),
    }
}

#[inline(always)]
fn mixed(x: u32, divisor: u32) -> u32 {
    (x / divisor).wrapping_add((x % divisor).wrapping_mul(0x9e37_79b9))
}

/// A hundred times the cube root, again and again, as one power: k times gives x^(1/3ᵏ) · 100^(1 + 1/3 + … + 1/3ᵏ⁻¹), and that
/// sum is 3/2 · (1 − 1/3ᵏ). The host takes a minute of CPU time for so many cube roots one by one.
fn roots(numbers: &[f32]) -> Vec<f32> {
    let exponent = 3f64.powi(-ROOTS);
    let factor = 100f64.powf(1.5 * (1.0 - exponent));
    numbers.par_iter().map(|&x| (factor * f64::from(x).powf(exponent)) as f32).collect()
}

/// Sums of the columns of rows of so many terms.
fn summed(terms: &[f32], sums: usize) -> Vec<f32> {
    let mut all = vec![0.0f64; sums];
    all.par_chunks_mut(TOGETHER).enumerate().for_each(|(number, all)| {
        for row in terms.chunks_exact(sums) {
            let terms = &row[number * TOGETHER..];
            all.iter_mut().zip(terms).for_each(|(sum, &term)| *sum += f64::from(term));
        }
    });
    all.into_par_iter().map(|sum| sum as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_have_known_answers() {
        assert_eq!(divided(&[0], 10), [0]);
        let once = |x: u32| (x / 10).wrapping_add((x % 10).wrapping_mul(0x9e37_79b9));
        assert_eq!(divided(&[77], 10), [(0..16).fold(77, |x, _| once(x))]);
        assert_eq!(roots(&[1000.0]), [1000.0]);
        let one_by_one = |x: f32| (0..ROOTS).fold(f64::from(x), |x, _| 100.0 * x.cbrt());
        for x in [1.0, 2.5, 77.0, 131_071.0] {
            let off = f64::from(roots(&[x])[0]) / one_by_one(x) - 1.0;
            assert!(off.abs() < 1e-7, "{x}: {off}");
        }
        assert_eq!(summed(&[1.0, 2.0, 4.0, 8.0], 2), [5.0, 10.0]);
    }
}

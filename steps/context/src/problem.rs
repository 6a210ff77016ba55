//! Attention of one query for each head as a problem: options, data, launches, and the figure of merit.

use std::f64::consts::LOG2_E;

use chacha20::rand_core::Rng;
use device::Shape;
use half::bf16;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, drawn, fraction,
};
use ladder::problem::{OptionError, ProblemOption};
use ladder::{BlockError, Launch};
use rayon::prelude::*;
use report::{Figure, NamedSize, Request};

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Elements of a row, and threads of a block: `SIZE` and `THREADS` in `kernels/context/mean.cuh`.
const SIZE: u64 = 128;
const THREADS: u32 = 256;

/// Heads where no option says how many, and where there are few keys.
const HEADS: u64 = 32;
const HEADS_OF_FEW: u64 = 3;

/// Keys that are few.
const FEW: u64 = 2048;

/// The most heads: `HEADS` in `kernels/context/03-last-block.cu`.
const MOST_HEADS: u64 = 4096;

/// Blocks of a multiprocessor that run at the same time, and the fewest keys for which one more pays.
const RESIDENT: u32 = 4;
const FEWEST_KEYS: u64 = 64;

const NORMAL: &str = "random numbers";
const APART: &str = "scores far apart";
const SLOPING: &str = "scores in order";
const EQUAL: &str = "equal scores";

/// How far apart scores are, in standard deviations of ordinary ones, and how much the elements of the last key are above those
/// of the first.
const SPREAD: f32 = 400.0;
const SLOPE: f32 = 8.0;

/// Half of the last place of a float between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 24) as f64;

/// The standard deviation of the error of an element of the result, relative to that of the result, for `n` keys.
///
/// A score is a sum of 128 products, of which a lane adds up 8: its error is about 8 `UNIT` of a typical score, and a weight is
/// off by as much. An exponential is off by 4. The weighted sums are rounded √n/2 times. Scores that are `times` as large have
/// errors as many times as large.
fn deviation(n: u64, times: f64) -> f64 {
    (8.0 * times + 4.0 + (n as f64).sqrt() / 2.0) * UNIT
}

/// Who computes a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// A block.
    Whole,
    /// Several blocks, and a second kernel.
    TwoKernels,
    /// Several blocks, of which the last one merges.
    LastBlock,
}

/// o = softmax(q Kᵀ/√d) V for several heads, each with a single q.
#[derive(Default)]
pub struct Context {
    heads: Option<u64>,
}

impl Context {
    fn heads(&self, n: u64) -> u64 {
        self.heads.unwrap_or(if n < FEW { HEADS_OF_FEW } else { HEADS })
    }
}

/// The most blocks that share the keys of a head.
fn most_parts(keys: u64) -> u64 {
    keys.div_ceil(FEWEST_KEYS)
}

impl Arrays for Context {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 7, 63, 64, 65, 128, 129, 1000],
        drawn: &[(130, 700)],
        planned_for_few: &[129, 1000],
        repeated: Some(500),
        measured: 1 << 15,
        simulated: 2047,
        most: 1 << 20,
    };
    const KINDS: &'static [&'static str] = &[NORMAL, APART, SLOPING, EQUAL];
    const OPTIONS: &'static [ProblemOption] = &[ProblemOption {
        name: "heads",
        value: "N",
        help: "Heads of all sequences together, each with keys and values of its own [default: 32]",
    }];

    fn open(request: &Request) -> Result<Context, OptionError> {
        let Some(text) = request.problem.get("heads") else { return Ok(Context::default()) };
        match text.parse() {
            Ok(heads) if (1..=MOST_HEADS).contains(&heads) => Ok(Context { heads: Some(heads) }),
            _ => Err(OptionError::Value {
                option: "heads",
                value: text.clone(),
                possible: format!("it is a number from 1 to {MOST_HEADS}"),
            }),
        }
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        vec![NamedSize { name: "heads".to_owned(), size: self.heads(n) }]
    }

    fn figure() -> Figure {
        Figure {
            size: "keys".to_owned(),
            pass: "attention".to_owned(),
            ..Figure::of_bytes("Attention of one query")
        }
    }

    /// Bytes of K and V, BF16.
    fn work(&self, n: u64) -> f64 {
        (2 * 2 * SIZE * n * self.heads(n)) as f64
    }

    /// With parts and results.
    fn bytes(&self, n: u64) -> u64 {
        self.heads(n) * (4 * SIZE * n + (SIZE + 2) * 4 * (most_parts(n) + 1))
    }

    /// Keys and heads.
    fn extent(&self, n: u64, _: &str, _: &mut Random) -> Extent {
        [n, self.heads(n), 1]
    }

    fn data([keys, heads, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let number = |word| 3f32.sqrt() * (2.0 * fraction(word) - 1.0); // variance 1
        let [mut q, mut k, v] =
            [heads, heads * keys, heads * keys].map(|rows| drawn(rows * SIZE, random, number));
        let times = match kind {
            APART => {
                // In every second head a key, anywhere, has all of the weight: the query is parallel to it.
                let size = SIZE as usize;
                for (query, keys) in
                    q.chunks_mut(size).zip(k.chunks(keys as usize * size)).skip(1).step_by(2)
                {
                    let place = random.next_u64() % (keys.len() / size) as u64;
                    query.copy_from_slice(&keys[place as usize * size..][..size]);
                }
                q.iter_mut().for_each(|it| *it *= SPREAD);
                f64::from(SPREAD)
            }
            SLOPING => {
                q.iter_mut().for_each(|it| *it = it.abs());
                let rises = random.next_u32().is_multiple_of(2);
                for (row, key) in k.chunks_mut(SIZE as usize).enumerate() {
                    let place = row as u64 % keys;
                    let above = if rises { place } else { keys - place } as f32 / keys as f32;
                    key.iter_mut().for_each(|it| *it += SLOPE * above);
                }
                f64::from(SLOPE) * (SIZE as f64).sqrt()
            }
            EQUAL => {
                k.fill(0.0);
                0.0
            }
            _ => 1.0,
        };
        let rounded =
            |all: Vec<f32>| -> Vec<bf16> { all.into_par_iter().map(bf16::from_f32).collect() };
        let [q, k, v] = [q, k, v].map(rounded);
        let expected = result(&q, &k, &v);
        let parts = (heads * most_parts(keys)) as usize;
        Data::default()
            .scalar("scale", (LOG2_E / (SIZE as f64).sqrt()) as f32)
            .input("q", q)
            .input("k", k)
            .input("v", v)
            .scratch("sums", 4 * SIZE as usize * parts)
            .scratch("weights", 8 * parts)
            .output("o", expected, Judge::Deviating(deviation(keys, times)))
    }

    fn calls(step: &Step, [keys, heads, _]: Extent, multiprocessors: u32) -> Vec<Call> {
        let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
        let parts = match step.host {
            Plan::Whole => 1,
            _ => (multiprocessors * RESIDENT / number(heads)).clamp(1, number(most_parts(keys))),
        };
        let [q, k, v, sums, weights, o] =
            ["q", "k", "v", "sums", "weights", "o"].map(KernelArgument::Array);
        let launch = |kernel, shape, given| Call::Launch(Launch { kernel, shape }, given);
        let context = |outputs: &[KernelArgument]| {
            let shape = Shape::new([parts, number(heads), 1], [THREADS, 1, 1]);
            let inputs = [number(keys).into(), KernelArgument::Scalar("scale"), q, k, v];
            launch("context", shape, [&inputs, outputs].concat())
        };
        match step.host {
            Plan::Whole => vec![context(&[o])],
            Plan::TwoKernels => vec![
                context(&[sums, weights]),
                launch(
                    "merge",
                    Shape::row(number(heads), SIZE as u32),
                    vec![parts.into(), sums, weights, o],
                ),
            ],
            Plan::LastBlock => vec![context(&[sums, weights, o])],
        }
    }

    fn place(_: Extent, _: &str, i: usize) -> String {
        format!("head {}, column {}", i as u64 / SIZE, i as u64 % SIZE)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let blocks = match step.host {
            Plan::Whole => "one for each head",
            _ => "four for each multiprocessor, which share the heads",
        };
        vec![("blocks", blocks.to_owned())]
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its lanes share rows, and 256 threads are a block"))
    }
}

/// The means of the values of all heads, in doubles.
fn result(q: &[bf16], k: &[bf16], v: &[bf16]) -> Vec<f32> {
    let size = SIZE as usize;
    let of_head = k.len() / (q.len() / size);
    let heads = q.par_chunks(size).zip(k.par_chunks(of_head).zip(v.par_chunks(of_head)));
    let mean = |(query, (keys, values)): (&[bf16], (&[bf16], &[bf16]))| -> Vec<f32> {
        let score = |key: &[bf16]| -> f64 {
            let products = query.iter().zip(key).map(|(a, b)| a.to_f64() * b.to_f64());
            products.sum::<f64>() / (SIZE as f64).sqrt()
        };
        let scores: Vec<f64> = keys.chunks(size).map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut sums) = (0.0, vec![0.0; size]);
        for (score, value) in scores.iter().zip(values.chunks(size)) {
            let weight = (score - most).exp();
            all += weight;
            sums.iter_mut().zip(value).for_each(|(sum, it)| *sum += weight * it.to_f64());
        }
        sums.into_iter().map(|sum| (sum / all) as f32).collect()
    };
    heads.flat_map_iter(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_has_the_mean_of_the_values_whose_keys_match_it() {
        let row = |first: f32, second: f32| {
            let mut row = vec![bf16::ZERO; SIZE as usize];
            (row[0], row[1]) = (bf16::from_f32(first), bf16::from_f32(second));
            row
        };
        let q = [row(0.0, 0.0), row(1000.0, 0.0)].concat();
        let k = [row(1.0, 0.0), row(0.0, 1.0), row(0.0, 1.0), row(1.0, 0.0)].concat();
        let v = [row(2.0, 4.0), row(4.0, 8.0), row(5.0, 5.0), row(7.0, 9.0)].concat();
        let means = result(&q, &k, &v);
        assert_eq!(means[..3], [3.0, 6.0, 0.0]);
        assert_eq!(means[SIZE as usize..][..3], [7.0, 9.0, 0.0]);
    }
}

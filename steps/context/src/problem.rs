//! Attention of one query for each head, or of a few, as a problem: options, data, launches, and the figure of merit.

use std::f64::consts::LOG2_E;

use chacha20::rand_core::Rng;
use device::Shape;
use half::bf16;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, chosen, drawn, fraction,
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

/// Threads of a block whose warps take all queries of a head.
const THREADS_OF_QUERIES: u32 = 128;

/// Heads where no option says how many, and where there are few keys.
const HEADS: u64 = 32;
const HEADS_OF_FEW: u64 = 3;

/// Keys that are few.
const FEW: u64 = 2048;

/// The most queries of a head, and how many there are where no option says it: `QUERIES` in `kernels/context/queries.cuh`.
const MOST_QUERIES: u64 = 16;

/// The most heads: `HEADS` in `kernels/context/03-last-block.cu`.
const MOST_HEADS: u64 = 4096;

/// Blocks of a multiprocessor that run at the same time, and the fewest keys for which one more pays.
const RESIDENT: u32 = 4;
const RESIDENT_OF_QUERIES: u32 = 3;
const FEWEST_KEYS: u64 = 64;

const NORMAL: &str = "random numbers";
const APART: &str = "scores far apart";
const SLOPING: &str = "scores in order";
const BELOW: &str = "scores far below zero";
const EQUAL: &str = "equal scores";

/// How far apart scores are, in standard deviations of ordinary ones, and how much the elements of the last key are above those
/// of the first.
const SPREAD: f32 = 400.0;
const SLOPE: f32 = 8.0;

/// How many times as much all of them are below zero: below -10000, which some kernels have in the place of minus infinity.
const DEPTH: f32 = 160.0;

/// Multiplications of the reference for several queries: a fraction of a second. Of many keys few queries are compared.
const REFERENCE: u64 = 1 << 28;

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

/// The same for several queries. Weights are rounded to BF16, which changes them by 0.42 of half of its last place in the root
/// mean square, as in the ladder `attention`. Tensor cores cut the last places of a score's sums: 16 times for 128 products.
fn deviation_of_queries(n: u64, times: f64) -> f64 {
    deviation(n, times) + 8.0 * times * UNIT + 0.42 / (1 << 8) as f64
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
    /// The same for all queries of a head.
    Queries,
}

/// o = softmax(q Kᵀ/√d) V for several heads, each with a single q or with a few.
pub struct Context {
    heads: Option<u64>,
    /// Queries of a head, for the step that takes several.
    queries: u64,
}

impl Default for Context {
    fn default() -> Context {
        Context { heads: None, queries: MOST_QUERIES }
    }
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
    const KINDS: &'static [&'static str] = &[NORMAL, APART, SLOPING, BELOW, EQUAL];
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption {
            name: "heads",
            value: "N",
            help: "Heads of all sequences together, each with keys and values of its own [default: 32]",
        },
        ProblemOption {
            name: "queries",
            value: "N",
            help: "Queries of a head in the step that takes several, 1 to 16; the others have one [default: 16]",
        },
    ];

    fn open(request: &Request) -> Result<Context, OptionError> {
        let number = |name: &'static str, most: u64| {
            let Some(text) = request.problem.get(name) else { return Ok(None) };
            match text.parse() {
                Ok(number) if (1..=most).contains(&number) => Ok(Some(number)),
                _ => Err(OptionError::Value {
                    option: name,
                    value: text.clone(),
                    possible: format!("it is a number from 1 to {most}"),
                }),
            }
        };
        let queries = number("queries", MOST_QUERIES)?.unwrap_or(MOST_QUERIES);
        Ok(Context { heads: number("heads", MOST_HEADS)?, queries })
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let named = |name: &str, size| NamedSize { name: name.to_owned(), size };
        vec![named("heads", self.heads(n)), named("queries", self.queries)]
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

    /// With parts and results of all queries.
    fn bytes(&self, n: u64) -> u64 {
        let of_queries = (MOST_QUERIES + 1) * (SIZE + 2) * 4 * (most_parts(n) + 1);
        self.heads(n) * (4 * SIZE * n + of_queries)
    }

    /// Keys, heads, and queries of a head. Verified sizes have each number of queries in one of the kinds.
    fn extent(&self, n: u64, kind: &str, _: &mut Random) -> Extent {
        let queries = match kind {
            APART => 1 + n % MOST_QUERIES,
            SLOPING => 1 + (n + 5) % MOST_QUERIES,
            BELOW => 1 + (n + 10) % MOST_QUERIES,
            EQUAL => 1 + (n + 13) % MOST_QUERIES,
            _ => self.queries,
        };
        [n, self.heads(n), queries]
    }

    fn data([keys, heads, queries]: Extent, kind: &str, random: &mut Random) -> Data {
        let number = |word| 3f32.sqrt() * (2.0 * fraction(word) - 1.0); // variance 1
        let [mut k, v] = [(); 2].map(|()| drawn(heads * keys * SIZE, random, number));
        let rises = random.next_u32().is_multiple_of(2);
        let below = if kind == BELOW { DEPTH } else { 0.0 };
        if [SLOPING, BELOW].contains(&kind) {
            for (row, key) in k.chunks_mut(SIZE as usize).enumerate() {
                let place = row as u64 % keys;
                let above = if rises { place } else { keys - place } as f32 / keys as f32;
                key.iter_mut().for_each(|it| *it += SLOPE * (above - below));
            }
        }
        if kind == EQUAL {
            k.fill(0.0);
        }
        let strength = if kind == NORMAL { 1.0 } else { 0.5 + fraction(random.next_u32()) };
        let scale = (LOG2_E / (SIZE as f64).sqrt()) as f32 * strength;
        // How many times as large as ordinary ones scores are.
        let times = match kind {
            APART => f64::from(SPREAD),
            SLOPING | BELOW => f64::from(SLOPE * (1.0 + below)) * (SIZE as f64).sqrt(),
            EQUAL => 0.0,
            _ => 1.0,
        };
        let times = times * f64::from(strength);
        let mut queries_of = |each: u64| {
            let mut q: Vec<f32> = drawn(heads * each * SIZE, random, number);
            match kind {
                APART => parallel_to_keys(&mut q, &k, [heads, each].map(|it| it as usize), random),
                SLOPING | BELOW => q.iter_mut().for_each(|it| *it = it.abs()),
                _ => {}
            }
            rounded(&q)
        };
        let (q, qs) = (queries_of(1), queries_of(queries));
        let [k, v] = [k, v].map(|it| rounded(&it));
        let one: Vec<usize> = (0..heads as usize).collect();
        let most = (REFERENCE / (2 * SIZE * keys)).max(1) as usize;
        let some = chosen([queries, heads, 1], queries, most, random);
        let places = some.iter().flat_map(|it| it * SIZE as usize..(it + 1) * SIZE as usize);
        let parts = (heads * most_parts(keys)) as usize;
        let [sums, weights] = [4 * SIZE as usize, 8].map(|bytes| bytes * parts);
        let several = queries as usize;
        Data::default()
            .scalar("scale", scale)
            .output(
                "o",
                result((&q, &one, 1), &k, &v, scale),
                Judge::Deviating(deviation(keys, times)),
            )
            .sampled_output(
                "os",
                qs.len(),
                (places.collect(), result((&qs, &some, several), &k, &v, scale)),
                Judge::Deviating(deviation_of_queries(keys, times)),
            )
            .input("q", q)
            .input("qs", qs)
            .input("k", k)
            .input("v", v)
            .scratch("sums", sums)
            .scratch("weights", weights)
            .scratch("sums of queries", sums * several)
            .scratch("weights of queries", weights * several)
    }

    fn calls(step: &Step, [keys, heads, queries]: Extent, multiprocessors: u32) -> Vec<Call> {
        let number = |it: u64| u32::try_from(it).unwrap_or(u32::MAX);
        let (resident, threads) = match step.host {
            Plan::Queries => (RESIDENT_OF_QUERIES, THREADS_OF_QUERIES),
            _ => (RESIDENT, THREADS),
        };
        let parts = match step.host {
            Plan::Whole => 1,
            _ => (multiprocessors * resident / number(heads)).clamp(1, number(most_parts(keys))),
        };
        let launch = |kernel, shape, given| Call::Launch(Launch { kernel, shape }, given);
        let context = |sizes: &[u64], q: &'static str, outputs: &[&'static str]| {
            let shape = Shape::new([parts, number(heads), 1], [threads, 1, 1]);
            let mut given: Vec<KernelArgument> =
                sizes.iter().map(|&it| number(it).into()).collect();
            given.push(KernelArgument::Scalar("scale"));
            given.extend([q, "k", "v"].iter().chain(outputs).map(|&it| KernelArgument::Array(it)));
            launch("context", shape, given)
        };
        match step.host {
            Plan::Whole => vec![context(&[keys], "q", &["o"])],
            Plan::TwoKernels => vec![
                context(&[keys], "q", &["sums", "weights"]),
                launch(
                    "merge",
                    Shape::row(number(heads), SIZE as u32),
                    vec![parts.into(), "sums".into(), "weights".into(), "o".into()],
                ),
            ],
            Plan::LastBlock => vec![context(&[keys], "q", &["sums", "weights", "o"])],
            Plan::Queries => {
                let outputs = ["sums of queries", "weights of queries", "os"];
                vec![context(&[keys, queries], "qs", &outputs)]
            }
        }
    }

    fn place([_, _, queries]: Extent, array: &str, i: usize) -> String {
        let (row, column) = (i as u64 / SIZE, i as u64 % SIZE);
        match array {
            "os" => format!("head {}, query {}, column {column}", row / queries, row % queries),
            _ => format!("head {row}, column {column}"),
        }
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let blocks = match step.host {
            Plan::Whole => "one for each head",
            Plan::Queries => "three for each multiprocessor, which share the heads",
            _ => "four for each multiprocessor, which share the heads",
        };
        vec![("blocks", blocks.to_owned())]
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its lanes share rows, and blocks have one size"))
    }
}

/// Makes the queries of all heads but the first parallel to a key each, anywhere, so that it has all of the weight; and all longer.
fn parallel_to_keys(q: &mut [f32], k: &[f32], [heads, each]: [usize; 2], random: &mut Random) {
    let size = SIZE as usize;
    let of_heads = q.chunks_mut(each * size).zip(k.chunks(k.len() / heads));
    for (queries, keys) in of_heads.skip(1) {
        for query in queries.chunks_mut(size) {
            let place = random.next_u64() % (keys.len() / size) as u64;
            query.copy_from_slice(&keys[place as usize * size..][..size]);
        }
    }
    q.iter_mut().for_each(|it| *it *= SPREAD);
}

/// As BF16.
fn rounded(numbers: &[f32]) -> Vec<bf16> {
    numbers.par_iter().map(|&it| bf16::from_f32(it)).collect()
}

/// The means of the values for some of the queries, of which a head has `each`, in doubles. Weights are powers of two of
/// scores times `scale`.
fn result(
    (q, some, each): (&[bf16], &[usize], usize),
    k: &[bf16],
    v: &[bf16],
    scale: f32,
) -> Vec<f32> {
    let size = SIZE as usize;
    let of_head = k.len() / (q.len() / size / each);
    let mean = |&number: &usize| -> Vec<f32> {
        let query = &q[number * size..][..size];
        let [keys, values] =
            [k, v].map(|all| all[number / each * of_head..][..of_head].chunks(size));
        let score = |key: &[bf16]| -> f64 {
            let products = query.iter().zip(key).map(|(a, b)| a.to_f64() * b.to_f64());
            products.sum::<f64>() * f64::from(scale)
        };
        let scores: Vec<f64> = keys.map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (mut all, mut sums) = (0.0, vec![0.0; size]);
        for (score, value) in scores.iter().zip(values) {
            let weight = (score - most).exp2();
            all += weight;
            sums.iter_mut().zip(value).for_each(|(sum, it)| *sum += weight * it.to_f64());
        }
        sums.into_iter().map(|sum| (sum / all) as f32).collect()
    };
    some.par_iter().flat_map_iter(mean).collect()
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
        let means = result((&q, &[0, 1], 1), &k, &v, 1.0);
        assert_eq!(means[..3], [3.0, 6.0, 0.0]);
        assert_eq!(means[SIZE as usize..][..3], [7.0, 9.0, 0.0]);
        // Both queries have all four keys.
        let second = result((&q, &[1], 2), &k, &v, 1.0);
        assert_eq!(second[..3], [4.5, 6.5, 0.0]);
    }
}

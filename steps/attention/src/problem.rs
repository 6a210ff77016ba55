//! Attention as a problem: options, sizes, data, and the figure of merit.

use chacha20::rand_core::Rng;
use ladder::BlockError;
use ladder::arrays::{Arrays, Call, Data, Extent, Judge, Random, Sizes};
use ladder::problem::{OptionError, ProblemOption, Sample};
use report::{Figure, NamedSize, Request};

use super::data::{Inputs, Scores};
use super::plan::Plan;

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

const CAUSAL: &str = "a causal mask";
const ALL: &str = "all keys";
const APART: &str = "scores far apart";
const SLOPING: &str = "scores in order";
const EQUAL: &str = "equal scores";

/// Elements of a row: the sizes of a head for which there are kernels.
const HEAD_SIZES: [u64; 2] = [64, 128];

/// Heads where no option says how many, and where there are few queries.
const HEADS: u64 = 16;
const HEADS_OF_FEW: u64 = 2;

/// Queries that are few.
const FEW: u64 = 512;

/// The most heads.
const MOST_HEADS: u64 = 1 << 16;

/// Sizes of passes of which few blocks are run, or all, for the time of a larger one.
const SAMPLED_FEW: u64 = 2048;
const SAMPLED_ALL: u64 = 1024;

/// Half of the last place of a number of BF16 between 1 and 2.
const UNIT: f64 = 1.0 / (1 << 8) as f64;

/// The standard deviation of the error of an element of the result, relative to that of the result.
///
/// Rounding to BF16 changes a number by at most `UNIT` of its value, and by 0.42 `UNIT` in the root mean square. The weights
/// are rounded, each for itself: in a weighted sum of random values the errors are the same part of the sum as of a weight.
/// The result is rounded, and that of the reference too. All else is calculated with 16 bits more.
const DEVIATION: f64 = 0.75 * UNIT;

/// O = softmax(Q Kᵀ/√d) V for several heads.
pub struct Attention {
    heads: Option<u64>,
    head_size: u64,
    causal: bool,
}

impl Default for Attention {
    fn default() -> Attention {
        Attention { heads: None, head_size: HEAD_SIZES[1], causal: true }
    }
}

impl Attention {
    /// Heads, and elements of a row of each. Where there are few queries, the other head size is verified, too: of four numbers
    /// in a row at two, of which one is odd.
    fn at(&self, n: u64) -> [u64; 2] {
        let is_few = n < FEW;
        let heads = self.heads.unwrap_or(if is_few { HEADS_OF_FEW } else { HEADS });
        let other = HEAD_SIZES[0] + HEAD_SIZES[1] - self.head_size;
        [heads, if is_few && matches!(n % 4, 1 | 2) { other } else { self.head_size }]
    }

    /// Pairs of a query and a key that it sees, in all heads.
    fn pairs(&self, n: u64) -> f64 {
        let [heads, _] = self.at(n).map(|it| it as f64);
        let n = n as f64;
        heads * if self.causal { n * (n + 1.0) / 2.0 } else { n * n }
    }
}

impl Arrays for Attention {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 16, 17, 63, 64, 65, 128, 129, 258, 259],
        drawn: &[(129, 258)],         // keys end anywhere in a tile
        planned_for_few: &[258, 259], // several tiles of keys for each stage, and of queries for each block
        repeated: Some(100),
        measured: 4096,
        simulated: 256,
        most: 1 << 16,
    };
    const KINDS: &'static [&'static str] = &[CAUSAL, ALL, APART, SLOPING, EQUAL];
    const OPTIONS: &'static [ProblemOption] = &[
        ProblemOption {
            name: "heads",
            value: "N",
            help: "Heads of all sequences together [default: 16]",
        },
        ProblemOption {
            name: "head-size",
            value: "D",
            help: "Elements of a query, a key or a value: 64 or 128 [default: 128]",
        },
        ProblemOption {
            name: "mask",
            value: "KIND",
            help: "Keys that a query sees: `causal`, up to its own place, or `none`, all [default: causal]",
        },
    ];

    fn open(request: &Request) -> Result<Attention, OptionError> {
        let mut problem = Attention::default();
        let refused = |option, value: &str, possible: String| {
            Err(OptionError::Value { option, value: value.to_owned(), possible })
        };
        if let Some(text) = request.problem.get("heads") {
            match text.parse() {
                Ok(heads) if (1..=MOST_HEADS).contains(&heads) => problem.heads = Some(heads),
                _ => return refused("heads", text, format!("a number from 1 to {MOST_HEADS}")),
            }
        }
        if let Some(text) = request.problem.get("head-size") {
            match text.parse() {
                Ok(size) if HEAD_SIZES.contains(&size) => problem.head_size = size,
                _ => return refused("head-size", text, "64 or 128".to_owned()),
            }
        }
        if let Some(text) = request.problem.get("mask") {
            problem.causal = match text.as_str() {
                "causal" => true,
                "none" => false,
                _ => return refused("mask", text, "`causal` or `none`".to_owned()),
            };
        }
        Ok(problem)
    }

    fn timed(&self) -> &'static str {
        if self.causal { CAUSAL } else { ALL }
    }

    fn sizes(&self, n: u64) -> Vec<NamedSize> {
        let [heads, size] = self.at(n);
        let named = |(name, size): (&str, u64)| NamedSize { name: name.to_owned(), size };
        [("heads", heads), ("head-size", size)].map(named).to_vec()
    }

    fn figure() -> Figure {
        Figure {
            size: "queries and keys".to_owned(),
            pass: "attention".to_owned(),
            scale: 1e12,
            unit: "TFLOP/s".to_owned(),
            ..Figure::of("Attention", "floating-point operations")
        }
    }

    /// Multiplications and additions of both products, for pairs of a query and a key that it sees.
    fn work(&self, n: u64) -> f64 {
        4.0 * self.at(n)[1] as f64 * self.pairs(n)
    }

    /// Q, K, V and O.
    fn moved(&self, n: u64) -> f64 {
        let [heads, size] = self.at(n);
        (4 * 2 * n * heads * size) as f64
    }

    /// With the scores of the first step.
    fn bytes(&self, n: u64) -> u64 {
        let [heads, size] = self.at(n);
        heads * n * (4 * 2 * size + 4 * n)
    }

    /// Queries, heads, and elements of a row.
    fn extent(&self, n: u64, _: &str, _: &mut Random) -> Extent {
        let [heads, size] = self.at(n);
        [n, heads, size]
    }

    fn data(extent: Extent, kind: &str, random: &mut Random) -> Data {
        let (causal, scores) = match kind {
            CAUSAL => (true, Scores::Normal),
            ALL => (false, Scores::Normal),
            APART => (random.next_u32().is_multiple_of(2), Scores::Apart),
            SLOPING => (random.next_u32().is_multiple_of(2), Scores::Sloping),
            _ => (random.next_u32().is_multiple_of(2), Scores::Equal),
        };
        let inputs = Inputs::random(extent, causal, scores, random);
        let expected = inputs.result(random);
        let [n, heads, size] = extent;
        let scale = inputs.scale;
        let [q, k, v] = inputs.matrices;
        Data::default()
            .scalar("causal", i32::from(causal))
            .scalar("scale", scale)
            .scalar("factor", scale / std::f32::consts::LOG2_E) // for powers of e
            .input("q", q)
            .input("k", k)
            .input("v", v)
            .scratch("scores", (4 * heads * n * n) as usize)
            .sampled_output("o", (n * heads * size) as usize, expected, Judge::Deviating(DEVIATION))
    }

    fn calls(step: &Step, extent: Extent, multiprocessors: u32) -> Vec<Call> {
        step.host.calls(extent, multiprocessors)
    }

    /// Blocks on tensor cores are run all, of a shorter pass: a mask makes some longer than others, and those of one multiprocessor
    /// may all be long. The other steps have too many blocks for that, and they are equally long.
    fn sample(&self, step: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        if !step.host.has_tiles_of_queries() || self.at(n)[0] > HEADS {
            return Sample::FewBlocks { n: n.min(SAMPLED_FEW) };
        }
        let sampled = n.min(SAMPLED_ALL);
        let share = self.pairs(sampled) / self.pairs(n);
        let part = (f64::from(multiprocessors) * share).round().max(1.0);
        Sample::AllBlocks { n: sampled, multiprocessors: part as u32 }
    }

    fn place([n, _, size]: Extent, _: &str, i: usize) -> String {
        let (row, column) = (i as u64 / size, i as u64 % size);
        format!("head {}, query {}, column {column}", row / n, row % n)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        step.host.facts()
    }

    /// # Errors
    /// Always: the kernels are written for one shape of blocks.
    fn with_block(_: &Step, _: u32) -> Result<Step, BlockError> {
        Err(BlockError::Fixed("its blocks have tiles, whose shape is fixed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_halves_the_work_and_impossible_options_are_refused() {
        let opened = |options: &[(&str, &str)]| {
            let option = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
            let problem = options.iter().map(option).collect();
            Attention::open(&Request { problem, ..Request::default() })
        };
        let work = |options| Arrays::work(&opened(options).expect("possible"), 1024);
        let all = 4.0 * 128.0 * 16.0 * 1024.0 * 1024.0;
        assert_eq!(work(&[("mask", "none")]), all);
        assert_eq!(work(&[]), all / 2.0 * 1025.0 / 1024.0);
        assert_eq!(work(&[("mask", "none"), ("head-size", "64"), ("heads", "32")]), all);
        for (option, value) in [("heads", "0"), ("head-size", "96"), ("mask", "some")] {
            let error = opened(&[(option, value)]).err().expect("impossible").to_string();
            assert!(error.starts_with(&format!("--{option} {value}: ")), "{error}");
        }
    }
}

//! Sorting as a problem: keys, values that travel with them, launches, and the figure of merit.

use std::ops::Range;

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, edges, of_random_words,
    plant, random_words,
};
use ladder::problem::Sample;
use rayon::prelude::*;
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Tiles>;

/// Bytes of a key, and of a value.
const BYTES: u64 = 4;

/// Bits of a key.
const BITS: u32 = u32::BITS;

/// Values of a digit of eight bits, and such digits of a key: `DIGITS` and `PASSES` in the kernels of sweeps.
const DIGITS: u64 = 256;
const PASSES: u32 = 4;

/// Keys of the smallest tile with digits of eight bits. Those of four bits and of one have no more counts in smaller tiles.
const LEAST_TILE: u64 = 4096;

/// Threads of a multiprocessor that count digits before the first sweep.
const RESIDENT: u32 = 2048;

/// Keys that are sorted to be counted, or a multiprocessor's part where that has more.
const SAMPLED: u64 = 1 << 17;

const RANDOM: &str = "random keys";
const FEW: &str = "five different keys";
const EQUAL: &str = "equal keys";
const ASCENDING: &str = "keys in ascending order";
const DESCENDING: &str = "keys in descending order";
const MANY: &str = "counts of many tiles";

/// Tiles of that kind: a block scans their counts in five rounds, the last one incomplete. As many keys would take seconds.
const TILES: u64 = 1100;

/// Digits of them.
const ROWS: u32 = 2;

/// How tiles learn where their keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Digits of so many bits: each is counted for each tile, the counts are scanned, then keys are moved.
    Counts {
        /// Of a digit.
        bits: u32,
    },
    /// Digits of eight bits, all counted at first. Each is one launch, in which tiles look back.
    Sweeps,
}

/// What a step's host code knows.
#[derive(Debug, Clone, Copy)]
pub struct Tiles {
    /// Keys of a thread.
    pub per_thread: u32,
    /// Whether a value travels with each key.
    pub has_values: bool,
    /// How tiles learn where their keys go.
    pub plan: Plan,
}

impl Tiles {
    /// So many keys for a thread, without values.
    pub const fn of(per_thread: u32, plan: Plan) -> Tiles {
        Tiles { per_thread, has_values: false, plan }
    }
}

/// Keys in ascending order.
#[derive(Default)]
pub struct Sort;

impl Arrays for Sort {
    type Host = Tiles;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 33, 255, 256, 257, 2047, 2049, 4096, 4097, 8193],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[120_011],
        repeated: None,
        measured: 1 << 25,
        simulated: 1 << 17,
        most: 1 << 29, // two bits of a count say whose it is
    };
    const KINDS: &'static [&'static str] = &[RANDOM, FEW, EQUAL, ASCENDING, DESCENDING];
    const ALONE: (&'static str, Range<u64>, u32) = (MANY, TILES..TILES + 1, 1);

    fn figure() -> Figure {
        Figure {
            pass: "sort".to_owned(),
            results: "keys".to_owned(),
            ..Figure::of("Sort of whole numbers", "keys")
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Keys, read and written once. A step that moves values as well moves twice as much.
    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        let counts = u64::from(1 + PASSES) * counts_bytes(n);
        6 * BYTES * n + counts + BYTES * u64::from(PASSES) * (DIGITS + 1)
    }

    /// Keys, and tiles whose counts are given: none but of one kind.
    fn extent(&self, n: u64, kind: &str, _: &mut Random) -> Extent {
        [n, if kind == MANY { TILES } else { 0 }, 1]
    }

    fn data([n, tiles, _]: Extent, kind: &str, random: &mut Random) -> Data {
        let mut keys = random_words(n, random);
        match kind {
            FEW => keys.iter_mut().for_each(|key| *key = *key % 5 * (u32::MAX / 4)),
            EQUAL => {
                let key = keys[0];
                keys.fill(key);
            }
            _ => plant(&mut keys, &edges::WORDS, random),
        }
        match kind {
            ASCENDING => keys.par_sort_unstable(),
            DESCENDING => {
                keys.par_sort_unstable();
                keys.reverse();
            }
            _ => {}
        }
        let values = random_words(n, random);
        let order = order(&keys);
        let in_order =
            |of: &[u32]| -> Vec<u32> { order.iter().map(|&place| of[place as usize]).collect() };
        let (keys_sorted, values_sorted) = (in_order(&keys), in_order(&values));
        let passes = PASSES as usize;
        let data = if tiles > 0 { many_counts(tiles, random) } else { Data::default() };
        data.input("in", keys)
            .output("out", keys_sorted, Judge::Exactly)
            .scratch("other", (BYTES * n) as usize)
            .input("values", values)
            .output("values out", values_sorted, Judge::Exactly)
            .scratch("other values", (BYTES * n) as usize)
            .scratch("counts", counts_bytes(n) as usize)
            .scratch("totals", passes * (BYTES * DIGITS) as usize)
            .scratch("tickets", passes * BYTES as usize)
            .scratch("states", passes * counts_bytes(n) as usize)
    }

    fn calls(step: &Step, [n, given, _]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let tiles = n.div_ceil(block * step.host.per_thread);
        match step.host.plan {
            Plan::Counts { bits } => {
                let scans = (given > 0).then(|| scan(ROWS, given as u32, block, ["many", "sums"]));
                let passes =
                    (0..BITS / bits).flat_map(|pass| counted_pass(pass, bits, n, (tiles, block)));
                passes.chain(scans).collect()
            }
            Plan::Sweeps => {
                let counting = n.div_ceil(block).min(RESIDENT / block * multiprocessors.max(1));
                let histogram = Launch::row("histogram", counting, block);
                let mut calls =
                    ["totals", "tickets", "states"].map(|it| Call::Fill(it, 0)).to_vec();
                calls.push(Call::Launch(histogram, vec![n.into(), "in".into(), "totals".into()]));
                let sweep = |pass| sweep(pass, n, (tiles, block), step.host.has_values);
                calls.extend((0..PASSES).map(sweep));
                calls
            }
        }
    }

    /// All blocks of a part of the chip: each pass needs the counts of all tiles.
    fn sample(&self, _: &Step, n: u64, multiprocessors: u32, _: bool) -> Sample {
        let part = SAMPLED * u64::from(multiprocessors) / n.max(1);
        Sample::part(n, multiprocessors, part.max(1) as u32)
    }

    fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
        let (bits, launches) = match step.host.plan {
            Plan::Counts { bits } => (bits, 3 * (BITS / bits)),
            Plan::Sweeps => (BITS / PASSES, 1 + PASSES),
        };
        vec![("bits of a digit", bits.to_string()), ("launches", launches.to_string())]
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array.ends_with("out") { "place" } else { "key" })
    }
}

/// The places of keys in ascending order. Equal keys stay in the order they had.
fn order(keys: &[u32]) -> Vec<u32> {
    let with_place = |(place, &key): (usize, &u32)| u64::from(key) << BITS | place as u64;
    let mut order: Vec<u64> = keys.iter().enumerate().map(with_place).collect();
    order.par_sort_unstable();
    order.into_iter().map(|it| it as u32).collect()
}

/// Arrays between which passes move something: the input, the result, and one more.
type Places = [&'static str; 3];

/// Those of keys and of values.
const OF_KEYS: Places = ["in", "out", "other"];
const OF_VALUES: Places = ["values", "values out", "other values"];

/// Where a pass finds the keys or values, and where it leaves them: the last leaves them in the result.
fn from_to(pass: u32, [input, result, other]: Places) -> [&'static str; 2] {
    match (pass, pass.is_multiple_of(2)) {
        (0, _) => [input, other],
        (_, true) => [result, other],
        (_, false) => [other, result],
    }
}

/// Digits are counted, counts scanned, keys moved.
fn counted_pass(pass: u32, bits: u32, n: u32, (tiles, block): (u32, u32)) -> [Call; 3] {
    let [from, to] = from_to(pass, OF_KEYS);
    let shift = bits * pass;
    let launch = |kernel, blocks, given: Vec<KernelArgument>| {
        Call::Launch(Launch::row(kernel, blocks, block), given)
    };
    [
        launch("count", tiles, vec![n.into(), shift.into(), from.into(), "counts".into()]),
        scan(1 << bits, tiles, block, ["counts", "totals"]),
        launch(
            "scatter",
            tiles,
            vec![n.into(), shift.into(), from.into(), to.into(), "counts".into(), "totals".into()],
        ),
    ]
}

/// Scans the counts of these digits, and adds them up.
fn scan(digits: u32, tiles: u32, block: u32, [counts, totals]: [&'static str; 2]) -> Call {
    Call::Launch(
        Launch::row("scan", digits, block),
        vec![tiles.into(), counts.into(), totals.into()],
    )
}

/// Counts of more tiles than a block has threads, and what their scan leaves.
fn many_counts(tiles: u64, random: &mut Random) -> Data {
    let counts = of_random_words(u64::from(ROWS) * tiles, random, |it| it >> 16);
    let (mut before, mut sums) = (Vec::new(), Vec::new());
    for row in counts.chunks(tiles as usize) {
        let mut sum = 0u32;
        for count in row {
            before.push(sum);
            sum += count;
        }
        sums.push(sum);
    }
    Data::default().output("many", before, Judge::Exactly).holding(counts).output(
        "sums",
        sums,
        Judge::Exactly,
    )
}

/// One launch for a digit.
fn sweep(pass: u32, n: u32, (tiles, block): (u32, u32), has_values: bool) -> Call {
    let mut given: Vec<KernelArgument> = vec![n.into(), pass.into()];
    let counts = ["totals", "tickets", "states"];
    let values = has_values.then(|| from_to(pass, OF_VALUES));
    let arrays =
        from_to(pass, OF_KEYS).into_iter().chain(counts).chain(values.into_iter().flatten());
    given.extend(arrays.map(KernelArgument::Array));
    Call::Launch(Launch::row("sweep", tiles, block), given)
}

/// A count for each digit and tile.
fn counts_bytes(n: u64) -> u64 {
    BYTES * DIGITS * n.div_ceil(LEAST_TILE)
}

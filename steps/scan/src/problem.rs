//! A scan as a problem: numbers, launches, and the figure of merit.

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, edges, plant, random_words,
};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Bytes of an element.
const BYTES: u64 = 4;

/// The fewest elements that a block scans: what scratch memory is made for.
const LEAST_TILE: u64 = 256;

/// The most elements that a block scans.
const LARGEST_TILE: usize = 16_384;

/// Sums of the tiles of each level, whose own sums are those of the next.
const SUMS: [&str; 4] = ["sums", "sums of sums", "sums of these", "sum of all"];

/// Sums of a round that a thread reads at most: `READS` in the kernels.
const READS: u32 = 4;

/// How tiles learn the sum of all before them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Tiles are scanned, then their sums, then these are added.
    AddAfter,
    /// Tiles are summed, then the sums scanned, then the tiles.
    SumBefore,
    /// In one launch, from other tiles.
    OneLaunch,
    /// The same by blocks that all run at once: so many threads of a multiprocessor.
    Rounds(u32),
}

/// What a step's host code knows.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Elements that a thread scans.
    pub per_thread: u32,
    /// How tiles learn what is before them.
    pub plan: Plan,
}

/// The sum of each element and all before it.
#[derive(Default)]
pub struct Scan;

impl Arrays for Scan {
    type Host = Host;

    const SIZES: Sizes = Sizes {
        verified: &with_ends::<46>(
            &[1, 2, 3, 31, 33, 127, 129, 255, 256, 257, 1000, 8191, 8193, 65_537],
            8192,
        ),
        drawn: &[(3, 300), (300, 5000), (5000, 50_000)],
        planned_for_few: &with_ends::<33>(&[100_003], 24_576), // tiles in each part of the pipeline of 07
        repeated: Some(548_869),
        measured: 1 << 26,
        simulated: 1 << 20,
        most: 1 << 30, // an `unsigned int` counts them with room for the last tile
    };
    const KINDS: &'static [&'static str] = &["random numbers"];

    fn figure() -> Figure {
        Figure {
            pass: "scan".to_owned(),
            results: "sums".to_owned(),
            ..Figure::of_bytes("Scan of whole numbers")
        }
    }

    /// Bytes that are read and written.
    fn work(&self, n: u64) -> f64 {
        (2 * BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        let levels: u64 = levels(n).iter().map(|count| BYTES * count).sum();
        2 * BYTES * n + levels + state_bytes(n) + BYTES
    }

    /// Additions wrap around.
    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let mut elements = random_words(n, random);
        plant(&mut elements, &edges::WORDS, random);
        without_sum(&mut elements, if n.is_multiple_of(2) { 1 } else { 3 });
        let sums = elements.iter().scan(0u32, |sum, &it| {
            *sum = sum.wrapping_add(it);
            Some(*sum)
        });
        let expected: Vec<u32> = sums.collect();
        let data = Data::default().input("in", elements).output("out", expected, Judge::Exactly);
        let levels = SUMS.into_iter().zip(levels(n));
        let with_sums = |data: Data, (name, count)| data.scratch(name, (BYTES * count) as usize);
        levels
            .fold(data, with_sums)
            .scratch("ticket", BYTES as usize)
            .scratch("state", state_bytes(n) as usize)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let tiles =
            Tiles { block: step.threads.block().unwrap_or(1), per_thread: step.host.per_thread };
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        match step.host.plan {
            Plan::AddAfter => tiles.add_after(n, ("in", "out"), &SUMS),
            Plan::SumBefore => tiles.sum_before(n, ("in", "out"), &SUMS),
            Plan::OneLaunch => vec![
                Call::Fill("ticket", 0),
                Call::Fill("state", 0),
                tiles.launch("scan", n, &["in", "out", "ticket", "state"]),
            ],
            Plan::Rounds(resident) => {
                let each = (resident / tiles.block).max(1);
                let most = (each * multiprocessors.max(1)).min(READS * tiles.block);
                vec![Call::Fill("state", 0), tiles.rounds(n, most)]
            }
        }
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "out" { "sum" } else { "element" })
    }
}

/// Sizes, and after them those of arrays that end in a tile: in each row of its first warp, with each number of elements
/// after fours.
const fn with_ends<const N: usize>(sizes: &[u64], tile: u64) -> [u64; N] {
    let mut all = [0; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < sizes.len() {
            sizes[at]
        } else {
            let end = (at - sizes.len()) as u64;
            let (row, rest) = (end / 4, end % 4);
            tile + 128 * row + 4 * (1 + row + 5 * rest) + rest
        };
        at += 1;
    }
    all
}

/// Makes the sum of the first tiles 0, as many as are said and whatever a step's tiles are: 0 is a sum like any other.
fn without_sum(elements: &mut [u32], tiles: usize) {
    let mut sum = 0u32;
    for (i, element) in elements.iter_mut().enumerate().take(tiles * LARGEST_TILE) {
        let is_end = (i + 1).is_multiple_of(tiles) && ((i + 1) / tiles).is_power_of_two();
        if is_end && (i + 1) as u64 >= tiles as u64 * LEAST_TILE {
            *element = sum.wrapping_neg();
        }
        sum = sum.wrapping_add(*element);
    }
}

/// Tiles of each level, of the smallest that a step has.
fn levels(n: u64) -> [u64; 4] {
    let mut count = n;
    [(); 4].map(|()| {
        count = count.div_ceil(LEAST_TILE);
        count
    })
}

/// A word of 64 bits for each tile.
fn state_bytes(n: u64) -> u64 {
    8 * levels(n)[0]
}

/// A block scans a tile.
struct Tiles {
    block: u32,
    per_thread: u32,
}

impl Tiles {
    fn count(&self, n: u32) -> u32 {
        n.div_ceil(self.block * self.per_thread)
    }

    /// A launch over all tiles.
    fn launch(&self, kernel: &'static str, n: u32, arrays: &[&'static str]) -> Call {
        let given = [KernelArgument::from(n)].into_iter().chain(arrays.iter().map(|&it| it.into()));
        Call::Launch(Launch::row(kernel, self.count(n), self.block), given.collect())
    }

    /// A launch of at most so many blocks, all of which run at once.
    fn rounds(&self, n: u32, most: u32) -> Call {
        let launch = Launch::row("scan", self.count(n).min(most), self.block);
        Call::Together(launch, vec![n.into(), "in".into(), "out".into(), "state".into()])
    }

    /// Scans tiles, then their sums in place, then adds these.
    fn add_after(
        &self,
        n: u32,
        (from, to): (&'static str, &'static str),
        sums: &[&'static str],
    ) -> Vec<Call> {
        let mut calls = vec![self.launch("scan", n, &[from, to, sums[0]])];
        if self.count(n) > 1 {
            calls.extend(self.add_after(self.count(n), (sums[0], sums[0]), &sums[1..]));
            calls.push(self.launch("add", n, &[to, sums[0]]));
        }
        calls
    }

    /// Sums tiles, then scans the sums in place, then the tiles.
    fn sum_before(
        &self,
        n: u32,
        (from, to): (&'static str, &'static str),
        sums: &[&'static str],
    ) -> Vec<Call> {
        let mut calls = Vec::new();
        if self.count(n) > 1 {
            calls.push(self.launch("sum", n, &[from, sums[0]]));
            calls.extend(self.sum_before(self.count(n), (sums[0], sums[0]), &sums[1..]));
        }
        calls.push(self.launch("scan", n, &[from, to, sums[0]]));
        calls
    }
}

//! Which sizes and kinds of data a step is verified with.

use std::ops::Range;

use chacha20::rand_core::{Rng, SeedableRng};
use elements::Random;

use super::call::Call;
use crate::problem::{Input, Purpose, ROW, TURN};
use crate::step::Launch;

/// Sizes of a problem, in what its figure of merit counts them.
#[derive(Debug, Clone, Copy)]
pub struct Sizes {
    /// Verified in every run: 1, sizes on both sides of a warp and of a block, and some that are multiples of
    /// neither.
    pub verified: &'static [u64],
    /// The seed of a run draws one size from each of these ranges for each kind of data. The end is excluded.
    pub drawn: &'static [(u64, u64)],
    /// Verified with launches planned for one and for two multiprocessors, so few that each thread has several
    /// elements; where blocks run together, for five as well.
    pub planned_for_few: &'static [u64],
    /// Run twice, for steps that promise the same bits in every run. `None` where results are exact.
    pub repeated: Option<u64>,
    /// Timed on a GPU. It is far more than the caches hold.
    pub measured: u64,
    /// The largest size that the simulator runs as a whole, in a fraction of a second. Times of larger sizes are
    /// modelled.
    pub simulated: u64,
    /// The largest size that the kernels' index types can count.
    pub most: u64,
}

/// The calls of a step at a size, for a kind of data and for so many multiprocessors.
type Calls<'c> = &'c dyn Fn(u64, &str, u32) -> Vec<Call>;

/// The inputs of a step, all drawn by the seed. Each kind is verified at every size; one more alone, in a range of sizes with
/// launches as for so many multiprocessors.
pub(super) fn of_verification(
    sizes: &'static Sizes,
    (kinds, alone): (&'static [&'static str], (&'static str, Range<u64>, u32)),
    calls: Calls,
    seed: u64,
) -> Vec<Input> {
    let mut random = Random::seed_from_u64(seed);
    let each = |&n: &u64| kinds.iter().map(move |kind| Input::verified(n, kind, seed));
    let ranges = sizes.drawn.iter().enumerate();
    let ranges = ranges.flat_map(|range| kinds.iter().map(move |kind| (kind, range)));
    let drawn: Vec<Input> = ranges
        .map(|(kind, (range, (least, end)))| {
            let n = least + random.next_u64() % (end - least);
            Input::verified(n, kind, seed).drawn_from(range)
        })
        .collect();
    let few = sizes.planned_for_few.iter().flat_map(|&n| {
        let of_kind = move |kind: &&'static str| {
            let is_new = !sizes.verified.contains(&n) && *kind == kinds[0];
            // Where launches are the same ones, one of a new size is enough.
            let counts: &[u32] = match plan(calls, n, kind) {
                Plan::Together => &[1, 2, SEVERAL],
                Plan::Many => &[1, 2],
                Plan::Same if is_new => &[1],
                Plan::Same => &[],
            };
            let planned = |&few: &u32| Input::verified(n, kind, seed).planned_for(few);
            counts.iter().map(planned).collect::<Vec<_>>()
        };
        kinds.iter().flat_map(of_kind)
    });
    let repeated = sizes.repeated.into_iter().map(|n| Input {
        purpose: Purpose::Repeated(kinds[0]),
        ..Input::verified(n, kinds[0], seed)
    });
    let (kind, range, multiprocessors) = alone;
    let is_watched =
        |n: u64| range.end - range.start < ROW || n.wrapping_add(seed).is_multiple_of(TURN);
    let alone = range.clone().map(|n| {
        let input = Input::verified(n, kind, seed).planned_for(multiprocessors);
        if is_watched(n) { input } else { input.results_alone() }
    });
    let verified = sizes.verified.iter().flat_map(each);
    verified.chain(drawn).chain(few).chain(repeated).chain(alone).collect()
}

/// How a step's launches depend on the number of multiprocessors.
#[derive(PartialEq, Eq)]
enum Plan {
    /// They do not depend on it.
    Same,
    /// There are others for other numbers.
    Many,
    /// And blocks of one run together: several groups of blocks that wait for each other need more of them.
    Together,
}

/// The plan of a step at a size and for a kind of data.
fn plan(calls: Calls, n: u64, kind: &str) -> Plan {
    let calls = |multiprocessors| calls(n, kind, multiprocessors);
    let launches = |multiprocessors| -> Vec<Launch> {
        calls(multiprocessors).iter().filter_map(Call::launch).copied().collect()
    };
    let is_together = || calls(SEVERAL).iter().any(|call| matches!(call, Call::Together(..)));
    match [2, MANY].iter().any(|&many| launches(many) != launches(1)) {
        false => Plan::Same,
        true if is_together() => Plan::Together,
        true => Plan::Many,
    }
}

/// Multiprocessors that have room for a few groups of blocks.
const SEVERAL: u32 = 5;

/// More multiprocessors than a GPU has: who divides work among them divides it into more blocks.
pub(super) const MANY: u32 = 1024;

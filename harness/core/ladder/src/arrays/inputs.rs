//! Which sizes and kinds of data a step is verified with.

use chacha20::rand_core::{Rng, SeedableRng};

use super::{Arrays, Call, Random};
use crate::problem::{Input, Purpose};
use crate::step::{Launch, Step};

/// The inputs of a step, all drawn by the seed.
pub(super) fn of_verification<A: Arrays>(
    problem: &A,
    step: &Step<A::Host>,
    seed: u64,
) -> Vec<Input> {
    let mut random = Random::seed_from_u64(seed);
    let each = |&n: &u64| A::KINDS.iter().map(move |kind| Input::verified(n, kind, seed));
    let ranges = A::SIZES.drawn.iter().enumerate();
    let sizes = ranges.flat_map(|range| A::KINDS.iter().map(move |kind| (kind, range)));
    let drawn: Vec<Input> = sizes
        .map(|(kind, (range, (least, end)))| {
            let n = least + random.next_u64() % (end - least);
            Input::verified(n, kind, seed).drawn_from(range)
        })
        .collect();
    let few = A::SIZES.planned_for_few.iter().flat_map(|&n| {
        let of_kind = move |kind: &&'static str| {
            let is_new = !A::SIZES.verified.contains(&n) && *kind == A::KINDS[0];
            // Where launches are the same ones, one of a new size is enough.
            let counts: &[u32] = match plan(problem, step, (n, kind), seed) {
                Plan::Together => &[1, 2, SEVERAL],
                Plan::Many => &[1, 2],
                Plan::Same if is_new => &[1],
                Plan::Same => &[],
            };
            let planned = |&few: &u32| Input::verified(n, kind, seed).planned_for(few);
            counts.iter().map(planned).collect::<Vec<_>>()
        };
        A::KINDS.iter().flat_map(of_kind)
    });
    let repeated = A::SIZES.repeated.into_iter().map(|n| Input {
        purpose: Purpose::Repeated(A::KINDS[0]),
        ..Input::verified(n, A::KINDS[0], seed)
    });
    let (kind, range, multiprocessors) = A::ALONE;
    let is_watched =
        |n: u64| range.end - range.start < ROW || n.wrapping_add(seed).is_multiple_of(WATCHED);
    let alone = range.clone().map(|n| {
        let input = Input::verified(n, kind, seed).planned_for(multiprocessors);
        if is_watched(n) { input } else { input.results_alone() }
    });
    let verified = A::SIZES.verified.iter().flat_map(each);
    verified.chain(drawn).chain(few).chain(repeated).chain(alone).collect()
}

/// How a step's launches depend on the number of multiprocessors.
#[derive(PartialEq, Eq)]
enum Plan {
    /// They do not.
    Same,
    /// There are others for other numbers.
    Many,
    /// And blocks of one run together: several groups of blocks that wait for each other need more of them.
    Together,
}

/// The plan of a step at a size and for a kind of data.
fn plan<A: Arrays>(problem: &A, step: &Step<A::Host>, (n, kind): (u64, &str), seed: u64) -> Plan {
    let calls = |multiprocessors| {
        let mut random = Random::seed_from_u64(seed);
        let extent = problem.extent(n, kind, &mut random);
        A::calls(step, extent, multiprocessors)
    };
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

/// So many sizes of one kind are a whole row of neighbours.
const ROW: u64 = 32;

/// One size of so many in a row is searched for hazards. It divides no size of a block.
const WATCHED: u64 = 5;

/// Multiprocessors that have room for a few groups of blocks.
const SEVERAL: u32 = 5;

/// More multiprocessors than a GPU has: who divides work among them divides it into more blocks.
pub(super) const MANY: u32 = 1024;

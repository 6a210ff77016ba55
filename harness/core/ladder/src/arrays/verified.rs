//! What of a step is verified.

use chacha20::rand_core::{Rng, SeedableRng};
use elements::Random;

use crate::arrays::{Arrays, Call};
use crate::problem::{Input, Purpose};
use crate::step::{Launch, Step};

/// Inputs of all kinds of data, and launches for few multiprocessors where a step plans them.
pub(super) fn inputs<A: Arrays>(problem: &A, step: &Step<A::Host>, seed: u64) -> Vec<Input> {
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
    let alone = range.map(|n| Input::verified(n, kind, seed).planned_for(multiprocessors));
    let verified = A::SIZES.verified.iter().flat_map(each);
    verified.chain(drawn).chain(few).chain(repeated).chain(alone).collect()
}

/// An input of which some blocks are verified of a launch that is too large to simulate as a whole, and how many blocks it
/// has.
pub(super) fn sampled_blocks<A: Arrays>(
    problem: &A,
    step: &Step<A::Host>,
    n: u64,
    seed: u64,
) -> Option<(Input, u64)> {
    let mut n = n;
    while problem.bytes(n) > SAMPLED_BYTES {
        n /= 2;
    }
    let input = Input::verified(n, problem.timed(), seed);
    let calls = |multiprocessors| {
        let mut random = Random::seed_from_u64(input.data_seed());
        A::calls(step, problem.extent(n, problem.timed(), &mut random), multiprocessors)
    };
    let blocks = |calls: Vec<Call>| match &calls[..] {
        [Call::Launch(launch, _)] => Some(launch.blocks()),
        _ => None,
    };
    // Not of launches that are planned: their blocks go over the whole array.
    let all = blocks(calls(1)).filter(|_| A::BLOCKS_ALONE)?;
    let is_planned = |many: &u32| blocks(calls(*many)) != Some(all);
    (![2, MANY].iter().any(is_planned)).then_some((input, all))
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
        let launch = |call| match call {
            Call::Launch(launch, _) | Call::Together(launch, _) => Some(launch),
            Call::Fill(..) | Call::Cub(..) | Call::Cublas(_) => None,
        };
        calls(multiprocessors).into_iter().filter_map(launch).collect()
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
const MANY: u32 = 1024;

/// Bytes of the arrays of a launch of which some blocks are verified, at most: made and judged in a few hundredths of a
/// second.
const SAMPLED_BYTES: u64 = 1 << 25;

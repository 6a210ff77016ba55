//! What a step is verified with.

use chacha20::rand_core::{Rng, SeedableRng};

use super::{Arrays, Call, MANY, Random};
use crate::problem::{Input, Purpose};
use crate::step::{Launch, Step};

/// All kinds of data at the sizes of a problem: those that are named, those that the seed draws, those that are planned for few
/// multiprocessors, the one that is repeated, and those of a kind alone.
pub(super) fn inputs<A: Arrays>(problem: &A, step: &Step<A::Host>, seed: u64) -> Vec<Input> {
    let mut random = Random::seed_from_u64(seed);
    let each = |&n: &u64| A::KINDS.iter().map(move |kind| Input::verified(n, kind, seed));
    let sizes = A::KINDS.iter().flat_map(|kind| A::SIZES.drawn.iter().map(move |it| (kind, it)));
    let drawn: Vec<Input> = sizes
        .map(|(kind, (least, end))| {
            Input::verified(least + random.next_u64() % (end - least), kind, seed)
        })
        .collect();
    let few = A::SIZES.planned_for_few.iter().flat_map(|&n| {
        let of_kind = move |kind: &&'static str| {
            // Other launches are the same ones, so that one of them is enough.
            let counts: &[u32] = match is_planned(problem, step, (n, kind), seed) {
                true => &[1, 2],
                false if *kind == A::KINDS[0] => &[1],
                false => &[],
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
    let (kind, range) = A::ALONE;
    let alone = range.map(|n| Input::verified(n, kind, seed).planned_for(1));
    let verified = A::SIZES.verified.iter().flat_map(each);
    verified.chain(drawn).chain(few).chain(repeated).chain(alone).collect()
}

/// Whether a step has other launches for other numbers of multiprocessors, at a size and for a kind of data.
fn is_planned<A: Arrays>(
    problem: &A,
    step: &Step<A::Host>,
    (n, kind): (u64, &str),
    seed: u64,
) -> bool {
    let launches = |multiprocessors| -> Vec<Launch> {
        let mut random = Random::seed_from_u64(seed);
        let extent = problem.extent(n, kind, &mut random);
        let calls = A::calls(step, extent, multiprocessors).into_iter();
        calls
            .filter_map(|call| match call {
                Call::Launch(launch, _) | Call::Together(launch, _) => Some(launch),
                Call::Fill(..) | Call::Cub(..) | Call::Cublas(_) => None,
            })
            .collect()
    };
    [2, MANY].iter().any(|&many| launches(many) != launches(1))
}

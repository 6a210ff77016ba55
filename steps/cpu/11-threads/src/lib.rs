//! Changed: all cores: strips of bodies are dealt out to threads, and each thread has sums of its own.
//! Why:     every pair adds to two sums, and two threads may not add to the same one at a time.
//! Expect:  as many times as there are cores. Threads' sums are added in order: the same bits every time for as many threads.

use cpu_08_shared_product::by_forces;
use cpu_10_tiles::{STEP as PARENT, STRIP, strip};
use ladder::{Grid, Threads};
use nbody::rust::{Accelerations, Evaluation, Rust, Sources, Sums};
use nbody::{Arithmetic, Host, Step, Sum};
use rayon::prelude::*;

/// What this step changes; the rest is its parent's.
pub const STEP: Step = Step {
    threads: Threads::Cores,
    host: Host {
        rust: Some(Rust::Vectors(force)),
        arithmetic: Arithmetic { sums, ..PARENT.host.arithmetic },
        ..PARENT.host
    },
    ..PARENT.then(
        "11-threads",
        "All cores",
        "strips dealt out to as many threads as there are cores",
    )
};

/// Each thread adds up strips, then threads are added up.
fn sums(grid: &Grid) -> Vec<Sum> {
    let threads = grid.multiprocessors;
    let strip = size(grid.n as usize, threads as usize) as u32;
    // As in the parent; the sum that a strip adds to is that of one thread.
    vec![Sum::Rounded(strip + strip / 2 / threads), Sum::Rounded(threads)]
}

fn force(bodies: &Sources, to: Accelerations, evaluation: &Evaluation) {
    by_forces(bodies, to, evaluation, |bodies, mut to| {
        let n = bodies.len();
        let sums: Vec<Sums> = deal(n, rayon::current_num_threads())
            .into_par_iter()
            .with_max_len(1)
            .map(|strips| {
                let mut sums = Sums::zeros(n);
                let mut to = sums.first(n);
                for (first, size) in strips {
                    strip(bodies, first, size, &mut to, evaluation);
                }
                sums
            })
            .collect();
        for mut sums in sums {
            to.add_all(&sums.first(n));
        }
    });
}

/// Deals `n` bodies out to threads: to each the first body and the size of its strips. The first strips
/// have the most pairs, so they go round there and back.
fn deal(n: usize, threads: usize) -> Vec<Vec<(usize, usize)>> {
    let size = size(n, threads);
    let mut hands = vec![Vec::new(); threads];
    for (turn, first) in (0..n).step_by(size).enumerate() {
        let place = turn % (2 * threads);
        hands[place.min(2 * threads - 1 - place)].push((first, size));
    }
    hands
}

/// Bodies of a strip.
fn size(n: usize, threads: usize) -> usize {
    STRIP.min(n.div_ceil(2 * threads).next_multiple_of(cpu_07_pairs::BLOCK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_body_is_dealt_to_one_thread_and_pairs_evenly() {
        for (n, threads) in [(16, 1), (16, 7), (1008, 2), (4112, 3), (16_384, 2), (16_384, 16)] {
            let hands = deal(n, threads);
            assert_eq!(hands.len(), threads);
            let mut strips: Vec<_> = hands.iter().flatten().copied().collect();
            strips.sort_unstable();
            let bodies: Vec<usize> =
                strips.iter().flat_map(|&(first, size)| first..n.min(first + size)).collect();
            assert_eq!(bodies, (0..n).collect::<Vec<_>>(), "{n} bodies, {threads} threads");
        }
        let pairs = |strips: &Vec<(usize, usize)>| -> usize {
            strips.iter().map(|&(first, size)| size * (16_384 - first)).sum()
        };
        for threads in [2, 16] {
            let work: Vec<usize> = deal(16_384, threads).iter().map(pairs).collect();
            let (least, most) = (work.iter().min(), work.iter().max());
            assert!(most.unwrap() * 100 <= least.unwrap() * 101, "{work:?}");
        }
    }
}

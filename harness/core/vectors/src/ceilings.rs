//! What the CPU at hand can do at most: vector instructions per second, measured.
//!
//! No table of processors is asked. Loops of one kind of instruction are run, in so many independent chains
//! that no instruction waits for the last; and one chain of integer additions, each of which takes a clock on
//! every CPU, tells the clock.

#[expect(unsafe_code, reason = "keeps the compiler from removing loads and stores")]
mod chains;

use std::thread::Builder;
use std::time::{Duration, Instant};

use crate::choice::Vectors;
use chains::{Chains, KINDS, Kind, clocks};

/// How long instructions of one kind are run, by all threads at the same time.
const WINDOW: Duration = Duration::from_micros(400);

/// How long they are run between two looks at the time. The quickest time counts: the system may let a thread
/// wait in the others.
const BURST: Duration = Duration::from_micros(30);

/// Between two of them, for the last turn of the first.
const GAP: Duration = Duration::from_micros(60);

/// What is allowed for a core to wake up and to raise its clock.
const WAKE: Duration = Duration::from_micros(200);

/// What is allowed for starting a thread.
const START: Duration = Duration::from_micros(40);

/// Vector instructions per second that a CPU was seen to execute, of all threads together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ceilings {
    /// Threads that were at work at the same time.
    pub threads: usize,
    /// Additions, per second.
    pub add: f64,
    /// Multiplications, per second.
    pub mul: f64,
    /// Multiplications with an addition.
    pub mul_add: f64,
    /// As many of these as additions: more than of either alone where additions have units of their own.
    pub mixed: f64,
    /// Estimates of 1/√x.
    pub rsqrt: f64,
    /// As many estimates as multiplications.
    pub rsqrt_mul: f64,
    /// As many square roots as divisions.
    pub div_sqrt: f64,
    /// Vectors read from the nearest cache.
    pub load: f64,
    /// Vectors written to it.
    pub store: f64,
    /// The clock of a core in MHz; none on a CPU whose additions cannot be written here.
    pub clock_mhz: Option<f64>,
}

impl Vectors {
    /// What this CPU does with these vectors on so many threads at once; in about 5 ms. Others may use the
    /// CPU meanwhile: of several such measurements the [greatest](Ceilings::or_more) counts. None without
    /// vectors, where a compiler decides what becomes of numbers, and where the system starts no such threads.
    pub fn ceilings(self, threads: usize) -> Option<Ceilings> {
        if self == Vectors::Scalar || !self.is_available() {
            return None;
        }
        let threads = threads.max(1);
        // Every thread has the same windows: what one can do may depend on what the others do.
        let begin = Instant::now() + WAKE + START * u32::try_from(threads).unwrap_or(u32::MAX);
        let rates = std::thread::scope(|scope| {
            let start = |_| Builder::new().spawn_scoped(scope, || self.rates(begin)).ok();
            let started: Option<Vec<_>> = (0..threads).map(start).collect();
            let rates: Option<Vec<_>> = started?.into_iter().map(|it| it.join().ok()).collect();
            let sum = |kind: usize| rates.iter().flatten().map(|rates| rates[kind]).sum();
            rates.is_some().then(|| std::array::from_fn(sum))
        })?;
        Some(Ceilings::new(threads, rates))
    }

    /// Instructions per second of each kind on this thread.
    fn rates(self, begin: Instant) -> [f64; KINDS.len()] {
        // No core multiplies at full speed at once.
        while Instant::now() < begin {
            self.run(Chains(Kind::MulAdd));
        }
        std::array::from_fn(|place| {
            let start = begin + (WINDOW + GAP) * u32::try_from(place).unwrap_or(0);
            while Instant::now() < start {
                std::hint::spin_loop();
            }
            let mut best = self.burst(KINDS[place]);
            while start.elapsed() < WINDOW {
                best = self.burst(KINDS[place]).max(best);
            }
            best
        })
    }

    /// Instructions per second of a kind, for a moment.
    fn burst(self, kind: Kind) -> f64 {
        let (begin, mut executed) = (Instant::now(), 0);
        loop {
            executed += match kind {
                Kind::Clock => clocks(),
                kind => self.run(Chains(kind)),
            };
            let elapsed = begin.elapsed();
            if elapsed >= BURST {
                return executed as f64 / elapsed.as_secs_f64();
            }
        }
    }
}

impl Ceilings {
    fn new(threads: usize, rates: [f64; KINDS.len()]) -> Ceilings {
        let [add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store, clock] = rates;
        let clock_mhz = (clock > 0.0).then_some(clock / 1e6 / threads as f64);
        #[rustfmt::skip]
        let ceilings = Ceilings {
            threads, add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store, clock_mhz,
        };
        ceilings
    }

    /// The greater of each rate, of two measurements of the same.
    #[must_use]
    pub fn or_more(self, other: Ceilings) -> Ceilings {
        let clocks = self.clock_mhz.into_iter().chain(other.clock_mhz);
        Ceilings {
            threads: self.threads,
            add: self.add.max(other.add),
            mul: self.mul.max(other.mul),
            mul_add: self.mul_add.max(other.mul_add),
            mixed: self.mixed.max(other.mixed),
            rsqrt: self.rsqrt.max(other.rsqrt),
            rsqrt_mul: self.rsqrt_mul.max(other.rsqrt_mul),
            div_sqrt: self.div_sqrt.max(other.div_sqrt),
            load: self.load.max(other.load),
            store: self.store.max(other.store),
            clock_mhz: clocks.max_by(f64::total_cmp),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rates of a machine that others use too: what holds whatever they do.
    #[test]
    fn ceilings_are_rates_that_agree_with_each_other() {
        assert_eq!(Vectors::Scalar.ceilings(1), None);
        for vectors in Vectors::available() {
            let again = || vectors.ceilings(1);
            let Some(first) = again() else { continue };
            let best = (0..20).filter_map(|_| again()).fold(first, Ceilings::or_more);
            println!("{vectors}: {best:.3?}");
            let Ceilings {
                add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store, ..
            } = best;
            for rate in [add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store] {
                assert!(rate.is_finite() && rate > 1e6, "{vectors}: {best:?}");
            }
            // Half of these are additions, half need what multiplications need.
            assert!(mixed > 0.7 * add.min(mul_add), "{vectors}: {best:?}");
            assert!(div_sqrt < 1.2 * mul, "{vectors}: {best:?}");
            if let Some(clock) = best.clock_mhz {
                assert!((100.0..20_000.0).contains(&clock), "{vectors}: {best:?}");
                // No CPU has more than six units for vectors.
                assert!(mixed < 7e6 * clock, "{vectors}: {best:?}");
            }
        }
    }

    #[test]
    fn threads_add_up() {
        let vectors = Vectors::best();
        let best = |threads| {
            let seen = (0..10).filter_map(|_| vectors.ceilings(threads));
            seen.reduce(Ceilings::or_more)
        };
        let (Some(one), Some(two)) = (best(1), best(2)) else { return };
        assert_eq!((one.threads, two.threads), (1, 2));
        assert!(two.mul_add < 2.5 * one.mul_add, "{one:?} {two:?}");
        assert!(two.clock_mhz < one.clock_mhz.map(|clock| 1.5 * clock), "{one:?} {two:?}");
    }
}

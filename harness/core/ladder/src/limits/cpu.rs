//! What limits a step on the CPU: the vector instructions that it executes, against those that this CPU
//! was seen to execute in a second.

use report::bound::cpu::{
    ADD, ESTIMATE, LOAD, MULTIPLY, MULTIPLY_ADD, MULTIPLY_ESTIMATE, ROOT, STORE,
};
use report::{Bound, CpuLimits, Executed, Rates};
use vectors::{Ceilings, Counts, Vectors};

use crate::Step;
use crate::ladder::OpenProblem;

/// The size at which instructions are counted; half of it is the other.
const COUNTED: u64 = 2048;

/// How much longer than both of its parts a bound of two kinds of instructions must be to be listed.
const LONGER: f64 = 1.02;

/// Vector instructions of a pass, for any size.
///
/// They are counted while the step's own function runs at two sizes. Each element meets all others
/// or stands alone: a count is a·n² + b·n, and two sizes give a and b.
#[derive(Debug, Clone, Copy)]
pub struct CpuCounted {
    large: Counts,
    half: Counts,
}

/// Counts the vector instructions of a step's pass; in some ms. None of code that uses none, or whose
/// vectors are its compiler's.
pub fn count_on_cpu(open: &dyn OpenProblem, step: &Step, vectors: Vectors) -> Option<CpuCounted> {
    let large = open.executed_on_cpu(step, vectors, COUNTED)?;
    let half = open.executed_on_cpu(step, vectors, COUNTED / 2)?;
    (large != Counts::default()).then_some(CpuCounted { large, half })
}

impl CpuCounted {
    /// Vector instructions of a pass of size `n`, padding included.
    pub fn at(&self, n: u64) -> Executed {
        let n = n as f64;
        let of = |count: fn(&Counts) -> u64| {
            let (large, half) = (count(&self.large) as f64, count(&self.half) as f64);
            let size = COUNTED as f64;
            let of_pair = (2.0 * large - 4.0 * half) / size.powi(2);
            let of_one = (large - of_pair * size.powi(2)) / size;
            (of_pair * n.powi(2) + of_one * n).max(0.0)
        };
        Executed {
            counted_n: COUNTED,
            add: of(|counts| counts.add),
            mul: of(|counts| counts.mul),
            mul_add: of(|counts| counts.mul_add),
            rsqrt: of(|counts| counts.rsqrt),
            sqrt: of(|counts| counts.sqrt),
            div: of(|counts| counts.div),
            load: of(|counts| counts.load),
            store: of(|counts| counts.store),
        }
    }
}

/// How near a pass of size `n` that took `seconds` and executed this comes to what the CPU can do: to
/// the `ceilings` of these vectors, and to `peak` FP32 operations per second.
pub fn cpu_limits(
    executed: Option<Executed>,
    (vectors, ceilings): (Vectors, &Ceilings),
    peak: f64,
    (n, seconds): (u64, f64),
) -> CpuLimits {
    let rates = rates(ceilings);
    let mut bounds = executed.map_or_else(Vec::new, |executed| bounds(&executed, &rates));
    bounds.retain(|(_, least)| *least > 0.0);
    bounds.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let bound = |(name, least): (&str, f64)| Bound {
        name: name.to_owned(),
        seconds: least,
        fraction: least / seconds,
    };
    CpuLimits {
        threads: u32::try_from(ceilings.threads).unwrap_or(u32::MAX),
        clock_mhz: ceilings.clock_mhz,
        peak_flop_per_second: peak,
        n,
        vectors: vectors.name().to_owned(),
        lanes: vectors.lanes() as u32,
        rates,
        executed,
        bounds: bounds.into_iter().map(bound).collect(),
    }
}

/// FP32 operations per second of multiply-adds, each of which is two.
pub fn cpu_peak(vectors: Vectors, ceilings: &Ceilings) -> f64 {
    2.0 * vectors.lanes() as f64 * ceilings.mul_add
}

/// Lanes of arithmetic instructions per second, of whatever kind is quickest.
pub fn cpu_lanes_per_second(vectors: Vectors, ceilings: &Ceilings) -> f64 {
    let Ceilings { add, mul, mul_add, mixed, .. } = *ceilings;
    vectors.lanes() as f64 * add.max(mul).max(mul_add).max(mixed)
}

fn rates(ceilings: &Ceilings) -> Rates {
    let Ceilings { add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store, .. } =
        *ceilings;
    Rates { add, mul, mul_add, mixed, rsqrt, rsqrt_mul, div_sqrt, load, store }
}

/// Every bound and its least time in seconds.
fn bounds(executed: &Executed, rates: &Rates) -> Vec<(&'static str, f64)> {
    let Executed { add, mul, mul_add, rsqrt, sqrt, div, load, store, .. } = *executed;
    let multiplications = mul + mul_add;
    let multiply = mul / rates.mul + mul_add / rates.mul_add;
    let (adding, estimate) = (add / rates.add, rsqrt / rates.rsqrt);
    let mut all = vec![
        (MULTIPLY, multiply),
        (ADD, adding),
        (ESTIMATE, estimate),
        (ROOT, (sqrt + div) / rates.div_sqrt),
        (LOAD, load / rates.load),
        (STORE, store / rates.store),
    ];
    let of_one = if multiplications > 0.0 { multiply / multiplications } else { 0.0 };
    let with_add = together((multiplications, of_one), (add, 1.0 / rates.add), 2.0 / rates.mixed);
    let with_estimate =
        together((multiplications, of_one), (rsqrt, 1.0 / rates.rsqrt), 2.0 / rates.rsqrt_mul);
    if with_add > LONGER * multiply.max(adding) {
        all.push((MULTIPLY_ADD, with_add));
    }
    if with_estimate > LONGER * multiply.max(estimate) {
        all.push((MULTIPLY_ESTIMATE, with_estimate));
    }
    all
}

/// The least time for so many of one kind of instructions and so many of another: how many there are, and
/// what one takes without the others, s. `pair` is what one of each take together.
///
/// With the fewer kind made as many as the other, all would be pairs. Those that this adds take no longer than
/// they do alone; so what is left is at least what the pairs take, less that. Where both need the same units
/// it is the sum of both, and where they need none together no more than the longer of them.
fn together(one: (f64, f64), other: (f64, f64), pair: f64) -> f64 {
    let (more, fewer) = if one.0 > other.0 { (one, other) } else { (other, one) };
    (more.0 * pair - (more.0 - fewer.0) * fewer.1).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Per second: one multiplication a clock, two additions with it or none, an estimate that takes
    /// two of a multiplication's clocks, or two of its own.
    fn rates(own_adders: bool, own_estimates: bool) -> Rates {
        Rates {
            add: 2.0,
            mul: 1.0,
            mul_add: 1.0,
            mixed: if own_adders { 2.0 } else { 4.0 / 3.0 },
            rsqrt: 0.5,
            rsqrt_mul: if own_estimates { 1.0 } else { 2.0 / 3.0 },
            div_sqrt: 0.1,
            load: 2.0,
            store: 1.0,
        }
    }

    const EXECUTED: Executed = Executed {
        counted_n: 1024,
        add: 6.0,
        mul: 4.0,
        mul_add: 8.0,
        rsqrt: 1.0,
        sqrt: 1.0,
        div: 1.0,
        load: 8.0,
        store: 3.0,
    };

    fn of(rates: &Rates, name: &str) -> Option<f64> {
        bounds(&EXECUTED, rates).into_iter().find(|(bound, _)| *bound == name).map(|it| it.1)
    }

    #[test]
    fn units_that_are_shared_add_up() {
        let near = |one: Option<f64>, other: f64| one.is_some_and(|one| (one - other).abs() < 1e-9);
        let own = rates(true, true);
        for (name, least) in
            [(MULTIPLY, 12.0), (ADD, 3.0), (ESTIMATE, 2.0), (ROOT, 20.0), (LOAD, 4.0), (STORE, 3.0)]
        {
            assert!(near(of(&own, name), least), "{name}");
        }
        assert_eq!((of(&own, MULTIPLY_ADD), of(&own, MULTIPLY_ESTIMATE)), (None, None));
        let shared = rates(false, false);
        assert!(near(of(&shared, MULTIPLY_ADD), 15.0), "{:?}", of(&shared, MULTIPLY_ADD));
        assert!(near(of(&shared, MULTIPLY_ESTIMATE), 14.0), "{:?}", of(&shared, MULTIPLY_ESTIMATE));
    }

    /// Twice for each pair and thrice for each element.
    #[test]
    fn counts_at_two_sizes_tell_those_at_all() {
        let of = |n: u64| 2 * n * n + 3 * n;
        let counts = |n: u64| Counts { load: of(n), ..Counts::default() };
        let (large, half) = (counts(COUNTED), counts(COUNTED / 2));
        let counted = CpuCounted { large, half };
        for n in [16, 1008, 100_000] {
            let executed = counted.at(n);
            assert_eq!((executed.load, executed.add), (of(n) as f64, 0.0), "{n}");
        }
    }

    /// What does nothing with vectors has no bounds, and there are no times shorter than these.
    #[test]
    fn bounds_are_parts_of_the_time() {
        let one = Ceilings {
            threads: 2,
            add: 2e9,
            mul: 1e9,
            mul_add: 1e9,
            mixed: 2e9,
            rsqrt: 5e8,
            rsqrt_mul: 1e9,
            div_sqrt: 1e8,
            load: 2e9,
            store: 1e9,
            clock_mhz: Some(1000.0),
        };
        let of = (Vectors::Avx2, &one);
        let none = cpu_limits(None, of, 16e9, (1024, 0.1));
        assert_eq!((none.executed, none.bounds.len(), none.threads, none.lanes), (None, 0, 2, 8));
        let n = COUNTED;
        let large = Counts { mul: n * n, load: n, ..Counts::default() };
        let half = Counts { mul: n * n / 4, load: n / 2, ..Counts::default() };
        let counted = CpuCounted { large, half };
        let limits = cpu_limits(Some(counted.at(10_000)), of, 16e9, (10_000, 0.2));
        let bounds: Vec<_> =
            limits.bounds.iter().map(|it| (it.name.as_str(), it.fraction)).collect();
        assert_eq!(bounds, [(MULTIPLY, 0.5), (LOAD, 0.5e-5 / 0.2)]);
        assert_eq!(
            (cpu_peak(Vectors::Avx2, &one), cpu_lanes_per_second(Vectors::Avx2, &one)),
            (16e9, 16e9)
        );
    }

    /// Two units for multiplications, of which one also estimates: a pair says little of twelve and one.
    #[test]
    fn a_bound_is_not_more_than_is_known() {
        assert!(together((12.0, 0.5), (1.0, 2.0), 2.0) < 7.0);
        assert_eq!(together((0.0, 0.0), (0.0, 1.0), 2.0), 0.0);
        assert_eq!(together((0.0, 0.0), (3.0, 1.0), 2.0), 6.0);
    }
}

//! The least time that any all-pairs force evaluation can take on a chip.

use ladder::limits::Chip;

fn pairs(n: u64) -> f64 {
    let n = n as f64;
    n * (n - 1.0).max(0.0) / 2.0
}

/// Pairs that a lane of an instruction serves at most: two, where it holds two halves.
const PAIRS_PER_LANE: f64 = 2.0;

/// Ordinary instructions that each pair takes at least.
const INSTRUCTIONS: f64 = 2.0;

/// The least time in seconds that any code can take for the forces of `n` bodies on each other,
/// at the chip's highest clock. What is faster did not do the work.
///
/// However a kernel is written, the force between two bodies is another function of their distance
/// for each pair: r⁻³, softened. Squared distances, sums and products with masses can be left to
/// matrix units, and forces can be used for both bodies of a pair. But the function is not linear:
/// ordinary units compute it for each of the n·(n − 1)/2 pairs. No one instruction does. A
/// multiply-add of r² is a parabola at most, which is nowhere near r⁻³ over a cluster's distances; an
/// inverse square root or an exponential is another power, and takes the time of several ordinary
/// instructions; so does a look-up in a table. Hence at least two instructions, in each of which a
/// lane serves two pairs where it holds two numbers of half precision. (Half precision cannot be
/// ruled out: errors of single terms of either sign vanish in a sum of many.) A multiprocessor issues
/// such instructions for only so many lanes in a clock.
///
/// This is still far below what any kernel reaches: for 20 floating-point operations an interaction
/// it stands at 1340 TFLOP/s on an H200, of which the best known kernels reach 60. It is for catching
/// times that are no times: an empty launch, a clock that does not run, results kept from before.
/// What leaves out a part of the work is found by its results, since no one knows beforehand which of
/// them are judged. A method that leaves pairs out, such as a tree code, is not bound by it.
pub fn floor_seconds(n: u64, chip: &Chip) -> f64 {
    chip.arithmetic_seconds(pairs(n) * INSTRUCTIONS / PAIRS_PER_LANE)
}

#[cfg(test)]
mod tests {
    use simt::model::Gpu;

    use super::*;

    fn h200() -> Chip {
        gpu("h200")
    }

    fn gpu(name: &str) -> Chip {
        Chip::Gpu(Box::new(Gpu::named(name).expect("a GPU that is known")))
    }

    #[test]
    fn the_best_kernels_are_well_above_the_floor() {
        // TFLOP/s at 20 flop an interaction: measured on an H200 by a draft that computes each pair
        // once, and what matrix units and each pair once could come to.
        for (n, tera) in [(4096, 23.5), (16_384, 41.5), (131_072, 59.7), (524_288, 130.0)] {
            let seconds = 20.0 * (n as f64).powi(2) / (tera * 1e12);
            let floor = floor_seconds(n, &h200());
            assert!(seconds > 10.0 * floor, "n = {n}: {seconds} against {floor}");
        }
    }

    #[test]
    fn published_rates_of_other_gpus_are_above_theirs() {
        for (gpu, tera) in
            [("tesla-c2050", 0.6756), ("gtx-680", 1.6776), ("rtx-4090", 44.5), ("v100", 10.7)]
        {
            let seconds = 20.0 * 1e10 / (tera * 1e12);
            assert!(seconds > 10.0 * floor_seconds(100_000, &self::gpu(gpu)), "{gpu}");
        }
    }

    #[test]
    fn a_launch_that_does_nothing_is_below_it() {
        // Two microseconds between two events around an empty kernel; results kept from before take
        // the time to write 12 bytes a body.
        let empty = 2e-6;
        for n in [32_768, 131_072, 1 << 20] {
            let kept = empty + 12.0 * n as f64 / 4.8e12;
            assert!(kept < floor_seconds(n, &h200()), "n = {n}: {}", floor_seconds(n, &h200()));
        }
    }

    /// Of a core: 16 lanes, two instructions in a clock of 3.7 GHz; the fastest step of the ladder there did
    /// 7·10⁹ interactions per second.
    #[test]
    fn a_cpu_has_a_floor_too() {
        let chip = Chip::Cpu { name: "a core".to_owned(), lanes_per_second: 16.0 * 2.0 * 3.7e9 };
        let n = 16_384;
        let seconds = (n as f64).powi(2) / 7e9;
        assert!(seconds > 10.0 * floor_seconds(n, &chip), "{}", floor_seconds(n, &chip));
        assert!(floor_seconds(n, &chip) > 0.5e-3, "an empty function: {}", floor_seconds(n, &chip));
        assert_eq!((floor_seconds(1, &chip), chip.name()), (0.0, "a core"));
    }

    #[test]
    fn few_bodies_have_no_floor_worth_the_name() {
        assert_eq!(floor_seconds(0, &h200()), 0.0);
        assert_eq!(floor_seconds(1, &h200()), 0.0);
        // 131072² / 2 pairs, 2 instructions each, over 2 · 128 · 132 lanes at 1.98 GHz.
        let floor = floor_seconds(131_072, &h200());
        assert!((floor - 256.8e-6).abs() < 0.1e-6, "{floor}");
    }
}

//! What the tutorial says itself (Burtscher, "CUDA Optimization Tutorial", slide 49): step 07-unroll on a Tesla C2050.

use super::account::{Accounting, Line, Timed};

/// The GPU of the slide.
pub const GPU: &str = "Tesla C2050";

/// The step after which it stands.
pub const STEP: &str = "07-unroll";

/// Clocks for 20 floating-point operations: floating point alone, and all instructions.
pub const CLOCKS: (f64, f64) = (20.0, 31.0);

/// Rates in GFLOP/s: the peak, that of floating point alone, that of all instructions.
pub const RATES: [f64; 3] = [1030.0, 515.2, 330.45];

/// How much of these the tutorial's kernel reached, %.
pub const REACHED: [f64; 3] = [32.0, 63.0, 99.0];

/// What the tutorial measured, GFLOP/s; and what its last kernel reaches (slide 56).
pub const MEASURED: (f64, f64) = (326.7, 675.6);

/// The slide's own account, as if it were one of ours: 3 differences, 3 products and 6 multiply-adds of one clock, a
/// reciprocal square root of 8, and 11 clocks of integer instructions.
pub fn accounting() -> Accounting {
    let line = |name: &str, is_floating, number, clocks_each| Line {
        name: name.to_owned(),
        is_floating,
        number,
        clocks_each,
    };
    Accounting {
        step: STEP.to_owned(),
        gpu: GPU.to_owned(),
        arch: None,
        exact: false,
        flop: 20.0,
        lanes: 14.0 * 32.0,
        clock_mhz: 1150.0,
        active_lanes: 32.0,
        lines: vec![
            line("FP32 add", true, 3.0, 1.0),
            line("FP32 multiply", true, 3.0, 1.0),
            line("FP32 multiply-add", true, 6.0, 1.0),
            line("special function", true, 1.0, 8.0),
            line("integer", false, 11.0, 1.0),
        ],
        busiest: String::new(),
        busiest_clocks: 0.0,
        timed: Timed { source: "published", flop_per_second: MEASURED.0 * 1e9 },
    }
}

/// Whether the slide speaks of this step on this GPU.
pub fn is_of(accounting: &Accounting) -> bool {
    accounting.gpu == GPU && accounting.step == STEP
}

/// Where an account of ours differs from the slide's, and why: sentences in the order of its lines.
pub fn differences(own: &Accounting) -> Vec<String> {
    let theirs = accounting();
    let number = |of: &Accounting, floating: bool, special: bool| -> f64 {
        let is_special = |line: &&Line| (line.name == "special function") == special;
        let lines = of.lines.iter().filter(|line| line.is_floating == floating).filter(is_special);
        lines.map(Line::clocks).sum()
    };
    let pair =
        |floating, special| (number(own, floating, special), number(&theirs, floating, special));
    let (fp32, slide_fp32) = pair(true, false);
    let (special, slide_special) = pair(true, true);
    let (others, slide_others) = pair(false, false);
    vec![
        format!(
            "FP32: {fp32:.1} clocks here, {slide_fp32:.0} on the slide, which takes the softening as part of a \
             multiply-add and knows no scaling of subnormal numbers before and after the reciprocal square root."
        ),
        format!(
            "Special function: {special:.1} clocks here, {slide_special:.0} on the slide. The slide adds them to the \
             others. But the unit works at the same time as the other lanes: the tutorial's last kernel reaches {} GFLOP/s, more \
             than the {} that the slide calls realistic.",
            MEASURED.1, RATES[1]
        ),
        format!(
            "All else: {others:.1} clocks here, {slide_others:.0} on the slide, for the code of 2012's compiler. The \
             code counted here is {}.",
            match &own.arch {
                Some(arch) if own.exact => format!("that for {arch}"),
                Some(arch) => format!("that for {arch}, in place of the GPU's own"),
                None => "expanded from PTX".to_owned(),
            }
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slides_reasoning_gives_the_slides_figures() {
        let slide = accounting();
        assert_eq!(slide.clocks(), CLOCKS);
        let rates = slide.rates();
        // The slide's last rate is that of 31.18 clocks, rounded to 31 in its text.
        for ((rate, published), tolerance) in rates.iter().zip(RATES).zip([0.001, 0.0001, 0.007]) {
            let giga = rate.flop_per_second / 1e9;
            assert!((giga / published - 1.0).abs() < tolerance, "{}: {giga}", rate.name);
        }
        for (rate, published) in rates.iter().zip(REACHED) {
            assert!((rate.reached_percent - published).abs() < 1.0, "{rate:?}");
        }
        assert_eq!(rates.len(), 3, "the slide knows no parts side by side");
    }

    #[test]
    fn the_last_kernel_is_faster_than_the_slide_thinks_possible() {
        let last = Timed { source: "published", flop_per_second: MEASURED.1 * 1e9 };
        let rates = Accounting { timed: last, ..accounting() }.rates();
        assert!(rates[1].reached_percent > 130.0, "{rates:?}");
        // 66% of the peak, says slide 56.
        assert!((rates[0].reached_percent - 66.0).abs() < 1.0, "{rates:?}");
    }
}

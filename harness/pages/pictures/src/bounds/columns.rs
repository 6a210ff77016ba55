//! Which bounds have a column: those that readers ask for and that say something.

use report::bound::{
    BUSIEST, DRAM, FP32_PEAK, FP32_PIPE, ISSUE, L1, L2, LATENCY, LOAD_STORE, MUFU, SHARED, cpu,
};
use report::{Bound, words};

/// The bounds that readers ask for, in the order of their columns: of a GPU, then of a CPU.
#[rustfmt::skip]
const ASKED: [&str; 19] = [
    ISSUE, FP32_PEAK, FP32_PIPE, MUFU, SHARED, LOAD_STORE, L1, L2, DRAM, LATENCY, BUSIEST,
    cpu::MULTIPLY_ESTIMATE, cpu::MULTIPLY_ADD, cpu::MULTIPLY, cpu::ADD, cpu::ESTIMATE, cpu::ROOT,
    cpu::LOAD, cpu::STORE,
];
/// More columns have no room for bars.
pub const MOST: usize = 8;
/// A bound of which every step stays below this share has no column.
const LEAST: f64 = 0.01;
/// Shares of the pipe and of the peak that differ by less than this factor say the same.
const SAME: f64 = 1.02;

/// The bounds of a picture.
pub struct Columns {
    /// The names of those that have a column.
    pub names: Vec<String>,
    /// The others, as a note.
    pub left_out: String,
}

/// A bound over all steps.
struct Known<'s> {
    name: &'s str,
    /// The greatest share that a step has of it.
    most: f64,
    /// Whether it is the longest of some step.
    binds: bool,
}

impl Columns {
    /// The columns for steps with these bounds, each step's longest first.
    pub fn of<'s>(steps: impl Iterator<Item = &'s [Bound]> + Clone) -> Columns {
        let mut known: Vec<Known> = Vec::new();
        for bounds in steps.clone() {
            for (at, bound) in bounds.iter().enumerate() {
                let (name, most, binds) = (bound.name.as_str(), bound.fraction, at == 0);
                match known.iter_mut().find(|it| it.name == name) {
                    Some(it) => {
                        it.most = it.most.max(most);
                        it.binds |= binds;
                    }
                    None => known.push(Known { name, most, binds }),
                }
            }
        }
        // Those that bind first: they have a column whatever they are.
        known.sort_by(|a, b| b.binds.cmp(&a.binds).then(b.most.total_cmp(&a.most)));
        let pipe_is_peak = steps.clone().all(pipe_is_peak);
        let is_wanted = |it: &Known| {
            let says_more = it.name != FP32_PIPE || !pipe_is_peak;
            it.binds || (ASKED.contains(&it.name) && it.most >= LEAST && says_more)
        };
        let (mut shown, mut rest): (Vec<_>, Vec<_>) = known.into_iter().partition(is_wanted);
        rest.extend(shown.drain(MOST.min(shown.len())..));
        let place = |name: &str| ASKED.iter().position(|it| *it == name).unwrap_or(ASKED.len());
        shown.sort_by_key(|it| place(it.name));
        Columns {
            names: shown.iter().map(|it| it.name.to_owned()).collect(),
            left_out: left_out(rest),
        }
    }
}

/// Whether the pipe of FP32 says of a step what the peak says.
fn pipe_is_peak(bounds: &[Bound]) -> bool {
    let of = |name| bounds.iter().find(|bound| bound.name == name).map(|bound| bound.seconds);
    of(FP32_PIPE).is_none_or(|pipe| of(FP32_PEAK).is_some_and(|peak| pipe <= SAME * peak))
}

/// "Not shown: integer (23 % at most); below 1 % for every step: L2, constants."
fn left_out(mut rest: Vec<Known>) -> String {
    rest.sort_by(|a, b| b.most.total_cmp(&a.most));
    let (some, little): (Vec<Known>, Vec<Known>) =
        rest.into_iter().partition(|it| it.most >= LEAST);
    let some = some.iter().map(|it| format!("{} ({} at most)", title(it.name), percent(it.most)));
    let some = some.collect::<Vec<_>>().join(", ");
    let below = format!("below {:.0}\u{2009}% for every step", 100.0 * LEAST);
    let little = words::listing(&below, little.iter().map(|it| title(it.name)));
    match (some.is_empty(), little.is_empty()) {
        (true, true) => String::new(),
        (false, true) => format!("Not shown: {some}."),
        (true, false) => format!("Not shown, {little}"),
        (false, false) => format!("Not shown: {some}; {little}"),
    }
}

/// A bound's name as a reader can tell it from the others.
pub fn title(name: &str) -> &str {
    if name == FP32_PIPE { "FP32 pipe" } else { name }
}

/// A share in percent: "66 %", "0.3 %".
pub fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
    let text = match percent {
        9.95.. => format!("{percent:.0}"),
        0.05.. => format!("{percent:.1}"),
        _ => "<0.1".to_owned(),
    };
    format!("{text}\u{2009}%")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(steps: &[&[(&str, f64)]]) -> Columns {
        let bound = |&(name, share): &(&str, f64)| Bound {
            name: name.to_owned(),
            seconds: share,
            fraction: share,
        };
        let steps: Vec<Vec<Bound>> =
            steps.iter().map(|step| step.iter().map(bound).collect()).collect();
        Columns::of(steps.iter().map(Vec::as_slice))
    }

    #[test]
    fn what_binds_has_a_column_and_what_says_nothing_has_none() {
        let one = [(ISSUE, 0.8), (FP32_PIPE, 0.41), (FP32_PEAK, 0.405), ("integer", 0.2)];
        let other = [(LATENCY, 0.9), (ISSUE, 0.1), ("L2", 0.009), (DRAM, 0.001)];
        let columns = of(&[&one, &other]);
        assert_eq!(columns.names, [ISSUE, FP32_PEAK, LATENCY]);
        assert_eq!(
            columns.left_out,
            "Not shown: FP32 pipe (41\u{2009}% at most), integer (20\u{2009}% at most); below \
             1\u{2009}% for every step: L2, DRAM."
        );
        let pipe = of(&[&[(FP32_PIPE, 0.6), (FP32_PEAK, 0.4)]]);
        assert_eq!((pipe.names.len(), pipe.left_out.as_str()), (2, ""));
        let columns = of(&[&[("tensor", 0.002), (ISSUE, 0.001)]]);
        assert_eq!(columns.names, ["tensor"]);
        assert_eq!(columns.left_out, "Not shown, below 1\u{2009}% for every step: issue.");
    }
}

//! Which of a problem's inputs a kernel is verified with, where a verdict is waited for.

use crate::Step;
use crate::ladder::OpenProblem;
use crate::problem::{Input, ROW, TURN};

/// With which of the inputs that its problem names a step is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inputs {
    /// With all of them.
    All,
    /// With one of each size, where a verdict is waited for: kinds of data take turns, and the seed decides which begins.
    InTurns,
    /// The same up to half of the largest size, as larger ones take most of the time.
    Small,
}

impl Inputs {
    /// The inputs of a step, in order.
    pub(super) fn of(self, open: &dyn OpenProblem, step: &Step) -> Vec<Input> {
        let all = open.verification(step, false);
        match self {
            Inputs::All => all,
            Inputs::InTurns => taken(&all, open.seed()),
            Inputs::Small => {
                let mut taken = taken(&all, open.seed());
                let largest = taken.iter().map(|input| input.n).max().unwrap_or(0);
                taken.retain(|input| input.n <= largest.div_ceil(2));
                taken
            }
        }
    }
}

/// One input of each size and of each range from which sizes are drawn, as kinds of data take turns; of a row of
/// neighbouring sizes every fifth. The seed decides who begins.
fn taken(inputs: &[Input], seed: u64) -> Vec<Input> {
    let turn = |place: usize| (place as u64).wrapping_add(seed);
    let is_of_size = |a: &Input, b: &Input| {
        let is_as_large = a.n == b.n || a.drawn_from.is_some();
        is_as_large && (a.drawn_from, a.multiprocessors) == (b.drawn_from, b.multiprocessors)
    };
    let of_sizes = inputs.chunk_by(is_of_size).enumerate();
    let one_of_size: Vec<Input> =
        of_sizes.map(|(place, kinds)| kinds[(turn(place) % kinds.len() as u64) as usize]).collect();
    let is_of_kind = |a: &Input, b: &Input| a.purpose == b.purpose;
    let of_kind = one_of_size.chunk_by(is_of_kind).flat_map(|sizes| {
        let is_taken = |place| (sizes.len() as u64) < ROW || turn(place).is_multiple_of(TURN);
        sizes.iter().enumerate().filter(move |(place, _)| is_taken(*place)).map(|(_, input)| *input)
    });
    of_kind.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    const KINDS: [&str; 3] = ["random", "equal", "ordered"];

    fn of_all_kinds(sizes: &[u64]) -> Vec<Input> {
        let of_size = |&n: &u64| KINDS.map(|kind| Input::verified(n, kind, 7));
        sizes.iter().flat_map(of_size).collect()
    }

    #[test]
    fn each_size_is_taken_once_and_kinds_take_turns() {
        let inputs = of_all_kinds(&[1, 33, 130, 257]);
        let mut at_first = BTreeSet::new();
        for seed in [0, 1, 2, u64::MAX] {
            let taken = taken(&inputs, seed);
            assert_eq!(taken.iter().map(|input| input.n).collect::<Vec<_>>(), [1, 33, 130, 257]);
            let kinds: BTreeSet<String> =
                taken.iter().map(|input| format!("{:?}", input.purpose)).collect();
            assert_eq!(kinds.len(), 3, "no kind is left out: {kinds:?}");
            at_first.insert(format!("{:?}", taken[0].purpose));
        }
        assert_eq!(at_first.len(), 3, "and another begins with another seed");
    }

    #[test]
    fn of_sizes_drawn_from_a_range_one_is_taken() {
        let drawn = |(n, kind)| Input::verified(n, kind, 7).drawn_from(usize::from(n > 300));
        let inputs = [(50, "random"), (80, "equal"), (900, "random"), (700, "equal")].map(drawn);
        let sizes = |seed| taken(&inputs, seed).iter().map(|input| input.n).collect::<Vec<_>>();
        assert_eq!([sizes(0), sizes(1)], [[50, 700], [80, 900]]);
    }

    #[test]
    fn of_a_row_of_sizes_every_fifth_is_taken_and_each_with_some_seed() {
        let row: Vec<Input> = (128..256).map(|n| Input::verified(n, "ends", 7)).collect();
        let mut all = BTreeSet::new();
        for seed in 0..TURN {
            let sizes = taken(&row, seed).into_iter().map(|input| input.n);
            let before = all.len();
            all.extend(sizes);
            assert!((25..=26).contains(&(all.len() - before)));
        }
        assert_eq!(all.len(), row.len());
    }
}

//! The order in which units begin.
//!
//! It is ascending unless a seed permutes it. A GPU promises no order, but it begins early blocks before late ones, so
//! units change places only within a window.

use crate::random::{STEP, coin, mix};

/// Units of a window, about as many as a large GPU runs at once.
const WINDOW: u64 = 256;

/// Most communicating units that run at a time if a seed draws a small number.
const FEW: u64 = 8;

/// The order of a launch's units.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    units: u64,
    window: u64,
    seed: u64,
    /// Late units of a window before early ones.
    descends: bool,
}

impl Order {
    /// The order of `units` units; ascending for seed 0.
    pub(super) fn new(units: u64, seed: u64) -> Order {
        Order { units, window: if seed == 0 { 1 } else { WINDOW }, seed, descends: false }
    }

    /// The order where few can wait at a time. Every second seed begins with the last of a window: whoever counts on earlier
    /// blocks having begun then waits for ever, whatever would be drawn.
    pub(super) fn of_few(self) -> Order {
        Order { descends: self.seed % 2 == 1, ..self }
    }

    /// How many communicating units run at a time. For seed 0 it is one, so that counts are reproducible. Other seeds
    /// draw it, because a waiting unit finds another state with every number of others: a small number, or a window, in which
    /// many units wait at once, as on a large GPU. It is a window where the first unit may be overtaken by all others.
    pub(super) fn at_once(&self) -> usize {
        let drawn = mix(self.seed);
        match self.seed {
            0 => 1,
            _ if !coin(self.seed) && drawn >> 62 != 0 => 1 + (drawn % FEW) as usize,
            _ => WINDOW as usize,
        }
    }

    /// Shuffles the turns of a round, so that no warp is always first.
    pub(super) fn mix<T>(&self, round: u64, turns: &mut [T]) {
        let mut drawn = self.seed ^ mix(round + 1);
        for length in (2..=turns.len()).rev() {
            drawn = mix(drawn.wrapping_add(STEP));
            turns.swap(length - 1, (drawn % length as u64) as usize);
        }
    }

    /// The lowest index of a unit that begins at this turn or later.
    pub(super) fn earliest(&self, turn: u64) -> u64 {
        turn - turn % self.window
    }

    /// The unit that begins at this turn: `step · place + shift` modulo the length of the window, which visits every
    /// unit once because step and length are coprime.
    pub(super) fn unit(&self, turn: u64) -> u64 {
        let first = self.earliest(turn);
        let length = self.window.min(self.units - first);
        if self.descends {
            return first + length - 1 - (turn - first);
        }
        let drawn = mix(self.seed ^ first);
        let steps = (drawn % length..).map(|step| step.max(1));
        let step = steps.into_iter().find(|&step| divisor(step, length) == 1).unwrap_or(1);
        first + (step * (turn - first) + (drawn >> 32)) % length
    }
}

fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_one_turn_near_its_place() {
        for units in [1, 2, 3, 255, 256, 257, 1000, 4096] {
            let few = [1, 2].map(|seed| Order::new(units, seed).of_few());
            let all = [1, 2, 1000, u64::MAX].map(|seed| Order::new(units, seed));
            for order in all.into_iter().chain(few) {
                let turns: Vec<u64> = (0..units).map(|turn| order.unit(turn)).collect();
                let mut sorted = turns.clone();
                sorted.sort_unstable();
                assert!(sorted.into_iter().eq(0..units), "{units}, {}: {turns:?}", order.seed);
                for (turn, &unit) in turns.iter().enumerate() {
                    assert!(unit.abs_diff(turn as u64) < WINDOW);
                    assert!(turns[turn..].iter().all(|&it| it >= order.earliest(turn as u64)));
                }
            }
        }
    }

    #[test]
    fn of_few_the_last_of_a_window_begins_for_every_second_seed() {
        let first = |seed| Order::new(300, seed).of_few().unit(0);
        assert_eq!(first(7), 255);
        assert_eq!(Order::new(300, 7).of_few().unit(256), 299);
        assert!((0..20).any(|seed| first(2 * seed) < 128));
    }

    #[test]
    fn seeds_have_orders_of_their_own_and_0_the_ascending_one() {
        let order = |seed| -> Vec<u64> {
            let order = Order::new(64, seed);
            (0..64).map(|turn| order.unit(turn)).collect()
        };
        assert!(order(0).into_iter().eq(0..64));
        assert_eq!(order(7), order(7));
        let mut all: Vec<Vec<u64>> = (0..20).map(order).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 20);
        // Few units run at a time, or many.
        let many = (1..=1000).filter(|&seed| Order::new(2, seed).at_once() > FEW as usize).count();
        assert!((550..700).contains(&many), "{many}");
        assert_eq!(Order::new(2, 0).at_once(), 1);
        // Of a seed and its complement one runs many, and lets them overtake the first.
        for seed in (1..=100).chain((1..=100).map(|seed: u64| !seed)) {
            assert!(coin(seed) != coin(!seed));
            assert!(!coin(seed) || Order::new(2, seed).at_once() == WINDOW as usize);
        }
        // Each of two units comes first for some seeds.
        let swapped = (1..=1000).filter(|&seed| Order::new(2, seed).unit(0) == 1).count();
        assert!((400..600).contains(&swapped), "{swapped}");
    }
}

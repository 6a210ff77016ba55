//! With what one run of an exercise is made: a size, numbers that vary besides, and a seed.
//!
//! A kernel is checked at every size that its exercise names and at one that is drawn, so that a kernel that knows the
//! named sizes does not pass. Counts of the last run are held against the goals: there nothing is drawn but data.

use std::collections::BTreeMap;

use super::exercise::Exercise;
use super::plan::Plan;

/// With what one run is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The size of the data.
    pub n: u64,
    /// What varies besides, by its name: the threads of a block, for example.
    pub varied: BTreeMap<String, u64>,
    /// Decides what is random in the data.
    pub seed: u64,
}

impl Case {
    /// All that `plan` asks for, those of one seed after those of the other; none where the exercise has no sizes. The
    /// exercise's own sizes take what varies in turn, the plan's all of it.
    pub fn all(exercise: &Exercise, plan: &Plan) -> Vec<Case> {
        let Some((_, first)) = exercise.sizes.split_last() else { return Vec::new() };
        let turns = exercise.vary.values().map(Vec::len).max().unwrap_or(1);
        let mut all = Vec::new();
        for &seed in &plan.seeds {
            let case = |n: u64, turn: usize| {
                let of = |values: &Vec<u64>| values[turn % values.len()];
                let varied = exercise.vary.iter().map(|(name, values)| (name.clone(), of(values)));
                Case { n, varied: varied.collect(), seed }
            };
            let first = first.iter().zip((0..turns).cycle().skip(seed as usize % turns));
            all.extend(first.map(|(&n, turn)| case(n, turn)));
            all.extend(plan.sizes.iter().flat_map(|&n| (0..turns).map(move |turn| case(n, turn))));
            all.extend(Case::of_goals(exercise, seed));
        }
        all
    }

    /// The last run, whose counts are held against the goals: the last size, and the last of all that varies.
    pub fn of_goals(exercise: &Exercise, seed: u64) -> Option<Case> {
        let last = |(name, values): (&String, &Vec<u64>)| Some((name.clone(), *values.last()?));
        let varied = exercise.vary.iter().filter_map(last).collect();
        Some(Case { n: *exercise.sizes.last()?, varied, seed })
    }

    /// What varies besides the size, in words; empty where nothing does.
    pub fn words(&self) -> String {
        let words: Vec<String> =
            self.varied.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        words.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_sizes_take_turns_and_drawn_ones_take_all() {
        let all = Exercise::all().expect("exercises");
        let exercise = all.iter().find(|it| it.name == "06-wrong-block").expect("it is there");
        let cases =
            Case::all(exercise, &Plan { seeds: vec![6], sizes: vec![7], ..Plan::default() });
        let brief: Vec<(u64, u64)> = cases.iter().map(|it| (it.n, it.varied["threads"])).collect();
        let drawn = [(7, 64), (7, 96), (7, 256), (7, 128)];
        assert_eq!(brief[..2], [(100, 256), (128, 128)]);
        assert_eq!(brief[2..6], drawn);
        assert_eq!(brief[6..], [(1000, 128)], "the goals");
        assert_eq!(cases[0].words(), "threads = 256");
    }
}

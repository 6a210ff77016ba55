//! A tree of sums as a problem: leaves, launches, and the figure of merit.

use ladder::Launch;
use ladder::arrays::{
    Arrays, Call, Data, Extent, Judge, KernelArgument, Random, Sizes, edges, plant, random_words,
};
use report::Figure;

/// A step of this ladder.
pub type Step = ladder::Step<Plan>;

/// Bytes of a node.
const BYTES: u64 = 4;

/// Blocks for each multiprocessor where all wait for each other.
const TOGETHER: u32 = 2;

/// The most lanes of a tile: by so much more than all leaves threads begin.
const TILE: u32 = 32;

/// How a thread knows that the children of its node are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// They belong to an earlier launch.
    Launches,
    /// All blocks have met after they were made.
    Barrier,
    /// Their flags say so.
    Flags,
    /// It was the second to arrive.
    Arrivals,
}

/// The sums of a tree: node *k* is the sum of nodes 2 *k* and 2 *k* + 1; nodes from *n* on are the leaves.
#[derive(Default)]
pub struct Synchronisation;

impl Arrays for Synchronisation {
    type Host = Plan;

    const SIZES: Sizes = Sizes {
        verified: &[1, 2, 3, 4, 31, 32, 33, 63, 65, 255, 256, 257, 1000, 4099],
        drawn: &[(3, 300), (300, 5000)],
        planned_for_few: &[10_007],
        repeated: None,
        measured: 1 << 20,
        simulated: 1 << 16,
        most: 1 << 30, // an `unsigned int` counts all nodes
    };
    const KINDS: &'static [&'static str] = &["random leaves"];

    fn figure() -> Figure {
        Figure {
            pass: "tree".to_owned(),
            results: "nodes".to_owned(),
            ..Figure::of("Tree of sums", "leaves")
        }
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Leaves are read, nodes written.
    fn moved(&self, n: u64) -> f64 {
        (2 * BYTES * n) as f64
    }

    fn bytes(&self, n: u64) -> u64 {
        BYTES * (3 * n + 1)
    }

    fn data([n, ..]: Extent, _: &str, random: &mut Random) -> Data {
        let n = n as usize;
        let mut leaves = random_words(n as u64, random);
        plant(&mut leaves, &edges::WORDS, random);
        let mut nodes = vec![0; n];
        nodes.extend(&leaves);
        for node in (1..n).rev() {
            nodes[node] = nodes[2 * node].wrapping_add(nodes[2 * node + 1]);
        }
        nodes.truncate(n);
        Data::default()
            .input("in", leaves)
            .output("tree", nodes, Judge::Exactly)
            .with_unwritten(1) // the root is node 1
            .scratch("flags", n * BYTES as usize)
            .scratch("ticket", BYTES as usize)
    }

    fn calls(step: &Step, [n, ..]: Extent, multiprocessors: u32) -> Vec<Call> {
        let block = step.threads.block().unwrap_or(1);
        let n = u32::try_from(n).unwrap_or(u32::MAX);
        let given = |more: &[&'static str]| -> Vec<KernelArgument> {
            let arrays = ["in", "tree"].iter().chain(more).map(|&it| it.into());
            [n.into()].into_iter().chain(arrays).collect()
        };
        let build = |threads: u32| Launch::row("build", threads.div_ceil(block), block);
        match step.host {
            Plan::Launches => levels(n)
                .map(|(first, end)| {
                    let launch = Launch::row("level", (end - first).div_ceil(block).max(1), block);
                    Call::Launch(launch, [given(&[]), vec![first.into(), end.into()]].concat())
                })
                .collect(),
            Plan::Barrier => {
                let most = TOGETHER * multiprocessors.max(1) * block;
                vec![Call::Together(build(n.min(most)), given(&[]))]
            }
            Plan::Flags => vec![
                Call::Fill("flags", 0),
                Call::Fill("ticket", 0),
                Call::Launch(build(n), given(&["flags", "ticket"])),
            ],
            Plan::Arrivals => {
                vec![Call::Fill("flags", 0), Call::Launch(build(n + TILE), given(&["flags"]))]
            }
        }
    }

    fn place(_: Extent, array: &str, i: usize) -> String {
        format!("{} {i}", if array == "tree" { "node" } else { "leaf" })
    }
}

/// The nodes of each level, from the lowest: the first, and the one after the last. A leaf alone has a level without
/// nodes.
fn levels(n: u32) -> impl Iterator<Item = (u32, u32)> {
    let lowest = (n - 1).max(1).ilog2();
    (0..=lowest).rev().map(move |level| {
        let first = 1 << level;
        (first, n.min(2 * first))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_begin_at_the_leaves() {
        assert_eq!(levels(1).collect::<Vec<_>>(), [(1, 1)]);
        assert_eq!(levels(2).collect::<Vec<_>>(), [(1, 2)]);
        assert_eq!(levels(6).collect::<Vec<_>>(), [(4, 6), (2, 4), (1, 2)]);
    }
}

//! Launches of steps that compute each pair of bodies once.
//!
//! Groups of bodies stand in a ring, and each meets those up to half way round: so each pair of
//! groups meets once, and all walks are equally long. A warp has a group, or a part of its walk.

use ladder::{Grid, Launch};

use crate::step::ADVANCE_BLOCK;
use crate::tolerance::Sum;

/// Threads of a warp.
const WARP: u32 = 32;

/// Warps of such kernels that a multiprocessor runs at once: their registers allow no more.
const RESIDENT: u32 = 16;

/// How many times as many warps as run at once there are at least: the last of them end at almost
/// the same time. Measured on an H200: 8 to 64 differ by 3 %.
const WAVES: u32 = 32;

/// The launch in which every group of `group` bodies walks its half of the ring.
///
/// The grid has a row of blocks for the groups, as often as walks have parts. Their number is the
/// kernel's to find: blocks of the grid over blocks that one warp a group needs.
pub fn walk(kernel: &'static str, grid: &Grid, group: u32) -> Launch {
    let groups = grid.n.div_ceil(group).max(1);
    let row = groups.div_ceil(grid.block / WARP);
    let blocks = row * parts(groups, groups / 2 + 1, grid.multiprocessors);
    Launch::row(kernel, blocks, grid.block)
}

/// The same on one of several GPUs, in two launches: own groups meet own groups, then the rest of
/// their half of the ring.
pub fn divided(near: &'static str, far: &'static str, grid: &Grid, group: u32) -> [Launch; 2] {
    let own = (grid.own / group).max(1);
    let row = own.div_ceil(grid.block / WARP);
    let longest = grid.n.div_ceil(group) / 2 + 1;
    [(near, own.min(longest)), (far, longest)].map(|(kernel, longest)| {
        let blocks = row * parts(own, longest, grid.multiprocessors);
        Launch::row(kernel, blocks, grid.block)
    })
}

/// How such kernels add up, if `lanes` lanes share a body: the terms of a part of a walk, the lanes,
/// and in `memory` the sums of the parts and of each group that met the body's as partners. `memory`
/// is asked with their number, and with that of as many equal ones.
///
/// Half of a body's acceleration comes from p parts of walks, of L terms each, half from m groups of g
/// terms. So the variance of what these sums lose is that of L terms in k equal ones, where
/// L/k = L/4p + g/4m.
pub fn sums(grid: &Grid, group: u32, lanes: u32, memory: fn(u32, u32) -> Sum) -> Vec<Sum> {
    let longest = grid.n.div_ceil(group) / 2 + 1;
    let parts = parts((grid.own / group).max(1), longest, grid.multiprocessors);
    let terms = (longest.div_ceil(parts) * group).min(grid.n);
    let of_walks = 0.25 / f64::from(parts);
    let of_partners = 0.25 * f64::from(group) / f64::from(terms) / f64::from(longest.max(2) - 1);
    let like = (1.0 / (of_walks + of_partners)).round().max(1.0) as u32;
    let memory = memory(longest - 1 + parts, like);
    vec![Sum::Rounded(terms.div_ceil(lanes)), Sum::Rounded(lanes), memory]
}

/// A launch of one thread a body, those that fill up the last group included.
pub fn per_body(kernel: &'static str, grid: &Grid) -> Launch {
    let blocks = grid.padded.div_ceil(ADVANCE_BLOCK);
    Launch::row(kernel, blocks, ADVANCE_BLOCK)
}

/// Into how many parts each of `groups` walks past `longest` groups is divided: enough to fill the GPU many times, but
/// with two groups to meet in each part, unless that leaves it idle. Without a multiprocessor walks stay whole, as they are
/// verified.
fn parts(groups: u32, longest: u32, multiprocessors: u32) -> u32 {
    let resident = multiprocessors * RESIDENT;
    let halves = longest.div_ceil(2);
    if groups.saturating_mul(halves) < resident {
        return longest;
    }
    resident.saturating_mul(WAVES).div_ceil(groups).clamp(1, halves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::UNDIVIDED_WALKS;

    #[test]
    fn walks_fill_the_gpu_and_no_part_is_empty() {
        for (groups, expected) in [(1, 1), (2, 2), (65, 33), (256, 65), (2048, 33), (100_000, 1)] {
            assert_eq!(parts(groups, groups / 2 + 1, 132), expected, "{groups}");
        }
        let grid = Grid { n: 1000, padded: 1024, own: 1024, block: 128, multiprocessors: 132 };
        let launch = walk("force", &grid, 64);
        assert_eq!((launch.blocks(), launch.threads()), (4 * 9, 128));
        assert_eq!(per_body("correct", &grid).blocks(), 4);
        // Verified with as many rounds in a part as there are at the size that is timed, or more.
        for (group, rounds) in [(64, 32), (256, 9)] {
            let longest = |n: u32| n.div_ceil(group) / 2 + 1;
            let timed = longest(131_072);
            assert!(timed.div_ceil(parts(131_072 / group, timed, 132)) <= rounds);
            let n = UNDIVIDED_WALKS;
            assert_eq!(longest(n).div_ceil(parts(n.div_ceil(group), longest(n), 0)), rounds);
        }
        // As the kernel finds them.
        assert_eq!(launch.blocks() / 16u64.div_ceil(4), 9);
    }
}

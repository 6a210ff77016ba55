//! How the work of launches is spread over their warps.

use device::Profile;
use serde::Serialize;

/// Lanes of a warp.
const LANES: u64 = 32;

/// How the work of launches is spread over their warps. Of several launches, sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Spread {
    /// Warps that were launched.
    pub warps: u64,
    /// PTX instructions of the warp that issued most.
    pub busiest_warp: u64,
}

impl Spread {
    /// Of all these launches.
    pub fn of(profiles: &[Profile]) -> Spread {
        let warps = |profile: &Profile| {
            let threads: u64 = profile.block.into_iter().map(u64::from).product();
            let blocks: u64 = profile.grid.into_iter().map(u64::from).product();
            blocks * threads.div_ceil(LANES)
        };
        Spread {
            warps: profiles.iter().map(warps).sum(),
            busiest_warp: profiles.iter().map(|profile| profile.events.longest_warp).sum(),
        }
    }
}

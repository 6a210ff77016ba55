//! Figures that relate counts to each other; none where there is nothing to relate.

use serde::Serialize;
use simt::Counts;

/// Bytes of a sector: what memory and caches move at least.
const SECTOR: f64 = 32.0;

/// Lanes of a warp.
const LANES: f64 = 32.0;

/// How well a launch uses what it asks for.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratios {
    /// Active lanes of an instruction, in % of the 32.
    pub active_lanes_percent: Option<f64>,
    /// Branches at which the lanes of a warp parted, in % of all.
    pub divergent_percent: Option<f64>,
    /// Sectors that a global request touches; 4 are those of 32 neighbouring words.
    pub sectors_per_request: Option<f64>,
    /// Bytes asked for in % of those in the sectors touched; 100 too where lanes ask for the same bytes.
    pub bytes_used_percent: Option<f64>,
    /// Sectors in which the texels of a texture's or surface's request lie.
    pub sectors_per_texture_request: Option<f64>,
    /// Sectors found in the L1 cache, in % of all.
    pub l1_hit_percent: Option<f64>,
    /// Sectors found in the L2 cache, in % of those not found in the L1 cache.
    pub l2_hit_percent: Option<f64>,
    /// Passes over the banks that a shared request takes; 1 is free of conflicts.
    pub wavefronts_per_request: Option<f64>,
    /// Passes that a load from constant memory takes; 1 is one address for all lanes.
    pub constant_wavefronts_per_request: Option<f64>,
}

impl Ratios {
    /// Of what `counts` says.
    pub fn of(counts: &Counts) -> Ratios {
        let missed = counts.l2_hits + counts.dram_sectors;
        Ratios {
            active_lanes_percent: share(counts.threads as f64, LANES * counts.warps as f64),
            divergent_percent: share(counts.divergent as f64, counts.branches as f64),
            sectors_per_request: ratio(counts.global_sectors, counts.global_requests),
            bytes_used_percent: share(
                counts.global_bytes as f64,
                SECTOR * counts.global_sectors as f64,
            )
            .map(|percent| percent.min(100.0)),
            sectors_per_texture_request: ratio(counts.texture_sectors, counts.texture_requests),
            l1_hit_percent: share(
                counts.l1_hits as f64,
                (counts.global_sectors + counts.texture_sectors) as f64,
            ),
            l2_hit_percent: share(counts.l2_hits as f64, missed as f64),
            wavefronts_per_request: ratio(counts.shared_wavefronts, counts.shared_requests),
            constant_wavefronts_per_request: ratio(
                counts.constant_wavefronts,
                counts.constant_requests,
            ),
        }
    }
}

fn share(part: f64, of: f64) -> Option<f64> {
    (of > 0.0).then(|| 100.0 * part / of)
}

fn ratio(part: u64, of: u64) -> Option<f64> {
    (of > 0).then(|| part as f64 / of as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_relate_what_belongs_together() {
        let counts = Counts {
            warps: 10,
            threads: 160,
            global_requests: 2,
            global_bytes: 256,
            global_sectors: 32,
            l1_hits: 8,
            l2_hits: 6,
            dram_sectors: 18,
            ..Counts::default()
        };
        let ratios = Ratios::of(&counts);
        assert_eq!(ratios.active_lanes_percent, Some(50.0));
        assert_eq!(ratios.sectors_per_request, Some(16.0));
        assert_eq!(ratios.bytes_used_percent, Some(25.0));
        assert_eq!(ratios.l1_hit_percent, Some(25.0));
        assert_eq!(ratios.l2_hit_percent, Some(25.0));
        let shared = Counts { global_bytes: 128, global_sectors: 1, ..counts };
        assert_eq!(Ratios::of(&shared).bytes_used_percent, Some(100.0), "one word for all lanes");
        assert_eq!(ratios.wavefronts_per_request, None, "there is no shared memory");
    }
}

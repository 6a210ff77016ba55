//! What a pass executes and moves at the size that was asked for.

use simt::model::{Demand, Gpu, Need, Owner, Residency};

use super::launches::{Launches, Part};
use crate::Launch;
use crate::problem::Growth;

/// What a pass of a step executes and moves on a GPU.
///
/// It is counted at two sizes, from which counts at others follow ([`Growth`]): where each element
/// meets all others a count is a·n² + b·n, else a·work + b. A multiprocessor holds as many blocks
/// there as at the size that is asked for, since those share its L1 cache. So counts are exact at
/// these sizes, and elsewhere as far as tiles and blocks divide n.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The GPU for which it was counted.
    pub gpu: Gpu,
    /// Bytes of the step at the size that was asked for.
    pub(in crate::limits) bytes: f64,
    /// Whether all elements are read by all blocks.
    pub(in crate::limits) growth: Growth,
    /// Its launches at the size that was asked for.
    pub(in crate::limits) planned: Vec<Launch>,
    /// That size, and what counts grow with there.
    pub(super) n: u64,
    pub(super) basis: [f64; 2],
    /// The modelled time of a pass of that size, s, where it was run as a whole; none where fewer blocks stand for it.
    pub(super) as_run: Option<f64>,
    /// Its kernels, in the order of their first launches.
    pub(in crate::limits) parts: Vec<Part>,
}

impl Counted {
    /// The greater of the sizes at which it was counted.
    pub fn counted_n(&self) -> u64 {
        self.parts.first().map_or(1, |part| part.large.n)
    }

    /// A count of all kernels, at the size that was asked for.
    pub(in crate::limits) fn at(&self, of: impl Fn(&Launches) -> f64) -> f64 {
        self.parts.iter().map(|part| self.of(part, &of)).sum()
    }

    /// A count of one kernel there.
    pub(in crate::limits) fn of(&self, part: &Part, of: impl Fn(&Launches) -> f64) -> f64 {
        part.at(self.basis, of)
    }

    /// What one kernel needs of each part of the GPU there.
    pub(in crate::limits) fn needs(&self, part: &Part) -> impl Iterator<Item = Need> {
        part.large.needs.iter().enumerate().map(move |(place, need)| Need {
            clocks: self.of(part, |launches| launches.needs[place].clocks),
            ..*need
        })
    }

    /// Clocks that its average warp takes alone there, where its launches spread like this.
    pub(in crate::limits) fn warp_clocks(&self, part: &Part, residencies: &[Residency]) -> f64 {
        let warps = |of: &Residency| of.grid_blocks * u64::from(of.block_warps);
        let warps: u64 = residencies.iter().map(warps).sum();
        self.of(part, |launches| launches.warp_clocks) / warps as f64
    }

    /// The modelled time of a pass there, s; none where it is not known beforehand what it launches.
    pub fn seconds(&self) -> Option<f64> {
        if self.as_run.is_some() {
            return self.as_run;
        }
        let of_part = |part| {
            let residencies = self.residencies(part);
            let (needs, warp_clocks) =
                (Vec::from_iter(self.needs(part)), self.warp_clocks(part, &residencies));
            let access_clocks = self.of(part, |launches| launches.access_clocks);
            let blocks: u64 = residencies.iter().map(|of| of.grid_blocks).sum();
            let of_launch = |residency: &Residency| {
                let share = residency.grid_blocks as f64 / blocks as f64;
                let own = |need: &Need| Need { clocks: need.clocks * share, ..*need };
                let needs = needs.iter().map(own).collect();
                let demand = Demand {
                    needs,
                    warp_clocks,
                    longest_warp: part.large.longest_warp,
                    access_clocks: access_clocks * share,
                };
                demand.estimate(&self.gpu, residency).seconds
            };
            (!residencies.is_empty()).then(|| residencies.iter().map(of_launch).sum::<f64>())
        };
        let seconds: Option<f64> = self.parts.iter().map(of_part).sum();
        Some(self.gpu.pass_seconds(seconds?, self.planned.len()))
    }

    /// The part of the chip that is busy longest there.
    pub fn binding(&self) -> Option<&'static str> {
        let part = self.longest()?;
        let clocks = |need: &Need| match need.owner {
            Owner::Chip => need.clocks / need.reached,
            Owner::Share | Owner::Multiprocessor => {
                need.clocks / need.reached / self.gpu.chip.multiprocessors.value
            }
        };
        let busiest = self.needs(part).max_by(|a, b| clocks(a).total_cmp(&clocks(b)));
        busiest.map(|need| need.part)
    }

    /// The size that was asked for.
    pub(in crate::limits) fn asked(&self) -> u64 {
        self.n
    }

    /// The kernel that takes the most time there; the first of equal ones.
    pub(in crate::limits) fn longest(&self) -> Option<&Part> {
        let seconds = |part: &Part| self.of(part, |launches| launches.seconds);
        self.parts
            .iter()
            .reduce(|best, part| if seconds(part) > seconds(best) { part } else { best })
    }

    /// The launches of a kernel there.
    pub(in crate::limits) fn launches(&self, part: &Part) -> impl Iterator<Item = &Launch> {
        self.planned.iter().filter(|launch| launch.kernel == part.kernel)
    }

    /// How the blocks of each launch of a kernel spread over the GPU; nothing of one of which no
    /// block fits.
    pub(in crate::limits) fn residencies(&self, part: &Part) -> Vec<Residency> {
        self.launches(part)
            .filter_map(|launch| {
                let (threads, blocks) = (launch.threads(), launch.blocks());
                self.gpu.residency(threads, part.registers, part.shared_bytes, blocks).ok()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_with_pairs_and_with_elements_is_told_apart() {
        let square = |n: u64| [(n as f64).powi(2), n as f64];
        let launches = |n: u64| Launches {
            n,
            basis: square(n),
            needs: Vec::new(),
            seconds: 0.0,
            fp32_flop: 3.0 * (n * n) as f64 + 50.0 * n as f64,
            special: (n * n) as f64,
            instructions: 7.0 * n as f64,
            global_bytes: 0.0,
            l2_bytes: 0.0,
            dram_bytes: 0.0,
            shared_bytes: 0.0,
            warp_clocks: 0.0,
            longest_warp: 1.0,
            access_clocks: 0.0,
        };
        let part = |small| Part {
            kernel: "sum".to_owned(),
            registers: None,
            shared_bytes: 0,
            large: launches(1000),
            small,
        };
        let counted = |n, parts| Counted {
            gpu: Gpu::named("h200").expect("a GPU that is known"),
            bytes: 0.0,
            growth: Growth::Square,
            planned: Vec::new(),
            n,
            basis: square(n),
            as_run: None,
            parts,
        };
        let both = counted(10_000, vec![part(Some(launches(500)))]);
        assert!((both.at(|launches| launches.fp32_flop) / 300.5e6 - 1.0).abs() < 1e-9);
        assert!((both.at(|launches| launches.instructions) / 7e4 - 1.0).abs() < 1e-9);
        assert_eq!(both.at(|launches| launches.shared_bytes), 0.0);
        let one = counted(2000, vec![part(None)]);
        assert!((one.at(|launches| launches.special) / 4e6 - 1.0).abs() < 1e-9);
        let two = counted(2000, vec![part(None), part(Some(launches(500)))]);
        assert!((two.at(|launches| launches.special) / 8e6 - 1.0).abs() < 1e-9);
    }
}

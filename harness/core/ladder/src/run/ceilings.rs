//! What the CPU can do at most, seen in the rounds in which its steps are timed.

use report::{CpuLimits, Row};
use vectors::{Ceilings, Vectors};

use super::{LadderRun, Ready};
use crate::Step;
use crate::limits::{Chip, count_on_cpu, cpu_lanes_per_second, cpu_limits, cpu_peak};

impl LadderRun<'_> {
    /// Sees once more what the CPU can do on as many threads as these steps use; nothing for steps that do not
    /// run there. The best that is ever seen counts: others may use the CPU too.
    pub(super) fn see(&mut self, ready: &[Ready]) {
        let mut threads: Vec<usize> = ready.iter().filter_map(|it| threads(&it.row)).collect();
        threads.sort_unstable();
        threads.dedup();
        let mut kinds = vec![self.vectors, Vectors::best()];
        kinds.dedup();
        for (threads, vectors) in threads.iter().flat_map(|&it| kinds.iter().map(move |&k| (it, k)))
        {
            let Some(now) = vectors.ceilings(threads) else { continue };
            let is_same =
                |(of, seen): &&mut (Vectors, Ceilings)| *of == vectors && seen.threads == threads;
            match self.ceilings.iter_mut().find(is_same) {
                Some((_, seen)) => *seen = seen.or_more(now),
                None => self.ceilings.push((vectors, now)),
            }
        }
    }

    /// What was seen with these vectors on as many threads as a row has.
    fn seen(&self, vectors: Vectors, row: &Row) -> Option<&Ceilings> {
        let threads = threads(row)?;
        let seen = self.ceilings.iter();
        let mut same = seen.filter(|(of, seen)| *of == vectors && seen.threads == threads);
        same.next().map(|(_, seen)| seen)
    }

    /// The threads of the CPU that a row's step ran on; none where they were not seen at work.
    pub(super) fn cpu(&self, row: &Row) -> Option<Chip> {
        let best = Vectors::best();
        let seen = self.seen(best, row)?;
        let device = row.device.as_deref().unwrap_or("this CPU");
        let plural = if seen.threads == 1 { "" } else { "s" };
        Some(Chip::Cpu {
            name: format!("{} thread{plural} of {device}", seen.threads),
            lanes_per_second: cpu_lanes_per_second(best, seen),
        })
    }

    /// How near a step that was timed on the CPU comes to what was seen there.
    pub(super) fn cpu_limits(&self, step: &Step, row: &Row) -> Option<CpuLimits> {
        let timed = row.main().filter(|_| row.outcome.is_verified())?;
        let ceilings = self.seen(self.vectors, row)?;
        let best = Vectors::best();
        let peak = cpu_peak(best, self.seen(best, row)?);
        let counted = count_on_cpu(&*self.open, step, self.vectors);
        let executed = counted.map(|counted| counted.at(self.open.padded(step, timed.n)));
        let of = (self.vectors, ceilings);
        Some(cpu_limits(executed, of, peak, (timed.n, timed.seconds)))
    }
}

fn threads(row: &Row) -> Option<usize> {
    row.threads.and_then(|threads| usize::try_from(threads).ok())
}

//! Transfers as a problem: what is computed, and which program a step has.

use device::{Device, Error, Module};
use ladder::round_trip::{Program, RoundTrip};

use super::program::{Copies, InPlace, KERNEL, Noticed, Pieces, Pinned, ranges};

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// What the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Copies elements in from ordinary memory, launches the kernel, copies results out.
    Pageable,
    /// The same, with managed memory in the place of the GPU's own.
    Managed {
        /// Whether it is moved before it is touched.
        prefetched: bool,
    },
    /// Copies of page-locked memory.
    Pinned,
    /// Gives the kernel page-locked memory.
    ZeroCopy {
        /// Whether as halves that mirror each other.
        halves: bool,
    },
    /// The same, as halves, and reads results as soon as a block has said that they are there.
    Noticed,
    /// Copies pieces of both halves in turn, through a few slots of the GPU's memory.
    Pieces {
        /// How many pieces a half has.
        pieces: usize,
        /// Slots, each with a stream of its own.
        slots: usize,
    },
}

/// Elements in, results out.
pub struct Transfers;

impl RoundTrip for Transfers {
    type Host = Host;

    const TITLE: &'static str = "Transfers";
    const SIMULATED: u64 = 1 << 20;
    const OPERATIONS: u32 = 1;
    const OWN_ELEMENT: bool = false;

    /// Fractions of 24 bits: their sums are rounded once, here as there.
    fn expected(elements: &[f32]) -> Vec<f32> {
        let mirrored = elements.iter().rev();
        elements.iter().zip(mirrored).map(|(x, y)| x + y).collect()
    }

    fn on_the_host(host: Host) -> Vec<(&'static str, String)> {
        let memory = match host {
            Host::Pageable => "pageable, copied",
            Host::Managed { prefetched: false } => "managed, moved when it is touched",
            Host::Managed { prefetched: true } => "managed, moved before it is touched",
            Host::Pinned => "page-locked, copied",
            Host::ZeroCopy { .. } => "page-locked, used in place",
            Host::Noticed => "page-locked, used in place, read as it comes",
            Host::Pieces { .. } => "page-locked, copied in pieces",
        };
        vec![("memory", memory.to_owned())]
    }

    /// Where the host's memory is used in place there is nothing on the GPU, and little where it is copied in pieces.
    fn on_the_gpu(host: Host, n: usize) -> usize {
        match host {
            Host::Pageable | Host::Managed { .. } | Host::Pinned => n,
            Host::ZeroCopy { .. } | Host::Noticed => 0,
            Host::Pieces { pieces, slots } => {
                2 * slots * ranges(pieces, n).first().map_or(0, ExactSizeIterator::len)
            }
        }
    }

    fn launches(host: Host, n: usize) -> (&'static str, Vec<usize>) {
        let threads = match host {
            Host::ZeroCopy { halves: true } | Host::Noticed => vec![n.div_ceil(2)],
            Host::Pieces { pieces, .. } => {
                ranges(pieces, n).iter().map(ExactSizeIterator::len).collect()
            }
            _ => vec![n],
        };
        (KERNEL, threads)
    }

    fn program<'m>(
        device: &mut dyn Device,
        host: Host,
        module: &'m Module,
        n: usize,
    ) -> Result<Box<dyn Program + 'm>, Error> {
        Ok(match host {
            Host::Pageable => Box::new(Copies::new(device, module, n)?),
            Host::Managed { prefetched } => {
                Box::new(Copies::managed(device, module, n, prefetched)?)
            }
            Host::Pinned => Box::new(Pinned::new(device, module, n)?),
            Host::ZeroCopy { halves } => Box::new(InPlace::new(device, module, n, halves)?),
            Host::Noticed => Box::new(Noticed::new(device, module, n)?),
            Host::Pieces { pieces, slots } => {
                Box::new(Pieces::new(device, module, n, (pieces, slots))?)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_take_an_eighth_of_the_memory() {
        let host = Host::Pieces { pieces: 16, slots: 2 };
        assert_eq!(Transfers::on_the_gpu(host, 1 << 20), (1 << 20) / 8);
    }
}

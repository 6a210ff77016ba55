//! Copy, compute, copy as a problem: what is computed, and which program a step has.

use std::ops::Range;

use device::{Device, Error, Module};
use ladder::round_trip::{Program, RoundTrip};
use rayon::prelude::*;

use super::program::{Contexts, KERNEL, Pageable, Pinned};

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Multiply-adds for each element.
const ROUNDS: u32 = 128;

/// Parts begin at a multiple of so many elements, for all loads of a warp to be aligned.
const ALIGNED: usize = 32;

/// What the host does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Host {
    /// Copies all data in from ordinary memory, launches the kernel, copies all results out.
    Pageable,
    /// The same from page-locked memory, of a part of the data in each of so many streams.
    Pinned {
        /// How many.
        streams: usize,
    },
    /// The same of halves, in the primary context and in a second one.
    Contexts,
}

impl Host {
    /// The elements of each part of `n`; none is empty.
    pub fn parts(self, n: usize) -> Vec<Range<usize>> {
        let parts = match self {
            Host::Pageable => 1,
            Host::Pinned { streams } => streams.max(1),
            Host::Contexts => 2,
        };
        let each = n.div_ceil(parts).next_multiple_of(ALIGNED);
        (0..n).step_by(each).map(|begin| begin..(begin + each).min(n)).collect()
    }
}

/// Data in, computation, results out.
pub struct Overlap;

impl RoundTrip for Overlap {
    type Host = Host;

    const TITLE: &'static str = "Copies and computation";
    const SIMULATED: u64 = 1 << 21;
    /// Every multiply-add is one of a lane.
    const OPERATIONS: u32 = ROUNDS;
    const OWN_ELEMENT: bool = true;

    /// Numbers a little less than 1: the sums still grow in the last round.
    fn element(fraction: f32) -> f32 {
        1.0 - fraction / 256.0
    }

    fn expected(elements: &[f32]) -> Vec<f32> {
        let sum = |&x: &f32| (0..ROUNDS).fold(1.0f32, |sum, _| sum.mul_add(x, 1.0));
        elements.par_iter().map(sum).collect()
    }

    fn on_the_host(host: Host) -> Vec<(&'static str, String)> {
        let (memory, streams, contexts) = match host {
            Host::Pageable => ("pageable", 1, 1),
            Host::Pinned { streams } => ("page-locked", streams, 1),
            Host::Contexts => ("page-locked", 2, 2),
        };
        vec![
            ("memory", memory.to_owned()),
            ("streams", streams.to_string()),
            ("contexts", contexts.to_string()),
        ]
    }

    fn launches(host: Host, n: usize) -> (&'static str, Vec<usize>) {
        (KERNEL, host.parts(n).iter().map(ExactSizeIterator::len).collect())
    }

    fn program<'m>(
        device: &mut dyn Device,
        host: Host,
        module: &'m Module,
        n: usize,
    ) -> Result<Box<dyn Program + 'm>, Error> {
        let parts = host.parts(n);
        Ok(match host {
            Host::Pageable => Box::new(Pageable::new(device, module, n)?),
            Host::Pinned { .. } => Box::new(Pinned::new(device, module, n, parts)?),
            Host::Contexts => Box::new(Contexts::new(device, module, n, parts)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_every_element_once() {
        let hosts = [2, 4].map(|streams| Host::Pinned { streams });
        for n in [1, 31, 32, 33, 100, 127, 128, 129, 1000] {
            for host in hosts.into_iter().chain([Host::Pageable, Host::Contexts]) {
                let parts = host.parts(n);
                assert!(parts.iter().all(|part| !part.is_empty() && part.start % ALIGNED == 0));
                assert!(parts.into_iter().flatten().eq(0..n), "{n} {host:?}");
            }
        }
        assert_eq!(Host::Pinned { streams: 4 }.parts(1 << 20).len(), 4);
    }
}

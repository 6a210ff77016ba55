//! The phases of `mbarrier`s. Who waits for a phase knows what came before its arrivals, and nothing of what came before
//! those of the next one: bytes that nobody announced, or arrivals of threads that are a round ahead (PTX ISA, "Phase of the
//! mbarrier object").

use std::collections::HashMap;

use super::vector::{VectorClock, learn};

/// What arrivals have released, by the barrier's address.
#[derive(Default)]
pub(super) struct Phases(HashMap<u64, Barrier>);

/// A barrier.
#[derive(Default)]
struct Barrier {
    /// That of the phase in which the last arrival was.
    parity: bool,
    /// What the arrivals of this phase release.
    current: Option<VectorClock>,
    /// What those of complete phases released.
    complete: Option<VectorClock>,
}

impl Phases {
    /// Forgets all barriers.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// An arrival releases something in the phase of a parity.
    pub(super) fn arrive(&mut self, address: u64, parity: bool, released: &VectorClock) {
        let barrier = self.0.entry(address).or_default();
        barrier.reach(parity);
        learn(&mut barrier.current, released);
    }

    /// What is known to who sees the phase of a parity.
    pub(super) fn complete(&mut self, address: u64, parity: bool) -> Option<&VectorClock> {
        let barrier = self.0.get_mut(&address)?;
        barrier.reach(parity);
        barrier.complete.as_ref()
    }
}

impl Barrier {
    /// Each arrival ends one phase at the most, so another parity is that of the next phase.
    fn reach(&mut self, parity: bool) {
        if self.parity != parity {
            self.parity = parity;
            if let Some(known) = self.current.take() {
                learn(&mut self.complete, &known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_complete_phase_released_is_known() {
        let mut phases = Phases::default();
        phases.arrive(8, false, &[3, 0].into());
        assert_eq!(phases.complete(8, false), None, "the phase is not over");
        assert_eq!(phases.complete(8, true), Some(&[3, 0].into()));
        phases.arrive(8, true, &[5, 1].into());
        assert_eq!(phases.complete(8, true), Some(&[3, 0].into()), "that of the next phase");
        assert_eq!(phases.complete(8, false), Some(&[5, 1].into()));
        assert_eq!(phases.complete(16, true), None, "another barrier");
    }
}

//! Launches: what is allowed, what is ready to run, and what ran before.

use std::collections::BTreeMap;

use simt::model::Residency;
use simt::{Events, Host, Launch, LaunchError, Loaded, Simulator, Watch};

use super::work::LaunchShape;

/// Shared memory in bytes that a block may have without `cudaFuncSetAttribute`: what its kernel declares, and dynamic.
const DEFAULT_SHARED: u32 = 48 << 10;

/// What running a launch gives.
pub(crate) type LaunchResult = Result<Events, LaunchError>;

/// A function, its grid, its block and its dynamic shared memory in bytes.
pub(crate) type LaunchKey = (u64, [u32; 3], [u32; 3], usize);

/// The launches of the program's kernels.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Bytes of dynamic shared memory that `cudaFuncSetAttribute` allows, by function.
    allowed_shared: BTreeMap<u64, u32>,
    /// How often each launch ran, and the modelled seconds of the last time.
    history: BTreeMap<LaunchKey, (u32, f64)>,
}

impl Launches {
    /// Bytes of dynamic shared memory that a launch of a function may have whose kernel declares so many.
    pub(crate) fn allowed_shared(&self, function: u64, declared: u32) -> u32 {
        let unasked = DEFAULT_SHARED.saturating_sub(declared);
        self.allowed_shared.get(&function).map_or(unasked, |&asked| asked.max(unasked))
    }

    /// Allows a function so many bytes of dynamic shared memory.
    pub(crate) fn allow_shared(&mut self, function: u64, bytes: u32) {
        self.allowed_shared.insert(function, bytes);
    }

    /// How often a launch ran.
    pub(crate) fn count(&self, key: &LaunchKey) -> u32 {
        self.history.get(key).map_or(0, |(launches, _)| *launches)
    }

    /// The modelled seconds of the last such launch.
    pub(crate) fn last_seconds(&self, key: &LaunchKey) -> Option<f64> {
        self.history.get(key).map(|(_, seconds)| *seconds)
    }

    /// Notes a launch and its modelled seconds.
    pub(crate) fn add(&mut self, key: LaunchKey, seconds: f64) {
        let launches = self.count(&key).saturating_add(1);
        self.history.insert(key, (launches, seconds));
    }
}

/// A launch that was checked.
pub(crate) struct PreparedLaunch {
    pub(crate) name: String,
    pub(crate) loaded: Loaded,
    pub(crate) shape: LaunchShape,
    pub(crate) launch: Launch<'static>,
    pub(crate) stream: Option<u64>,
    pub(crate) residency: Residency,
    pub(crate) watch: Watch,
    /// Of the blocks, where it runs in another one too.
    pub(crate) order: u64,
    pub(crate) key: LaunchKey,
}

impl PreparedLaunch {
    /// Runs it to its end. `host` is asked while the kernel waits for the host.
    ///
    /// Where blocks communicate, a launch without hazards runs once more, from the same memory: in another order of blocks,
    /// and on memory as weak as a GPU's. What the program finds and prints is of that run, what is counted of the first. Not
    /// where it changes memory that the host sees, or kernels allocate.
    pub(crate) fn run(&self, simulator: &Simulator, host: Option<Host>) -> LaunchResult {
        let launch = self.launch.clone().host(host);
        let saved = if self.may_be_tried_again() { simulator.save() } else { None };
        let mut events = simulator.launch(&self.loaded, &self.name, &launch, &self.watch)?;
        if let Some(saved) = saved
            && events.in_order.is_some()
            && events.hazards.is_empty()
            && simulator.restore(saved)
        {
            simulator.take_printed();
            let watch = Watch { hazards: true, ..Watch::default() };
            let launch = launch.seed(self.order);
            events.hazards = simulator.launch(&self.loaded, &self.name, &launch, &watch)?.hazards;
        }
        Ok(events)
    }

    fn may_be_tried_again(&self) -> bool {
        let kernel = self.loaded.module().find(&self.name);
        self.watch.hazards && kernel.is_ok_and(|kernel| kernel.communication().is_possible())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_kernel_declares_counts_as_shared_memory_that_is_not_asked_for() {
        let mut launches = Launches::default();
        assert_eq!(launches.allowed_shared(1, 8 << 10), 40 << 10);
        assert_eq!(launches.allowed_shared(1, 100 << 10), 0);
        launches.allow_shared(1, 44 << 10);
        assert_eq!(launches.allowed_shared(1, 8 << 10), 44 << 10);
        assert_eq!(launches.allowed_shared(2, 0), 48 << 10);
    }
}

//! What NVML, the driver's monitoring library, reports of a GPU. It is loaded when first asked for; where
//! it is missing nothing is reported, and nothing fails.

use std::collections::BTreeSet;
use std::process;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use nvml_wrapper::bitmasks::device::ThrottleReasons;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};
use nvml_wrapper::error::NvmlError;
use nvml_wrapper::{Device, Nvml};

use super::contact::NVML;
use crate::api::state::Conditions;

/// How long a count of the other processes is good for: they change seldom, and samples follow each other fast.
const COUNT_IS_GOOD_FOR: Duration = Duration::from_secs(2);

/// The reasons for lower clocks, in words. That the GPU has nothing to do is none.
const REASONS: [(ThrottleReasons, &str); 8] = [
    (ThrottleReasons::SW_POWER_CAP, "power cap"),
    (ThrottleReasons::SW_THERMAL_SLOWDOWN, "temperature"),
    (ThrottleReasons::HW_THERMAL_SLOWDOWN, "temperature (hardware slowdown)"),
    (ThrottleReasons::HW_POWER_BRAKE_SLOWDOWN, "power brake"),
    (ThrottleReasons::HW_SLOWDOWN, "hardware slowdown"),
    (ThrottleReasons::SYNC_BOOST, "synchronised boost"),
    (ThrottleReasons::APPLICATIONS_CLOCKS_SETTING, "application clocks setting"),
    (ThrottleReasons::DISPLAY_CLOCK_SETTING, "display clocks setting"),
];

/// The library, or why it cannot be used.
fn nvml() -> Result<&'static Nvml, &'static str> {
    static NVML: OnceLock<Result<Nvml, String>> = OnceLock::new();
    let loaded = NVML.get_or_init(|| Nvml::init().map_err(|error| words(&error)));
    loaded.as_ref().map_err(String::as_str)
}

/// NVML's version.
///
/// # Errors
/// Why it cannot be used, in words.
pub(crate) fn version() -> Result<String, String> {
    let version = NVML.call(|| nvml()?.sys_nvml_version().map_err(|error| words(&error)));
    version.unwrap_or_else(|error| Err(error.to_string()))
}

fn words(error: &NvmlError) -> String {
    match error {
        NvmlError::LibloadingError(_) => "NVML, the driver's monitor, was not found".to_string(),
        other => format!("NVML, the driver's monitor, does not answer: {other}"),
    }
}

/// One GPU, as NVML sees it.
pub(super) struct Monitor {
    device: Device<'static>,
    /// The numbers under which this process is listed: in a container its own number is not the system's.
    own: BTreeSet<u32>,
    others: u32,
    counted: Instant,
}

impl Monitor {
    /// Opens the GPU at this place of the PCI bus by `open`, and watches it if NVML knows it. Who comes to its processes
    /// meanwhile is this one.
    pub(super) fn around<T>(
        bus_id: Option<String>,
        open: impl FnOnce() -> T,
    ) -> (Option<Monitor>, T) {
        let found = bus_id.and_then(|bus_id| ask(bus_id, |device| (processes(&device), device)));
        let opened = open();
        let monitor = found.and_then(|(before, device)| {
            let (now, device) = NVML.call(|| (processes(&device), device)).ok()?;
            let own = now.difference(&before).copied().chain([process::id()]).collect();
            Some(Monitor { others: count(&now, &own), device, own, counted: Instant::now() })
        });
        (monitor, opened)
    }

    /// How the GPU is now.
    pub(super) fn conditions(&mut self) -> Conditions {
        if self.counted.elapsed() > COUNT_IS_GOOD_FOR {
            self.others = count(&processes(&self.device), &self.own);
            self.counted = Instant::now();
        }
        Conditions { others: self.others, ..state(&self.device) }
    }
}

/// How the GPU at this place of the PCI bus is now, for a process that does not use it.
pub(super) fn conditions(bus_id: String) -> Option<Conditions> {
    ask(bus_id, |device| {
        let others = count(&processes(&device), &BTreeSet::from([process::id()]));
        Conditions { others, ..state(&device) }
    })
}

/// What NVML says of the GPU at this place of the PCI bus, if it knows it and answers in time.
fn ask<T: Send + 'static>(
    bus_id: String,
    question: impl FnOnce(Device<'static>) -> T + Send + 'static,
) -> Option<T> {
    let device = move || nvml().ok()?.device_by_pci_bus_id(bus_id).ok();
    NVML.call(move || device().map(question)).ok()?
}

/// The numbers of the processes that compute on a GPU.
fn processes(device: &Device) -> BTreeSet<u32> {
    let listed = device.running_compute_processes().unwrap_or_default();
    listed.into_iter().map(|process| process.pid).collect()
}

fn count(listed: &BTreeSet<u32>, own: &BTreeSet<u32>) -> u32 {
    u32::try_from(listed.difference(own).count()).unwrap_or(u32::MAX)
}

/// What a GPU reports of itself; what it does not is left out.
fn state(device: &Device) -> Conditions {
    Conditions {
        clock_mhz: device.clock_info(Clock::SM).ok(),
        memory_clock_mhz: device.clock_info(Clock::Memory).ok(),
        temperature_c: device.temperature(TemperatureSensor::Gpu).ok(),
        // NVML says milliwatts.
        power_w: device.power_usage().ok().map(|power| f64::from(power) / 1e3),
        throttled: device.current_throttle_reasons().map(reasons).unwrap_or_default(),
        others: 0,
    }
}

fn reasons(given: ThrottleReasons) -> Vec<String> {
    let there = REASONS.iter().filter(|(reason, _)| given.contains(*reason));
    there.map(|(_, words)| (*words).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_reason_has_its_words_and_an_idle_gpu_has_none() {
        assert_eq!(reasons(ThrottleReasons::NONE), [""; 0]);
        assert_eq!(reasons(ThrottleReasons::GPU_IDLE), [""; 0]);
        let hot = ThrottleReasons::GPU_IDLE
            | ThrottleReasons::SW_POWER_CAP
            | ThrottleReasons::HW_THERMAL_SLOWDOWN;
        assert_eq!(reasons(hot), ["power cap", "temperature (hardware slowdown)"]);
        for reason in ThrottleReasons::all().difference(ThrottleReasons::GPU_IDLE).iter() {
            assert_eq!(reasons(reason).len(), 1, "{reason:?}");
        }
    }

    #[test]
    fn this_process_is_no_other() {
        let own = BTreeSet::from([7]);
        assert_eq!(count(&BTreeSet::from([7]), &own), 0);
        assert_eq!(count(&BTreeSet::from([5, 7, 9]), &own), 2);
        assert_eq!(count(&BTreeSet::new(), &own), 0);
    }

    #[test]
    fn a_missing_library_is_told_and_opens_nothing_less() {
        let (monitor, opened) = Monitor::around(Some("not a place".to_string()), || 3);
        assert_eq!(opened, 3);
        assert!(monitor.is_none() && conditions("not a place".to_string()).is_none());
        if let Err(problem) = version() {
            assert!(problem.contains("NVML"), "{problem}");
        }
    }
}

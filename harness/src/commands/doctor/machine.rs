//! The machine: its GPUs, their driver and sensors, and its processor.

use device::{Conditions, Driver, Survey};
use vectors::Vectors;

use super::finding::Finding;

/// The oldest driver that loads the committed PTX: CUDA 11.8 (PTX 7.8).
const OLDEST_CUDA: (u32, u32) = (11, 8);

/// The driver and its GPUs.
pub fn gpu(survey: &Survey) -> Finding {
    let name = "NVIDIA driver and GPUs";
    let Some(driver) = &survey.driver else {
        let problem = survey.driver_problem.as_deref().unwrap_or("no driver answers");
        let adds = "times measured on a GPU; without one they are modelled by the simulator";
        return Finding::missing(name, problem, adds, driver_command());
    };
    let version = driver.version.as_deref().unwrap_or("of unknown version");
    let mut lines = vec![format!("driver {version}, CUDA {}", driver.cuda)];
    lines.extend(driver.gpus.iter().enumerate().map(|(number, gpu)| {
        let (major, minor) = gpu.compute_capability;
        let watchdog = if gpu.watchdog { ", a watchdog ends launches that last long" } else { "" };
        format!(
            "cuda:{number}  {}, compute capability {major}.{minor}, {} SMs, {} MHz, {} MiB{watchdog}",
            gpu.name,
            gpu.multiprocessors,
            gpu.clock_mhz,
            gpu.memory_bytes >> 20
        )
    }));
    let mut found = true;
    if driver.gpus.is_empty() {
        found = false;
        lines.push("missing: a GPU".into());
        lines.push("adds: times that are measured and not modelled".into());
        lines.push("get it: plug one in, or ask who runs this machine to pass one through".into());
    } else if is_old(driver) {
        found = false;
        lines.push("too old for the committed PTX, which needs CUDA 11.8 (driver 520)".into());
        lines.push(format!("get a newer one: {}", driver_command()));
    }
    Finding { name, found, lines }
}

/// What reports the state of GPUs.
pub fn monitor(survey: &Survey) -> Finding {
    let name = "NVML, which reports clocks, temperature and power";
    let Some(version) = &survey.monitor else {
        let problem = survey.monitor_problem.as_deref().unwrap_or("it does not answer");
        let adds = "the state of the GPU with every time, and marks on times taken while its \
                    clocks were lowered";
        return Finding::missing(name, problem, adds, monitor_command());
    };
    let gpus = survey.driver.iter().flat_map(|driver| &driver.gpus).enumerate();
    let mut lines = vec![version.clone()];
    lines.extend(gpus.map(|(number, gpu)| {
        let told = gpu.conditions.as_ref().map_or_else(|| "is not known to it".into(), now);
        format!("cuda:{number}  {told}")
    }));
    Finding::found(name, lines)
}

/// How a GPU is now.
fn now(conditions: &Conditions) -> String {
    let Conditions { clock_mhz, memory_clock_mhz, temperature_c, power_w, throttled, others } =
        conditions;
    let mut told = Vec::new();
    told.extend(clock_mhz.map(|clock| format!("{clock} MHz now")));
    told.extend(memory_clock_mhz.map(|clock| format!("memory {clock} MHz")));
    told.extend(temperature_c.map(|degrees| format!("{degrees} °C")));
    told.extend(power_w.map(|watts| format!("{watts:.0} W")));
    if !throttled.is_empty() {
        told.push(format!("clocks lowered: {}", throttled.join(", ")));
    }
    told.extend(match others {
        0 => None,
        1 => Some("another process computes on it".to_owned()),
        many => Some(format!("{many} other processes compute on it")),
    });
    if told.is_empty() { "no sensor data".to_owned() } else { told.join(", ") }
}

fn monitor_command() -> &'static str {
    match std::env::consts::OS {
        "linux" => {
            "it comes with the driver (Debian: sudo apt-get install libnvidia-ml1); in a container \
             set NVIDIA_DRIVER_CAPABILITIES=compute,utility"
        }
        "windows" => "it comes with the driver: https://www.nvidia.com/drivers",
        _ => "there is no CUDA driver for this system; use a Linux or Windows machine",
    }
}

/// Whether the driver cannot load the committed PTX.
fn is_old(driver: &Driver) -> bool {
    let version = driver
        .cuda
        .split_once('.')
        .and_then(|(major, minor)| Some((major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?)));
    version.is_some_and(|version| version < OLDEST_CUDA)
}

fn driver_command() -> &'static str {
    match std::env::consts::OS {
        "linux" => {
            "sudo apt-get install nvidia-driver (Debian; Ubuntu: sudo ubuntu-drivers install)"
        }
        "windows" => "from https://www.nvidia.com/drivers",
        _ => "there is no CUDA driver for this system; use a Linux or Windows machine",
    }
}

/// The processor, on which the simulator and the ladder `cpu` run.
pub fn processor(survey: &Survey) -> Finding {
    let cpu = &survey.cpu;
    let features = if cpu.features.is_empty() {
        "the simulator finds no vector features beyond the base: slower, with the same results"
            .into()
    } else {
        format!("the simulator uses {}", cpu.features.join(", "))
    };
    let name = device::processor().unwrap_or_else(|| "of unknown name".to_owned());
    let vectors: Vec<&str> = Vectors::available().into_iter().map(Vectors::name).collect();
    let lines = vec![
        format!("{name}, {}, {} threads", cpu.architecture, cpu.threads),
        format!("vectors for the ladder cpu: {}", vectors.join(", ")),
        features,
    ];
    Finding::found("Processor, for the ladder cpu and the simulator", lines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_state_of_a_gpu_is_told_as_far_as_it_is_known() {
        assert_eq!(now(&Conditions::default()), "no sensor data");
        let conditions = Conditions {
            clock_mhz: Some(1980),
            memory_clock_mhz: None,
            temperature_c: Some(41),
            power_w: Some(123.4),
            throttled: vec!["power cap".to_owned()],
            others: 2,
        };
        let told = "1980 MHz now, 41 °C, 123 W, clocks lowered: power cap, 2 other processes compute on it";
        assert_eq!(now(&conditions), told);
    }
}

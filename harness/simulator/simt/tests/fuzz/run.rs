//! Runs a text: parsed, lowered, and its kernels launched.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use simt::{LaunchError, Module, Scheduling, Simulator, Watch};

use crate::random::Random;

/// What a case may take: far more than one does on a busy machine.
const LONGEST: Duration = Duration::from_secs(60);
/// After which a launch is stopped.
const LIMIT: Duration = Duration::from_millis(50);
/// Kernels of a file that are launched.
const KERNELS: usize = 3;
/// What the whole process may take of memory.
const MOST_MEMORY: u64 = 3 << 30;

pub enum Outcome {
    /// It is no PTX, or not supported.
    Refused,
    Ran {
        faults: usize,
    },
}

/// What is wrong with how a text was treated is an error.
pub fn run(text: &str, random: &mut Random) -> Result<Outcome, String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| treat(text, random)));
    let outcome = outcome.unwrap_or_else(|panic| {
        let message = panic.downcast_ref::<String>().cloned();
        let message = message.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("panic: {}", message.unwrap_or_default()))
    });
    match memory() {
        Some(bytes) if bytes > MOST_MEMORY => Err(format!("{bytes} bytes of memory")),
        _ => outcome,
    }
}

fn treat(text: &str, random: &mut Random) -> Result<Outcome, String> {
    let module = match Module::parse("fuzz.ptx", text) {
        Ok(module) => Arc::new(module),
        Err(error) => {
            let lines = text.lines().count().max(1);
            let length = text.lines().map(str::len).max().unwrap_or(0) + 1;
            let inside = (1..=lines).contains(&(error.line as usize))
                && (1..=length).contains(&(error.column as usize));
            return match inside && !error.message.is_empty() {
                true => Ok(Outcome::Refused),
                false => Err(format!("no place: {error}")),
            };
        }
    };
    let scheduling = *random.of(&[Scheduling::Independent, Scheduling::Lockstep]);
    let simulator = Simulator::new(1 << 24).with_threads(1);
    // A module may declare more than there is.
    let Ok(loaded) = simulator.load(module.clone()) else { return Ok(Outcome::Refused) };
    let buffer = simulator.alloc("buffer", 1 << 16).expect("enough memory");
    let mut faults = 0;
    for kernel in module.kernels().take(KERNELS) {
        let arguments: Vec<Vec<u8>> = kernel
            .parameters()
            .iter()
            .map(|parameter| match parameter.bytes {
                8 => buffer.to_le_bytes().to_vec(),
                bytes => (0..bytes).map(|k| if k == 0 { 33 } else { 0 }).collect(),
            })
            .collect();
        let grid = [1 + random.below(3) as u32, 1, 1];
        let block = *random.of(&[[1, 1, 1], [32, 1, 1], [33, 1, 1], [8, 8, 1], [96, 1, 1]]);
        let launch = simt::Launch::new(grid, block)
            .scheduling(scheduling)
            .limit(Some(LIMIT))
            .shared_bytes(1024)
            .arguments(&arguments);
        let hazards = random.below(2) == 0;
        let watch = Watch { hazards, coverage: !hazards, ..Watch::default() };
        match simulator.launch(&loaded, kernel.name(), &launch, &watch) {
            Ok(events) => faults += usize::from(!events.hazards.is_empty()),
            Err(LaunchError::Fault(fault)) => {
                faults += 1;
                // Its message must not panic either.
                assert!(!fault.to_string().is_empty());
            }
            Err(_) => {}
        }
    }
    Ok(Outcome::Ran { faults })
}

/// Bytes that the process has in memory, where the system tells.
fn memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/statm").ok()?;
    status.split_whitespace().nth(1)?.parse().ok().map(|pages: u64| 4096 * pages)
}

/// Ends the process, with a word on why, if a case takes too long.
pub struct Watchdog {
    case: Arc<Mutex<Option<(Instant, String)>>>,
    /// Where the text of the running case is.
    kept: PathBuf,
}

impl Watchdog {
    /// For cases of this name.
    pub fn new(name: &str) -> Watchdog {
        let case: Arc<Mutex<Option<(Instant, String)>>> = Arc::default();
        let own = Arc::downgrade(&case);
        std::thread::spawn(move || {
            while let Some(case) = own.upgrade() {
                if let Some((began, what)) = &*case.lock().expect("no panic while it is held")
                    && began.elapsed() > LONGEST
                {
                    eprintln!("{what} takes longer than {} s", LONGEST.as_secs());
                    std::process::abort();
                }
                drop(case);
                std::thread::sleep(Duration::from_millis(200));
            }
        });
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        Watchdog { case, kept: folder.join(format!("fuzz-running-{name}.ptx")) }
    }

    /// A case begins; its text is kept where it is found if it hangs.
    pub fn begins(&self, path: &Path, text: &str) {
        fs::write(&self.kept, text).expect("a writable target folder");
        let what = format!("{} (its text is in {})", path.display(), self.kept.display());
        *self.case.lock().expect("no panic while it is held") = Some((Instant::now(), what));
    }
}

//! `--sanitize`, as commands have it.

use anyhow::Result;
use device::{Choice, Source};
use ladder::Ladder;
use show::message;
use show::table::terminal::{self, wrap};
use toolchain::sanitizer::{self, Sanitizer};
use ui::Usage;
use ui::output::say;

use super::{TOOLS, Task, Verdict, check};
use crate::device_lock::DeviceLock;
use crate::spinner::Spinner;

/// compute-sanitizer and the GPU that it watches.
pub struct Asked {
    sanitizer: Sanitizer,
    gpu: Choice,
}

impl Asked {
    /// Finds both, before anything is run.
    ///
    /// # Errors
    /// There is no such GPU, or no compute-sanitizer.
    pub fn find(device: Choice) -> Result<Asked> {
        let gpu = match device {
            Choice::Cuda(_) => device,
            Choice::Auto if device::gpus()? > 0 => Choice::Cuda(0),
            _ => {
                let why = "--sanitize: compute-sanitizer watches an NVIDIA GPU, and there is none to run on; leave it out: \
                           the simulator looks for hazards by itself";
                return Err(Usage(why.to_owned()).into());
            }
        };
        Ok(Asked { sanitizer: sanitizer::find()?, gpu })
    }

    /// Runs a kernel under all tools, and puts the verdict into words.
    ///
    /// # Errors
    /// No process can be started; the kernel's file cannot be read.
    pub fn run(
        &self,
        ladder: &dyn Ladder,
        task: Task,
        is_stopped: &mut dyn FnMut() -> bool,
    ) -> Result<(Verdict, String)> {
        let task = Task { device: self.gpu.to_string(), ..task };
        let step = ladders::step(ladder, &task.step)?;
        let source: Source = step.replaced(&task.file, &ladder.kernels()?)?;
        let mut spinner = Spinner::default();
        let waits = &mut || say("waiting: another run uses this GPU");
        let _lock = DeviceLock::take(&task.device, waits, &|| false);
        let tell = &mut |doing: Option<&str>| match doing {
            Some(doing) => spinner.begin(doing),
            None => spinner.tick(),
        };
        let verdict = check(&self.sanitizer.path, (&task, &source), tell, is_stopped)?;
        let width = terminal::width();
        let text = match &verdict {
            Verdict::Clean => {
                format!(
                    "compute-sanitizer {}: no error in {}",
                    self.sanitizer.release,
                    TOOLS.join(", ")
                )
            }
            Verdict::Wrong(why) | Verdict::WrongResults(why) => message::painted(why, width),
            Verdict::Unknown(why) => {
                message::painted(&format!("error: not checked by compute-sanitizer: {why}"), width)
            }
            Verdict::Stopped => "compute-sanitizer was stopped".to_owned(),
        };
        let text = if verdict == Verdict::Clean { wrap(&text, width) } else { text };
        Ok((verdict, format!("{text}\n")))
    }
}

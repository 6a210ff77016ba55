//! What the command line asks for, in the words of a worker.

use std::path::Path;

use anyhow::{Context, Result, bail};
use device::{Choice, CodeRoute, Scheduling};
use ladder::Ladder;
use report::{Replacement, Request};
use toolchain::untrusted;
use ui::output::say;
use ui::{Usage, new_seed};
use vectors::Vectors;

use crate::options::{How, What};

/// The request for this code, run in this way.
///
/// # Errors
/// [`Usage`]: no such step, a kernel whose step is not among those to run, or an option that is not for
/// this ladder. A file that is no kernel.
pub fn request(ladder: &dyn Ladder, what: &What, how: &How) -> Result<Request> {
    match ladder.is_for_cpu() {
        true => check_cpu(ladder, what, how)?,
        false => check_kernels(ladder, how)?,
    }
    let replacement = match (&what.kernel, &what.stands_for) {
        (Some(file), Some(step)) => Some(Replacement {
            file: file.clone(),
            step: ladders::step(ladder, step)?.name.to_owned(),
        }),
        _ => None,
    };
    let steps: Vec<String> = match (&what.steps, &replacement) {
        (Some(list), _) => {
            ladders::steps(ladder, list)?.iter().map(|step| step.name.to_owned()).collect()
        }
        (None, Some(replacement)) => vec![replacement.step.clone()],
        (None, None) => {
            let all = ladder.steps().into_iter().chain(ladder.libraries());
            all.map(|step| step.name.to_owned()).collect()
        }
    };
    if let Some(Replacement { step, .. }) = &replacement
        && !steps.contains(step)
    {
        bail!(Usage(format!("--kernel stands for {step}, which --steps leaves out; add it there")));
    }
    if let Some(file) = &what.kernel {
        // It travels to the worker as text.
        if file.to_str().is_none() {
            let name = file.display();
            bail!(Usage(format!("--kernel {name}: the name is no text in UTF-8; rename the file")));
        }
        let kernels = ladder.kernels()?;
        for step in replacement.iter().filter_map(|it| ladder.step(&it.step)) {
            if what.untrusted {
                check_untrusted(file, how)?;
            }
            let source = step.replaced(file, &kernels)?;
            if what.untrusted {
                untrusted::check(&source)?;
            }
        }
    }
    Ok(Request {
        ladder: ladder.name().to_owned(),
        steps,
        device: if ladder.is_for_cpu() { Choice::Cpu } else { how.device }.to_string(),
        threads: how.threads,
        vectors: match ladder.is_for_cpu() {
            true => how.vectors.clone().unwrap_or_else(|| "auto".to_owned()),
            false => String::new(),
        },
        code: how.code.to_string(),
        model: how.gpu.clone(),
        scheduling: how.scheduling.to_string(),
        replacement,
        untrusted: what.untrusted,
        seed: how.seed.unwrap_or_else(new_seed),
        deadline_seconds: how.deadline,
        ..Request::default()
    })
}

/// Refuses untrusted code where it cannot be confined, and a link, which may lead anywhere.
fn check_untrusted(file: &Path, how: &How) -> Result<()> {
    let name = file.display();
    if how.device != Choice::Simt {
        bail!(Usage(
            "--untrusted: a GPU's driver needs the machine's files; add --device simt".to_owned()
        ));
    }
    if file.extension().is_some_and(|it| it.eq_ignore_ascii_case("rs")) {
        bail!(Usage(format!(
            "--kernel {name}: Rust is compiled outside of the sandbox; untrusted code is CUDA C++ or PTX"
        )));
    }
    if !cfg!(target_os = "linux") {
        say(
            "warning: this system does not keep the kernel from files, the network and other processes; only its \
             source is searched for what reads them",
        );
    }
    let known = file.symlink_metadata().with_context(|| format!("cannot read {name}"))?;
    if !known.is_file() {
        bail!(Usage(format!(
            "--kernel {name}: it is a link, or no ordinary file; name the file itself"
        )));
    }
    Ok(())
}

/// Refuses options that are for kernels.
fn check_cpu(ladder: &dyn Ladder, what: &What, how: &How) -> Result<(), Usage> {
    let name = ladder.name();
    let wrong = if !matches!(how.device, Choice::Auto | Choice::Cpu) {
        format!("--device {}: the ladder {name} runs on the CPU; leave --device out", how.device)
    } else if what.kernel.is_some() {
        format!("--kernel: the steps of the ladder {name} are no kernels; edit steps/{name}/")
    } else if how.scheduling != Scheduling::default() {
        format!("--scheduling is for the simulator, and the ladder {name} runs on the CPU")
    } else if how.code != CodeRoute::Auto {
        format!("--code is for kernels, and the ladder {name} has none; leave it out")
    } else if let Some(vectors) = &how.vectors {
        return match vectors.parse::<Vectors>() {
            Ok(_) => Ok(()),
            Err(problem) => Err(Usage(format!("--vectors {problem}"))),
        };
    } else {
        return Ok(());
    };
    Err(Usage(wrong))
}

/// Refuses options that are for the CPU.
fn check_kernels(ladder: &dyn Ladder, how: &How) -> Result<(), Usage> {
    let wrong = match how {
        How { device: Choice::Cpu, .. } => "--device cpu",
        How { threads: Some(_), .. } => "--threads",
        How { vectors: Some(_), .. } => "--vectors",
        _ => return Ok(()),
    };
    Err(Usage(format!(
        "{wrong} is for the ladder cpu, and the steps of the ladder {} are kernels for a GPU or the \
         simulator; write: run cpu",
        ladder.name()
    )))
}

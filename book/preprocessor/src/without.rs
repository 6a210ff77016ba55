// SPDX-License-Identifier: MIT OR Apache-2.0
//! A step's kernel without one of its barriers, run on the simulator in the step's place: what its reader would get to read.
//!
//! The barrier is taken out of the committed PTX, by the source line that it came from, so that no compiler is needed.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use device::{CodeRoute, Device, Ptx, SimulatorDevice, Source};
use ladder::message::{self, Versions};
use ladder::verify::verify_readers;
use ladder::{Ladder, Step};
use report::Request;

use crate::html::escape;

/// What the verifier says of `step` without the barrier on the line that contains `text`.
pub fn html(root: &Path, ladder: &dyn Ladder, step: &Step, text: &str) -> Result<String> {
    let source = step.source(&root.join("kernels").join(ladder.name()))?;
    let (source, line) = without(&source, text)?;
    let gpu = harness::names::gpu(harness::options::GPU)?;
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let mut module = device.load(&source.as_ptx())?;
    let mut open = ladder.open(&Request::default()).map_err(anyhow::Error::msg)?;
    let mut doing = String::new();
    let verified = verify_readers(&mut device, &mut *open, step, &mut module, &mut |progress| {
        doing = progress.to_string();
    });
    let Err(failure) = verified else {
        bail!("{} passes without the barrier of line {line}: there is nothing to show", step.name)
    };
    let versions = Versions { source: &source, original: None };
    let said = message::explain(&failure, versions, &doing);
    let said = said.replace(&format!("{}/", root.display()), "");
    Ok(format!("<pre class=\"command message\" tabindex=\"0\">{}</pre>", escape(&said)))
}

/// The source without the barrier of the only line that contains `text`, and that line's number.
fn without(source: &Source, text: &str) -> Result<(Source, usize)> {
    let cuda = source.cuda.as_deref().context("the step has no CUDA source")?;
    let lines: Vec<&str> = cuda.lines().collect();
    let found: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].contains(text)).collect();
    let [at] = found[..] else { bail!("`{text}` is in {} lines of {}", found.len(), source.file) };
    ensure!(lines[at].contains("__syncthreads()"), "{}:{}: is no barrier", source.file, at + 1);
    let ptx = source.ptx.first().context("the step has no PTX")?;
    let shortened = without_barrier(&ptx.text, at + 1);
    ensure!(shortened != ptx.text, "{}: no barrier comes from line {}", ptx.file, at + 1);
    let kept = lines.iter().enumerate().map(|(place, line)| if place == at { "" } else { *line });
    let cuda = kept.map(|line| format!("{line}\n")).collect();
    let ptx = vec![Ptx { file: ptx.file.clone(), text: shortened }];
    Ok((Source { cuda: Some(cuda), ptx, machine: None, ..source.clone() }, at + 1))
}

/// PTX without the barriers of a line of its source.
fn without_barrier(ptx: &str, line: usize) -> String {
    let mut is_there = false;
    let mut out = String::with_capacity(ptx.len());
    for text in ptx.lines() {
        let mut words = text.split_whitespace();
        if words.next() == Some(".loc") {
            is_there = words.nth(1).and_then(|number| number.parse().ok()) == Some(line);
        }
        if !(is_there && text.trim_start().starts_with("bar.sync")) {
            out.push_str(text);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_barrier_that_is_missed_is_named_with_its_remedy() {
        let root = ladder::workspace::root().expect("the workspace");
        let ladder = harness::names::ladder("nbody").expect("a ladder");
        let step = ladder.step("06-shared-blocking").expect("a step");
        let html = html(&root, ladder, &step, "nobody reads the tile").expect("a message");
        assert!(html.contains("error: race") && html.contains("__syncthreads()"), "{html}");
        assert!(!html.contains(&*root.display().to_string()), "{html}");
        for (text, words) in [
            ("no such line", "is in 0 lines"),
            ("float", "lines of"),
            ("extern \"C\" __global__ void force", "is no barrier"),
        ] {
            let error = super::html(&root, ladder, &step, text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn only_the_barrier_of_that_line_is_taken_out() {
        let ptx = ".loc 1 3 9\nbar.sync 0;\n.loc 1 4 9\nbar.sync 0;\nadd.s32 %r1, %r2, 1;\n";
        assert_eq!(
            without_barrier(ptx, 4),
            ".loc 1 3 9\nbar.sync 0;\n.loc 1 4 9\nadd.s32 %r1, %r2, 1;\n"
        );
        assert_eq!(without_barrier(ptx, 5), ptx);
    }
}

//! A step's kernel without one of its barriers or fences, run on the simulator in the step's place: what its reader would get
//! to read.
//!
//! It is taken out of the committed PTX, by the source line that it came from, so that no compiler is needed.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use device::{CodeRoute, Device, Ptx, SimulatorDevice, Source};
use ladder::message::{self, Versions};
use ladder::verify::{Verification, verify};
use ladder::{Ladder, Step};
use report::Request;

use crate::html::escape;

/// What the verifier says of `step` without the barrier or fence on the line that contains `text`.
pub fn html(root: &Path, ladder: &dyn Ladder, step: &Step, text: &str) -> Result<String> {
    let source = step.source(&root.join("kernels").join(ladder.name()))?;
    let (source, line) = without(&source, text)?;
    let gpu = device::described(device::DEFAULT_GPU)?;
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu);
    let mut module = device.load(&source.as_ptx())?;
    let mut open = ladder.open(&Request::default())?;
    let mut doing = String::new();
    let how = Verification::of_readers(step)?;
    let verified = verify(&mut device, &mut *open, step, &mut module, &how, &mut |progress| {
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

/// The calls that can be taken out, and how the instructions of each begin.
const CALLS: [(&str, &str); 2] =
    [("__syncthreads()", "bar.sync"), ("__threadfence()", "membar.gl")];

/// The source without the barrier or fence of the only line that contains `text`, in its own file or an included one, and
/// that line's number.
fn without(source: &Source, text: &str) -> Result<(Source, usize)> {
    let mut changed = Source { machine: None, ..source.clone() };
    let folder = source.cuda_name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let cuda = changed.cuda.as_mut().context("the step has no CUDA source")?;
    let own = (source.cuda_name.clone(), source.file.clone(), cuda);
    let included = changed
        .includes
        .iter_mut()
        .map(|it| (format!("{folder}/{}", it.name), it.file.clone(), &mut it.text));
    let mut found = Vec::new();
    for (name, file, all) in [own].into_iter().chain(included) {
        let lines = all.lines().enumerate().filter(|(_, line)| line.contains(text));
        let lines: Vec<(usize, String)> = lines.map(|(at, line)| (at, line.to_owned())).collect();
        found.extend(lines.iter().map(|(at, _)| (name.clone(), *at)));
        if let [(at, line)] = &lines[..] {
            let call = CALLS.iter().find(|(call, _)| line.contains(call));
            let (_, begins) =
                call.with_context(|| format!("{file}:{}: is no barrier and no fence", at + 1))?;
            let ptx = source.ptx.first().context("the step has no PTX")?;
            let shortened = without_line(&ptx.text, (&name, at + 1), begins);
            ensure!(shortened != ptx.text, "{}: nothing comes from {file}:{}", ptx.file, at + 1);
            changed.ptx = vec![Ptx { file: ptx.file.clone(), text: shortened }];
            let kept =
                all.lines().enumerate().map(|(place, line)| if place == *at { "" } else { line });
            *all = kept.map(|line| format!("{line}\n")).collect();
        }
    }
    let [(_, at)] = found[..] else {
        bail!("`{text}` is in {} lines of {}", found.len(), source.file)
    };
    Ok((changed, at + 1))
}

/// PTX without the instructions of a line of a file that begin with `begins`.
fn without_line(ptx: &str, (file, line): (&str, usize), begins: &str) -> String {
    let name = format!("\"{file}\"");
    let number = ptx.lines().find_map(|text| {
        let mut words = text.split_whitespace();
        (words.next() == Some(".file"))
            .then(|| (words.next(), words.next()))
            .and_then(|(number, of)| number.filter(|_| of == Some(&name)))
    });
    let place = (number.map(str::to_owned), line.to_string());
    let mut is_there = false;
    let mut out = String::with_capacity(ptx.len());
    for text in ptx.lines() {
        let mut words = text.split_whitespace();
        if words.next() == Some(".loc") {
            is_there = words.next() == place.0.as_deref() && words.next() == Some(&place.1);
        }
        if !(is_there && text.trim_start().starts_with(begins)) {
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
        let ladder = ladders::ladder("nbody").expect("a ladder");
        let step = ladder.step("06-shared-blocking").expect("a step");
        let html = html(&root, ladder, &step, "nobody reads the tile").expect("a message");
        assert!(html.contains("error: race") && html.contains("__syncthreads()"), "{html}");
        assert!(!html.contains(&*root.display().to_string()), "{html}");
        for (text, words) in [
            ("no such line", "is in 0 lines"),
            ("float", "lines of"),
            ("extern \"C\" __global__ void force", "is no barrier and no fence"),
        ] {
            let error = super::html(&root, ladder, &step, text).expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }

    #[test]
    fn a_fence_of_an_included_file_can_be_left_out() {
        let root = ladder::workspace::root().expect("the workspace");
        let ladder = ladders::ladder("barnes-hut").expect("a ladder");
        let step = ladder.step("10-not-volatile").expect("a step");
        let said = html(&root, ladder, &step, "the values are visible before the flag");
        let said = said.expect("a message");
        assert!(said.contains("error: race") && said.contains("sum-up.cuh"), "{said}");
    }

    #[test]
    fn only_the_barrier_of_that_line_is_taken_out() {
        let ptx = ".loc 1 3 9\nbar.sync 0;\n.loc 2 4 9\nbar.sync 0;\n.loc 1 4 9\nbar.sync 0;\nadd.s32 %r1, %r2, 1;\n\
                   .file 1 \"/a.cu\"\n.file 2 \"/b.cuh\"\n";
        let shortened = without_line(ptx, ("/a.cu", 4), "bar.sync");
        assert_eq!(shortened, ptx.replace(".loc 1 4 9\nbar.sync 0;\n", ".loc 1 4 9\n"));
        assert_eq!(without_line(ptx, ("/a.cu", 5), "bar.sync"), ptx);
        assert_eq!(without_line(ptx, ("/c.cuh", 4), "bar.sync"), ptx);
    }
}

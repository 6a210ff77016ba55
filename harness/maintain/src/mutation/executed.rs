//! Which lines of its PTX the verification of a step executes.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use harness::progress::bar;

use super::plan::Subject;
use super::protocol::{Event, Setup, Task};
use super::workers;

/// How often the verification of each step executes each line of its PTX; nothing of a step that several GPUs divide.
pub fn lines(
    setup: &Setup,
    threads: usize,
    subjects: &[Subject],
    stop: &AtomicBool,
) -> Result<Vec<Option<BTreeMap<u32, u64>>>> {
    let alone = (0..subjects.len()).filter(|&at| subjects[at].step.elsewhere.is_none());
    let jobs: Vec<usize> = alone.collect();
    let bar = bar(jobs.len(), "looking which code is executed");
    let mut lines = vec![None; subjects.len()];
    let look = |&at: &usize| {
        let subject = &subjects[at];
        (subject.job(subject.ptx.text.clone(), Task::Look), &[][..])
    };
    workers::run(setup, threads, &jobs, look, stop, &mut |&at, answer| {
        bar.inc(1);
        if let Event::Looked { executed, .. } = answer.event {
            lines[at] = Some(executed);
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(lines)
}

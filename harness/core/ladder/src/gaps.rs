//! Which of a reader's code verification never executes though it executes the step's.

use std::collections::BTreeSet;

use device::{Device, Source};
use simt::{Gaps, Line};

use crate::{OpenProblem, Step};

use crate::progress::Progress;
use crate::sources::Sources;
use crate::verify::{Failure, Verification, verify};

/// Of what verification never ran of a reader's kernel, that which is not so of the step's `own` code too. Lines are the same
/// if their texts are: what both leave out, the inputs do not need.
///
/// # Errors
/// The step's own code does not verify.
pub fn of_readers(
    device: &mut dyn Device,
    open: &mut dyn OpenProblem,
    (step, own): (&Step, &Source),
    found: Vec<Gaps>,
    progress: &mut dyn FnMut(Progress),
) -> Result<Vec<Gaps>, Failure> {
    if found.is_empty() {
        return Ok(found);
    }
    let mut module = device.load(own)?;
    let how = Verification::covered();
    let own = verify(device, open, step, &mut module, &how, progress)?.gaps;
    Ok(beyond(found, &own, &mut Sources::default()))
}

/// Those that are not among the step's own.
fn beyond(found: Vec<Gaps>, own: &[Gaps], sources: &mut Sources) -> Vec<Gaps> {
    let mut left = Vec::new();
    for mut gaps in found {
        if let Some(own) = own.iter().find(|own| own.kernel == gaps.kernel) {
            let mut texts = |lines: &mut dyn Iterator<Item = Line>| -> BTreeSet<String> {
                lines.map(|line| sources.text(&line)).collect()
            };
            let loops = texts(&mut own.loops.iter().cloned());
            let lines = texts(&mut own.lines.iter().flat_map(range));
            gaps.loops.retain(|line| !loops.contains(&sources.text(line)));
            gaps.lines.retain(|some| !range(some).all(|line| lines.contains(&sources.text(&line))));
            gaps.never_ran &= !own.never_ran;
        }
        if gaps.never_ran || !gaps.lines.is_empty() || !gaps.loops.is_empty() {
            left.push(gaps);
        }
    }
    left
}

/// The lines from the first to the last.
fn range((first, last): &(Line, u32)) -> impl Iterator<Item = Line> + use<> {
    let file = first.file.clone();
    (first.line..=*last).map(move |line| Line { file: file.clone(), line })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_step_leaves_out_too_is_no_gap_of_a_readers_kernel() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("a file");
            path.display().to_string()
        };
        let own = file("own.cu", "a\nrare();\nwhile (waits) {}\n");
        let readers = file("readers.cu", "new();\na\nrare();\nwhile (waits) {}\n");
        let line = |file: &str, line| Line { file: file.to_owned(), line };
        let gaps = |file: &str, lines: &[u32], loops: &[u32]| Gaps {
            kernel: "k".to_owned(),
            never_ran: false,
            lines: lines.iter().map(|&at| (line(file, at), at)).collect(),
            loops: loops.iter().map(|&at| line(file, at)).collect(),
        };
        let own = [gaps(&own, &[2], &[3])];
        let beyond = |found| beyond(found, &own, &mut Sources::default());
        assert_eq!(beyond(vec![gaps(&readers, &[3], &[4])]), []);
        let more = beyond(vec![gaps(&readers, &[1, 3], &[4])]);
        assert_eq!(more, [gaps(&readers, &[1], &[])]);
    }
}

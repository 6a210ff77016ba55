//! Instructions of committed PTX and the lines of the sources that they were made from.

use std::collections::HashMap;
use std::iter;

use simt::Line;

/// How deep calls are inlined into each other, at most.
const DEEPEST: usize = 16;

/// The instructions of a PTX text, each with its line and with those of the calls where it was inlined.
pub(super) fn instructions(ptx: &str) -> Vec<(&str, Vec<Line>)> {
    let files: HashMap<&str, &str> = ptx.lines().filter_map(named).collect();
    let place = |file: &str, line: &str| {
        let file = (*files.get(file)?).to_owned();
        Some(Line { file, line: line.parse().ok()? })
    };
    let (mut all, mut here, mut callers) = (Vec::new(), None, HashMap::new());
    for line in ptx.lines().map(str::trim) {
        let words: Vec<&str> = line.split([' ', '\t', ',']).filter(|it| !it.is_empty()).collect();
        match words[..] {
            [".loc", file, at, ref further @ ..] => {
                here = place(file, at);
                let caller = match *further {
                    [.., "inlined_at", file, at, _] => place(file, at),
                    _ => None,
                };
                callers.extend(here.clone().zip(caller));
            }
            [first, ..] if line.ends_with(';') && !first.starts_with('.') => {
                let chain = iter::successors(here.as_ref(), |line| callers.get(line));
                all.push((line, chain.take(DEEPEST).cloned().collect()));
            }
            _ => {}
        }
    }
    all
}

/// The number and the name of a file in `.file 1 "/kernels/scan/rows.cuh"`.
fn named(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("\t.file")?.split_whitespace();
    Some((words.next()?, words.next()?.trim_matches('"')))
}

//! Instructions of committed PTX and the lines of the sources that they were made from.

use std::collections::HashMap;
use std::iter;
use std::rc::Rc;

use simt::Line;

/// How deep calls are inlined into each other, at most.
const DEEPEST: usize = 16;

/// The instructions of a PTX text, each with its line and with those of the calls where it was inlined.
pub(super) fn instructions(ptx: &str) -> Vec<(&str, Rc<[Line]>)> {
    let files: HashMap<&str, &str> = ptx.lines().filter_map(named).collect();
    let place = |file: &str, line: &str| {
        let file = (*files.get(file)?).to_owned();
        Some(Line { file, line: line.parse().ok()? })
    };
    let (mut all, mut here, mut callers) = (Vec::new(), Rc::default(), HashMap::new());
    for line in ptx.lines().map(str::trim) {
        if line.starts_with(".loc") {
            let words = line.split([' ', '\t', ',']).filter(|it| !it.is_empty());
            let [_, file, at, further @ ..] = &words.collect::<Vec<_>>()[..] else { continue };
            let first = place(file, at);
            let caller = match further {
                [.., "inlined_at", file, at, _] => place(file, at),
                _ => None,
            };
            callers.extend(first.clone().zip(caller));
            let chain = iter::successors(first.as_ref(), |line| callers.get(line));
            here = chain.take(DEEPEST).cloned().collect();
        } else if line.ends_with(';') && !line.starts_with('.') {
            all.push((line, Rc::clone(&here)));
        }
    }
    all
}

/// The number and the name of a file in `.file 1 "/kernels/scan/rows.cuh"`.
fn named(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix("\t.file")?.split_whitespace();
    Some((words.next()?, words.next()?.trim_matches('"')))
}

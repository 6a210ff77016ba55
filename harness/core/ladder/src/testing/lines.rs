//! Instructions of committed PTX and the lines of the sources that they were made from.

use std::collections::HashMap;
use std::fs;
use std::iter;

use simt::Line;

use crate::workspace;

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

/// The sources that lines are looked up in.
#[derive(Default)]
pub(super) struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// The text of a line; empty for the compiler's own files.
    pub(super) fn text(&mut self, line: &Line) -> String {
        self.ending_at(line, 1)
    }

    /// Whether the line has this text, or, where the text has several lines, is the last of them.
    pub(super) fn has(&mut self, line: &Line, text: &str) -> bool {
        self.ending_at(line, text.lines().count()).contains(text)
    }

    /// The text of a line and of those before it, without what they are indented by.
    fn ending_at(&mut self, line: &Line, lines: usize) -> String {
        let source = self.0.entry(line.file.clone()).or_insert_with(|| {
            let root = workspace::root().expect("the workspace");
            let file = root.join(line.file.trim_start_matches('/'));
            let source = fs::read_to_string(file).unwrap_or_default();
            source.lines().map(|line| line.trim().to_owned()).collect()
        });
        let end = line.line as usize; // what the compiler adds has the line 0
        source.get(end.saturating_sub(lines)..end).unwrap_or_default().join("\n")
    }
}

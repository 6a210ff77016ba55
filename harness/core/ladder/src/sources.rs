//! Lines of kernels' sources, as text.

use std::collections::HashMap;
use std::fs;
use std::path::PathBuf;

use simt::Line;

use crate::workspace;

/// The sources that lines are looked up in.
#[derive(Default)]
pub(crate) struct Sources(HashMap<String, Vec<String>>);

impl Sources {
    /// The text of a line; empty for the compiler's own files, and for files that are gone.
    pub(crate) fn text(&mut self, line: &Line) -> String {
        self.ending_at(line, 1)
    }

    /// Whether the line has this text, or, where the text has several lines, is the last of them.
    pub(crate) fn has(&mut self, line: &Line, text: &str) -> bool {
        self.ending_at(line, text.lines().count()).contains(text)
    }

    /// The text of a line and of those before it, without what they are indented by.
    fn ending_at(&mut self, line: &Line, lines: usize) -> String {
        let source = self.0.entry(line.file.clone()).or_insert_with(|| {
            let in_workspace = |root: PathBuf| root.join(line.file.trim_start_matches('/'));
            let file = workspace::root().map(in_workspace).ok().filter(|file| file.exists());
            let source = fs::read_to_string(file.unwrap_or_else(|| line.file.clone().into()));
            let source = source.unwrap_or_default();
            source.lines().map(|line| line.trim().to_owned()).collect()
        });
        let end = line.line as usize; // what the compiler adds has the line 0
        source.get(end.saturating_sub(lines)..end).unwrap_or_default().join("\n")
    }
}

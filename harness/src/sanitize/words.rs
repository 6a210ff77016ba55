//! A record of compute-sanitizer's log in this program's words: what is wrong, where in the reader's file, and what to do.

use device::Source;
use ladder::message;

use super::log::{Place, Record};

/// The message on a record that `tool` made, the first of `total`.
pub fn message(tool: &str, (record, total): (&Record, u64), source: &Source) -> String {
    let (head, help) = said(record);
    let own = source.file.rsplit(['/', '\\']).next().unwrap_or(&source.file);
    let (mut lines, mut elsewhere) = (Vec::new(), Vec::new());
    for place in &record.places {
        match &place.line {
            Some((file, line)) if file == own => lines.push((*line, label(place, record))),
            Some((file, line)) => elsewhere.push(format!("{file}:{line}")),
            None => {}
        }
    }
    let mut facts = Vec::new();
    facts.extend(record.kernel.iter().map(|kernel| ("in", format!("kernel `{kernel}`"))));
    if !elsewhere.is_empty() {
        facts.push(("at", elsewhere.join(", ")));
    }
    if !record.notes.is_empty() {
        facts.push(("note", record.notes.join(" ")));
    }
    match total {
        0 | 1 => {}
        2 => facts.push(("also", "one other error".to_owned())),
        many => facts.push(("also", format!("{} other errors", many - 1))),
    }
    facts.push(("by", format!("compute-sanitizer --tool {tool}, on the GPU")));
    facts.push(("help", help.to_owned()));
    message::remark(head, source, lines, facts)
}

/// What is at a place.
fn label(place: &Place, record: &Record) -> String {
    match (&place.access, &record.thread) {
        (Some(access), _) => format!("the {access}"),
        (None, Some((thread, block))) => format!("by thread {thread} of block {block}"),
        (None, None) => String::new(),
    }
}

/// What is wrong, and what to do.
fn said(record: &Record) -> (String, &'static str) {
    let head = record.head.as_str();
    if head == "Race" {
        let kinds: Vec<&str> = record.places.iter().filter_map(|it| it.access.as_deref()).collect();
        return (
            format!(
                "race: {} of the same bytes of shared memory; nothing orders them",
                kinds.join(" and ")
            ),
            "put __syncthreads() between the two accesses; within a warp __syncwarp() is enough",
        );
    }
    if let Some(access) = head.strip_prefix("Invalid ") {
        let notes = record.notes.join(" ");
        let (why, help) = match notes.contains("misaligned") {
            true => (
                "misaligned",
                "access it at a multiple of its size: vectors such as float4 need 16-byte alignment",
            ),
            false => (
                "out of bounds",
                "check the index against the size (a missing `if (i < n)`, `<=` in place of `<`)",
            ),
        };
        return (format!("{why}: {}", plain(access)), help);
    }
    if let Some(access) = head.strip_prefix("Uninitialized ") {
        return (
            format!("uninitialised: {}; nothing has written it", plain(access)),
            "write it before it is read: memory is not zeroed",
        );
    }
    if let Some(what) = head.strip_prefix("Barrier error detected. ") {
        return (
            format!("barrier: {}", what.trim_end_matches('.').to_lowercase()),
            "let all threads of the block reach the same __syncthreads(), and all lanes of a mask its __syncwarp()",
        );
    }
    (head.to_owned(), "look it up in the manual of Compute Sanitizer")
}

/// "__global__ write of size 4 bytes" as "global write of 4 bytes".
fn plain(access: &str) -> String {
    access.replace("__", "").replace(" memory", "").replace("of size ", "of ")
}

#[cfg(test)]
mod tests {
    use super::super::log::{Log, read};
    use super::*;

    fn message_on(tool: &str, text: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mine.cu");
        let lines: String = (1..=60).map(|line| format!("line {line};\n")).collect();
        std::fs::write(&file, lines).expect("written");
        let source = Source::from_file(&file, &[]).expect("a source");
        match read(text) {
            Log::Found(record, total) => message(tool, (&record, total), &source),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_kind_of_error_is_said_with_its_line_and_remedy() {
        for (tool, text, words) in [
            (
                "memcheck",
                include_str!("logs/memcheck.txt"),
                [
                    "error: out of bounds: global write of 4 bytes",
                    "mine.cu:9",
                    "9 | line 9;",
                    "by thread (8,0,0) of block (3,0,0)",
                    "in kernel `scale`",
                    "33 bytes after the nearest allocation",
                    "31 other errors",
                    "compute-sanitizer --tool memcheck",
                    "if (i < n)",
                ]
                .as_slice(),
            ),
            (
                "racecheck",
                include_str!("logs/racecheck.txt"),
                &[
                    "error: race: write and read of the same bytes of shared memory",
                    "41 | line 41;",
                    "the write",
                    "51 | line 51;",
                    "the read",
                    "__syncthreads()",
                ],
            ),
            (
                "initcheck",
                include_str!("logs/initcheck.txt"),
                &[
                    "error: uninitialised: global read of 4 bytes; nothing has written it",
                    "41 | line 41;",
                ],
            ),
            (
                "synccheck",
                include_str!("logs/synccheck.txt"),
                &[
                    "error: barrier: divergent thread(s) in block",
                    "60 | line 60;",
                    "device_functions.h:42",
                ],
            ),
        ] {
            let said = message_on(tool, text);
            for word in words {
                // Facts stand in columns.
                let flat =
                    said.split_whitespace().collect::<Vec<_>>().join(" ").replace("in: ", "in ");
                assert!(flat.contains(word), "{tool}: no {word:?} in\n{said}");
            }
        }
    }
}

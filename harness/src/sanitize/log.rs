//! Reads what compute-sanitizer writes: records of some lines each behind a mark, with an empty line after each, and a
//! summary at the end.
//!
//! ```text
//! ========= Invalid __global__ write of size 4 bytes
//! =========     at scale(float *, int)+0xd0 in mine.cu:9
//! =========     by thread (8,0,0) in block (3,0,0)
//! =========     Address 0x7f24000001e0 is out of bounds
//! =========
//! ========= ERROR SUMMARY: 1 error
//! ```

/// What begins each line of the tool.
const MARK: &str = "=========";

/// What begins records that are about the process or about calls of the driver: the process itself says how it ended.
const ASIDE: [&str; 4] =
    ["COMPUTE-SANITIZER", "Program hit", "Error: process", "Target application"];

/// What begins records of the tool's own failures.
const INTERNAL: [&str; 2] = ["Internal Sanitizer Error", "Error: "];

/// What begins the records of races, which are errors or warnings.
const RACES: [&str; 2] = ["Error: Race reported between ", "Warning: Race reported between "];

/// What a log says.
#[derive(Debug, PartialEq, Eq)]
pub enum Log {
    Clean,
    /// The first error, and how many there are.
    Found(Record, u64),
    /// The tool did not come to its end; what it says last.
    Unfinished(String),
}

/// An error that a tool found.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    /// Its first line.
    pub head: String,
    /// The kernel.
    pub kernel: Option<String>,
    /// Where: the accesses of a race, or the place and the calls that led to it.
    pub places: Vec<Place>,
    /// The thread and its block, as `(8,0,0)` each.
    pub thread: Option<(String, String)>,
    /// What more the tool says of it.
    pub notes: Vec<String>,
}

/// A place in a kernel's code.
#[derive(Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The name of the source file, and the line from 1, where the code has lines.
    pub line: Option<(String, u32)>,
    /// What a race's access there is: read, write.
    pub access: Option<String>,
}

/// Reads a log.
pub fn read(text: &str) -> Log {
    let (mut records, mut lines, mut summary) = (Vec::new(), Vec::new(), None);
    for line in text.lines().filter_map(|line| line.strip_prefix(MARK)).map(str::trim) {
        let total = line.split_once("SUMMARY: ").map(|(_, rest)| number(rest));
        summary = summary.or(total);
        match line.is_empty() || total.is_some() || line == ASIDE[0] {
            true => records.push(std::mem::take(&mut lines)),
            false => lines.push(line),
        }
    }
    records.push(lines);
    let begins = |record: &[&str], with: &[&str]| {
        record.first().is_none_or(|head| with.iter().any(|it| head.starts_with(it)))
    };
    records.retain(|record| !begins(record, &ASIDE));
    let is_internal = |record: &&Vec<&str>| begins(record, &INTERNAL) && !begins(record, &RACES);
    let failure = records.iter().find(is_internal).map(|record| record.join(" "));
    let first = records.iter().find(|record| !is_internal(record));
    match (first, failure, summary) {
        (Some(first), _, total) => Log::Found(record(first), total.unwrap_or(1).max(1)),
        (None, None, Some(_)) => Log::Clean,
        (None, failure, _) => Log::Unfinished(failure.unwrap_or_else(|| last_words(text))),
    }
}

/// The last lines of a text that has no summary.
fn last_words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join("\n")
}

/// The number that a text begins with.
fn number(text: &str) -> u64 {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or(0)
}

fn record(lines: &[&str]) -> Record {
    let head = lines.first().copied().unwrap_or_default();
    let race = RACES.iter().find_map(|race| head.strip_prefix(race));
    let mut record = Record {
        head: if race.is_some() { "Race" } else { head }.to_owned(),
        kernel: None,
        places: race.and_then(access).into_iter().collect(),
        thread: None,
        notes: Vec::new(),
    };
    for line in lines.iter().skip(1) {
        if let Some(place) = line.strip_prefix("at ") {
            record.places.push(place_in(place));
        } else if let Some(frame) = line.strip_prefix("Device Frame:") {
            record.places.push(place_in(frame.trim()));
        } else if let Some(access) = line.strip_prefix("and ").and_then(access) {
            record.places.push(access);
        } else if let Some(thread) = line.strip_prefix("by thread ") {
            let of = thread.split_once(" in block ");
            record.thread = of.map(|(thread, block)| (thread.to_owned(), block.to_owned()));
        } else if !line.starts_with("Host Frame") && !line.starts_with("Saved host") {
            record.notes.push((*line).to_owned());
        }
    }
    // Calls follow from the inside out.
    record.kernel = record.places.last().map(|place| plain(&place.function).to_owned());
    record
}

/// "Write access at sum(int *)+0x90 in a.cu:41"
fn access(text: &str) -> Option<Place> {
    let (kind, rest) = text.split_once(" access at ")?;
    let place = rest.split(" [").next().unwrap_or(rest);
    Some(Place { access: Some(kind.to_lowercase()), ..place_in(place) })
}

/// "sum(int *)+0x90 in a.cu:41"; before CUDA 12.3 "0x90 in /home/me/a.cu:41:sum(int *)". Code without lines has no file.
fn place_in(text: &str) -> Place {
    let (code, file) = text.rsplit_once(" in ").unwrap_or((text, ""));
    let (function, file) = match code.starts_with("0x") {
        false => (code.rsplit_once("+0x").map_or(code, |(function, _)| function), file),
        true => old_place(file),
    };
    let line = file.rsplit_once(':').and_then(|(file, line)| {
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        Some((name.to_owned(), line.parse().ok()?))
    });
    Place { function: function.to_owned(), line, access: None }
}

/// The function and "FILE:LINE" of "FILE:LINE:FUNCTION", or of a function alone.
fn old_place(text: &str) -> (&str, &str) {
    let colons = text.match_indices(':').map(|(at, _)| at);
    let is_line = |at: &usize| {
        let after = &text[at + 1..];
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        digits > 0 && after[digits..].starts_with(':')
    };
    let Some(at) = colons.into_iter().find(is_line) else { return (text, "") };
    let end = at + 1 + text[at + 1..].find(':').unwrap_or(0);
    (&text[end + 1..], &text[..end])
}

/// A function's name without its parameters.
fn plain(function: &str) -> &str {
    match function.starts_with('[') {
        true => function,
        false => function.split('(').next().unwrap_or(function),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The logs have the form that the manual of Compute Sanitizer 2025.3 shows.
    fn found(text: &str) -> (Record, u64) {
        match read(text) {
            Log::Found(record, total) => (record, total),
            other => panic!("{other:?}"),
        }
    }

    fn line(file: &str, line: u32) -> Option<(String, u32)> {
        Some((file.to_owned(), line))
    }

    #[test]
    fn an_access_out_of_bounds_has_its_kernel_line_and_thread() {
        let text = include_str!("logs/memcheck.txt");
        let (record, total) = found(text);
        assert_eq!((record.head.as_str(), total), ("Invalid __global__ write of size 4 bytes", 32));
        assert_eq!(record.kernel.as_deref(), Some("scale"));
        assert_eq!(record.places[0].line, line("mine.cu", 9));
        assert_eq!(record.thread, Some(("(8,0,0)".to_owned(), "(3,0,0)".to_owned())));
        assert_eq!(record.notes.len(), 2);
        // What a call out of line leads to is named by the kernel that made it.
        let called = text.replace("at scale(float *, int)+0xd0", "at put(float *)+0x20").replace(
            "=========     by thread (8",
            "=========         Device Frame: scale(float *, int)+0x30 in mine.cu:14\n=========     by thread (8",
        );
        let (record, _) = found(&called);
        assert_eq!(record.kernel.as_deref(), Some("scale"));
        assert_eq!(record.places[1].line, line("mine.cu", 14));
        // As versions before 12.3 wrote it.
        let old = text.replace(
            "scale(float *, int)+0xd0 in mine.cu:9",
            "0xd0 in /home/me/mine.cu:9:scale(float *, int)",
        );
        let (record, _) = found(&old);
        assert_eq!(
            (record.kernel.as_deref(), &record.places[0].line),
            (Some("scale"), &line("mine.cu", 9))
        );
        // Without lines.
        let (record, _) = found(&text.replace(" in mine.cu:9", ""));
        assert_eq!((record.kernel.as_deref(), &record.places[0].line), (Some("scale"), &None));
    }

    #[test]
    fn a_race_has_both_accesses() {
        let text = include_str!("logs/racecheck.txt");
        for text in [text.to_owned(), text.replace("Error: Race", "Warning: Race")] {
            let (record, total) = found(&text);
            assert_eq!((record.head.as_str(), total, record.places.len()), ("Race", 1, 2));
            assert_eq!(record.kernel.as_deref(), Some("sum"));
            let [first, second] = [&record.places[0], &record.places[1]];
            assert_eq!(
                (first.access.as_deref(), &first.line),
                (Some("write"), &line("mine.cu", 41))
            );
            assert_eq!(
                (second.access.as_deref(), &second.line),
                (Some("read"), &line("mine.cu", 51))
            );
        }
    }

    #[test]
    fn reads_of_what_nothing_wrote_and_barriers_in_branches_are_found() {
        let (record, total) = found(include_str!("logs/initcheck.txt"));
        assert_eq!(record.head, "Uninitialized __global__ memory read of size 4 bytes");
        assert_eq!((record.kernel.as_deref(), total), (Some("add"), 2));
        let (record, _) = found(include_str!("logs/synccheck.txt"));
        assert_eq!(record.head, "Barrier error detected. Divergent thread(s) in block.");
        assert_eq!((record.kernel.as_deref(), record.places.len()), (Some("reduce"), 2));
    }

    #[test]
    fn only_a_summary_without_errors_is_clean() {
        let clean = "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n";
        let race = "========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)\n";
        assert_eq!((read(clean), read(race)), (Log::Clean, Log::Clean));
        let died = "========= COMPUTE-SANITIZER\n========= Error: process didn't terminate successfully\n========= Target application returned an error\n========= ERROR SUMMARY: 0 errors\n";
        assert_eq!(read(died), Log::Clean, "the process itself says how it ended");
        let Log::Unfinished(why) = read("========= COMPUTE-SANITIZER\n") else {
            panic!("unfinished")
        };
        assert!(why.contains("COMPUTE-SANITIZER"));
        let blind = "========= COMPUTE-SANITIZER\n========= Internal Sanitizer Error: The Sanitizer encountered an error while launching sum\n=========\n========= ERROR SUMMARY: 1 error\n";
        let Log::Unfinished(why) = read(blind) else { panic!("it saw nothing") };
        assert!(why.contains("while launching sum"), "{why}");
        let alone = "========= COMPUTE-SANITIZER\n========= Error: Target application terminated before first instrumented API call\n";
        assert!(matches!(read(alone), Log::Unfinished(_)));
    }
}

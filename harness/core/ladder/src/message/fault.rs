//! Faults of the simulator, with the source lines that they name.

use simt::{
    AccessError, Fault, FaultKind, InvalidAccess, Line, Origin, Overrun, RacingAccess,
    Uninitialised,
};

use super::form::{HELP, Message, Place, Versions};
use super::text::{condition, head_of_loop};

/// A line of the code that ran: its PTX line, and that of the `.cu` where it is known.
struct At<'f> {
    ptx: &'f str,
    line: u32,
    cuda: Option<&'f Origin>,
}

pub(super) fn message(fault: &Fault, others: usize, versions: Versions) -> Message {
    let at = |line, cuda| At { ptx: &fault.file, line, cuda };
    let thread = |thread: [u32; 3], block: [u32; 3]| {
        format!("thread {} of block {}", triple(thread), triple(block))
    };
    let by = thread(fault.thread, fault.block);
    let here = at(fault.line, fault.cuda.as_ref());
    let (name, places) = match &fault.kind {
        FaultKind::Race(race) => {
            let RacingAccess { kind, line, cuda, .. } = &race.first;
            let other = at(*line, cuda.as_ref());
            let first = format!("the {kind}, by {}", thread(race.first.thread, race.first.block));
            let second = format!("the {}, by {by}", race.second.kind);
            (race.name.as_deref(), vec![(other, first), (here, second)])
        }
        FaultKind::EarlyRead(read) => {
            let mut places = vec![(here, format!("the write, by {by}"))];
            if let Some(RacingAccess { line, cuda, block, thread: own, .. }) = &read.flag {
                let flag = format!("the flag, by {}", thread(*own, *block));
                places.push((at(*line, cuda.as_ref()), flag));
            }
            (read.name.as_deref(), places)
        }
        FaultKind::Uninitialised(Uninitialised { name, .. }) => {
            (name.as_deref(), vec![(here, format!("read by {by}"))])
        }
        FaultKind::Overrun(Overrun { access, array, .. }) => {
            (Some(array.as_str()), vec![(here, format!("the {access}, by {by}"))])
        }
        FaultKind::InvalidAccess(InvalidAccess { nearest, write, .. }) => {
            let access = if *write { "written" } else { "read" };
            let name = nearest.as_ref().map(|nearest| nearest.name.as_str());
            (name, vec![(here, format!("{access} by {by}"))])
        }
        FaultKind::BlockTimeout(_) => (None, vec![(here, format!("{by} never leaves this loop"))]),
        _ => (None, vec![(here, format!("by {by}"))]),
    };
    let readers = |text: String| text.replace(&versions.source.cuda_name, &versions.source.file);
    let mut facts = vec![("in", format!("kernel `{}`", fault.kernel))];
    match others {
        0 => {}
        1 => facts.push(("also", "one other hazard".to_owned())),
        many => facts.push(("also", format!("{many} other hazards"))),
    }
    let is_loop = matches!(
        fault.kind,
        FaultKind::BlockTimeout(_)
            | FaultKind::LaunchTimeout(_)
            | FaultKind::InfiniteLoop(_)
            | FaultKind::GridDeadlock(_)
    );
    if let Some(element) = element(&fault.kind) {
        facts.push(("element", element));
    }
    if let Some(condition) = fault.cuda.as_ref().filter(|_| is_loop).and_then(|origin| {
        let Line { file, line } = origin.inlined.as_ref().unwrap_or(&origin.at);
        let (_, text) = versions.source.file(file)?;
        condition(text, head_of_loop(text, *line))
    }) {
        let lasts = match fault.kind {
            FaultKind::InfiniteLoop(_) => "never becomes false",
            _ => "is still true",
        };
        facts.push(("loop", format!("`{condition}` {lasts}")));
    }
    facts.push((HELP, readers(fault.remedy())));
    let places = places
        .into_iter()
        .flat_map(|(at, label)| {
            let inlined = at.cuda.and_then(|origin| origin.inlined.as_ref());
            let inlined = inlined.and_then(|it| {
                known(it, (name, is_loop), "in this code, inlined there".to_owned(), versions)
            });
            [place(&at, (name, is_loop), label, versions), inlined]
        })
        .flatten()
        .collect();
    Message { head: readers(fault.kind.to_string()), places, facts }
}

/// The element outside its array that was accessed, if elements are as large as the access.
fn element(fault: &FaultKind) -> Option<String> {
    let (name, offset, array_bytes, bytes) = match fault {
        FaultKind::InvalidAccess(access) if access.error == AccessError::OutOfBounds => {
            let nearest = access.nearest.as_ref()?;
            let offset = access.address.wrapping_sub(nearest.address).cast_signed();
            (&nearest.name, offset, nearest.bytes, access.bytes)
        }
        FaultKind::Overrun(overrun) => {
            (&overrun.array, overrun.offset, overrun.array_bytes, overrun.bytes)
        }
        _ => return None,
    };
    let bytes = i64::from(bytes);
    let count = array_bytes.cast_signed() / bytes;
    (offset % bytes == 0 && count > 0).then(|| {
        format!(
            "`{name}[{}]`, while `{name}` ends with `{name}[{}]` (elements of {bytes} bytes)",
            offset / bytes,
            count - 1
        )
    })
}

fn triple([x, y, z]: [u32; 3]) -> String {
    format!("({x},{y},{z})")
}

fn place(
    at: &At,
    (name, is_loop): (Option<&str>, bool),
    label: String,
    versions: Versions,
) -> Option<Place> {
    if let Some(origin) = at.cuda
        && versions.source.file(&origin.at.file).is_some()
    {
        return known(&origin.at, (name, is_loop && origin.inlined.is_none()), label, versions);
    }
    // Where there is only PTX, its line is the source.
    let ptx = versions.source.ptx.iter().find(|ptx| ptx.file == at.ptx)?;
    let label = match at.cuda {
        Some(origin) => format!("{label} ({origin})"),
        None => label,
    };
    Place::at(&versions.source.file, &ptx.text, at.line, name, label)
}

/// A line of the source.
fn known(
    Line { file, line }: &Line,
    (name, is_loop): (Option<&str>, bool),
    label: String,
    versions: Versions,
) -> Option<Place> {
    let (file, text) = versions.source.file(file)?;
    let line = if is_loop { head_of_loop(text, *line) } else { *line };
    Place::at(file, text, line, name, label)
}

#[cfg(test)]
mod tests {
    use device::{Ptx, Source};
    use simt::{AccessKind, Missing, Race, RaceScope, Space};

    use super::*;

    fn race(cuda: bool) -> Fault {
        let at = |line| Line { file: "/kernels/mine.cu".to_owned(), line };
        let place = |line| cuda.then(|| Origin { at: at(line), inlined: None });
        let access = |kind, line, thread| RacingAccess {
            kind,
            line: line + 10,
            cuda: place(line),
            block: [0; 3],
            thread: [thread, 0, 0],
        };
        let race = Race {
            space: Space::Shared,
            name: Some("tile".to_owned()),
            offset: 4,
            scope: RaceScope::Block,
            missing: Missing::Order,
            first: access(AccessKind::Write, 2, 1),
            second: access(AccessKind::Read, 3, 32),
            loop_carried: false,
        };
        Fault {
            kind: FaultKind::Race(Box::new(race)),
            kernel: "sum".to_owned(),
            file: "mine.ptx".to_owned(),
            line: 13,
            cuda: place(3),
            block: [0; 3],
            thread: [32, 0, 0],
        }
    }

    #[test]
    fn both_sides_of_a_race_are_shown_with_their_lines() {
        let source = Source {
            file: "../mine.cu".to_owned(),
            cuda: Some("a\n  tile[t] = 1;\n  b = tile[31 - t];\n".to_owned()),
            cuda_name: "/kernels/mine.cu".to_owned(),
            ..Source::default()
        };
        let text = message(&race(true), 1, Versions { source: &source, original: None }).text();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "   --> ../mine.cu:2:3",
                "    |",
                "  2 |   tile[t] = 1;",
                "    |   ^^^^ the write, by thread (1,0,0) of block (0,0,0)",
                "   ::: ../mine.cu:3:7",
                "    |",
                "  3 |   b = tile[31 - t];",
                "    |       ^^^^ the read, by thread (32,0,0) of block (0,0,0)",
                "    = in:   kernel `sum`",
                "    = also: one other hazard",
                "    = help: put __syncthreads() between ../mine.cu:2 and ../mine.cu:3",
            ]
        );
    }

    #[test]
    fn an_overrun_is_shown_at_the_array_by_whose_name_it_was_made() {
        let overrun = Overrun {
            access: AccessKind::Read,
            bytes: 4,
            offset: 128,
            array: "tile".to_owned(),
            array_bytes: 128,
            hit: Some(("sums".to_owned(), 0)),
        };
        let fault = Fault { kind: FaultKind::Overrun(overrun), ..race(true) };
        let source = Source {
            file: "../mine.cu".to_owned(),
            cuda: Some("a\n  tile[t] = 1;\n  b = tile[32];\n".to_owned()),
            cuda_name: "/kernels/mine.cu".to_owned(),
            ..Source::default()
        };
        let text = message(&fault, 0, Versions { source: &source, original: None }).text();
        assert!(
            text.contains("at offset 128 of `tile`, which has 128 bytes; it hits `sums`"),
            "{text}"
        );
        assert!(
            text.contains("3 |   b = tile[32];\n    |       ^^^^ the read, by thread (32,0,0)"),
            "{text}"
        );
        assert!(text.contains("check the index against the size of `tile`"), "{text}");
        assert!(text.contains("`tile[32]`, while `tile` ends with `tile[31]`"), "{text}");
    }

    #[test]
    fn an_infinite_loop_is_shown_with_its_condition() {
        let kind = FaultKind::InfiniteLoop("all 32 lanes of warp 0".to_owned());
        let source = Source {
            file: "../mine.cu".to_owned(),
            cuda: Some("a\nfor (j = 0; j < n;)\n  b += c[j];\n".to_owned()),
            cuda_name: "/kernels/mine.cu".to_owned(),
            ..Source::default()
        };
        let mut fault = Fault { kind, ..race(true) };
        fault.cuda.as_mut().expect("its line").at.line = 2;
        let text = message(&fault, 0, Versions { source: &source, original: None }).text();
        assert!(text.contains("../mine.cu:2:1\n"), "{text}");
        assert!(text.contains("= loop: `j < n` never becomes false"), "{text}");
    }

    #[test]
    fn where_there_is_only_ptx_its_lines_are_shown() {
        let text: String = (1..=13).map(|line| format!("line {line} [tile]\n")).collect();
        let source = Source {
            file: "my/mine.ptx".to_owned(),
            ptx: vec![Ptx { file: "mine.ptx".to_owned(), text }],
            ..Source::default()
        };
        let text = message(&race(false), 0, Versions { source: &source, original: None }).text();
        assert!(text.contains("--> my/mine.ptx:12:10\n"), "{text}");
        assert!(text.contains("  13 | line 13 [tile]\n"), "{text}");
    }
}

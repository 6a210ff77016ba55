//! The speed-ups that a document published for a ladder's steps: `reports/published/<ladder>.csv`.
//!
//! The file's first line is a comment, `# the tutorial: M. Burtscher, …`: what sentences call the
//! document, and whose it is.

pub mod times;

use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::files;

/// What a document published; nothing, for most ladders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Published {
    /// What sentences call the document: "the tutorial".
    pub name: String,
    /// Author, title, place and year.
    pub source: String,
    /// Its speed-ups.
    pub lines: Vec<Line>,
}

/// One published speed-up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// Name of the step's folder, such as "05-rsqrt".
    pub step: String,
    /// The slide on which it stands.
    pub slide: u32,
    /// What it is a speed-up over: "parent" or "one CPU thread".
    pub against: String,
    /// The GPU as the document calls it.
    pub gpu: String,
    /// The size; none where the slide does not state it.
    pub n: Option<u64>,
    /// Time steps of a run; none where the slide does not state it.
    pub time_steps: Option<u64>,
    /// As printed: "1.83", "1/72.4".
    pub ratio: String,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// It cannot be read.
    #[error("cannot read {}: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something in it is not what it must be.
    #[error("{} is no table of published figures: {problem}", .file.display())]
    Form {
        /// The file.
        file: PathBuf,
        /// What, and on which line.
        problem: String,
    },
}

impl Published {
    /// What is published for a ladder, from the workspace's folder of reports; nothing where there
    /// is no file for it.
    ///
    /// # Errors
    /// [`Published::read`]'s.
    pub fn of_ladder(reports: &Path, ladder: &str) -> Result<Published, PublishedError> {
        let file = reports.join("published").join(format!("{ladder}.csv"));
        if file.is_file() { Published::read(&file) } else { Ok(Published::default()) }
    }

    /// Reads such a file.
    ///
    /// # Errors
    /// It cannot be read, or a line is not as it must be; the error names it.
    pub fn read(file: &Path) -> Result<Published, PublishedError> {
        let read = |source| PublishedError::Read { file: file.to_owned(), source };
        let text = files::read_text(file).map_err(read)?;
        let form = |problem| PublishedError::Form { file: file.to_owned(), problem };
        parse(&text).map_err(form)
    }

    /// The published speed-ups of a step over its parent, with the lines that have them.
    pub fn times_parent(&self, step: &str) -> impl Iterator<Item = (f64, &Line)> {
        self.over(step, "parent")
    }

    /// The same over one thread of the CPU in that GPU's computer.
    pub fn times_cpu_thread(&self, step: &str) -> impl Iterator<Item = (f64, &Line)> {
        self.over(step, "one CPU thread")
    }

    fn over(&self, step: &str, other: &str) -> impl Iterator<Item = (f64, &Line)> {
        let lines =
            self.lines.iter().filter(move |line| line.step == step && line.against == other);
        lines.filter_map(|line| Some((line.times()?, line)))
    }

    /// The last kept step, in the order of `steps` (folder, whether it is a detour), of which
    /// something is published.
    pub fn last<'s>(&self, steps: impl Iterator<Item = (&'s str, bool)>) -> Option<&'s str> {
        let kept = steps.filter(|(_, detour)| !detour).map(|(step, _)| step);
        kept.filter(|step| self.lines.iter().any(|line| line.step == *step)).last()
    }
}

impl Line {
    /// The speed-up as a number; none if it is no number above zero, nor one divided by such a
    /// number, which [`Published::read`] refuses.
    pub fn times(&self) -> Option<f64> {
        let number = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_normal() && *it > 0.0);
        match self.ratio.strip_prefix("1/") {
            Some(slower) => number(slower).map(f64::recip),
            None => number(&self.ratio),
        }
    }
}

fn parse(text: &str) -> Result<Published, String> {
    let first = text.lines().next().unwrap_or_default();
    let head = first.strip_prefix("# ").and_then(|head| head.split_once(": "));
    let (name, source) = head.ok_or("its first line is not `# name: source`")?;
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let lines: Result<Vec<Line>, csv::Error> = reader.deserialize().collect();
    let lines = lines.map_err(|error| error.to_string())?;
    if let Some(Line { step, slide, ratio, .. }) = lines.iter().find(|line| line.times().is_none())
    {
        return Err(format!("`{ratio}` of {step} on slide {slide} is no ratio"));
    }
    Ok(Published { name: name.to_owned(), source: source.to_owned(), lines })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# the talk: A. Author, A talk\nstep,slide,against,gpu,n,time_steps,ratio\n";

    #[test]
    fn every_committed_file_is_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports/published");
        let files = |folder: &Path| {
            let all = std::fs::read_dir(folder).expect("the folder");
            all.map(|file| file.expect("a file").path()).filter(|file| file.is_file())
        };
        for file in files(&folder.join("times")) {
            let ladder = file.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let times = times::Times::of_ladder(&folder.join(".."), ladder).expect("a table");
            assert!(!times.lines.is_empty() && !times.source.is_empty());
        }
        for file in files(&folder) {
            let published = Published::read(&file).expect("a table");
            assert!(!published.lines.is_empty() && !published.source.is_empty());
        }
    }

    #[test]
    fn ratios_are_found_by_step_and_opponent() {
        let text = "01-a,28,one CPU thread,G,10000,1,1/72.4\n02-b,31,parent,G,,,7781\n\
                    02-b,31,one CPU thread,G,,,107.5\n02x-c,32,parent,G,,,2\n";
        let published = parse(&format!("{HEAD}{text}")).expect("a table");
        assert_eq!((published.name.as_str(), published.lines.len()), ("the talk", 4));
        let of = |found: Vec<(f64, &Line)>| {
            found.into_iter().map(|(times, _)| times).collect::<Vec<_>>()
        };
        assert_eq!(of(published.times_cpu_thread("01-a").collect()), [1.0 / 72.4]);
        assert_eq!(of(published.times_parent("02-b").collect()), [7781.0]);
        assert_eq!(of(published.times_parent("01-a").collect()), [0.0; 0]);
        let steps = [("01-a", false), ("02-b", false), ("02x-c", true), ("03-d", false)];
        assert_eq!(published.last(steps.into_iter()), Some("02-b"));
    }

    #[test]
    fn what_is_no_ratio_is_named() {
        let error = parse(&format!("{HEAD}a,1,parent,G,,,fast\n")).expect_err("no ratio");
        assert!(error.contains("`fast` of a"), "{error}");
        let error = parse(&format!("{HEAD}a,one,parent,G,,,1\n")).expect_err("no slide");
        assert!(error.contains("line: 3"), "{error}");
        let error = parse("step\n").expect_err("no head");
        assert!(error.contains("first line"), "{error}");
    }

    #[test]
    fn a_ladder_without_a_file_has_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let published = Published::of_ladder(folder.path(), "other").expect("nothing");
        assert_eq!(published, Published::default());
    }
}

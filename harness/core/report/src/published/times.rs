//! The times that a document published for a ladder's steps: `reports/published/times/<ladder>.csv`.
//!
//! The file's first line is a comment that names the document and says what was timed.

use std::path::Path;

use serde::Deserialize;

use super::PublishedError;
use crate::files;

/// What a document timed.
#[derive(Debug, Clone, PartialEq)]
pub struct Times {
    /// The document, and what it timed.
    pub source: String,
    /// Its times.
    pub lines: Vec<Time>,
}

/// One published time.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Time {
    /// The folder of the step that does the same.
    pub step: String,
    /// What the document calls it.
    pub variant: String,
    /// The GPU as the document calls it.
    pub gpu: String,
    /// Milliseconds of all runs.
    pub milliseconds: f64,
    /// The step to be compared with; none of the first of a kind.
    pub against: Option<String>,
}

impl Times {
    /// Reads what is published for a ladder, from the workspace's folder of reports.
    ///
    /// # Errors
    /// It cannot be read, or a line is not as it must be; the error names it.
    pub fn of_ladder(reports: &Path, ladder: &str) -> Result<Times, PublishedError> {
        let file = reports.join("published/times").join(format!("{ladder}.csv"));
        let read = |source| PublishedError::Read { file: file.clone(), source };
        let text = files::read_text(&file).map_err(read)?;
        let form = |problem| PublishedError::Form { file: file.clone(), problem };
        parse(&text).map_err(form)
    }

    /// How many times as fast a published step is as what it is compared with; none of what is compared with nothing.
    pub fn ratio(&self, time: &Time) -> Option<f64> {
        let other = self.lines.iter().find(|other| Some(&other.step) == time.against.as_ref())?;
        Some(other.milliseconds / time.milliseconds)
    }
}

fn parse(text: &str) -> Result<Times, String> {
    let (source, _) = text.split_once('\n').unwrap_or((text, ""));
    let source = source.strip_prefix("# ").ok_or("its first line must be `# ` and the source")?;
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    let lines: Vec<Time> =
        reader.deserialize().collect::<Result<_, _>>().map_err(|error| error.to_string())?;
    let times = Times { source: source.trim().to_owned(), lines };
    for time in &times.lines {
        let step = &time.step;
        if !(time.milliseconds.is_finite() && time.milliseconds > 0.0) {
            return Err(format!("{step} has no time: {}", time.milliseconds));
        }
        if time.against.is_some() && times.ratio(time).is_none() {
            return Err(format!("{step} is compared with a step that is not there"));
        }
    }
    Ok(times)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# a document: its test\nstep,variant,gpu,milliseconds,against\n";

    #[test]
    fn times_are_compared_with_each_other() {
        let times = parse(&format!("{HEAD}a,plain,G,30,\nb,\"fast, and new\",G,10,a\n"));
        let times = times.expect("well formed");
        assert_eq!(times.source, "a document: its test");
        assert_eq!(times.lines[1].variant, "fast, and new");
        assert_eq!(
            times.lines.iter().map(|it| times.ratio(it)).collect::<Vec<_>>(),
            [None, Some(3.0)]
        );
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        for (line, words) in [
            ("a,plain,G,0,", "a has no time"),
            ("a,plain,G,-1,", "a has no time"),
            ("a,plain,G,1,z", "a step that is not there"),
            ("a,plain,G,x,", "invalid float"),
        ] {
            let error = parse(&format!("{HEAD}{line}\n")).expect_err(line);
            assert!(error.contains(words), "{error}");
        }
        assert!(parse("step,variant\n").is_err());
    }
}

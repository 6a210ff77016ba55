//! The speed-ups that the tutorial published, from `reports/published/burtscher-nbody.csv`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::Deserialize;

/// The committed file, so that it need not be found.
const COMMITTED: &str = include_str!("../../reports/published/burtscher-nbody.csv");

/// Whose figures they are.
pub const SOURCE: &str =
    "M. Burtscher, CUDA Optimization Tutorial, Texas State University, about 2012";

/// One published speed-up.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Line {
    /// The step's folder.
    pub step: String,
    /// The slide on which it stands.
    pub slide: u32,
    /// What it is a speed-up over: "parent" or "one CPU thread".
    pub against: String,
    /// The GPU as the tutorial calls it.
    pub gpu: String,
    /// Bodies; none where the slide does not state them.
    pub n: Option<u64>,
    /// Time steps, likewise.
    pub time_steps: Option<u64>,
    /// As printed: "1.83", "1/72.4".
    pub ratio: String,
}

impl Line {
    /// The speed-up over the step's parent; none where it is over something else.
    ///
    /// # Errors
    /// What is printed is no number above zero, nor one divided by such a number.
    pub fn times_parent(&self) -> Result<Option<f64>> {
        self.over("parent")
    }

    /// The speed-up over one thread of the CPU beside that GPU; none where it is over something
    /// else.
    ///
    /// # Errors
    /// What is printed is no number above zero, nor one divided by such a number.
    pub fn times_cpu_thread(&self) -> Result<Option<f64>> {
        self.over("one CPU thread")
    }

    fn over(&self, other: &str) -> Result<Option<f64>> {
        if self.against != other {
            return Ok(None);
        }
        let number = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_normal() && *it > 0.0);
        let ratio = match self.ratio.strip_prefix("1/") {
            Some(slower) => number(slower).map(f64::recip),
            None => number(&self.ratio),
        };
        let place =
            || format!("`{}` of {} on slide {} is no ratio", self.ratio, self.step, self.slide);
        ratio.with_context(place).map(Some)
    }
}

/// The committed figures.
///
/// # Errors
/// None, as a test shows.
pub fn committed() -> Result<Vec<Line>> {
    parse(COMMITTED.as_bytes()).context("the published figures are no table of ratios")
}

/// Reads such a file.
///
/// # Errors
/// It cannot be read, or a line is not as it must be; the error names it.
pub fn read(file: &Path) -> Result<Vec<Line>> {
    let text = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    parse(&text).with_context(|| format!("{} is no table of ratios", file.display()))
}

fn parse(text: &[u8]) -> Result<Vec<Line>, csv::Error> {
    csv::Reader::from_reader(text).deserialize().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_has_ratios_of_three_gpus() {
        let lines = committed().unwrap();
        let of_parent = lines.iter().filter_map(|line| line.times_parent().unwrap());
        assert_eq!(of_parent.count(), 3 * 11);
        let first = lines.iter().find(|line| line.step == "02-n-threads").unwrap();
        assert_eq!((first.n, first.slide), (None, 31));
    }

    #[test]
    fn two_steps_were_compared_with_a_cpu() {
        let lines = committed().unwrap();
        let times = |step: &str, gpu: &str| {
            let own = lines.iter().filter(|line| line.step == step && line.gpu.contains(gpu));
            let times: Vec<f64> = own.filter_map(|line| line.times_cpu_thread().unwrap()).collect();
            assert_eq!(times.len(), 1, "{step} {gpu}");
            times[0]
        };
        assert_eq!(times("01-one-thread", "5800"), 1.0 / 72.4);
        assert_eq!(times("02-n-threads", "C2050"), 176.7);
        let all = lines.iter().filter_map(|line| line.times_cpu_thread().unwrap());
        assert_eq!(all.count(), 6);
    }

    #[test]
    fn what_is_no_ratio_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let head = "step,slide,against,gpu,n,time_steps,ratio\n";
        fs::write(file.path(), format!("{head}a,1,parent,G,,,fast\n")).unwrap();
        let error = read(file.path()).unwrap()[0].times_parent().unwrap_err();
        assert!(error.to_string().contains("`fast` of a"), "{error}");
        fs::write(file.path(), format!("{head}a,one,parent,G,,,1\n")).unwrap();
        let error = format!("{:#}", read(file.path()).unwrap_err());
        assert!(error.contains("is no table of ratios") && error.contains("line: 2"), "{error}");
    }
}

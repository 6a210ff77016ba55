//! What late submissions lose: the class file's rule, and when each student handed in.
//!
//! ```toml
//! [late]
//! due = 2026-11-20T23:59:00+01:00   # with the offset from UTC
//! percent_per_day = 10              # of the points, for each day begun
//! most_days = 3                     # after these there are no points (default: no end)
//! grace_minutes = 15                # for which nothing is lost (default: 0)
//! times = "times.csv"               # student,time: when each handed in (default: times of the files)
//! ```
//!
//! Times of files are those of the newest that a student handed in. Platforms keep them in their archives, but a student may
//! set them, and a clone has the time at which it was made: `times` is safer. Canvas marks late files by `LATE` in their
//! names; such a student is at least one day late.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, ensure};
use report::files;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use toml::value::Datetime;
use ui::Usage;

use super::short::number;
use super::students::{Entry, Known};

/// Seconds of a day.
const DAY: i64 = 86_400;

/// What late submissions lose.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Seconds since 1970 in UTC.
    #[serde(deserialize_with = "moment")]
    due: i64,
    /// Of the points, for each day begun.
    #[serde(deserialize_with = "percent")]
    percent_per_day: f64,
    /// After these there are no points.
    most_days: Option<i64>,
    /// For which nothing is lost.
    #[serde(default)]
    grace_minutes: u32,
    /// When each student handed in.
    times: Option<PathBuf>,
}

/// How late a submission is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Late {
    /// Days begun since the submission was due.
    pub days: i64,
    /// Of the points that are lost, at most 100.
    pub percent: f64,
}

impl Rule {
    /// Names of files in the rule mean files next to the class file.
    pub fn is_in(&mut self, folder: &Path) {
        self.times = self.times.take().map(|file| folder.join(file));
    }

    /// How late each student is, in the order of `entries`; none of who is not.
    ///
    /// # Errors
    /// The file of times cannot be read, or a line of it is not understood.
    pub fn all(&self, entries: &[Entry]) -> Result<Vec<Option<Late>>> {
        let known = self.times.as_deref().map(|file| times(file, entries)).transpose()?;
        let of = |(place, entry): (usize, &Entry)| {
            let handed = match &known {
                Some(times) => times.get(&place).copied(),
                None => entry.paths.iter().filter_map(|path| newest(path, 0)).max(),
            };
            self.late(handed, entry.is_marked_late)
        };
        Ok(entries.iter().enumerate().map(of).collect())
    }

    fn late(&self, handed: Option<i64>, is_marked: bool) -> Option<Late> {
        let over = handed.map_or(0, |handed| handed - self.due);
        let is_over = over > i64::from(self.grace_minutes) * 60;
        let days = match is_over {
            true => (over + DAY - 1) / DAY,
            false => i64::from(is_marked),
        };
        let is_too_late = self.most_days.is_some_and(|most| days > most);
        let percent = if is_too_late { 100.0 } else { self.percent_per_day * days as f64 };
        (days > 0).then_some(Late { days, percent: percent.min(100.0) })
    }
}

impl Late {
    /// In words.
    pub fn words(&self) -> String {
        let days = if self.days == 1 { "1 day".to_owned() } else { format!("{} days", self.days) };
        format!("{days} late: {} % less", number(self.percent))
    }
}

/// When the newest file of an entry was changed; none of a clone, whose files have the time at which it was made.
fn newest(path: &Path, depth: usize) -> Option<i64> {
    let known = fs::symlink_metadata(path).ok()?;
    if !known.is_dir() {
        let seconds =
            |time: SystemTime| time.duration_since(UNIX_EPOCH).ok()?.as_secs().try_into().ok();
        return known.modified().ok().and_then(seconds);
    }
    if depth > super::submission::DEEPEST || path.join(".git").exists() {
        return None;
    }
    let entries = fs::read_dir(path).ok()?.flatten();
    entries.filter_map(|entry| newest(&entry.path(), depth + 1)).max()
}

/// The file of times: seconds since 1970, by the place of a student.
fn times(file: &Path, entries: &[Entry]) -> Result<BTreeMap<usize, i64>> {
    let name = file.display();
    let text = files::read_text(file).with_context(|| format!("cannot read {name}"))?;
    let known = Known::of(entries.iter().map(|entry| &entry.student));
    let mut times = BTreeMap::new();
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let is_named = rows.headers().is_ok_and(|head| head.iter().eq(["student", "time"]));
    ensure!(is_named, Usage(format!("{name}:1: its first line must be `student,time`")));
    for row in rows.records() {
        let row = row.map_err(|error| Usage(format!("{name}: {error}")))?;
        let at = row.position().map_or(0, csv::Position::line);
        let wrong = |why: String| Usage(format!("{name}:{at}: {why}"));
        let (student, time) = match row.iter().collect::<Vec<_>>()[..] {
            [student, time] => (student, time),
            _ => return Err(wrong("write `student,time`".to_owned()).into()),
        };
        let place = known.find(student).map_err(|error| wrong(error.to_string()))?;
        let parsed = time.trim().parse::<Datetime>().map_err(|_| String::new()).and_then(seconds);
        let time = parsed.map_err(|_| wrong(format!("`{time}` is no time: {EXAMPLE}")))?;
        times.insert(place, time);
    }
    Ok(times)
}

/// How a time is written.
const EXAMPLE: &str = "write 2026-11-20T23:59:00+01:00, with the offset from UTC";

fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<i64, D::Error> {
    seconds(Datetime::deserialize(from)?).map_err(D::Error::custom)
}

fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let percent = f64::deserialize(from)?;
    match (0.0..=100.0).contains(&percent) {
        true => Ok(percent),
        false => Err(D::Error::custom("percent_per_day is a number from 0 to 100")),
    }
}

/// Seconds since 1970 in UTC of a time with an offset.
fn seconds(time: Datetime) -> Result<i64, String> {
    use toml::value::Offset;
    let (Some(date), Some(clock), Some(offset)) = (time.date, time.time, time.offset) else {
        return Err(EXAMPLE.to_owned());
    };
    let minutes = match offset {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    let clock = [clock.hour, clock.minute, clock.second.unwrap_or(0)].map(i64::from);
    let days = days(date.year.into(), date.month.into(), date.day.into());
    Ok(days * DAY + (clock[0] * 60 + clock[1] - minutes) * 60 + clock[2])
}

/// Days from 1970-01-01 to a date of the Gregorian calendar. A year begins in March, so that a leap day is its last.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month < 3 { year - 1 } else { year };
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    365 * year + year / 4 - year / 100 + year / 400 + of_year - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grade::students::Student;

    fn rule(more: &str) -> Rule {
        toml::from_str(&format!("due = 2026-11-20T23:59:00+01:00\npercent_per_day = 10\n{more}"))
            .expect("a rule")
    }

    #[test]
    fn times_are_seconds_of_utc() {
        for (text, expected) in [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-11-20T23:59:00+01:00", 1_795_215_540),
            ("2024-02-29T12:00:00-05:30", 1_709_227_800),
            ("2000-03-01T00:00:00Z", 951_868_800),
        ] {
            assert_eq!(seconds(text.parse().expect(text)), Ok(expected), "{text}");
        }
        assert!(seconds("2026-11-20T23:59:00".parse().expect("local")).is_err());
    }

    #[test]
    fn days_begun_cost_points_and_grace_none() {
        let due = 1_795_215_540;
        let rule = rule("most_days = 2\ngrace_minutes = 10");
        let late = |after: i64| rule.late(Some(due + after), false);
        assert_eq!((late(-5), late(0), late(600)), (None, None, None));
        assert_eq!(late(601), Some(Late { days: 1, percent: 10.0 }));
        assert_eq!(late(DAY), Some(Late { days: 1, percent: 10.0 }));
        assert_eq!(late(DAY + 1), Some(Late { days: 2, percent: 20.0 }));
        assert_eq!(late(2 * DAY + 1), Some(Late { days: 3, percent: 100.0 }));
        assert_eq!(
            rule.late(None, true).map(|it| it.words()),
            Some("1 day late: 10 % less".into())
        );
        assert_eq!(rule.late(Some(due - 9), true).map(|it| it.days), Some(1));
    }

    #[test]
    fn times_come_from_the_file_that_is_named_or_from_the_newest_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let entry = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.join("src")).expect("folders");
            fs::write(path.join("src/a.cu"), "").expect("written");
            let student = Student { name: name.to_owned(), ..Student::default() };
            Entry { student, paths: vec![path], is_marked_late: false }
        };
        let entries = [entry("ada"), entry("bob")];
        let late = |rule: &Rule| -> Vec<i64> {
            let all = rule.all(&entries).expect("times");
            all.iter().map(|it| it.map_or(0, |late| late.days)).collect()
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs();
        let due = i64::try_from(now).expect("small") - DAY - 60;
        assert_eq!(late(&Rule { due, ..rule("") }), [2, 2]);
        fs::create_dir(folder.path().join("ada/.git")).expect("a clone");
        assert_eq!(late(&Rule { due, ..rule("") }), [0, 2]);
        let mut named = rule("times = \"times.csv\"");
        named.is_in(folder.path());
        let file = folder.path().join("times.csv");
        fs::write(&file, "student,time\nbob,2026-11-22T00:00:00Z\n").expect("written");
        assert_eq!(late(&named), [0, 2]);
        for (text, words) in [
            ("name,time\n", "times.csv:1: its first line"),
            (
                "student,time\nada,2026-11-22T00:00:00Z\nbib,x\n",
                "times.csv:3: there is no student `bib`",
            ),
            ("student,time\nbob,2026-11-22\n", "times.csv:2: `2026-11-22` is no time"),
            ("student,time\nbob\n", "times.csv:2: write"),
        ] {
            fs::write(&file, text).expect("written");
            let error = named.all(&entries).expect_err(text).to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}

//! What an instructor writes by hand: points and comments, in a table that runs read and never write over.
//!
//! ```csv
//! student,exercise,points,extra,comment
//! Ada Lovelace,18,,1,"+1 for the explanation"
//! 12345,44-ptx-guard,6,,"the missing guard is a typo"
//! ```
//!
//! `points` stand instead of those of the check; `extra` are added to them, or taken off if negative. A student is a name or
//! a number of `grades.csv`. The exercise may be left out if only one is graded.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use report::files::{self, write_whole};
use serde::{Deserialize, Serialize};
use ui::Usage;

use super::clean;
use super::students::{Known, Student};
use crate::learn::exercise::{self, Exercise};

/// The file's first line.
const HEAD: [&str; 5] = ["student", "exercise", "points", "extra", "comment"];

/// What an instructor wrote for an exercise of a student.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Instead of those of the check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// In addition, or taken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<f64>,
    /// For the student to read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// All of a class, by the student's place and the exercise's name.
#[derive(Debug, Default)]
pub struct Marks(BTreeMap<(usize, String), Mark>);

impl Marks {
    /// The place of the file in the folder for the grades.
    pub fn file(out: &Path) -> PathBuf {
        out.join("marks.csv")
    }

    /// Reads the file; makes one with nothing but its first line where there is none.
    ///
    /// # Errors
    /// It cannot be read or made, or a line of it is not understood: which, why, and what to write.
    pub fn open(
        file: &Path,
        students: &[&Student],
        graded: &[String],
        all: &[Exercise],
    ) -> Result<Marks> {
        if !file.exists() {
            let head = HEAD.join(",") + "\n";
            write_whole(file, |to| to.write_all(head.as_bytes()))?;
            return Ok(Marks::default());
        }
        let name = file.display();
        let text = files::read_text(file).with_context(|| format!("cannot read {name}"))?;
        let text = text.trim_start_matches('\u{feff}');
        // Spreadsheets of some countries separate by semicolons.
        let head = text.lines().next().unwrap_or_default();
        let delimiter = if head.contains(';') { b';' } else { b',' };
        let is_head = head.trim_end().split(delimiter as char).eq(HEAD);
        let wanted = format!("{name}:1: its first line must be `{}`", HEAD.join(","));
        ensure!(is_head, Usage(wanted));
        let known = Known::of(students.iter().copied());
        let mut rows = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .from_reader(text.as_bytes());
        let mut marks = BTreeMap::new();
        for row in rows.records() {
            let row = row.map_err(|error| Usage(format!("{name}: {error}")))?;
            if row.iter().all(|field| field.trim().is_empty()) {
                continue;
            }
            let at = row.position().map_or(0, csv::Position::line);
            let wrong = |why: String| Usage(format!("{name}:{at}: {why}"));
            let (key, mark) = read(&row, &known, graded, all).map_err(wrong)?;
            let again =
                || wrong("this student and exercise were there before; keep one line".to_owned());
            ensure!(marks.insert(key, mark).is_none(), again());
        }
        Ok(Marks(marks))
    }

    /// What was written for a student of this place.
    pub fn of(&self, place: usize, exercise: &str) -> Option<&Mark> {
        self.0.get(&(place, exercise.to_owned()))
    }
}

type Line = ((usize, String), Mark);

fn read(
    row: &csv::StringRecord,
    known: &Known,
    graded: &[String],
    all: &[Exercise],
) -> Result<Line, String> {
    let fields: Vec<&str> = row.iter().map(str::trim).collect();
    let [student, exercise, points, extra, comment] = fields[..] else {
        return Err(format!(
            "{} fields instead of 5; write a text with commas in \"quotes\"",
            fields.len()
        ));
    };
    let place = known.find(student).map_err(|error| error.to_string())?;
    let exercise = match (exercise, graded) {
        ("", [only]) => only,
        ("", _) => return Err(format!("which exercise? One of {}", graded.join(", "))),
        (name, _) => {
            let meant = exercise::find(all, name).map_err(|error| error.to_string())?;
            let named = graded.iter().find(|it| **it == meant.name);
            named.ok_or_else(|| format!("{} is not graded; {}", meant.name, graded.join(", ")))?
        }
    };
    let number = |text: &str, least: f64| match text.replace(',', ".").parse::<f64>() {
        _ if text.is_empty() => Ok(None),
        Ok(number) if (least..=1e6).contains(&number) => Ok(Some(number)),
        _ if least < 0.0 => Err(format!("`{text}` is no number of points: write 1.5 or -2")),
        _ => Err(format!("`{text}` is no number of points from 0 on: write 7.5")),
    };
    let mark = Mark {
        points: number(points, 0.0)?,
        extra: number(extra, -1e6)?,
        comment: clean::text(comment).into_owned(),
    };
    Ok(((place, exercise.clone()), mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(text: &str) -> Result<Marks, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = Marks::file(folder.path());
        std::fs::write(&file, text).expect("written");
        let student = |name: &str, id: &str| Student {
            name: name.to_owned(),
            id: id.to_owned(),
            ..Student::default()
        };
        let students = [student("Ada", "1"), student("Bob", "2")];
        let all = Exercise::all().expect("exercises");
        let graded = ["18-stale-tile".to_owned(), "44-ptx-guard".to_owned()];
        let marks = Marks::open(&file, &students.iter().collect::<Vec<_>>(), &graded, &all);
        assert_eq!(std::fs::read_to_string(&file).expect("still there"), text);
        marks.map_err(|error| error.to_string())
    }

    #[test]
    fn names_numbers_and_spreadsheets_of_all_countries_are_read() {
        let marks = opened(
            "student,exercise,points,extra,comment\nAda,18,,1.5,\"well, done\"\n2,ptx-guard,6,,\u{9b}x\n,,,,\n",
        )
        .expect("marks");
        let ada = Mark { points: None, extra: Some(1.5), comment: "well, done".to_owned() };
        assert_eq!(marks.of(0, "18-stale-tile"), Some(&ada));
        let bob = marks.of(1, "44-ptx-guard").expect("a mark");
        assert_eq!((bob.points, bob.comment.as_str()), (Some(6.0), "\\u{9b}x"));
        assert_eq!(marks.of(1, "18-stale-tile"), None);
        let marks = opened("\u{feff}student;exercise;points;extra;comment\r\nAda;18;7,5;-2;\r\n");
        let mark = marks.expect("marks").of(0, "18-stale-tile").cloned();
        assert_eq!(mark, Some(Mark { points: Some(7.5), extra: Some(-2.0), ..Mark::default() }));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let head = "student,exercise,points,extra,comment\n";
        for (text, words) in [
            ("", "marks.csv:1: its first line must be `student,exercise"),
            ("student,points\n", "marks.csv:1: its first line"),
            (&format!("{head}Ada,18,1,,\nBib,18,1,,\n"), "marks.csv:3: there is no student `Bib`"),
            (&format!("{head}Ada,999,1,,\n"), "marks.csv:2: there is no exercise `999`"),
            (&format!("{head}Ada,51,1,,\n"), "marks.csv:2: 51-climb-shared-blocking is not graded"),
            (&format!("{head}Ada,,1,,\n"), "marks.csv:2: which exercise? One of 18-stale-tile"),
            (&format!("{head}Ada,18,-1,,\n"), "marks.csv:2: `-1` is no number of points from 0 on"),
            (&format!("{head}Ada,18,,much,\n"), "marks.csv:2: `much` is no number of points"),
            (&format!("{head}Ada,18,1,,well, done\n"), "marks.csv:2: 6 fields instead of 5"),
            (&format!("{head}Ada,18,1,,\n1,18,2,,\n"), "marks.csv:3: this student and exercise"),
        ] {
            let error = opened(text).expect_err(text);
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn a_file_to_write_in_is_made_and_never_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = Marks::file(folder.path());
        Marks::open(&file, &[], &[], &[]).expect("made");
        let text = std::fs::read_to_string(&file).expect("a file");
        assert_eq!(text, "student,exercise,points,extra,comment\n");
    }
}

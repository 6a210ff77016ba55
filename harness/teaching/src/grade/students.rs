//! Whose the entries of a folder are that a learning platform exported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use ui::{Usage, nearest};

use super::archive::Kind;
use super::clean;

/// A student, as a platform calls one.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Student {
    /// As the platform writes it; harmful characters are written as `\u{9b}`.
    pub name: String,
    /// The platform's number, which tells two of the same name apart.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub id: String,
    /// The platform whose number it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub platform: Option<Platform>,
}

/// A platform whose names of files are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Platform {
    /// A participant's number.
    Moodle,
    /// A user's number.
    Canvas,
}

/// What a student handed in.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Whose it is.
    pub student: Student,
    /// Folders, archives and files.
    pub paths: Vec<PathBuf>,
    /// Whether the platform marked one of them as late.
    pub is_marked_late: bool,
}

/// The students of a folder, by name, with what each handed in.
///
/// # Errors
/// The folder cannot be read, or is empty.
pub fn list(folder: &Path) -> Result<Vec<Entry>> {
    let name = folder.display();
    let known = fs::metadata(folder).with_context(|| format!("cannot read {name}"))?;
    ensure!(
        known.is_dir(),
        Usage(format!(
            "{name} is no folder; unpack the platform's export, and name the folder with the submissions"
        ))
    );
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read {name}"))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.with_context(|| format!("cannot read {name}"))?;
        let own = entry.file_name().to_string_lossy().into_owned();
        // A system's own: .DS_Store, and what a computer wrote next to an archive.
        if !own.starts_with('.') && own != "__MACOSX" {
            names.push((own, entry.path()));
        }
    }
    names.sort();
    ensure!(
        !names.is_empty(),
        Usage(format!("{name} is empty: it has a folder or an archive for each student"))
    );
    let prefix = classroom_prefix(&names);
    let mut students: BTreeMap<Student, (Vec<PathBuf>, bool)> = BTreeMap::new();
    for (own, path) in names {
        let (student, is_late) = student(&own, prefix, path.is_dir());
        let (paths, is_marked_late) = students.entry(student).or_default();
        paths.push(path);
        *is_marked_late |= is_late;
    }
    let entry = |(student, (paths, is_marked_late))| Entry { student, paths, is_marked_late };
    Ok(students.into_iter().map(entry).collect())
}

/// Why what an instructor wrote is not one student.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOne {
    /// Several students have the name.
    #[error("several students are called `{written}`; write the number")]
    Several {
        /// What was written.
        written: String,
    },
    /// There is nobody of that name or number.
    #[error("there is no student `{written}`{near}; write the name or the number of grades.csv")]
    Nobody {
        /// What was written.
        written: String,
        /// A question after a name that is near, or nothing.
        near: String,
    },
}

/// Students by what an instructor may write for them.
pub struct Known<'s>(BTreeMap<&'s str, Vec<usize>>);

impl<'s> Known<'s> {
    /// By name and by number.
    pub fn of(students: impl Iterator<Item = &'s Student>) -> Known<'s> {
        let mut known: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, student) in students.enumerate() {
            known.entry(&student.name).or_default().push(place);
            if !student.id.is_empty() && student.id != student.name {
                known.entry(&student.id).or_default().push(place);
            }
        }
        Known(known)
    }

    /// The place of the student that is meant.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn find(&self, written: &str) -> Result<usize, NotOne> {
        match self.0.get(written.trim()).map(Vec::as_slice) {
            Some([place]) => Ok(*place),
            Some(_) => Err(NotOne::Several { written: written.to_owned() }),
            None => {
                let all: Vec<&str> = self.0.keys().copied().collect();
                Err(NotOne::Nobody { written: written.to_owned(), near: nearest(written, &all) })
            }
        }
    }
}

/// What GitHub Classroom writes before each user's name, where all are clones of repositories: `reduction-ada`.
fn classroom_prefix(names: &[(String, PathBuf)]) -> usize {
    let are_clones = names.iter().all(|(_, path)| path.join(".git").exists());
    let [(first, _), others @ ..] = names else { return 0 };
    if !are_clones || others.is_empty() {
        return 0;
    }
    let common = |other: &String| {
        let same = first.char_indices().zip(other.chars()).take_while(|((_, a), b)| a == b);
        same.filter(|((_, a), _)| *a == '-').last().map_or(0, |((at, _), _)| at + 1)
    };
    others.iter().map(|(other, _)| common(other)).min().unwrap_or(0)
}

/// The student of an entry's name, and whether it is marked as late.
fn student(name: &str, prefix: usize, is_folder: bool) -> (Student, bool) {
    let of = |name: &str, id: &str, platform| Student {
        name: clean::line(name.trim()).into_owned(),
        id: clean::line(id).into_owned(),
        platform,
    };
    // Moodle: Ada Lovelace_12345_assignsubmission_file_, a folder; or the same with the file's name after it.
    if let Some((student, _)) = name.split_once("_assignsubmission_")
        && let Some((name, id)) = student.rsplit_once('_')
    {
        return (of(name, id, Some(Platform::Moodle)), false);
    }
    if is_folder {
        return (of(name.get(prefix..).unwrap_or(name), "", None), false);
    }
    // Canvas: lovelaceada_12345_67890_reduce.cu, and lovelaceada_LATE_12345_67890_reduce.cu.
    let all: Vec<&str> = name.split('_').collect();
    let is_late = all.get(1) == Some(&"LATE");
    let parts: Vec<&str> = all.into_iter().filter(|part| *part != "LATE").collect();
    let is_number = |part: &&str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    if let [name, id, hand, _, ..] = &parts[..]
        && is_number(id)
        && is_number(hand)
    {
        return (of(name, id, Some(Platform::Canvas)), is_late);
    }
    let ending = match Kind::of(name) {
        Some(Kind::TarGz) if name.to_ascii_lowercase().ends_with(".tar.gz") => ".tar.gz".len(),
        _ => name.rsplit_once('.').map_or(0, |(_, ending)| ending.len() + 1),
    };
    (of(&name[..name.len() - ending], "", None), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, is_folder: bool) -> (String, String) {
        let (Student { name, id, .. }, _) = student(name, 0, is_folder);
        (name, id)
    }

    #[test]
    fn platforms_names_are_read() {
        for (name, is_folder, student, id) in [
            ("Ada Lovelace_12345_assignsubmission_file_", true, "Ada Lovelace", "12345"),
            ("Ada Lovelace_12345_assignsubmission_file_18.cu", false, "Ada Lovelace", "12345"),
            ("lovelaceada_123_4567_18-stale_tile.cu", false, "lovelaceada", "123"),
            ("lovelaceada_LATE_123_4567_hw.zip", false, "lovelaceada", "123"),
            ("ada", true, "ada", ""),
            ("v1.2", true, "v1.2", ""),
            ("ada.tar.gz", false, "ada", ""),
            ("ada_lovelace.zip", false, "ada_lovelace", ""),
            ("ada", false, "ada", ""),
            ("ada\u{9b}31m\u{202e}", true, "ada\\u{9b}31m\\u{202e}", ""),
        ] {
            assert_eq!(of(name, is_folder), (student.to_owned(), id.to_owned()), "{name}");
        }
        assert!(student("lovelaceada_LATE_123_4567_hw.zip", 0, false).1);
        assert!(!student("lovelaceada_123_4567_LATE.zip", 0, false).1);
    }

    #[test]
    fn clones_lose_the_name_of_the_assignment() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["shared-memory-ada", "shared-memory-alan", "shared-memory-grace-h"] {
            fs::create_dir_all(folder.path().join(name).join(".git")).expect("folders");
        }
        let names = |folder: &Path| -> Vec<String> {
            list(folder).expect("students").into_iter().map(|entry| entry.student.name).collect()
        };
        assert_eq!(names(folder.path()), ["ada", "alan", "grace-h"]);
        fs::create_dir(folder.path().join("shared-memory-x")).expect("no clone");
        assert!(names(folder.path()).contains(&"shared-memory-ada".to_owned()));
    }

    #[test]
    fn loose_files_of_a_student_stand_together() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["ada_1_2_a.cu", "ada_1_3_b.cu", "ada_9_4_a.cu", ".DS_Store"] {
            fs::write(folder.path().join(name), "").expect("written");
        }
        let counts: Vec<usize> =
            list(folder.path()).expect("students").iter().map(|entry| entry.paths.len()).collect();
        assert_eq!(counts, [2, 1]);
    }

    #[test]
    fn an_instructor_writes_names_or_numbers() {
        let student = |name: &str, id: &str| Student {
            name: name.to_owned(),
            id: id.to_owned(),
            ..Student::default()
        };
        let all = [student("ada", "1"), student("ada", "2"), student("bob", "")];
        let known = Known::of(all.iter());
        assert_eq!((known.find("2"), known.find(" bob ")), (Ok(1), Ok(2)));
        assert!(known.find("ada").is_err_and(|why| why.to_string().contains("several")));
        assert!(known.find("bib").is_err_and(|why| why.to_string().contains("did you mean")));
    }

    #[test]
    fn a_folder_that_is_none_or_empty_says_so() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(list(folder.path()).expect_err("empty").to_string().contains("is empty"));
        let file = folder.path().join("class.zip");
        fs::write(&file, "").expect("written");
        assert!(list(&file).expect_err("no folder").to_string().contains("unpack"));
        assert!(list(&folder.path().join("none")).is_err());
    }
}

//! The files that are drawn from grades: each whole or not at all, while a run goes on and at its end.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use report::files::write_whole;

use super::class::Class;
use super::class_page::{self, Progress};
use super::comparison::Names;
use super::grades::{Grade, Grades};
use super::queue::Listener;
use super::ranking;
use super::similar_page::{self, Compared};
use super::students::{Entry, Student};
use super::tables::Row;
use super::task::Task;
use super::{gradebooks, junit, page, submission};
use crate::learn::exercise::Exercise;

/// The folder for the grades of a class.
pub struct Written<'w> {
    out: &'w Path,
    class: &'w Class,
    all: &'w [Exercise],
    /// Names of the graded exercises.
    exercises: Vec<String>,
    students: Vec<Student>,
    /// The names of the students' pages.
    pages: Vec<String>,
    pseudonyms: Option<Vec<String>>,
    heard: &'w (dyn Fn(&[Grade]) + Sync),
}

impl<'w> Written<'w> {
    /// Makes the folders. `heard` gets the grades of each student.
    ///
    /// # Errors
    /// They cannot be made.
    pub fn new(
        out: &'w Path,
        class: &'w Class,
        all: &'w [Exercise],
        entries: &[Entry],
        heard: &'w (dyn Fn(&[Grade]) + Sync),
    ) -> Result<Written<'w>> {
        let pages = out.join("students");
        fs::create_dir_all(&pages).with_context(|| format!("cannot make {}", pages.display()))?;
        let students: Vec<Student> = entries.iter().map(|entry| entry.student.clone()).collect();
        let pseudonyms = class.comparison.as_ref().map(|comparison| {
            let all: Vec<&Student> = students.iter().collect();
            match comparison.names {
                Names::Pseudonyms => ranking::pseudonyms(&all, &class.seeds),
                Names::Names => students.iter().map(|student| student.name.clone()).collect(),
            }
        });
        let mut taken = Vec::new();
        Ok(Written {
            out,
            class,
            all,
            exercises: class.exercises.iter().map(|graded| graded.name.clone()).collect(),
            pages: students.iter().map(|student| page::file_name(student, &mut taken)).collect(),
            students,
            pseudonyms,
            heard,
        })
    }

    /// Writes all that is drawn from the grades; the names of the files. `column` is the assignment's in Canvas.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn finish(
        &self,
        grades: &Grades,
        tasks: &[Task],
        entries: &[Entry],
        column: &str,
    ) -> Result<Vec<String>> {
        let mut names = vec!["grades.json".to_owned()];
        let mut write = |name: &str, text: Option<String>| -> Result<()> {
            match text {
                Some(text) => {
                    self.write(name, &text)?;
                    names.push(name.to_owned());
                }
                // Of an earlier run.
                None => drop(fs::remove_file(self.out.join(name))),
            }
            Ok(())
        };
        let moodle = gradebooks::moodle(grades)?;
        write("grades.csv", Some(gradebooks::plain(grades, &self.exercises)?))?;
        write("canvas.csv", gradebooks::canvas(grades, column)?)?;
        write("moodle.csv", moodle)?;
        write("grades.xml", Some(junit::xml(grades)))?;
        write("similar.html", Some(similar(tasks, entries)))?;
        write("comparison.html", self.comparison(grades))?;
        let is_there = |name: &&(&str, &str)| self.out.join(name.0).exists();
        let others =
            [("similar.html", "Submissions that are alike"), ("comparison.html", "Comparison")];
        let others: Vec<(&str, &str)> = others.iter().filter(is_there).copied().collect();
        write("index.html", Some(self.index(grades, true, &others)))?;
        for (_, grades) in grades.by_student() {
            self.student_page(grades)?;
        }
        names.push("students/".to_owned());
        Ok(names)
    }

    fn comparison(&self, grades: &Grades) -> Option<String> {
        let comparison = self.class.comparison.as_ref()?;
        let name = |student: &Student| self.pseudonym(student).unwrap_or_default().to_owned();
        Some(ranking::page(grades, &self.exercises, comparison, &name))
    }

    fn index(&self, grades: &Grades, is_over: bool, others: &[(&str, &str)]) -> String {
        let done = grades.by_student().count();
        let progress = Progress { students: (done, self.students.len()), is_over };
        let link = |row: &Row| {
            let place = self.place(row.student)?;
            Some(format!("students/{}", self.pages[place]))
        };
        class_page::page(grades, &self.exercises, &progress, &link, others)
    }

    fn student_page(&self, grades: &[Grade]) -> Result<()> {
        let Some(student) = grades.first().map(|grade| &grade.student) else { return Ok(()) };
        let Some(place) = self.place(student) else { return Ok(()) };
        let is_secret =
            self.class.comparison.as_ref().map(|it| it.names) == Some(Names::Pseudonyms);
        let pseudonym = self.pseudonym(student).filter(|_| is_secret);
        let name = format!("students/{}", self.pages[place]);
        self.write(&name, &page::page(student, grades, self.all, pseudonym))
    }

    fn place(&self, student: &Student) -> Option<usize> {
        // They are sorted.
        self.students.binary_search(student).ok()
    }

    fn pseudonym(&self, student: &Student) -> Option<&str> {
        let names = self.pseudonyms.as_ref()?;
        self.place(student).map(|place| names[place].as_str())
    }

    fn write(&self, name: &str, text: &str) -> Result<()> {
        let file: PathBuf = self.out.join(name);
        Ok(write_whole(&file, |to| to.write_all(text.as_bytes()))?)
    }
}

impl Listener for Written<'_> {
    fn student(&self, grades: &[Grade]) -> Result<()> {
        (self.heard)(grades);
        self.student_page(grades)
    }

    fn so_far(&self, grades: &Grades) -> Result<()> {
        self.write("grades.csv", &gradebooks::plain(grades, &self.exercises)?)?;
        self.write("index.html", &self.index(grades, false, &[]))
    }
}

/// The page of submissions that are alike, of all exercises that are code.
fn similar(tasks: &[Task], entries: &[Entry]) -> String {
    let mut exercises: Vec<(&Exercise, Vec<Compared>)> = Vec::new();
    for task in tasks.iter().filter(|task| !task.exercise.is_answered()) {
        exercises.push((task.exercise, Vec::new()));
    }
    for entry in entries {
        let Ok(kept) = submission::read(&entry.paths) else { continue };
        let is_only = tasks.len() == 1;
        for (exercise, files) in &mut exercises {
            let found = submission::find(&kept.files, exercise, is_only);
            files.extend(found.ok().map(|file| Compared::new(&entry.student, file)));
        }
    }
    similar_page::page(&exercises)
}

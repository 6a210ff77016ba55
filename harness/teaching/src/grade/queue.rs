//! All submissions of a class, several at a time.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use processes::Interrupt;

use super::grades::{Grade, Grades, Outcome};
use super::kept::{Kept, Refused};
use super::late::Late;
use super::marks::Marks;
use super::shard::Shard;
use super::students::{Entry, Student};
use super::submission;
use super::task::{Task, Used};

/// How often what is graded is written, at most; and for each second that it takes to write, as many without.
const WRITTEN_EVERY: Duration = Duration::from_secs(1);
const WITHOUT_WRITING: u32 = 20;

/// What is told while a class is graded.
pub trait Listener: Sync {
    /// All grades of a student, in the order of the exercises.
    ///
    /// # Errors
    /// A file cannot be written.
    fn student(&self, grades: &[Grade]) -> Result<()>;

    /// Each grade that is made so far.
    ///
    /// # Errors
    /// A file cannot be written.
    fn so_far(&self, grades: &Grades) -> Result<()>;
}

/// A class that is being graded.
pub struct Queue<'c> {
    /// Its exercises.
    pub tasks: Vec<Task<'c>>,
    /// What the instructor wrote.
    pub marks: Marks,
    /// How late each student is.
    pub late: Vec<Option<Late>>,
    /// Checks that run at a time.
    pub jobs: usize,
    /// The shards whose grades are joined, if that is all: then nothing is checked.
    pub joins: Option<Vec<Shard>>,
    /// The instructor's wish to stop.
    pub interrupt: Interrupt,
}

/// What is graded so far, and what an earlier run left.
struct Book {
    grades: Grades,
    old: HashMap<(Student, String), Grade>,
    /// By the places of student and exercise.
    new: Vec<Vec<Option<Grade>>>,
    written: Instant,
    pause: Duration,
}

impl Queue<'_> {
    /// Grades every student. All grades are kept as they are made. Whether none was left out.
    ///
    /// # Errors
    /// The machine or an exercise is not in order; what was graded is kept.
    pub fn run(
        &self,
        entries: &[Entry],
        mut kept: Grades,
        listener: &dyn Listener,
    ) -> Result<(Grades, bool)> {
        let old = std::mem::take(&mut kept.grades);
        let key = |grade: Grade| ((grade.student.clone(), grade.exercise.clone()), grade);
        let book = Mutex::new(Book {
            grades: kept,
            old: old.into_iter().map(key).collect(),
            new: vec![vec![None; self.tasks.len()]; entries.len()],
            written: Instant::now(),
            pause: WRITTEN_EVERY,
        });
        let left: Mutex<VecDeque<usize>> = Mutex::new((0..entries.len()).collect());
        let failed = Mutex::new(None);
        let one = || -> Result<()> {
            loop {
                let next = locked(&left).pop_front();
                let Some(place) = next else { return Ok(()) };
                let handed = submission::read(&entries[place].paths);
                for (at, task) in self.tasks.iter().enumerate() {
                    if self.interrupt.is_asked() || locked(&failed).is_some() {
                        return Ok(());
                    }
                    let grade = self.grade(task, place, &entries[place], &handed, &book)?;
                    let Some(grade) = grade else { return Ok(()) };
                    let mut book = locked(&book);
                    book.new[place][at] = Some(grade);
                    if book.written.elapsed() > book.pause {
                        book.write(self, entries, listener)?;
                    }
                }
                let grades: Vec<Grade> =
                    locked(&book).new[place].iter().flatten().cloned().collect();
                listener.student(&grades)?;
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    if let Err(error) = one() {
                        locked(&failed).get_or_insert(error);
                    }
                });
            }
        });
        let mut book = book.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_whole = book.new.iter().flatten().all(Option::is_some);
        if is_whole {
            book.old.clear();
        }
        book.grades.grades = book.all(self, entries);
        book.grades.keep()?;
        match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok((book.grades, is_whole)),
        }
    }

    /// The grade of a student for an exercise, paid. None where the user asked to stop.
    fn grade(
        &self,
        task: &Task,
        place: usize,
        entry: &Entry,
        handed: &Result<Kept, Refused>,
        book: &Mutex<Book>,
    ) -> Result<Option<Grade>> {
        let student = &entry.student;
        let without = |outcome, why: &str| Grade::new(student, task.exercise).without(outcome, why);
        let mut grade = match handed.as_ref().map(|kept| (kept, task.used(kept))) {
            Err(why) => without(Outcome::Refused, &why.0),
            Ok((_, Err(why))) => without(Outcome::Missing, &why.0),
            Ok((kept, Ok(used))) => {
                let Some(mut grade) = self.checked(task, place, entry, &used, book)? else {
                    return Ok(None);
                };
                grade.notes.clone_from(&kept.notes);
                grade
            }
        };
        let mark = self.marks.of(place, &task.exercise.name);
        grade.pay(task.graded, mark, self.late.get(place).copied().flatten());
        Ok(Some(grade))
    }

    /// What a check finds, or found earlier.
    fn checked(
        &self,
        task: &Task,
        place: usize,
        entry: &Entry,
        used: &Used,
        book: &Mutex<Book>,
    ) -> Result<Option<Grade>> {
        let key = (entry.student.clone(), task.exercise.name.clone());
        let is_same =
            |grade: &Grade| grade.digest == used.digest && grade.outcome != Outcome::Unchecked;
        let found = locked(book).old.get(&key).filter(|grade| is_same(grade)).cloned();
        let mut grade = match (found, &self.joins) {
            (Some(grade), _) => grade,
            (None, Some(shards)) => {
                let mut grade = Grade::new(&entry.student, task.exercise);
                grade.file = Some(used.files[0].path.clone());
                return Ok(Some(grade.without(Outcome::Unchecked, &Shard::missing(shards, place))));
            }
            (None, None) => match task.grade(&entry.student, used, &self.interrupt)? {
                Some(grade) => grade,
                None => return Ok(None),
            },
        };
        if self.joins.is_none() {
            task.compare(&mut grade, &used.files, &self.interrupt);
        }
        Ok(Some(grade))
    }
}

impl Book {
    /// Writes what is graded, and what is still known of an earlier run.
    fn write(&mut self, queue: &Queue, entries: &[Entry], listener: &dyn Listener) -> Result<()> {
        let begin = Instant::now();
        self.grades.grades = self.all(queue, entries);
        self.grades.keep()?;
        self.grades.grades = self.new.iter().flatten().flatten().cloned().collect();
        listener.so_far(&self.grades)?;
        self.written = Instant::now();
        self.pause = WRITTEN_EVERY.max(begin.elapsed() * WITHOUT_WRITING);
        Ok(())
    }

    /// All grades, each once, in the order of students and exercises.
    fn all(&self, queue: &Queue, entries: &[Entry]) -> Vec<Grade> {
        let mut all = Vec::new();
        for (entry, new) in entries.iter().zip(&self.new) {
            for (task, new) in queue.tasks.iter().zip(new) {
                let key = || (entry.student.clone(), task.exercise.name.clone());
                all.extend(new.clone().or_else(|| self.old.get(&key()).cloned()));
            }
        }
        all
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! The program that stays open: it shows an exercise, gives a verdict at each save of the reader's file, and goes on to the
//! next exercise on a pass.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use teaching::learn::answer;
use teaching::learn::exercise::Exercise;
use teaching::learn::findings::Verdict;
use ui::new_seed;

use super::course::{self, Course};
use super::editor::Editor;
use super::keys::{Key, Keys};
use super::screen::Screen;
use super::text;
use crate::watch::file::Watched;

/// What can be typed.
const KEYS: &str =
    "[h]int [l]ist [g]oal [c]heck [e]dit [r]eset [s]olution [p]revious [n]ext [q]uit";

/// How long a key is waited for before the file is looked at.
const LOOK: Duration = Duration::from_millis(50);

/// The open program.
pub struct Open<'c, 'e> {
    course: &'c mut Course<'e>,
    screen: Screen,
    editor: Option<Editor>,
    /// Whether each exercise's file is opened in the editor.
    opens_files: bool,
}

/// The exercise on the screen.
struct Current<'e> {
    exercise: &'e Exercise,
    file: PathBuf,
    watched: Watched,
    /// A key that must be typed twice, and was once.
    asked: Option<char>,
    /// The digits of the exercise to go to.
    number: String,
}

/// What comes after a key or a verdict.
enum Next<'e> {
    /// The reader goes on with the file.
    Wait,
    /// The file is to be checked.
    Check,
    /// Another exercise, below this text.
    Begin(&'e Exercise, String),
    /// The program ends.
    End,
}

impl<'c, 'e> Open<'c, 'e> {
    /// The program for a reader at a terminal; the files are opened in an editor if one is named.
    pub fn new(course: &'c mut Course<'e>, keys: Keys, editor: Option<&str>) -> Open<'c, 'e> {
        let opens_files = editor.is_some();
        Open { course, screen: Screen::new(keys), editor: Editor::chosen(editor), opens_files }
    }

    /// Goes from exercise to exercise, beginning with `first`, until the reader ends it or all are passed.
    ///
    /// # Errors
    /// An exercise is not in order, a file cannot be written, or the terminal is gone.
    pub fn run(mut self, first: &'e Exercise) -> Result<()> {
        let mut next = Next::Begin(first, String::new());
        while let Next::Begin(exercise, above) = next {
            next = self.exercise(exercise, &above)?;
        }
        let text = match self.course.next() {
            Some(_) => format!("\nto go on: {}\n", self.course.command("")),
            None => text::finished(self.course),
        };
        self.screen.print(&text)
    }

    /// One exercise, until there is another or the end.
    fn exercise(&mut self, exercise: &'e Exercise, above: &str) -> Result<Next<'e>> {
        let file = self.course.progress.begin(exercise, false)?;
        let rest = if above.is_empty() { "" } else { "\n" };
        self.screen.page(&format!("{above}{rest}{}", text::task(self.course, exercise)))?;
        if self.opens_files {
            self.edit(&file)?;
        }
        let progress = &self.course.progress;
        let is_begun = !progress.is_passed(exercise) && progress.is_changed(exercise)?;
        let watched = watched(&file);
        let mut current = Current { exercise, file, watched, asked: None, number: String::new() };
        let mut next = if is_begun { Next::Check } else { Next::Wait };
        loop {
            next = match next {
                Next::Check => self.check(&mut current)?,
                Next::Wait => self.wait(&mut current)?,
                leaving => return Ok(leaving),
            };
        }
    }

    /// Gives a verdict, unless the file is saved again before; then on that.
    fn check(&mut self, current: &mut Current<'e>) -> Result<Next<'e>> {
        let Current { exercise, file, watched, .. } = current;
        self.screen.erase_footer()?;
        let (mut is_saved, mut is_ended) = (false, false);
        let screen = &mut self.screen;
        let verdict = course::check(exercise, file, new_seed(), &mut || {
            is_saved |= watched.is_saved();
            is_ended |= screen.is_ended().unwrap_or(true);
            is_saved || is_ended
        })?;
        match verdict {
            None if is_ended => Ok(Next::End),
            None => Ok(Next::Check),
            Some(Verdict::Passed(goals)) => {
                self.course.progress.pass(exercise)?;
                let passed = text::passed(exercise, &goals);
                Ok(match self.course.after(exercise) {
                    Some(next) => Next::Begin(next, passed),
                    None => {
                        self.screen.page(&passed)?;
                        Next::End
                    }
                })
            }
            Some(Verdict::Wrong(why)) => {
                self.screen.page(&(text::title(exercise) + &text::wrong(&why)))?;
                Ok(Next::Wait)
            }
            Some(Verdict::Impossible(why)) => {
                let missing = text::missing_compiler(self.course, exercise).unwrap_or_default();
                self.screen
                    .page(&format!("{}{missing}\n", text::wrong(&format!("error: {why}"))))?;
                Ok(Next::Wait)
            }
        }
    }

    /// Waits for a save or a key, and does what the key says.
    fn wait(&mut self, current: &mut Current<'e>) -> Result<Next<'e>> {
        let keys = match (&*current.number, current.asked) {
            ("", None) => KEYS.to_owned(),
            ("", Some(key)) => format!("{key} again: yes   any other key: no"),
            (number, _) => format!("exercise {number}   Enter: go there   Backspace: no"),
        };
        self.screen.footer(&current.file, &keys)?;
        let key = loop {
            if current.watched.is_saved() {
                return Ok(Next::Check);
            }
            if let Some(key) = self.screen.key(LOOK)? {
                break key;
            }
        };
        self.obey(current, key)
    }

    fn obey(&mut self, current: &mut Current<'e>, key: Key) -> Result<Next<'e>> {
        let exercise = current.exercise;
        let asked = current.asked.take();
        let number = std::mem::take(&mut current.number);
        match key {
            Key::Quit => return Ok(Next::End),
            Key::Enter if !number.is_empty() => match self.course.find(Some(&number)) {
                Ok(other) => return Ok(Next::Begin(other, String::new())),
                Err(error) => self.screen.print(&format!("\n{error}\n"))?,
            },
            Key::Enter | Key::Letter('c') => return Ok(Next::Check),
            Key::Letter(digit) if digit.is_ascii_digit() => {
                current.number = number + &digit.to_string()
            }
            Key::Letter('h') => {
                let shown = self.course.progress.one_more_hint(exercise)?;
                self.screen.print(&format!("\n{}", text::hints(exercise, shown, "the key s")))?;
            }
            Key::Letter('g') => self.screen.page(&text::task(self.course, exercise))?,
            Key::Letter('l') => {
                let list = text::list_of_part(self.course, exercise);
                self.screen
                    .page(&format!("{list}\nTo go to another one, type its number and Enter.\n"))?;
            }
            Key::Letter('e') => self.edit(&current.file)?,
            Key::Letter('s') if asked == Some('s') || self.course.progress.is_passed(exercise) => {
                self.screen.page(&answer::solution_text(exercise)?)?;
            }
            Key::Letter('s') => {
                current.asked = Some('s');
                self.screen.print("\nNot passed yet. Show the solution?\n")?;
            }
            Key::Letter('r') if asked == Some('r') => {
                let (_, backup) = self.course.progress.reset(exercise)?;
                current.watched = watched(&current.file);
                self.screen.page(&text::task(self.course, exercise))?;
                self.screen.print(&text::was_reset(&current.file, backup.as_deref()))?;
            }
            Key::Letter('r') => {
                current.asked = Some('r');
                self.screen.print("\nStart over? What you wrote is kept as a backup.\n")?;
            }
            Key::Letter(way @ ('p' | 'n')) => {
                let here = self.course.all.iter().position(|it| it.name == exercise.name);
                let there = here.and_then(|here| match way {
                    'p' => here.checked_sub(1),
                    _ => Some(here + 1),
                });
                if let Some(other) = there.and_then(|there| self.course.all.get(there)) {
                    return Ok(Next::Begin(other, String::new()));
                }
            }
            Key::Back | Key::Letter(_) => {}
        }
        Ok(Next::Wait)
    }

    /// Opens the file, if there is an editor.
    fn edit(&mut self, file: &Path) -> Result<()> {
        let Some(editor) = &self.editor else {
            return self
                .screen
                .print("\nno editor is known: set EDITOR, or begin with --editor COMMAND\n");
        };
        let opened = match editor.is_in_terminal() {
            true => self.screen.lend(|| editor.open(file))?,
            false => editor.open(file),
        };
        opened.or_else(|error| self.screen.print(&format!("\n{error:#}\n")))
    }
}

fn watched(file: &Path) -> Watched {
    Watched::new(file, file.parent().unwrap_or(Path::new(".")))
}

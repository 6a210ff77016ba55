//! `learn`: exercises, one at a time.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use show::table::terminal;
use teaching::learn::answer;
use teaching::learn::exercise::{self, Exercise};
use teaching::learn::findings::Verdict;
use ui::output::{dim, print, shown};
use ui::{Usage, new_seed};

use super::author;
use crate::learn::course::{self, Course};
use crate::learn::keys::Keys;
use crate::learn::open::Open;
use crate::learn::text;
use crate::options::LaunchLimit;
use crate::watch::file::Watched;

pub(crate) const LEARN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness learn                work on the next exercise
  harness learn --editor code  the same; its files are opened in an editor
  harness learn watch guard    work on another exercise
  harness learn check guard    check an exercise once
  harness learn hint           a hint; again, a more detailed one
  harness learn list           all exercises, and which are passed

How it goes: read the goal, open the file in your editor, change it, save it,
read the verdict. Each save is checked, and on a pass the next exercise comes.
Keys: h hint, l list, g goal, c check, e edit, r reset, s solution, p previous,
n next, q quit. Each verdict shows the first problem, in this order: compiler
errors, with line and column; a wrong result, with the expected value; hazards,
with both lines; a goal that is missed, with a question to ask yourself.

Verdicts are the same on every machine: a simulator runs your kernel, checks it
for hazards and counts its events. No GPU is needed. Kernels are compiled by
NVRTC as C++17, which `harness setup` gets; the list marks exercises that need
no compiler. Your files and your progress are in the folder learn. Where no
terminal is, nothing is typed: `learn` shows the next exercise and ends.
Exit codes: 0 passed, or nothing to check; 1 not passed; 2 usage";

/// The options of `learn`.
#[derive(Debug, Args)]
pub struct LearnArgs {
    /// What to do [default: work on the next exercise]
    #[command(subcommand)]
    pub verb: Option<Verb>,
    /// The editor in which each exercise's file is opened, as a command
    #[arg(long, value_name = "COMMAND", global = true)]
    pub editor: Option<String>,
    /// The folder of your files [default: learn]
    #[arg(long, value_name = "DIR", global = true)]
    pub dir: Option<PathBuf>,
    /// How long a launch may take
    #[command(flatten)]
    pub launches: LaunchLimit,
}

/// What can be done.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Show all exercises, and which are passed
    List,
    /// Show the next exercise, or the named one
    Show(Named),
    /// Check your file
    Check {
        /// The exercise
        #[command(flatten)]
        named: Named,
        /// Seed of the random data [default: a new one each time]
        #[arg(long, value_name = "N")]
        seed: Option<u64>,
    },
    /// Work on the named exercise, with a verdict at each save
    Watch(Named),
    /// Show one more hint each time
    Hint(Named),
    /// Start an exercise over; your file is kept as a backup
    Reset {
        /// The exercise, by number or name: 03, guard
        name: String,
    },
    /// Show the solution of an exercise that you have passed
    Solution {
        /// The exercise
        #[command(flatten)]
        named: Named,
        /// Show it even if not passed
        #[arg(long)]
        now: bool,
    },
    /// Write the files of an exercise of yours, which can be checked at once
    New(author::New),
    /// For those who write exercises
    #[command(subcommand)]
    Author(author::Verb),
}

/// Which exercise is meant.
#[derive(Debug, Args)]
pub struct Named {
    /// The exercise, by number or name: 03, guard [default: the next one]
    name: Option<String>,
}

/// Does what `args` ask.
pub fn run(args: &LearnArgs) -> Result<ExitCode> {
    args.launches.set();
    let all = Exercise::all()?;
    let mut course = Course::open(&all, args.dir.as_deref())?;
    match &args.verb {
        None => match Keys::take()? {
            Some(keys) => open(&mut course, keys, None, args)?,
            None => show(&course, &Named { name: None })?,
        },
        Some(Verb::List) => print(&text::list(&course))?,
        Some(Verb::Show(named)) => show(&course, named)?,
        Some(Verb::Check { named, seed }) => {
            let exercise = course.find(named.name.as_deref())?;
            let file = course.progress.begin(exercise, false)?;
            let seed = seed.unwrap_or_else(new_seed);
            let verdict = course::check(exercise, &file, seed, &mut || false)?;
            let is_passed = verdict.map_or(Ok(false), |it| tell(&mut course, exercise, it))?;
            return Ok(ExitCode::from(u8::from(!is_passed)));
        }
        Some(Verb::Watch(named)) => match Keys::take()? {
            Some(keys) => open(&mut course, keys, named.name.as_deref(), args)?,
            None => watch(&mut course, named)?,
        },
        Some(Verb::Hint(named)) => {
            let exercise = course.find(named.name.as_deref())?;
            let shown = course.progress.one_more_hint(exercise)?;
            let name = report::split(&exercise.name).1;
            let solution = format!("`{}`", course.command(&format!("solution {name} --now")));
            print(&text::hints(exercise, shown, &solution))?;
        }
        Some(Verb::Reset { name }) => {
            let (file, backup) = course.progress.reset(exercise::find(&all, name)?)?;
            print(&text::was_reset(&file, backup.as_deref()))?;
        }
        Some(Verb::Solution { named, now }) => {
            let exercise = course.find(named.name.as_deref())?;
            if !course.progress.is_passed(exercise) && !now {
                let hint = course.command(&format!("hint {}", report::split(&exercise.name).1));
                bail!(Usage(format!(
                    "{} is not passed yet: `{hint}` helps, and --now shows its solution",
                    exercise.name
                )));
            }
            print(&answer::solution_text(exercise)?)?;
        }
        Some(Verb::New(new)) => author::new(new, &all)?,
        Some(Verb::Author(verb)) => return author::run(verb, &all),
    }
    Ok(ExitCode::SUCCESS)
}

/// The program that stays open, from the named exercise on.
fn open(course: &mut Course, keys: Keys, name: Option<&str>, args: &LearnArgs) -> Result<()> {
    let first = course.find(name)?;
    Open::new(course, keys, args.editor.as_deref()).run(first)
}

fn show(course: &Course, named: &Named) -> Result<()> {
    if named.name.is_none() && course.next().is_none() {
        return print(&text::finished(course));
    }
    let exercise = course.find(named.name.as_deref())?;
    let file = course.progress.begin(exercise, false)?;
    print(&text::introduction(course, exercise, &file))
}

/// A verdict at each save until the exercise is passed, for a reader who types nothing.
fn watch(course: &mut Course, named: &Named) -> Result<()> {
    let exercise = course.find(named.name.as_deref())?;
    let file: PathBuf = course.progress.begin(exercise, false)?;
    print(&text::introduction(course, exercise, &file))?;
    let mut watched = Watched::new(&file, file.parent().unwrap_or(Path::new(".")));
    loop {
        let verdict = course::check(exercise, &file, new_seed(), &mut || watched.is_saved())?;
        let Some(verdict) = verdict else { continue };
        print("\n")?;
        if tell(course, exercise, verdict)? {
            return Ok(());
        }
        let waiting = format!("waiting for the next save of {}; Ctrl-C ends it", shown(&file));
        print(&format!("{}\n", dim(&waiting)))?;
        watched.wait();
    }
}

/// Says what came of a check, and keeps that it passed; whether it did.
fn tell(course: &mut Course, exercise: &Exercise, verdict: Verdict) -> Result<bool> {
    match verdict {
        Verdict::Passed(goals) => {
            course.progress.pass(exercise)?;
            let next = text::next(course, exercise);
            print(&(text::passed(exercise, &goals) + &next))?;
            Ok(true)
        }
        Verdict::Wrong(why) => {
            let hint = course.command(&format!("hint {}", report::split(&exercise.name).1));
            let help = terminal::wrap(&format!("a hint: {hint}"), terminal::width());
            print(&format!("{}\n{}\n", text::wrong(&why), dim(&help)))?;
            Ok(false)
        }
        Verdict::Impossible(why) => match text::missing_compiler(course, exercise) {
            Some(missing) => bail!("{why}\n{missing}"),
            None => bail!(why),
        },
    }
}

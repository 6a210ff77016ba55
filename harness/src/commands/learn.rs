//! `learn`: exercises, one at a time.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use device::nvrtc;
use indicatif::{ProgressBar, ProgressStyle};
use show::message;
use show::table::terminal::{self, wrap};
use show::table::{Field, Table};
use teaching::learn::answer;
use teaching::learn::exercise::{self, Exercise};
use teaching::learn::findings::Verdict;
use teaching::learn::judge;
use teaching::learn::progress::Progress;
use ui::output::{dim, print, shown};
use ui::{Usage, new_seed};

use super::author;
use crate::options::LaunchLimit;
use crate::watch::file::Watched;

pub(crate) const LEARN_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness learn                the next exercise and its file
  harness learn watch          a verdict at each save, until it passes
  harness learn hint           a hint; again, a more detailed one
  harness learn check guard    check an exercise once
  harness learn list           all exercises, and which are passed

How it goes: read the goal, open the file in your editor, change it, save it,
read the verdict. Each verdict shows the first problem, in this order: compiler
errors, with line and column; a wrong result, with the expected value; hazards,
with both lines; a goal that is missed, with a question to ask yourself.

Verdicts are the same on every machine: a simulator runs your kernel, checks it
for hazards and counts its events. No GPU is needed. Kernels are compiled by
NVRTC, which `harness setup` gets; the list marks exercises that need no
compiler. Your files and your progress are in the folder learn. Edit freely;
`harness learn reset NAME` starts over.
Exit codes: 0 passed, or nothing to check; 1 not passed; 2 usage";

/// The options of `learn`.
#[derive(Debug, Args)]
pub struct LearnArgs {
    /// What to do [default: show the next exercise]
    #[command(subcommand)]
    pub verb: Option<Verb>,
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
    /// Check your file at each save, until the exercise is passed
    Watch(Named),
    /// Show one more hint each time
    Hint(Named),
    /// Start an exercise over; your file is replaced
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
    let mut progress = Progress::open(args.dir.as_deref())?;
    let next = |progress: &Progress| progress.next(&all);
    let chosen = |progress: &Progress, named: &Named| -> Result<&Exercise> {
        match &named.name {
            Some(name) => Ok(exercise::find(&all, name)?),
            None => next(progress).or(all.last()).context("there are no exercises"),
        }
    };
    let none = Named { name: None };
    match args.verb.as_ref().unwrap_or(&Verb::Show(none)) {
        Verb::List => print(&list(&all, &progress))?,
        Verb::Show(named) if named.name.is_none() && next(&progress).is_none() => {
            print(&finished(&all))?;
        }
        Verb::Show(named) => {
            let exercise = chosen(&progress, named)?;
            let file = progress.begin(exercise, false)?;
            print(&introduce(exercise, &file, &progress, &all))?;
        }
        Verb::Check { named, seed } => {
            let exercise = chosen(&progress, named)?;
            let file = readers(&progress, exercise)?;
            let is_passed =
                verdict(exercise, &file, seed.unwrap_or_else(new_seed), &mut progress, &all)?;
            return Ok(ExitCode::from(u8::from(!is_passed)));
        }
        Verb::Watch(named) => {
            let exercise = chosen(&progress, named)?;
            let file = progress.begin(exercise, false)?;
            print(&introduce(exercise, &file, &progress, &all))?;
            watch(exercise, &file, &mut progress, &all)?;
        }
        Verb::Hint(named) => {
            let exercise = chosen(&progress, named)?;
            let shown = progress.one_more_hint(exercise)?;
            print(&hints(exercise, shown))?;
        }
        Verb::Reset { name } => {
            let exercise = exercise::find(&all, name)?;
            progress.forget(exercise)?;
            let file = progress.begin(exercise, true)?;
            print(&format!("{} is as in the beginning\n", shown(&file)))?;
        }
        Verb::Solution { named, now } => {
            let exercise = chosen(&progress, named)?;
            if !progress.is_passed(exercise) && !now {
                bail!(Usage(format!(
                    "{} is not passed yet: `harness learn hint` helps, and --now shows its solution",
                    exercise.name
                )));
            }
            print(&answer::solution_text(exercise)?)?;
        }
        Verb::Author(verb) => return author::run(verb, &all),
    }
    Ok(ExitCode::SUCCESS)
}

/// The reader's file, which must be there.
fn readers(progress: &Progress, exercise: &Exercise) -> Result<PathBuf> {
    let file = progress.file(exercise)?;
    if !file.exists() {
        let name = &exercise.name;
        bail!(Usage(format!(
            "there is no {} yet: `harness learn show {name}` makes it",
            shown(&file)
        )));
    }
    Ok(file)
}

/// Checks a file, says what came of it and keeps that it passed; whether it did.
fn verdict(
    exercise: &Exercise,
    file: &Path,
    seed: u64,
    progress: &mut Progress,
    all: &[Exercise],
) -> Result<bool> {
    // As the reader would type it.
    let file = PathBuf::from(shown(file));
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} check {msg}") {
        spinner.set_style(style);
    }
    spinner.set_message(file.display().to_string());
    spinner.enable_steady_tick(Duration::from_millis(100));
    let verdict = judge::check(exercise, &file, seed);
    spinner.finish_and_clear();
    let width = terminal::width();
    match verdict? {
        Verdict::Passed(goals) => {
            progress.pass(exercise)?;
            print(&passed(exercise, &goals, progress, all))?;
            Ok(true)
        }
        Verdict::Wrong(why) => {
            let slug = report::split(&exercise.name).1;
            let hint = dim(&format!("`harness learn hint {slug}` helps"));
            print(&format!("{}\n\n{hint}\n", message::painted(&why, width)))?;
            Ok(false)
        }
        Verdict::Impossible(why) => match missing_compiler(exercise, all) {
            Some(missing) => bail!("{why}\n{missing}"),
            None => bail!(why),
        },
    }
}

/// A verdict at each save until it passes, or Ctrl-C.
fn watch(
    exercise: &Exercise,
    file: &Path,
    progress: &mut Progress,
    all: &[Exercise],
) -> Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    loop {
        let mut watched = Watched::new(file, folder);
        print("\n")?;
        if verdict(exercise, file, new_seed(), progress, all)? {
            return Ok(());
        }
        print(&format!(
            "{}\n",
            dim(&format!("waiting for the next save of {}; Ctrl-C ends it", shown(file)))
        ))?;
        watched.wait();
    }
}

/// What is asked, and where.
fn introduce(exercise: &Exercise, file: &Path, progress: &Progress, all: &[Exercise]) -> String {
    let width = terminal::width();
    let bold = Style::new().bold();
    let Exercise { name, title, kind, minutes, goal, read, part, .. } = exercise;
    let mut text = format!("{}\n", bar(exercise, progress, all));
    text += &format!(
        "{bold}{name}: {title}{bold:#}  {}\n\n",
        dim(&format!("{part}: {}, {minutes} minutes", kind.name()))
    );
    text += &format!("{}\n\n", wrap(goal, width));
    text += &format!("  read   book/src/{read}.md\n");
    text += &format!("  edit   {}\n", shown(file));
    let is_next = progress.next(all).is_some_and(|next| next.name == *name);
    let named = if is_next { String::new() } else { format!(" {}", report::split(name).1) };
    text += &format!("  then   harness learn watch{named}   (or: check, hint)\n");
    if let Some(missing) = missing_compiler(exercise, all) {
        text += &format!("\n{}\n", wrap(&missing, width));
    }
    text
}

/// What was learned, and what is next.
fn passed(exercise: &Exercise, goals: &[String], progress: &Progress, all: &[Exercise]) -> String {
    let green = AnsiColor::Green.on_default().bold();
    let bold = Style::new().bold();
    let mut text = format!("{green}✓{green:#} {bold}{} passed{bold:#}\n", exercise.name);
    for goal in goals {
        text += &format!("  {goal}\n");
    }
    text += &format!(
        "\n{}\n\n{}\n",
        wrap(&exercise.learned, terminal::width()),
        bar(exercise, progress, all)
    );
    text += &match progress.next(all) {
        Some(next) => {
            format!("next: {} ({}); `harness learn` shows it\n", next.name, next.title)
        }
        None => finished(all),
    };
    text
}

/// What was learned in all, and what can be done with it.
fn finished(all: &[Exercise]) -> String {
    let width = terminal::width();
    let bold = Style::new().bold();
    let mut text =
        format!("{bold}All {} exercises are passed.{bold:#} What you know now:\n", all.len());
    for exercise in all {
        text += &format!("{}\n", wrap(&format!("- {}", exercise.learned), width));
    }
    text + "\nNext: make a step of the ladder faster than it is:\n  \
            cp kernels/nbody/17-tensor-distances.cu mine.cu\n  harness watch mine.cu --as 17\n"
}

fn hints(exercise: &Exercise, shown: usize) -> String {
    let width = terminal::width();
    let all = exercise.hints.len();
    let mut text = String::new();
    for (place, hint) in exercise.hints.iter().enumerate().take(shown) {
        text += &format!("{}\n", wrap(&format!("hint {} of {all}: {hint}", place + 1), width));
    }
    if shown == all {
        text += &format!(
            "{}\n",
            dim("that was the last; harness learn solution --now shows the solution")
        );
    }
    text
}

/// What a reader without a compiler can do, where the exercise needs one and there is none.
fn missing_compiler(exercise: &Exercise, all: &[Exercise]) -> Option<String> {
    if !exercise.needs_compiler() || !nvrtc::installed().is_empty() {
        return None;
    }
    let free = all.iter().filter(|it| !it.needs_compiler());
    let free: Vec<&str> = free.map(|it| report::split(&it.name).0).collect();
    Some(format!(
        "This exercise needs NVRTC, NVIDIA's compiler, which is not found here: `harness setup` gets it, and no GPU \
         is needed. Exercises without a compiler: {}.",
        free.join(", ")
    ))
}

/// How many of an exercise's part are passed, and how many of all.
fn bar(exercise: &Exercise, progress: &Progress, all: &[Exercise]) -> String {
    let part: Vec<&Exercise> = all.iter().filter(|it| it.part == exercise.part).collect();
    format!(
        "{} {}   {} of {} passed",
        exercise.part,
        marks(&part, progress),
        progress.passed(all),
        all.len()
    )
}

/// The same of each part, one a line.
fn bars(progress: &Progress, all: &[Exercise]) -> String {
    let parts: Vec<&[Exercise]> = all.chunk_by(|one, other| one.part == other.part).collect();
    let widest = parts.iter().map(|part| part[0].part.len()).max().unwrap_or(0);
    let line = |part: &&[Exercise]| {
        let part: Vec<&Exercise> = part.iter().collect();
        format!("  {:widest$}  {}\n", part[0].part, marks(&part, progress))
    };
    let lines: String = parts.iter().map(line).collect();
    format!("{lines}  {} of {} passed", progress.passed(all), all.len())
}

fn marks(part: &[&Exercise], progress: &Progress) -> String {
    part.iter().map(|it| if progress.is_passed(it) { '■' } else { '□' }).collect()
}

fn list(all: &[Exercise], progress: &Progress) -> String {
    let fields = vec![
        Field::text("", |it: &Exercise| if progress.is_passed(it) { "✓" } else { "" }),
        Field::text("exercise", |it: &Exercise| it.name.clone()),
        Field::text("part", |it: &Exercise| it.part.clone()),
        Field::text("what", |it: &Exercise| it.kind.name()),
        Field::number("min", |it: &Exercise| it.minutes.to_string()),
        Field::text("compiler", |it: &Exercise| if it.needs_compiler() { "" } else { "none" }),
        Field::text("title", |it: &Exercise| it.title.clone()),
    ];
    format!("{}\n{}\n", Table::all(all, fields).terminal(terminal::width()), bars(progress, all))
}

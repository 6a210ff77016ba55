//! `grade`: points for a class's submissions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use processes::{INTERRUPTED_EXIT, Interrupt};
use report::files::Lock;
use show::table::terminal;
use teaching::grade::class::Class;
use teaching::grade::grades::{Grade, Grades, Outcome};
use teaching::grade::marks::Marks;
use teaching::grade::queue::{Listener, Queue};
use teaching::grade::shard::{self, Shard};
use teaching::grade::short::number;
use teaching::grade::students::{self, Entry};
use teaching::grade::tables;
use teaching::grade::task::{Task, program};
use teaching::grade::written::Written;
use teaching::learn::exercise::Exercise;
use ui::output::{mention, print, print_json, say, shown};
use ui::{Usage, count};

use crate::options::Format;

pub(crate) const GRADE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness grade hw3 --exercise 51            each folder or archive in hw3 is one
                                             student
  harness grade hw3 --class class.toml       several exercises, points, hidden
                                             seeds and sizes
  harness grade hw3 --exercise 18 --format json > grades.json
  harness grade hw3 --class class.toml --shard 3/8
                                         the third of eight array jobs
  harness grade merge hw3 --class class.toml
                                         join what they left

DIR is an export of Moodle, Canvas or GitHub Classroom: a folder, a .zip, a
.tar.gz or a file for each student. A file is found by the name that `harness
learn` gave it (51-climb-shared-blocking.cu); if only one exercise is graded, a
single .cu of any name is found too.

Each check runs in its own sandboxed process, without files, network and other
processes, with limits on time and memory. A warning says what the system
cannot forbid. Grades are saved and shown as they are made: an interrupted run
continues, and unchanged submissions are not checked again. Points in
class.toml, lateness, and points and comments by hand in DIR-grades/marks.csv
count anew in each run.

A file for --class:
  seeds = [11, 12]            # hidden; default: one at random
  [late]                      # if you want; also [comparison]
  due = 2026-11-20T23:59:00+01:00
  percent_per_day = 10
  [[exercise]]
  name = \"18-stale-tile\"
  sizes = [192, 448]          # besides the exercise's own, one at random
  points = { compiles = 1, results = 5, hazards = 2, goals = 2 }

Exit codes: 0 all graded, whatever the points; 1 some could not be checked;
2 usage; 130 Ctrl-C (finished grades are kept)";

/// The options of `grade`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct GradeArgs {
    /// What else can be done
    #[command(subcommand)]
    verb: Option<Verb>,
    /// What is graded
    #[command(flatten)]
    class: Option<ClassArgs>,
    /// Number of parallel checks [default: number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Grade a part of the class only, such as 3/8, the third of eight; `grade merge` joins the parts
    #[arg(long, value_name = "K/N", requires = "class_file")]
    shard: Option<Shard>,
    /// Stop a launch as endless after this many seconds of CPU time in which no block ended
    #[arg(long, value_name = "SECONDS", value_parser = count::parse_u32, default_value_t = 10)]
    launch_limit: u32,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Join the grades of all shards; nothing is checked
    Merge(ClassArgs),
}

#[derive(Debug, Args)]
struct ClassArgs {
    /// The folder with a folder, archive or file per student
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// An exercise to grade, by number or name; can be given several times
    #[arg(short, long, value_name = "NAME")]
    exercise: Vec<String>,
    /// A TOML file with exercises, points, hidden seeds and sizes
    #[arg(short, long, value_name = "FILE", id = "class_file")]
    class: Option<PathBuf>,
    /// The folder for the grades [default: DIR-grades]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// What to print at the end
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Grades a class, or joins its shards.
pub fn run(args: &GradeArgs) -> Result<ExitCode> {
    device::choose_launch_limit(args.launch_limit);
    match (&args.verb, &args.class) {
        (Some(Verb::Merge(class)), _) => merge(class),
        (None, Some(class)) => grade(class, args.jobs, args.shard),
        (None, None) => bail!(Usage("name the folder with the submissions".to_owned())),
    }
}

fn grade(args: &ClassArgs, jobs: Option<u16>, shard: Option<Shard>) -> Result<ExitCode> {
    let all = Exercise::all()?;
    let mut entries = students::list(&args.folder)?;
    let mut class = class(args)?;
    let out = out(args)?;
    let (file, lock) = match shard {
        Some(shard) => {
            ensure!(!class.seeds.is_empty(), Usage(no_seeds(args)));
            entries = part(entries, shard);
            (
                shard.file(&out),
                shard::folder(&out).join(format!(".lock-{}-of-{}", shard.number, shard.of)),
            )
        }
        None => (out.join("grades.json"), out.join(".lock")),
    };
    let mut kept = Grades::open(&file)?;
    if class.seeds.is_empty() {
        class.seeds.clone_from(&kept.seeds);
    }
    class.complete(&all)?;
    let _lock = take(&lock, &out)?;
    kept.seeds.clone_from(&class.seeds);
    let tasks = Task::all(&class, &all, &program()?)?;
    let (marks, late) = match shard {
        // They count when shards are joined.
        Some(_) => (Marks::default(), Vec::new()),
        None => by_hand(&class, &all, &entries, &out)?,
    };
    let interrupt = Interrupt::from_user()?;
    for task in &tasks {
        match task.prove(&interrupt)? {
            Some(unconfined) => kept.unconfined = unconfined,
            None => return Ok(interrupted()),
        }
    }
    for missing in &kept.unconfined {
        say(&format!("warning: this system does not keep a check from {missing}"));
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = jobs.map_or(cores, usize::from);
    let queue = Queue { tasks, marks, late, jobs, joins: None, interrupt };
    let bar = bar(entries.len() as u64);
    let heard = |grades: &[Grade]| tell(&bar, grades);
    if let Some(shard) = shard {
        let (grades, is_whole) = queue.run(&entries, kept, &Alone(&heard))?;
        bar.finish_and_clear();
        mention(&format!("wrote {}; `grade merge` joins all {} shards", shown(&file), shard.of));
        return Ok(code(&grades, is_whole));
    }
    let written = Written::new(&out, &class, &all, &entries, &heard)?;
    mention(&format!("{} shows the grades while they are made", shown(&out.join("index.html"))));
    let (grades, is_whole) = queue.run(&entries, kept, &written)?;
    bar.finish_and_clear();
    let column = class.column.as_deref();
    finish(args, &queue, &written, (&grades, is_whole), (&entries, &out), column)
}

fn merge(args: &ClassArgs) -> Result<ExitCode> {
    let all = Exercise::all()?;
    let entries = students::list(&args.folder)?;
    let mut class = class(args)?;
    let out = out(args)?;
    let shards = Shard::all(&out)?;
    let _lock = take(&out.join(".lock"), &out)?;
    let mut kept = Grades::open(&out.join("grades.json"))?;
    (kept.seeds, kept.unconfined) = (Vec::new(), Vec::new());
    Shard::join(&shards, &out, &mut kept)?;
    class.seeds.clone_from(&kept.seeds);
    class.complete(&all)?;
    let tasks = Task::all(&class, &all, &program()?)?;
    let (marks, late) = by_hand(&class, &all, &entries, &out)?;
    let interrupt = Interrupt::from_user()?;
    let queue = Queue { tasks, marks, late, jobs: 1, joins: Some(shards.clone()), interrupt };
    let written = Written::new(&out, &class, &all, &entries, &|_| {})?;
    let (grades, is_whole) = queue.run(&entries, kept, &written)?;
    let missing = Shard::incomplete(&shards, &grades, &entries);
    let column = class.column.as_deref();
    let done = finish(args, &queue, &written, (&grades, is_whole), (&entries, &out), column)?;
    if !missing.is_empty() {
        let names: Vec<String> = missing.iter().map(Shard::to_string).collect();
        say(&format!(
            "warning: nothing or not all is there of shard {}: run it again with --shard, then merge again",
            names.join(", ")
        ));
    }
    Ok(done)
}

/// What is graded, as far as files and options say.
fn class(args: &ClassArgs) -> Result<Class> {
    let mut class = match &args.class {
        Some(file) => Class::read(file)?,
        None => Class::default(),
    };
    class.add(&args.exercise);
    Ok(class)
}

fn no_seeds(args: &ClassArgs) -> String {
    let file = args.class.as_deref().unwrap_or(Path::new("class.toml")).display().to_string();
    let [one, two] = [ui::new_seed(), ui::new_seed()].map(|seed| seed % 1_000_000);
    format!(
        "{file} has no `seeds`, and all shards must use the same hidden data: write `seeds = [{one}, {two}]` in it"
    )
}

/// The students of a shard.
fn part(entries: Vec<Entry>, shard: Shard) -> Vec<Entry> {
    let numbered = entries.into_iter().enumerate();
    numbered.filter(|(place, _)| shard.has(*place)).map(|(_, entry)| entry).collect()
}

/// Makes the folder for the grades, and keeps others from writing the same.
fn take(lock: &Path, out: &Path) -> Result<Lock> {
    let folder = lock.parent().unwrap_or(out);
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", shown(folder)))?;
    let taken = Lock::try_take(lock).with_context(|| format!("cannot write to {}", shown(out)))?;
    taken.with_context(|| format!("another run writes to {}; wait for its end", shown(out)))
}

type ByHand = (Marks, Vec<Option<teaching::grade::late::Late>>);

/// What the instructor wrote, and how late each student is.
fn by_hand(class: &Class, all: &[Exercise], entries: &[Entry], out: &Path) -> Result<ByHand> {
    let students: Vec<_> = entries.iter().map(|entry| &entry.student).collect();
    let graded: Vec<String> = class.exercises.iter().map(|graded| graded.name.clone()).collect();
    let marks = Marks::open(&Marks::file(out), &students, &graded, all)?;
    let late = class.late.as_ref().map_or(Ok(Vec::new()), |rule| rule.all(entries))?;
    Ok((marks, late))
}

/// A shard draws nothing.
struct Alone<'h>(&'h (dyn Fn(&[Grade]) + Sync));

impl Listener for Alone<'_> {
    fn student(&self, grades: &[Grade]) -> Result<()> {
        (self.0)(grades);
        Ok(())
    }

    fn so_far(&self, _: &Grades) -> Result<()> {
        Ok(())
    }
}

/// Says what a student has.
fn tell(bar: &ProgressBar, grades: &[Grade]) {
    let (points, of) = grades
        .iter()
        .fold((0.0, 0.0), |(points, of), grade| (points + grade.points, of + grade.of));
    if let Some(first) = grades.first() {
        bar.suspend(|| {
            mention(&format!("{}: {} of {}", first.student.name, number(points), number(of)));
        });
    }
    bar.inc(1);
}

/// Writes and prints what is drawn from the grades.
fn finish(
    args: &ClassArgs,
    queue: &Queue,
    written: &Written,
    (grades, is_whole): (&Grades, bool),
    (entries, out): (&[Entry], &Path),
    column: Option<&str>,
) -> Result<ExitCode> {
    let exercises: Vec<String> =
        queue.tasks.iter().map(|task| task.exercise.name.clone()).collect();
    let folder = args.folder.canonicalize().unwrap_or_else(|_| args.folder.clone());
    let folder = folder.file_name().unwrap_or_default().to_string_lossy();
    let names = written.finish(grades, &queue.tasks, entries, column.unwrap_or(&folder))?;
    match args.format {
        Format::Table => {
            let table = tables::terminal(grades, &exercises, terminal::width());
            print(&format!("{table}\n{}", tables::summary(grades, &exercises)))?;
        }
        Format::Json => print_json(grades)?,
    }
    mention(&format!("wrote {} in {}", names.join(", "), shown(out)));
    Ok(code(grades, is_whole))
}

fn code(grades: &Grades, is_whole: bool) -> ExitCode {
    if !is_whole {
        return interrupted();
    }
    let is_checked = grades.grades.iter().all(|grade| grade.outcome != Outcome::Unchecked);
    if is_checked { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The user asked to stop.
fn interrupted() -> ExitCode {
    say("interrupted: the same command continues");
    ExitCode::from(INTERRUPTED_EXIT)
}

/// The folder for the grades, which is no student's.
fn out(args: &ClassArgs) -> Result<PathBuf> {
    let absolute = |path: &Path| {
        std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
    };
    let folder = args
        .folder
        .canonicalize()
        .with_context(|| format!("cannot read {}", args.folder.display()))?;
    let out = match &args.out {
        Some(out) => absolute(out)?,
        None => {
            let name = folder.file_name().context("name the folder with the submissions")?;
            folder.with_file_name(format!("{}-grades", name.to_string_lossy()))
        }
    };
    if out.starts_with(&folder) {
        bail!(Usage(format!(
            "--out {}: it lies among the submissions; choose another folder",
            shown(&out)
        )));
    }
    Ok(out)
}

fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    if let Ok(style) =
        ProgressStyle::with_template("grading {bar:30} {pos} of {len}, {eta} left  {msg}")
    {
        bar.set_style(style);
    }
    bar
}

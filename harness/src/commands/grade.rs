//! `grade`: points for a class's submissions.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use processes::{INTERRUPTED_EXIT, Interrupt};
use report::files::{Lock, write_whole};
use show::table::terminal;
use teaching::grade::class::Class;
use teaching::grade::grades::{Grade, Grades, Outcome};
use teaching::grade::queue::{Queue, Task, program};
use teaching::grade::{junit, page, students, tables};
use teaching::learn::exercise::Exercise;
use ui::Usage;
use ui::output::{mention, print, print_json, say, shown};

use crate::options::Format;

pub(crate) const GRADE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness grade hw3 --exercise 51            each folder or archive in hw3 is one
                                             student
  harness grade hw3 --class class.toml       several exercises, points, hidden
                                             seeds and sizes
  harness grade hw3 --exercise 18 --format json > grades.json

DIR is an export of Moodle, Canvas or GitHub Classroom: a folder, a .zip, a
.tar.gz or a file for each student. A file is found by the name that `harness
learn` gave it (51-climb-shared-blocking.cu); if only one exercise is graded, a
single .cu of any name is found too.

Each check runs in its own sandboxed process, without files, network and other
processes, with limits on time and memory. A warning says what the system cannot
forbid. Grades are saved as they are made: an interrupted run continues, and
unchanged submissions are not checked again.

A file for --class:
  seeds = [11, 12]            # hidden; default: one at random
  [[exercise]]
  name = \"18-stale-tile\"
  sizes = [192, 448]          # besides the exercise's own, one at random
  points = { compiles = 1, results = 5, hazards = 2, goals = 2 }

Exit codes: 0 all graded, whatever the points; 1 some could not be checked;
2 usage; 130 Ctrl-C (finished grades are kept)";

/// The options of `grade`.
#[derive(Debug, Args)]
pub struct GradeArgs {
    /// The folder with a folder, archive or file per student
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// An exercise to grade, by number or name; can be given several times
    #[arg(short, long, value_name = "NAME")]
    pub exercise: Vec<String>,
    /// A TOML file with exercises, points, hidden seeds and sizes
    #[arg(short, long, value_name = "FILE")]
    pub class: Option<PathBuf>,
    /// The folder for the grades [default: DIR-grades]
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of parallel checks [default: number of processors]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// What to print at the end
    #[arg(short, long, value_enum, default_value_t = Format::Table)]
    pub format: Format,
}

/// Grades a class.
pub fn run(args: &GradeArgs) -> Result<ExitCode> {
    let all = Exercise::all()?;
    let students = students::list(&args.folder)?;
    let mut class = match &args.class {
        Some(file) => Class::read(file)?,
        None => Class::default(),
    };
    class.add(&args.exercise);
    let out = out(args)?;
    let mut kept = Grades::open(&out)?;
    if class.seeds.is_empty() {
        class.seeds.clone_from(&kept.seeds);
    }
    class.complete(&all)?;
    fs::create_dir_all(&out).with_context(|| format!("cannot make {}", shown(&out)))?;
    let lock = Lock::try_take(&out.join(".lock"))
        .with_context(|| format!("cannot write to {}", shown(&out)))?;
    let Some(_lock) = lock else {
        bail!("another run writes to {}; wait for its end", shown(&out))
    };
    kept.seeds.clone_from(&class.seeds);
    let tasks = Task::all(&class, &all, &program()?)?;
    let exercises: Vec<String> = tasks.iter().map(|task| task.exercise.name.clone()).collect();
    let interrupt = Interrupt::from_user()?;
    for task in &tasks {
        match task.prove(&class, &interrupt)? {
            Some(unconfined) => kept.unconfined = unconfined,
            None => return Ok(interrupted()),
        }
    }
    for missing in &kept.unconfined {
        say(&format!("warning: this system does not keep a check from {missing}"));
    }
    let bar = bar((students.len() * tasks.len()) as u64);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let jobs = args.jobs.map_or(cores, usize::from);
    let queue = Queue { class: &class, tasks, jobs, interrupt };
    let (grades, is_whole) = queue.run(students, kept, &|grade: &Grade| {
        bar.set_message(grade.student.name.clone());
        bar.inc(1);
    })?;
    bar.finish_and_clear();
    write(&grades, &exercises, &all, &out)?;
    match args.format {
        Format::Table => {
            let table = tables::terminal(&grades, &exercises, terminal::width());
            print(&format!("{table}\n{}", tables::summary(&grades, &exercises)))?;
        }
        Format::Json => print_json(&grades)?,
    }
    mention(&format!(
        "wrote grades.json, .csv, .xml and a page for each student in {}",
        shown(&out)
    ));
    if !is_whole {
        return Ok(interrupted());
    }
    let is_checked = grades.grades.iter().all(|grade| grade.outcome != Outcome::Unchecked);
    Ok(if is_checked { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The user asked to stop.
fn interrupted() -> ExitCode {
    say("interrupted: the same command continues");
    ExitCode::from(INTERRUPTED_EXIT)
}

/// The folder for the grades, which is no student's.
fn out(args: &GradeArgs) -> Result<PathBuf> {
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

/// Writes all that is drawn from the grades.
fn write(grades: &Grades, exercises: &[String], all: &[Exercise], out: &Path) -> Result<()> {
    let whole = |file: PathBuf, text: &str| write_whole(&file, |to| to.write_all(text.as_bytes()));
    whole(out.join("grades.csv"), &tables::csv(grades, exercises)?)?;
    whole(out.join("grades.xml"), &junit::xml(grades))?;
    let pages = out.join("students");
    fs::create_dir_all(&pages).with_context(|| format!("cannot make {}", shown(&pages)))?;
    let mut taken = Vec::new();
    for (student, grades) in grades.by_student() {
        let file = pages.join(page::file_name(student, &mut taken));
        whole(file, &page::page(student, grades, all))?;
    }
    Ok(())
}

//! What is said of exercises.

use std::path::Path;

use anstyle::{AnsiColor, Style};
use show::message;
use show::table::terminal::{self, wrap};
use show::table::{Field, Table};
use teaching::learn::exercise::Exercise;
use toolchain::compiler;
use ui::called;
use ui::output::{dim, shown};

use super::course::Course;

/// What is asked.
pub fn task(course: &Course, exercise: &Exercise) -> String {
    let width = terminal::width();
    let bold = Style::new().bold();
    let Exercise { name, title, kind, minutes, goal, read, part, .. } = exercise;
    let mut text = format!("{}\n", bar(course, exercise));
    text += &format!(
        "{bold}{name}: {title}{bold:#}  {}\n\n",
        dim(&format!("{part}: {}, {minutes} minutes", kind.name()))
    );
    text += &format!("{}\n\n  read   book/src/{read}.md\n", wrap(goal, width));
    if let Some(missing) = missing_compiler(course, exercise) {
        text += &format!("\n{}\n", wrap(&missing, width));
    }
    text
}

/// Which exercise it is.
pub fn title(exercise: &Exercise) -> String {
    let bold = Style::new().bold();
    format!("{bold}{}: {}{bold:#}\n\n", exercise.name, exercise.title)
}

/// What is asked, where, and how to go on.
pub fn introduction(course: &Course, exercise: &Exercise, file: &Path) -> String {
    let name = report::split(&exercise.name).1;
    let is_next = course.next().is_some_and(|next| next.name == exercise.name);
    let watch = if is_next { "watch".to_owned() } else { format!("watch {name}") };
    format!(
        "{}  edit   {}\n  then   {}   (or: check, hint)\n",
        task(course, exercise),
        shown(file),
        course.command(&watch)
    )
}

/// That an exercise was started over, and where its old text is.
pub fn was_reset(file: &Path, backup: Option<&Path>) -> String {
    let backup = backup.map(|backup| format!("; your old file is {}", shown(backup)));
    format!("{} is as in the beginning{}\n", shown(file), backup.unwrap_or_default())
}

/// What is wrong, painted.
pub fn wrong(why: &str) -> String {
    format!("{}\n", message::painted(why, terminal::width()))
}

/// What was reached and learned.
pub fn passed(exercise: &Exercise, goals: &[String]) -> String {
    let green = AnsiColor::Green.on_default().bold();
    let bold = Style::new().bold();
    let goals: String = goals.iter().map(|goal| format!("  {goal}\n")).collect();
    format!(
        "{green}✓{green:#} {bold}{} passed{bold:#}\n{goals}\n{}\n",
        exercise.name,
        wrap(&exercise.learned, terminal::width()),
    )
}

/// Which exercise is next, or what was learned in all.
pub fn next(course: &Course, exercise: &Exercise) -> String {
    let next = match course.next() {
        Some(next) => format!("next: {} ({}): {}\n", next.name, next.title, course.command("")),
        None => finished(course),
    };
    format!("\n{}\n{next}", bar(course, exercise))
}

/// What was learned in all, and what can be done with it.
pub fn finished(course: &Course) -> String {
    let width = terminal::width();
    let bold = Style::new().bold();
    let mut text = format!(
        "{bold}All {} exercises are passed.{bold:#} What you know now:\n",
        course.all.len()
    );
    for exercise in course.all {
        text += &format!("{}\n", wrap(&format!("- {}", exercise.learned), width));
    }
    text + &format!(
        "\nNext: make a step of the ladder faster than it is:\n  \
         cp kernels/nbody/17-tensor-distances.cu mine.cu\n  {} watch mine.cu --as 17\n",
        called()
    )
}

/// The first `shown` hints; after the last, `solution` says how to see the solution.
pub fn hints(exercise: &Exercise, shown: usize, solution: &str) -> String {
    let width = terminal::width();
    let all = exercise.hints.len();
    let mut text = String::new();
    for (place, hint) in exercise.hints.iter().enumerate().take(shown) {
        text += &format!("{}\n", wrap(&format!("hint {} of {all}: {hint}", place + 1), width));
    }
    if shown == all {
        text += &format!("{}\n", dim(&format!("that was the last; {solution} shows the solution")));
    }
    text
}

/// What a reader without a compiler can do, where the exercise needs one and there is none.
pub fn missing_compiler(course: &Course, exercise: &Exercise) -> Option<String> {
    if !exercise.needs_compiler() || compiler::is_here() {
        return None;
    }
    let free = course.all.iter().filter(|it| !it.needs_compiler());
    let free: Vec<&str> = free.map(|it| report::split(&it.name).0).collect();
    Some(format!(
        "This exercise needs a compiler, NVIDIA's NVRTC or clang, and none is found here: `{} setup` gets one, and no GPU is \
         needed. Exercises without a compiler: {}.",
        called(),
        free.join(", ")
    ))
}

/// All exercises.
pub fn list(course: &Course) -> String {
    let progress = &course.progress;
    let fields = vec![
        Field::text("", |it: &Exercise| if progress.is_passed(it) { "✓" } else { "" }),
        Field::text("exercise", |it: &Exercise| it.name.clone()),
        Field::text("part", |it: &Exercise| it.part.clone()),
        Field::text("what", |it: &Exercise| it.kind.name()),
        Field::number("min", |it: &Exercise| it.minutes.to_string()),
        Field::text("compiler", |it: &Exercise| if it.needs_compiler() { "" } else { "none" }),
        Field::text("title", |it: &Exercise| it.title.clone()),
    ];
    let table = Table::all(course.all, fields).terminal(terminal::width());
    format!("{table}\n{}\n", bars(course))
}

/// The exercises around this one, as far as a small terminal has room for them.
pub fn list_of_part(course: &Course, exercise: &Exercise) -> String {
    let mark = |it: &Exercise| match (it.name == exercise.name, course.progress.is_passed(it)) {
        (true, _) => '→',
        (_, true) => '✓',
        _ => ' ',
    };
    let part = course.all.iter().filter(|it| it.part == exercise.part);
    let lines = part.map(|it| format!("  {} {}: {}\n", mark(it), it.name, it.title));
    format!("{}\n\n{}", bars(course), lines.collect::<String>())
}

/// How many of an exercise's part are passed, and how many of all.
fn bar(course: &Course, exercise: &Exercise) -> String {
    let part: Vec<&Exercise> = course.all.iter().filter(|it| it.part == exercise.part).collect();
    format!("{} {}   {}", exercise.part, marks(course, &part), count(course))
}

/// The same of each part, one a line.
fn bars(course: &Course) -> String {
    let parts: Vec<&[Exercise]> =
        course.all.chunk_by(|one, other| one.part == other.part).collect();
    let widest = parts.iter().map(|part| part[0].part.len()).max().unwrap_or(0);
    let line = |part: &&[Exercise]| {
        let all: Vec<&Exercise> = part.iter().collect();
        format!("  {:widest$}  {}\n", part[0].part, marks(course, &all))
    };
    let lines: String = parts.iter().map(line).collect();
    format!("{lines}  {}", count(course))
}

fn count(course: &Course) -> String {
    format!("{} of {} passed", course.progress.passed(course.all), course.all.len())
}

fn marks(course: &Course, part: &[&Exercise]) -> String {
    part.iter().map(|it| if course.progress.is_passed(it) { '■' } else { '□' }).collect()
}

//! The command line: what can be asked for, and what each command returns to the shell.

use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;
use ladder::Ladder;
use ladder::problem::ProblemOption;
use ladders::LADDERS;
use teaching::{grade, learn};
use ui::called;
use ui::output::{as_typed, explain, print, say};

use crate::options::What;
use crate::program::{self, Common, STYLES};
use crate::{carried, commands, sanitize, scaling, watch};

/// Commands of the maintainers' program.
const MAINTAINERS: [&str; 8] =
    ["compilers", "mutate", "ptx", "recount", "sass", "schema", "splice", "validate"];

/// How help begins: the commands by what they are for, of which a test holds each against the list below.
const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}

Run:
  run         Run the steps of a ladder: verify, time and draw them
  sweep       Run steps at many sizes, block sizes or parameters
  scale       Run steps on 1, 2, 4, 8 GPUs, or predict that
  compare     Compare two reports: what became faster or slower

Read:
  list        List ladders, their steps and what each changes
  explain     Explain why a step is faster or slower than the one before
  report      Draw or print a report again

Learn:
  learn       Solve exercises, checked at each save
  watch       Check your kernel at each save
  events      Run any kernel on the simulator, line by line
  exec        Run a whole CUDA program on the simulator
  doctor      Show what this machine has and what is missing

Teach:
  grade       Grade a class's submissions, each in a sandbox
  new         Write a new ladder, step or exercise that runs at once

Also: setup (a compiler), gpus (of the model), classroom, kit, completions

Options:
{options}{after-help}";

/// At most 78 columns wide, so that a narrow terminal does not fold them.
const EXAMPLES: &str = "\
Examples:
  cargo run -p harness                    climb the ladder
  cargo run -p harness -- learn           the first exercise
  cargo run -p harness -- run transpose   another ladder; `list` names them
  cargo run -p harness -- explain 06      why step 06 is faster than 05
  cargo run -p harness -- COMMAND -h      options and examples of a command

Exit codes: 0 every step was measured, simulated or skipped;
            1 a step was wrong or failed, or nothing could run; 2 usage";

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  harness completions bash > ~/.local/share/bash-completion/completions/harness
  harness completions zsh > ~/.zfunc/_harness
  harness completions fish > ~/.config/fish/completions/harness.fish";

/// Ladders of CUDA kernels and of CPU code, from the slowest step to the fastest: every step is verified,
/// timed and explained on your own machine, with a GPU or without one.
///
/// Without a command it runs the n-body ladder on the best device here, then the CPU ladder.
#[derive(Debug, Parser)]
#[command(name = "harness", version, styles = STYLES, help_template = TEMPLATE, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// Options of every command
    #[command(flatten)]
    pub common: Common,
    /// What to do; nothing means `run`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands, one file each in `commands/`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the steps of a ladder: verify them, time them, draw them
    #[command(after_help = commands::run::RUN_EXAMPLES)]
    Run(Box<commands::run::RunArgs>),
    /// Run steps at many sizes, block sizes or parameters, and plot their rates
    #[command(after_help = commands::sweep::SWEEP_EXAMPLES)]
    Sweep(Box<commands::sweep::SweepArgs>),
    /// Run steps on 1, 2, 4, 8 GPUs: strong and weak scaling
    #[command(after_help = commands::scale::SCALE_EXAMPLES)]
    Scale(Box<commands::scale::ScaleArgs>),
    /// List the ladders, their steps and what each step changes
    #[command(after_help = commands::list::LIST_HELP)]
    List(commands::list::ListArgs),
    /// Compare two reports: what became faster or slower
    #[command(after_help = commands::compare::COMPARE_EXAMPLES)]
    Compare(commands::compare::CompareArgs),
    /// Re-render a report as pictures and a page, or print it
    #[command(after_help = commands::report::REPORT_EXAMPLES)]
    Report(commands::report::ReportArgs),
    /// Explain why a step is faster or slower than its parent
    #[command(after_help = commands::explain::EXPLAIN_EXAMPLES)]
    Explain(Box<commands::explain::ExplainArgs>),
    /// Check your kernel at each save: compiler, results, hazards, events
    #[command(after_help = commands::watch::WATCH_EXAMPLES)]
    Watch(commands::watch::WatchArgs),
    /// Solve exercises, with a check at each save, hints and saved progress
    #[command(after_help = commands::learn::LEARN_EXAMPLES)]
    Learn(commands::learn::LearnArgs),
    /// Grade a class's submissions, each in a sandbox
    #[command(after_help = commands::grade::GRADE_EXAMPLES)]
    Grade(commands::grade::GradeArgs),
    /// Write the files for automatic grading in a class's repositories
    #[command(hide = true, after_help = commands::classroom::CLASSROOM_EXAMPLES)]
    Classroom(commands::classroom::ClassroomArgs),
    /// Pack an archive that builds and runs without network, for a lab
    #[command(hide = true, after_help = commands::kit::KIT_HELP)]
    Kit(commands::kit::KitArgs),
    /// Run any kernel on the simulator: events line by line, and hazards
    #[command(after_help = commands::events::EVENTS_EXAMPLES)]
    Events(Box<commands::events::EventsArgs>),
    /// Run a whole CUDA program on the simulator: events and hazards of its launches
    #[command(after_help = commands::exec::EXEC_EXAMPLES)]
    Exec(commands::exec::ExecArgs),
    /// List the GPUs of the time model, or all numbers of one with their sources
    #[command(hide = true, after_help = commands::gpus::GPUS_EXAMPLES)]
    Gpus(commands::gpus::GpusArgs),
    /// Show what this machine has, what is missing, and how to install it
    #[command(after_help = commands::doctor::DOCTOR_HELP)]
    Doctor(commands::doctor::DoctorArgs),
    /// Install NVRTC, which compiles your kernels, after asking
    #[command(hide = true, after_help = commands::setup::SETUP_HELP)]
    Setup(commands::setup::SetupArgs),
    /// Write the files of a new ladder or step of yours, which run at once
    #[command(after_help = commands::new::NEW_EXAMPLES)]
    New(commands::new::NewArgs),
    /// Print a shell's completion script
    #[command(hide = true, after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Climb the steps of a request read from standard input (started by `run`)
    #[command(hide = true)]
    Worker,
    /// Run a step on some GPUs, as a request from standard input says (started by `scale`)
    #[command(hide = true, name = "serve-ranks")]
    Ranks,
    /// Run a kernel as a request from standard input says (started by `--sanitize`, under compute-sanitizer)
    #[command(hide = true, name = "serve-sanitized")]
    Sanitized,
    /// Give verdicts on a kernel (started by `watch`)
    #[command(hide = true, name = "serve-verdicts")]
    Verdicts,
    /// Check the solution of an exercise (started by `learn`)
    #[command(hide = true, name = "serve-checks")]
    Checks,
    /// Check what a student handed in, confined (started by `grade`)
    #[command(hide = true, name = "serve-grades")]
    Grades,
    /// Run clang for a confined process, as it asks on standard input (started by `grade` and `run --untrusted`)
    #[command(hide = true, name = "serve-compiles")]
    Compiles {
        /// What clang may use, as JSON
        limits: String,
    },
    /// Become another program, confined (started by `grade`)
    #[command(hide = true, name = "serve-fenced")]
    Fenced {
        /// What it may reach, as JSON
        fence: String,
        /// The program and its arguments
        #[arg(last = true)]
        words: Vec<String>,
    },
}

/// The program's arguments: those that are written above, and what only some ladders take. Examples are as the user types them.
fn arguments() -> clap::Command {
    let program = problem_options().into_iter().fold(Cli::command(), |program, option| {
        program.mut_subcommand("run", |run| run.arg(option))
    });
    let typed = |command: clap::Command| match command.get_after_help() {
        Some(help) => {
            let long = as_typed(&help.to_string()).into_owned();
            let more =
                format!("All options and examples: {} {} --help", called(), command.get_name());
            let short = format!("{}{more}", first_example(&long));
            command.after_long_help(long).after_help(short)
        }
        None => command,
    };
    let examples = as_typed(EXAMPLES).into_owned();
    program.mut_subcommands(typed).after_help(examples)
}

/// The first of a command's examples, as they stand in its help, and what stands above them.
fn first_example(examples: &str) -> String {
    let mut lines = examples.lines();
    let head = lines.by_ref().take_while(|line| !line.is_empty());
    let mut met = 0;
    let kept = head.take_while(|line| {
        met += usize::from(line.starts_with("  ") && line.contains("harness"));
        met < 2
    });
    kept.map(|line| format!("{line}\n")).collect::<String>().replace("Examples", "Example")
}

/// What was typed; `run` where no command was.
fn parse() -> (Cli, Command) {
    if let Some(moved) = std::env::args().nth(1).filter(|it| MAINTAINERS.contains(&it.as_str())) {
        let answer =
            format!("`{moved}` is a command for maintainers: cargo run -p maintain -- {moved}");
        refuse(&Cli::command().error(ErrorKind::InvalidSubcommand, answer));
    }
    let matches = arguments().try_get_matches().unwrap_or_else(|error| refuse(&error));
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| refuse(&error));
    let command = cli.command.take().map(|mut command| {
        if let (Command::Run(args), Some(given)) = (&mut command, matches.subcommand_matches("run"))
        {
            for option in problem_options() {
                let id = option.get_id().as_str();
                if let Some(value) = given.get_one::<String>(id) {
                    args.problem.insert(id.to_owned(), value.clone());
                }
            }
        }
        command
    });
    let command = command.or_else(|| Cli::parse_from(["harness", "run"]).command);
    (cli, command.expect("`run` is a command"))
}

/// Ends the program with help, or with what is wrong with its arguments: these may hold what no terminal should get.
fn refuse(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    say(error.render().ansi().to_string().trim_end());
    std::process::exit(error.exit_code())
}

/// The options that only some ladders' problems have, each once.
fn problem_options() -> Vec<Arg> {
    let mut known: Vec<ProblemOption> = Vec::new();
    for option in LADDERS.iter().flat_map(|ladder| ladder.options()) {
        if known.iter().all(|other| other.name != option.name) {
            known.push(*option);
        }
    }
    let of = |option: &ProblemOption| {
        let has =
            |ladder: &&&dyn Ladder| ladder.options().iter().any(|other| other.name == option.name);
        let ladders: Vec<&str> = LADDERS.iter().filter(has).map(|it| it.name()).collect();
        let help = format!("{} [ladders: {}]", option.help, ladders.join(", "));
        Arg::new(option.name)
            .long(option.name)
            .value_name(option.value)
            .help(help)
            .allow_hyphen_values(true)
            .help_heading("Options of a ladder's problem")
            .hide_short_help(true)
    };
    known.iter().map(of).collect()
}

/// Prints what `shell` needs to complete commands and options.
fn complete(shell: Shell) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut arguments(), "harness", &mut script);
    print(&String::from_utf8(script).context("a script that is no text")?)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs the program: reads its arguments, does what they ask and says how it went.
pub fn main() -> ExitCode {
    let (cli, mut command) = parse();
    program::begin(cli.common);
    let what = match &mut command {
        Command::Run(args) => Some(&mut args.what),
        Command::Sweep(args) => Some(&mut args.what),
        _ => None,
    };
    if let Some(Err(error)) = what.map(What::settle) {
        return program::end(Err(error.into()));
    }
    if let Err(error) = carried::settle() {
        say(&format!("warning: the embedded files cannot be used: {}", explain(&error)));
    }
    program::end(match command {
        Command::Run(args) => commands::run::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Compare(args) => commands::compare::run(&args),
        Command::Sweep(args) => commands::sweep::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Watch(args) => commands::watch::run(&args),
        Command::Learn(args) => commands::learn::run(&args),
        Command::Grade(args) => commands::grade::run(&args),
        Command::Classroom(args) => commands::classroom::run(&args),
        Command::Kit(args) => commands::kit::run(&args),
        Command::Events(args) => commands::events::run(&args),
        Command::Exec(args) => commands::exec::run(&args),
        Command::Gpus(args) => commands::gpus::run(&args),
        Command::List(args) => commands::list::run(&args),
        Command::Setup(args) => commands::setup::run(&args),
        Command::Doctor(args) => commands::doctor::run(&args),
        Command::New(args) => commands::new::run(&args),
        Command::Scale(args) => commands::scale::run(&args),
        Command::Ranks => scaling::worker::serve(),
        Command::Sanitized => sanitize::serve(),
        Command::Verdicts => watch::verdict::serve(),
        Command::Checks => learn::judge::serve(),
        Command::Grades => grade::child::serve(),
        Command::Compiles { limits } => toolchain::clang::serve(&limits).map_err(Into::into),
        Command::Fenced { fence, words } => processes::confine::program::serve(&fence, &words),
        Command::Worker => commands::worker::run(),
        Command::Completions { shell } => complete(shell),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_that_is_not_hidden_stands_in_a_group() {
        let shown = Cli::command();
        let shown = shown.get_subcommands().filter(|command| !command.is_hide_set());
        let mut names: Vec<&str> = shown.map(|command| command.get_name()).collect();
        let groups = TEMPLATE.lines().filter_map(|line| line.strip_prefix("  "));
        let mut listed: Vec<&str> =
            groups.filter_map(|line| line.split_whitespace().next()).collect();
        names.sort_unstable();
        listed.sort_unstable();
        assert_eq!(names, listed);
        assert!(names.len() <= 14, "{names:?}");
    }
}

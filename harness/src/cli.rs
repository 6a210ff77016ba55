//! The command line: what can be asked for, and what each command returns to the shell.

pub mod profile;
pub mod reports;
pub mod run;
pub mod scale;

use std::path::PathBuf;
use std::process::ExitCode;

use crate::commands;
use crate::ladders::LADDERS;
use crate::names::Usage;
use crate::output::{explain, say};
use clap::builder::styling::{AnsiColor, Styles};
use clap::{
    Arg, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};
use ladder::Ladder;
use ladder::problem::ProblemOption;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// At most 78 columns wide, so that a narrow terminal does not fold them.
const EXAMPLES: &str = "\
Examples:
  cargo run -p harness                   climb both ladders: kernels, then CPU
  cargo run -p harness -- run cpu        the CPU's ladder alone
  cargo run -p harness -- list           which ladders and steps there are
  cargo run -p harness -- run --help     everything that a run can do
  cargo run -p harness -- run --steps 05,06
                                         only steps 05 and 06
  cargo run -p harness -- explain 06     why step 06 is faster than 05, or not
  cargo run -p harness -- sweep --help   rates at many sizes, or block sizes
  cargo run -p harness -- scale --help   several GPUs, strong and weak scaling
  cargo run -p harness -- events --help  what a kernel of yours does
  cargo run -p harness -- doctor         what this machine has and lacks

Exit codes: 0 every step was measured, simulated or skipped;
            1 a step was wrong or failed, or nothing could run; 2 usage";

const LIST_HELP: &str = "\
Any name in the first two columns can be given to `run --steps`: 05, rsqrt or
the folder's name 05-rsqrt.";

const DOCTOR_HELP: &str = "\
It looks for the NVIDIA driver and its GPUs, for NVRTC (the compiler for
edited kernels), for what the processor has, for a C compiler, and for the
kernels. LADDER_NVRTC=FILE or FOLDER names an NVRTC that is to be tried first,
LADDER_CC=FILE the C compiler.
What is missing is no error: the exit code is 0.";

const PTX_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness ptx --write                    after an edit of kernels/nbody/*.cu
  harness ptx --write --steps 06         only that step's
  harness ptx --check                    as .ci/run does

The bytes must be the same on every machine, so only one version of NVRTC
may make them; where it is missing, the error has the command that gets it.";

const SASS_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness sass --write                   after an edit of kernels/nbody/*.cu
  harness sass --write --steps 06        only that step's
  harness sass --check                   as .ci/run does

The files say what ptxas makes of each kernel for ten years of GPUs: registers,
spills and machine instructions. One version of NVRTC and one of nvdisasm may
make them; where one is missing, the error has the command that gets it.
LADDER_NVRTC and LADDER_NVDISASM name those that are to be tried first.";

const VALIDATE_HELP: &str = "\
Every measured step is simulated at its own number of bodies, on the blocks of
one multiprocessor, and modelled; what counts are the ratios between steps.
Beside it stand the counters of the chip's profiler (reports/h200-counters)
and the ratios that the tutorial published for its three GPUs.
It takes about a minute on two cores.";

const SPLICE_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness splice README.md               draw its tables anew
  harness splice --check README.md       as .ci/run does";

/// A ladder of CUDA kernels, and one of code for the CPU, from the slowest to the fastest: every step
/// is verified, timed and explained on your own machine, with a GPU or without one.
///
/// Without a command it climbs the n-body ladder on the best device here, then the CPU's.
#[derive(Debug, Parser)]
#[command(name = "harness", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
pub struct Cli {
    /// What to do; nothing means `run`.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands, one file each in `commands/`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the steps of a ladder: verify them, time them, draw them
    #[command(after_help = run::RUN_EXAMPLES)]
    Run(Box<run::RunArgs>),
    /// Run steps at many sizes, or with blocks of many sizes, and draw their rates
    #[command(after_help = run::SWEEP_EXAMPLES)]
    Sweep(Box<run::SweepArgs>),
    /// Run steps on 1, 2, 4, 8 GPUs, and draw how their speed grows
    #[command(after_help = scale::SCALE_EXAMPLES)]
    Scale(Box<scale::ScaleArgs>),
    /// Show the ladders, their steps and what each one changes
    #[command(after_help = LIST_HELP)]
    List,
    /// Show what is faster or slower in one report than in another
    #[command(after_help = reports::COMPARE_EXAMPLES)]
    Compare(reports::CompareArgs),
    /// Draw a report anew as pictures and a page, over other machines' too, or print it
    #[command(after_help = reports::REPORT_EXAMPLES)]
    Report(reports::ReportArgs),
    /// Explain why a step is faster or slower than the one it comes from
    #[command(after_help = profile::EXPLAIN_EXAMPLES)]
    Explain(Box<profile::ExplainArgs>),
    /// Run any kernel on the simulator and show what it did, line by line, and its hazards
    #[command(after_help = profile::EVENTS_EXAMPLES)]
    Events(Box<profile::EventsArgs>),
    /// Show the GPUs that the time model knows, or every number of one with its source
    #[command(after_help = profile::GPUS_EXAMPLES)]
    Gpus(profile::GpusArgs),
    /// Hold the time model and the simulator's counts against what was measured
    #[command(after_help = VALIDATE_HELP)]
    Validate(ValidateArgs),
    /// Show what this machine has, what is missing, and how to get it
    #[command(after_help = DOCTOR_HELP)]
    Doctor,
    /// Make the committed PTX from the CUDA sources, or check that it still matches them
    #[command(after_help = PTX_EXAMPLES)]
    Ptx(MadeArgs),
    /// Make the committed machine code (SASS) of the kernels, or check that it still matches them
    #[command(after_help = SASS_EXAMPLES)]
    Sass(MadeArgs),
    /// Print the JSON schema of report.json, or of scaling.json
    #[command(after_help = reports::SCHEMA_HELP)]
    Schema(reports::SchemaArgs),
    /// Bring the tables in Markdown files up to date with the committed reports
    #[command(after_help = SPLICE_EXAMPLES)]
    Splice(SpliceArgs),
    /// Climb the steps of a request read from standard input (started by `run`)
    #[command(hide = true)]
    Worker,
    /// Run a step on some GPUs, as a request from standard input says (started by `scale`)
    #[command(hide = true)]
    Ranks,
}

/// What `run`, `events` and `explain` print on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Tables to read
    Table,
    /// The same as data, and nothing else
    Json,
}

/// Whether `ptx` or `sass` writes or only looks.
#[derive(Debug, Args)]
pub struct MadeArgs {
    /// What to do with the files
    #[command(flatten)]
    pub action: MadeAction,
    /// Steps whose files are meant [default: all]
    #[arg(long, value_name = "LIST")]
    pub steps: Option<String>,
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
}

/// One of the two must be asked for.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct MadeAction {
    /// Write the files anew
    #[arg(long)]
    pub write: bool,
    /// Write nothing; exit with 1 if a file would change
    #[arg(long)]
    pub check: bool,
}

/// What the model is held against.
#[derive(Debug, Args)]
pub struct ValidateArgs {
    /// The ladder whose steps are meant
    #[arg(default_value = "nbody")]
    pub ladder: String,
    /// Folder of a measured report
    #[arg(long, value_name = "DIR", default_value = "reports/h200")]
    pub report: PathBuf,
    /// The GPU that is modelled: a name of `harness gpus`, `cuda:N` (GPU
    /// number N of this machine), or a TOML file
    #[arg(long, value_name = "GPU", default_value = "h200")]
    pub gpu: String,
    /// Folder for model.json and its plot
    #[arg(long, value_name = "DIR", default_value = "reports/h200-model")]
    pub out: PathBuf,
    /// Write nothing; exit with 1 if model.json would change
    #[arg(long)]
    pub check: bool,
}

/// Which files hold tables, and whether to write them.
#[derive(Debug, Args)]
pub struct SpliceArgs {
    /// Markdown files with tables between `<!-- report: reports/h200 table -->` and `<!-- end -->`; beside
    /// `table` there are `limits`, `sizes`, and `sizes STEP`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing; exit with 1 if a table differs from its report
    #[arg(long)]
    pub check: bool,
}

/// The command that was typed; `run` where there is none.
fn parse() -> Option<Command> {
    let program = problem_options().into_iter().fold(Cli::command(), |program, option| {
        program.mut_subcommand("run", |run| run.arg(option))
    });
    let matches = program.get_matches();
    let mut cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    if let (Some(Command::Run(args)), Some(given)) =
        (&mut cli.command, matches.subcommand_matches("run"))
    {
        for option in problem_options() {
            let id = option.get_id().as_str();
            if let Some(value) = given.get_one::<String>(id) {
                args.problem.insert(id.to_owned(), value.clone());
            }
        }
    }
    cli.command.or_else(|| Cli::parse_from(["harness", "run"]).command)
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
        let has = |ladder: &&&dyn Ladder| {
            ladder.options().iter().any(|other| other.name == option.name)
        };
        let ladders: Vec<&str> = LADDERS.iter().filter(has).map(|it| it.name()).collect();
        let help = format!("{} [of the ladders {}]", option.help, ladders.join(", "));
        Arg::new(option.name)
            .long(option.name)
            .value_name(option.value)
            .help(help)
            .allow_hyphen_values(true)
            .help_heading("Options of a ladder's problem")
    };
    known.iter().map(of).collect()
}

/// Runs the program: reads its arguments, does what they ask and says how it went.
pub fn main() -> ExitCode {
    let command = parse();
    let done = match command {
        None => Ok(ExitCode::SUCCESS),
        Some(Command::Run(args)) => commands::run::run(&args),
        Some(Command::Report(args)) => commands::report::run(&args),
        Some(Command::Compare(args)) => commands::compare::run(&args),
        Some(Command::Sweep(args)) => commands::sweep::run(&args),
        Some(Command::Explain(args)) => commands::explain::run(&args),
        Some(Command::Events(args)) => commands::events::run(&args),
        Some(Command::Gpus(args)) => commands::gpus::run(&args),
        Some(Command::Validate(args)) => commands::validate::run(&args),
        Some(Command::List) => commands::list::run(),
        Some(Command::Doctor) => commands::doctor::run(),
        Some(Command::Ptx(args)) => commands::ptx::run(&args),
        Some(Command::Sass(args)) => commands::sass::run(&args),
        Some(Command::Schema(args)) => commands::schema::run(&args),
        Some(Command::Splice(args)) => commands::splice::run(&args),
        Some(Command::Scale(args)) => commands::scale::run(&args),
        Some(Command::Ranks) => commands::scale::ranks(),
        Some(Command::Worker) => commands::worker::run(),
    };
    done.unwrap_or_else(|error| {
        let red = AnsiColor::Red.on_default().bold();
        say(&format!("{red}error:{red:#} {}", explain(&error)));
        ExitCode::from(if error.is::<Usage>() { 2 } else { 1 })
    })
}

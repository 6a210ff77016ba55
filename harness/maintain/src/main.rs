//! The program `cargo run -p maintain`: what only those need who change kernels, reports, the time model or verification.
//!
//! [`commands`] has one file for each command. [`validation`] compares the time model with measurements, [`mutation`] tests
//! verification with mutants of kernels, [`recount`] counts the limits of a report again. Names of steps, output and errors
//! are those of the reader's program, the library [`harness`].

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use harness::program::{self, Common, STYLES};

mod commands;
mod mutation;
mod recount;
mod validation;

/// At most 78 columns wide, so that a narrow terminal does not fold them.
const EXAMPLES: &str = "\
When to run what (`maintain` is short for `cargo run -p maintain --`):
  a kernel changed                 maintain ptx --write
                                   maintain sass --write
  a report changed                 maintain splice README.md
  the report's types changed       maintain schema > reports/report.schema.json
  the simulator counts better      maintain recount reports/h200/scan
  the time model changed           maintain validate
                                   maintain validate --ladders
  verification changed             maintain mutate nbody 06
  clang's headers changed          maintain compilers nbody

`maintain COMMAND --help` has more examples. CONTRIBUTING.md and .ci/run say
which of these a change must pass.

Exit codes: 0 all is well; 1 something differs, or an error; 2 usage";

/// Updates and checks the committed files that come from sources, and tests verification and the time model.
#[derive(Debug, Parser)]
#[command(name = "maintain", version, styles = STYLES, after_help = EXAMPLES, max_term_width = 100)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// The commands, one file each in `commands/`.
#[derive(Debug, Subcommand)]
enum Command {
    /// Compile the committed PTX from the CUDA sources, or check that it matches them
    #[command(after_help = commands::ptx::PTX_EXAMPLES)]
    Ptx(commands::made::MadeArgs),
    /// Compile the committed machine code (SASS) of the kernels, or check that it matches them
    #[command(after_help = commands::sass::SASS_EXAMPLES)]
    Sass(commands::sass::SassArgs),
    /// Update generated tables in Markdown files
    #[command(after_help = commands::splice::SPLICE_EXAMPLES)]
    Splice(commands::splice::SpliceArgs),
    /// Count again what limits the steps of a report; its times stay
    #[command(after_help = commands::recount::RECOUNT_EXAMPLES)]
    Recount(commands::recount::RecountArgs),
    /// Compare what NVRTC and clang make of the steps of a ladder
    #[command(after_help = commands::compilers::COMPILERS_HELP)]
    Compilers(commands::compilers::CompilersArgs),
    /// Validate the time model and the simulator's counts against measurements
    #[command(after_help = commands::validate::VALIDATE_HELP)]
    Validate(commands::validate::ValidateArgs),
    /// Mutation-test the verification of the steps
    #[command(after_help = commands::mutate::MUTATE_EXAMPLES)]
    Mutate(commands::mutate::MutateArgs),
    /// Print the JSON schema of report.json or scaling.json
    #[command(after_help = commands::schema::SCHEMA_HELP)]
    Schema(commands::schema::SchemaArgs),
    /// Verify mutants read from standard input (started by `mutate`)
    #[command(hide = true, name = "serve-mutants")]
    Mutants,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    program::begin(cli.common);
    program::end(match cli.command {
        Command::Ptx(args) => commands::ptx::run(&args),
        Command::Sass(args) => commands::sass::run(&args),
        Command::Splice(args) => commands::splice::run(&args),
        Command::Compilers(args) => commands::compilers::run(&args),
        Command::Recount(args) => commands::recount::run(&args),
        Command::Validate(args) => commands::validate::run(&args),
        Command::Mutate(args) => commands::mutate::run(&args),
        Command::Schema(args) => commands::schema::run(&args),
        Command::Mutants => mutation::trial::serve(),
    })
}

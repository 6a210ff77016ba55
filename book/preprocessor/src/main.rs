//! The book: `cargo run -p book` builds it, `cargo run -p book -- check` only says whether it is whole.
//!
//! A page is Markdown. What must not be typed by hand stands in it as a directive, `{{#ladder …}}`:
//! differences between kernels, tables and plots of committed reports, what the simulator counts of a
//! kernel and what it finds wrong in one ([`directive`] lists them).
//! The way of a page: [`directive`] finds them → [`expand`] draws them from `kernels/`, the steps,
//! `reports/` and runs of the simulator → mdBook renders the page → [`links`] follows every link of what was rendered.

mod ablation;
mod accuracy;
mod against;
mod build;
mod chapters;
mod command;
mod compare;
mod compiler;
mod compilers;
mod constant;
mod counts;
mod difference;
mod directive;
mod events;
mod exercises;
mod expand;
mod few_bodies;
mod figures;
mod form;
mod header;
mod host;
mod html;
mod includes;
mod interactive;
mod kept;
mod language;
mod library;
mod limits;
mod links;
mod listing;
mod machine;
mod measured;
mod mine;
mod modelled;
mod notes;
mod pages;
mod patterns;
mod playground;
mod predict;
mod print;
mod problem;
mod prose;
mod published;
mod quiz;
mod report;
mod rust;
mod search;
mod sides;
mod slides;
mod source;
mod steps;
mod timeline;
mod tradeoff;
mod unbuilt;
mod unmodelled;
mod validation;
mod wasm;
mod without;
mod yardstick;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Build the book into book/build.
#[derive(Parser)]
#[command(name = "book")]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Draw your own runs, those in reports/local, below the book's
    #[arg(long, global = true)]
    mine: bool,
    /// In another language, into book/build/LANGUAGE; book/po/LANGUAGE.po has the translations
    #[arg(long, value_name = "LANGUAGE", global = true)]
    language: Option<String>,
}

#[derive(Subcommand)]
enum Command {
    /// Build the book into book/build (the default)
    Build,
    /// Build the book into a temporary folder and say what dangles in it
    Check,
    /// Fetch the playground's compiler, for readers whose network does not lead to it
    Compiler,
    /// Write the texts that can be translated into target/book/messages.pot
    Messages,
    /// Build the book, and slides to print from some of its pages
    Slides {
        /// Pages as the contents name them: nbody/06-shared-blocking
        #[arg(required = true, value_name = "PAGE")]
        pages: Vec<String>,
    },
}

fn main() -> ExitCode {
    let Arguments { command, mine, language } = Arguments::parse();
    let language = language.as_deref();
    let done = match command.unwrap_or(Command::Build) {
        Command::Build => build::build(mine, language),
        Command::Check => build::check(mine, language),
        Command::Compiler => compiler::fetch(),
        Command::Messages => build::messages(),
        Command::Slides { pages } => build::slides(&pages, mine),
    };
    match done {
        Ok(message) => {
            println!("{message}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

//! What the program prints: a command as a reader types it, run while the book is built, and its output.

use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Parser;
use harness::cli::{Cli, Command};
use harness::commands::events::{self, EventsArgs};
use harness::commands::gpus;
use launches::events::text;
use ui::output;

use crate::html::escape;

/// Columns of the output: what a page has room for.
const WIDTH: usize = 104;

/// How much of its output is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// Of `events`: the table of source lines.
    Lines,
    /// Of `events`: the hazards, or why the launch was stopped.
    Hazards,
}

/// `harness WORDS…` and what it prints, of files below `root`.
pub fn html(root: &Path, words: &str, part: Part) -> Result<String> {
    // A word with quotes around it has no blanks in it: a shell takes the quotes away.
    let plain = words.split_whitespace().map(|word| word.trim_matches('\''));
    let arguments = std::iter::once("harness").chain(plain);
    let Cli { command, .. } = Cli::try_parse_from(arguments).map_err(|error| {
        anyhow::anyhow!("`harness {words}`: {}", output::plain(&error.to_string()))
    })?;
    let said = match command {
        Some(Command::Events(args)) => of_events(root, *args, part)?,
        Some(Command::Gpus(args)) if part == Part::Whole => gpus::text(&args, WIDTH)?,
        _ => bail!("`harness {words}`: the book runs `events` and `gpus` only"),
    };
    let shown = output::plain(&said);
    let class = if part == Part::Hazards { "command message" } else { "command" };
    Ok(figure(class, &format!("$ harness {words}"), shown.trim_matches('\n')))
}

fn of_events(root: &Path, mut args: EventsArgs, part: Part) -> Result<String> {
    args.file = root.join(&args.file);
    // The reader types the path from the root on.
    let typed = |text: String| text.replace(&format!("{}/", root.display()), "");
    let outcome = match (events::outcome(&args), part) {
        (Ok(mut outcome), _) => {
            for line in &mut outcome.facts.lines {
                line.file = typed(std::mem::take(&mut line.file));
            }
            outcome
        }
        // That a launch is stopped can be what a page is about.
        (Err(error), Part::Hazards) => {
            return Ok(typed(format!("error: {}", output::explain(&error))));
        }
        (Err(error), _) => return Err(error),
    };
    let hazards = &outcome.facts.hazards;
    let text = || output::plain(&text::text(&outcome, WIDTH));
    Ok(typed(match part {
        Part::Whole => text(),
        Part::Lines => {
            let text = text();
            let table = text.split("\nSummary\n").next().unwrap_or_default();
            // The first line says how it was launched: so does the command.
            table.split_once("\n\n").map_or(table, |(_, table)| table).to_owned()
        }
        Part::Hazards if hazards.is_empty() => "no hazards".to_owned(),
        // Not wrapped: the page does that, whatever its width.
        Part::Hazards => {
            let lines = hazards.iter().map(|message| format!("hazard: {message}"));
            lines.collect::<Vec<_>>().join("\n")
        }
    }))
}

/// A function of a CUDA source, from its first line to the one that closes it.
pub fn kernel(root: &Path, file: &str, name: &str) -> Result<String> {
    let text =
        std::fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
    let begin = format!(" {name}(");
    let lines: Vec<&str> = text.lines().collect();
    let Some(mut first) = lines.iter().position(|line| line.contains(&begin) && is_function(line))
    else {
        bail!("{file} has no function `{name}`");
    };
    if first > 0 && lines[first - 1].starts_with("template") {
        first -= 1;
    }
    let mut depth = 0;
    let mut out = Vec::new();
    for line in &lines[first..] {
        out.push(*line);
        depth += line.matches('{').count() as i64 - line.matches('}').count() as i64;
        if depth == 0 && line.contains('}') {
            break;
        }
    }
    // Rust without a button that would run it elsewhere.
    let language = if file.ends_with(".rs") { "rust,noplayground" } else { "cpp" };
    Ok(format!("```{language}\n{}\n```", out.join("\n")))
}

/// Whether a line of CUDA or Rust begins a function.
fn is_function(line: &str) -> bool {
    line.contains("void ") || line.starts_with("fn ")
}

/// A command over its output. It begins with `<pre`: so Markdown does not end the block at an empty line.
fn figure(class: &str, command: &str, text: &str) -> String {
    // No line ends within a word, as it might at the hyphens of an option.
    let words = command.split(' ').map(|word| format!("<span>{}</span>", escape(word)));
    let words = words.collect::<Vec<_>>().join(" ");
    format!("<pre class=\"{class}\" tabindex=\"0\"><b>{words}</b>\n{}\n</pre>", escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn root() -> std::path::PathBuf {
        ladder::workspace::root().expect("the workspace")
    }

    const RACE: &str = "events harness/simulator/simt/tests/kernels/racy.ptx --entry this_tile --grid 1 --block 128 \
                        --arg i32[1024]=zero --arg i32[1024]=iota --arg i32=256";

    #[test]
    fn hazards_are_those_of_a_run() {
        let html = html(&root(), RACE, Part::Hazards).unwrap();
        assert!(html.contains("<b><span>$</span> <span>harness</span> <span>events</span>"));
        assert!(
            html.contains("hazard: race: write and read")
                && html.contains("to do: put __syncthreads()"),
            "{html}"
        );
        assert!(!html.contains("Summary") && !html.contains('\u{1b}'), "{html}");
        assert!(html.starts_with("<pre ") && html.ends_with("</pre>"), "{html}");
    }

    #[test]
    fn lines_carry_the_source_of_the_ptx() {
        let html = html(&root(), RACE, Part::Lines).unwrap();
        assert!(html.contains("  sum += tile[j];"), "{html}");
        assert!(!html.contains("Summary"), "{html}");
    }

    #[test]
    fn what_cannot_be_run_is_said() {
        for (words, said) in [
            ("run", "`events` and `gpus` only"),
            ("events", "--grid"),
            ("gpus nonesuch", "nonesuch"),
            ("events gone.ptx --grid 1 --block 1", "gone.ptx"),
        ] {
            let message = format!("{:#}", html(&root(), words, Part::Whole).unwrap_err());
            assert!(message.contains(said), "{words}: {message}");
        }
    }

    #[test]
    fn a_kernel_is_cut_out_whole() {
        let file = "harness/simulator/simt/tests/kernels/racy.cu";
        let text = kernel(&root(), file, "this_tile").unwrap();
        assert!(text.starts_with("```cpp\nextern \"C\" __global__ void this_tile("), "{text}");
        assert!(text.ends_with("    out[tid] = sum;\n}\n```"), "{text}");
        assert_eq!(text.matches("__global__").count(), 1, "{text}");
        assert!(kernel(&root(), file, "this").is_err());
        let file = "harness/core/device/tests/patterns/patterns.cu";
        let one = kernel(&root(), file, "copy").unwrap();
        assert_eq!(one.lines().count(), 3, "{one}");
        let template = kernel(&root(), file, "transpose").unwrap();
        assert!(template.starts_with("```cpp\ntemplate <int WIDTH>\n"), "{template}");
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the directives of a page and reads them.
//!
//! | directive | becomes |
//! |---|---|
//! | `{{#ladder steps nbody}}` | the ladder's steps with links to their pages |
//! | `{{#ladder diff 05-rsqrt}}` | the difference between the step's kernels (or functions in Rust) and its parent's |
//! | `{{#ladder host 05-rsqrt}}` | what changes on the host |
//! | `{{#ladder source 05-rsqrt}}` | the step's kernels, whole, or its program in Rust or C |
//! | `{{#ladder published 05-rsqrt}}` | what the tutorial published for the step |
//! | `{{#ladder row h200 05-rsqrt}}` | the step and its parent in `reports/h200/report.json` |
//! | `{{#ladder table h200}}` | all rows of that report |
//! | `{{#ladder plot h200}}` | the plot of that report |
//! | `{{#ladder plot h200-sizes sizes}}` | another of its pictures: bounds, roofline, accuracy, sizes, blocks, tuning, spread |
//! | `{{#ladder sizes h200-sizes}}` | the rates of all steps of a report at all its sizes |
//! | `{{#ladder sizes h200-sizes 05-rsqrt}}` | a step at each of its sizes, against its parent |
//! | `{{#ladder time-steps h200-launches}}` | how long whole time steps of all its steps take at all its sizes |
//! | `{{#ladder compare h200-n4096 simt-h200-n4096}}` | a measured report beside a modelled one |
//! | `{{#ladder events 05-rsqrt}}` | what the simulator counts of the step and of its parent |
//! | `{{#ladder timeline 05-rsqrt}}` | what the first warps of the step and of its parent do |
//! | `{{#ladder machine nbody}}` | the ladder's instructions in PTX and in machine code, by kind |
//! | `{{#ladder registers nbody}}` | registers of its kernels for every architecture |
//! | `{{#ladder kernel FILE NAME}}` | one function of a CUDA source |
//! | `{{#ladder harness gpus h200}}` | a command and what it prints: `events` or `gpus` |
//! | `{{#ladder lines FILE.ptx --kernel …}}` | the same of `events`: only the source lines |
//! | `{{#ladder hazards FILE.ptx --kernel …}}` | the same of `events`: only the hazards |
//! | `{{#ladder patterns global copy stride_2}}` | access patterns, counted here and on an H200 |
//! | `{{#ladder limits h200}}` | how near each step of a report comes to what the chip could do |
//! | `{{#ladder accuracy h200}}` | speed and error of a report's steps with the same number of bodies: picture and table |
//! | `{{#ladder against h200}}` | that report against `reports/h200/cpu/report.json`: how many times a CPU's speed |
//! | `{{#ladder accounting h200 nbody/05-rsqrt}}` | what an interaction of a step costs on a GPU |
//! | `{{#ladder blocks h200-blocks}}` | which rules for block sizes held in a report's sweep |
//! | `{{#ladder tuning h200-tuning}}` | the variants of steps in a report's sweep, the best marked |
//! | `{{#ladder model ratios}}` | a part of the model's validation: plot, summary or one of its tables |
//!
//! Steps on the CPU have no kernels: of them there are steps, diff, host, source, row, table, plot and sizes.
//!
//! A step is named by its folder, as `05-rsqrt` in pages of `src/nbody/` and as `nbody/05-rsqrt` anywhere.

use std::ops::Range;

use crate::command::Part;

/// A `{{#name arguments}}` as it stands in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence<'a> {
    /// Its line, from 1.
    pub line: usize,
    /// Its bytes in the page.
    pub range: Range<usize>,
    /// The word after `#`.
    pub name: &'a str,
    /// What follows the name.
    pub arguments: &'a str,
    /// Whether its line holds nothing else.
    pub alone: bool,
}

/// A directive of this book, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Directive {
    /// The steps of a ladder.
    Steps { ladder: String },
    /// A step's kernels against its parent's.
    Difference { step: String },
    /// What a step changes on the host.
    Host { step: String },
    /// A step's kernels.
    Source { step: String },
    /// What the tutorial published for a step.
    Published { step: String },
    /// A step and its parent in a report.
    Row { machine: String, step: String },
    /// A report's rows.
    Table { machine: String },
    /// One of a report's pictures, by the name of its file.
    Plot { machine: String, stem: String },
    /// A report's rates at all its sizes, or a step at each of them.
    Sizes { machine: String, step: Option<String> },
    /// A report's whole time steps at all its sizes.
    TimeSteps { machine: String },
    /// A measured report beside a modelled one.
    Compare { measured: String, modelled: String },
    /// What the simulator counts of a step and of its parent.
    Events { step: String },
    /// What the first warps of a step and of its parent do.
    Timeline { step: String },
    /// A ladder's instructions in PTX and in machine code.
    Machine { ladder: String },
    /// Registers of a ladder's kernels.
    Registers { ladder: String },
    /// One function of a CUDA source.
    Kernel { file: String, name: String },
    /// A command and what it prints.
    Command { words: String, part: Part },
    /// Access patterns, counted twice.
    Patterns { memory: String, kernels: Vec<String> },
    /// How near the steps of a report come to what the chip could do.
    Limits { machine: String },
    /// Speed and error of a report's steps.
    Accuracy { machine: String },
    /// The steps of a report against those of a CPU.
    Against { machine: String },
    /// What an interaction of a step costs on a GPU.
    Accounting { gpu: String, step: String },
    /// Which rules for block sizes held in a report's sweep.
    Blocks { machine: String },
    /// The variants in a report's sweep.
    Tuning { machine: String },
    /// A part of the model's validation.
    Model { part: String },
}

/// The picture that every report has.
const LADDER: &str = "ladder";

const SHAPES: &str = "steps LADDER, diff STEP, host STEP, source STEP, published STEP, row MACHINE STEP, \
    table MACHINE, plot MACHINE PICTURE, sizes MACHINE STEP, time-steps MACHINE, compare MEASURED MODELLED, events STEP, timeline STEP, \
    machine LADDER, registers LADDER, kernel FILE NAME, harness COMMAND, \
    lines FILE OPTIONS, hazards FILE OPTIONS, patterns MEMORY KERNELS, limits MACHINE, \
    accuracy MACHINE, against MACHINE, accounting GPU STEP, blocks MACHINE, tuning MACHINE, model PART";

/// Everything in `text` that looks like a directive, ours and mdBook's; `\{{#…` is text.
/// An opening without an end is an error at its line.
pub fn find(text: &str) -> Vec<Result<Occurrence<'_>, (usize, String)>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = next_opening(text, from) {
        let line = text[..start].matches('\n').count() + 1;
        let inside = start + 2;
        let rest = &text[inside..];
        let end_of_line = rest.find('\n').unwrap_or(rest.len());
        let Some(length) = rest[..end_of_line].find("}}") else {
            found.push(Err((
                line,
                "a directive is opened by `{{#` and not closed by `}}` on its line".to_owned(),
            )));
            from = inside + end_of_line;
            continue;
        };
        let end = inside + length + 2;
        let body = rest[..length].trim().trim_start_matches('#').trim();
        let (name, arguments) = body.split_once(char::is_whitespace).unwrap_or((body, ""));
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let after = &rest[length + 2..];
        let after = &after[..after.find('\n').unwrap_or(after.len())];
        let alone = text[line_start..start].trim().is_empty() && after.trim().is_empty();
        found.push(Ok(Occurrence {
            line,
            range: start..end,
            name,
            arguments: arguments.trim(),
            alone,
        }));
        from = end;
    }
    found
}

/// The next `{{` that is followed by `#` (mdBook allows blanks between) and not escaped.
fn next_opening(text: &str, mut from: usize) -> Option<usize> {
    loop {
        let start = from + text[from..].find("{{")?;
        let directive = text[start + 2..].trim_start_matches([' ', '\t']).starts_with('#');
        if directive && !text[..start].ends_with('\\') {
            return Some(start);
        }
        from = start + 2;
    }
}

impl Directive {
    /// Reads the arguments of a `{{#ladder …}}`.
    pub fn parse(arguments: &str) -> Result<Directive, String> {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let own = |word: &&str| (*word).to_owned();
        match words.as_slice() {
            ["steps", ladder] => Ok(Directive::Steps { ladder: own(ladder) }),
            ["diff", step] => Ok(Directive::Difference { step: own(step) }),
            ["host", step] => Ok(Directive::Host { step: own(step) }),
            ["source", step] => Ok(Directive::Source { step: own(step) }),
            ["published", step] => Ok(Directive::Published { step: own(step) }),
            ["row", machine, step] => Ok(Directive::Row { machine: own(machine), step: own(step) }),
            ["table", machine] => Ok(Directive::Table { machine: own(machine) }),
            ["plot", machine] => {
                Ok(Directive::Plot { machine: own(machine), stem: LADDER.to_owned() })
            }
            ["plot", machine, stem] => {
                Ok(Directive::Plot { machine: own(machine), stem: own(stem) })
            }
            ["sizes", machine] => Ok(Directive::Sizes { machine: own(machine), step: None }),
            ["sizes", machine, step] => {
                Ok(Directive::Sizes { machine: own(machine), step: Some(own(step)) })
            }
            ["time-steps", machine] => Ok(Directive::TimeSteps { machine: own(machine) }),
            ["compare", measured, modelled] => {
                Ok(Directive::Compare { measured: own(measured), modelled: own(modelled) })
            }
            ["events", step] => Ok(Directive::Events { step: own(step) }),
            ["timeline", step] => Ok(Directive::Timeline { step: own(step) }),
            ["machine", ladder] => Ok(Directive::Machine { ladder: own(ladder) }),
            ["registers", ladder] => Ok(Directive::Registers { ladder: own(ladder) }),
            ["kernel", file, name] => Ok(Directive::Kernel { file: own(file), name: own(name) }),
            ["harness", words @ ..] if !words.is_empty() => {
                Ok(Directive::Command { words: words.join(" "), part: Part::Whole })
            }
            [part @ ("lines" | "hazards"), words @ ..] if !words.is_empty() => {
                let part = if *part == "lines" { Part::Lines } else { Part::Hazards };
                Ok(Directive::Command { words: format!("events {}", words.join(" ")), part })
            }
            ["patterns", memory, kernels @ ..] if !kernels.is_empty() => {
                let kernels = kernels.iter().map(own).collect();
                Ok(Directive::Patterns { memory: own(memory), kernels })
            }
            ["limits", machine] => Ok(Directive::Limits { machine: own(machine) }),
            ["accuracy", machine] => Ok(Directive::Accuracy { machine: own(machine) }),
            ["against", machine] => Ok(Directive::Against { machine: own(machine) }),
            ["accounting", gpu, step] => {
                Ok(Directive::Accounting { gpu: own(gpu), step: own(step) })
            }
            ["blocks", machine] => Ok(Directive::Blocks { machine: own(machine) }),
            ["tuning", machine] => Ok(Directive::Tuning { machine: own(machine) }),
            ["model", part] => Ok(Directive::Model { part: own(part) }),
            _ => {
                Err(format!("unknown directive `{{{{#ladder {arguments}}}}}`; there are: {SHAPES}"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_found_with_their_lines() {
        let text = "# Title\n\n{{#ladder diff 05-rsqrt}}\ntext {{ #include a.rs:x }} text\n\\{{#ladder nothing}}\n";
        let found: Vec<_> = find(text).into_iter().map(Result::unwrap).collect();
        assert_eq!(found.len(), 2);
        assert_eq!(
            (found[0].line, found[0].name, found[0].arguments, found[0].alone),
            (3, "ladder", "diff 05-rsqrt", true)
        );
        assert_eq!(&text[found[0].range.clone()], "{{#ladder diff 05-rsqrt}}");
        assert_eq!(
            (found[1].line, found[1].name, found[1].arguments, found[1].alone),
            (4, "include", "a.rs:x", false)
        );
    }

    #[test]
    fn an_unclosed_directive_is_an_error_at_its_line() {
        let found = find("a\n{{#ladder diff\n}}\n{{#ladder table h200}}");
        assert_eq!(found[0].as_ref().unwrap_err().0, 2);
        assert_eq!(found[1].as_ref().unwrap().line, 4);
    }

    #[test]
    fn every_shape_is_read() {
        let step = || "05-rsqrt".to_owned();
        let machine = || "h200".to_owned();
        assert_eq!(
            Directive::parse("steps nbody"),
            Ok(Directive::Steps { ladder: "nbody".to_owned() })
        );
        assert_eq!(Directive::parse("diff 05-rsqrt"), Ok(Directive::Difference { step: step() }));
        assert_eq!(Directive::parse("host 05-rsqrt"), Ok(Directive::Host { step: step() }));
        assert_eq!(Directive::parse("source 05-rsqrt"), Ok(Directive::Source { step: step() }));
        assert_eq!(
            Directive::parse("published 05-rsqrt"),
            Ok(Directive::Published { step: step() })
        );
        assert_eq!(
            Directive::parse(" row  h200 05-rsqrt"),
            Ok(Directive::Row { machine: machine(), step: step() })
        );
        assert_eq!(Directive::parse("table h200"), Ok(Directive::Table { machine: machine() }));
        for (arguments, stem) in [("plot h200", "ladder"), ("plot h200 spread", "spread")] {
            let stem = stem.to_owned();
            assert_eq!(
                Directive::parse(arguments),
                Ok(Directive::Plot { machine: machine(), stem })
            );
        }
        for (arguments, step) in [("sizes h200", None), ("sizes h200 05-rsqrt", Some(step()))] {
            let sizes = Directive::Sizes { machine: machine(), step };
            assert_eq!(Directive::parse(arguments), Ok(sizes));
        }
        assert_eq!(
            Directive::parse("compare h200 simt"),
            Ok(Directive::Compare { measured: machine(), modelled: "simt".to_owned() })
        );
        assert_eq!(Directive::parse("events 05-rsqrt"), Ok(Directive::Events { step: step() }));
        assert_eq!(Directive::parse("timeline 05-rsqrt"), Ok(Directive::Timeline { step: step() }));
        assert_eq!(
            Directive::parse("machine nbody"),
            Ok(Directive::Machine { ladder: "nbody".to_owned() })
        );
        assert_eq!(
            Directive::parse("registers nbody"),
            Ok(Directive::Registers { ladder: "nbody".to_owned() })
        );
        assert_eq!(
            Directive::parse("kernel a.cu k"),
            Ok(Directive::Kernel { file: "a.cu".to_owned(), name: "k".to_owned() })
        );
        assert_eq!(
            Directive::parse("harness gpus  h200"),
            Ok(Directive::Command { words: "gpus h200".to_owned(), part: Part::Whole })
        );
        assert_eq!(
            Directive::parse("lines a.ptx --grid 1"),
            Ok(Directive::Command { words: "events a.ptx --grid 1".to_owned(), part: Part::Lines })
        );
        assert_eq!(
            Directive::parse("hazards a.ptx"),
            Ok(Directive::Command { words: "events a.ptx".to_owned(), part: Part::Hazards })
        );
        assert_eq!(
            Directive::parse("patterns global a b"),
            Ok(Directive::Patterns {
                memory: "global".to_owned(),
                kernels: vec!["a".to_owned(), "b".to_owned()]
            })
        );
        assert_eq!(Directive::parse("limits h200"), Ok(Directive::Limits { machine: machine() }));
        assert_eq!(
            Directive::parse("accuracy h200"),
            Ok(Directive::Accuracy { machine: machine() })
        );
        assert_eq!(Directive::parse("against h200"), Ok(Directive::Against { machine: machine() }));
        assert_eq!(
            Directive::parse("accounting h200 05-rsqrt"),
            Ok(Directive::Accounting { gpu: machine(), step: step() })
        );
        assert_eq!(Directive::parse("blocks h200"), Ok(Directive::Blocks { machine: machine() }));
        assert_eq!(Directive::parse("tuning h200"), Ok(Directive::Tuning { machine: machine() }));
        assert_eq!(
            Directive::parse("model plot"),
            Ok(Directive::Model { part: "plot".to_owned() })
        );
    }

    #[test]
    fn unknown_words_and_wrong_counts_are_errors() {
        for arguments in [
            "",
            "dif 05-rsqrt",
            "diff",
            "diff 04 05",
            "row h200",
            "table",
            "plot h200 nbody 05",
            "sizes",
            "lines",
            "patterns global",
        ] {
            let message = Directive::parse(arguments).unwrap_err();
            assert!(
                message.contains(arguments) && message.contains("row MACHINE STEP"),
                "{message}"
            );
        }
    }
}

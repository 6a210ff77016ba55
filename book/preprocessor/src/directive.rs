// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds the directives of a page; [`crate::expand`] reads and draws them.
//!
//! | directive | becomes |
//! |---|---|
//! | `{{#ladder steps nbody}}` | the ladder's steps with links to their pages |
//! | `{{#ladder diff 05-rsqrt}}` | the difference between the step's kernels (or functions in Rust) and its parent's |
//! | `{{#ladder host 05-rsqrt}}` | what changes on the host |
//! | `{{#ladder source 05-rsqrt}}` | the step's kernels, whole, or its program in Rust or C |
//! | `{{#ladder published 05-rsqrt}}` | what the tutorial published for the step |
//! | `{{#ladder ablation barnes-hut MACHINES}}` | what is lost without each idea, published and in those reports |
//! | `{{#ladder predict h200/access 06x-bytes}}` | a question: the step's gain over its parent in that report, with three choices; at the size after it, if there is one |
//! | `{{#ladder value h200 05-rsqrt gain}}` | a number of it, within a sentence: gain, first, n, time, rate, error |
//! | `{{#ladder gpu h200 launch.interval}}` | a number of the model's description of a GPU, within a sentence |
//! | `{{#ladder without 06-shared-blocking TEXT}}` | what is found of the step without the barrier or fence on the line with TEXT |
//! | `{{#ladder row h200 05-rsqrt}}` | the step and its parent in `reports/h200/report.json` |
//! | `{{#ladder table h200}}` | all rows of that report |
//! | `{{#ladder table h200 01..10}}` | its rows from one number to another, without detours |
//! | `{{#ladder plot h200}}` | the plot of that report |
//! | `{{#ladder plot h200-sizes sizes}}` | another of its pictures: bounds, roofline, accuracy, sizes, blocks, tuning, spread |
//! | `{{#ladder sizes h200-sizes}}` | the rates of all steps of a report at all its sizes |
//! | `{{#ladder sizes h200-sizes 05-rsqrt}}` | a step at each of its sizes, against its parent |
//! | `{{#ladder time-steps h200-launches}}` | how long whole time steps of all its steps take at all its sizes |
//! | `{{#ladder modelled nbody 01..10 rtx-4090 h200}}` | steps of a ladder as the time model has them on several GPUs |
//! | `{{#ladder compare h200-n4096 simt-h200-n4096}}` | a measured report next to a modelled one |
//! | `{{#ladder events 05-rsqrt}}` | what the simulator counts of the step and of its parent |
//! | `{{#ladder counts h200/access 07-float2}}` | what a report holds of the simulator's counts of the step and of its parent |
//! | `{{#ladder timeline 05-rsqrt}}` | what the first warps of the step and of its parent do |
//! | `{{#ladder machine nbody}}` | the ladder's instructions in PTX and in machine code, by kind |
//! | `{{#ladder registers nbody}}` | registers of its kernels for every architecture |
//! | `{{#ladder kernel FILE NAME}}` | one function of a CUDA or Rust source |
//! | `{{#ladder harness gpus h200}}` | a command and what it prints: `events` or `gpus` |
//! | `{{#ladder lines FILE.ptx --kernel …}}` | the same of `events`: only the source lines |
//! | `{{#ladder hazards FILE.ptx --kernel …}}` | the same of `events`: only the hazards |
//! | `{{#ladder patterns global copy stride_2}}` | access patterns, counted here and on an H200 |
//! | `{{#ladder limits h200}}` | how near each step of a report comes to what the chip could do |
//! | `{{#ladder accuracy h200}}` | speed and error of a report's steps with the same number of bodies: picture and table |
//! | `{{#ladder tradeoff h200-theta/1m h200-pairs}}` | time against error of all reports below a folder, next to others: picture and table |
//! | `{{#ladder crossing h200-pairs h200-tree}}` | from which size on other reports' steps are faster than the first's: picture and table |
//! | `{{#ladder against h200}}` | that report against `reports/h200/cpu/report.json`: how many times a CPU's speed |
//! | `{{#ladder accounting h200 nbody/05-rsqrt}}` | what an interaction of a step costs on a GPU |
//! | `{{#ladder blocks h200-blocks}}` | which rules for block sizes held in a report's sweep |
//! | `{{#ladder tuning h200-tuning}}` | the variants of steps in a report's sweep, the best marked |
//! | `{{#ladder library LADDER}}` | what the vendor's library takes for the ladder's problem |
//! | `{{#ladder yardstick}}` | what is found of the test kernels with hazards, and what compute-sanitizer finds |
//! | `{{#ladder exercises}}` | all exercises with what each asks |
//! | `{{#ladder mistakes}}` | what students get wrong in each exercise, and what they read then |
//! | `{{#ladder answers}}` | the answers to all predictions, for an instructor |
//! | `{{#ladder quiz barrier}}` | a question of `book/quizzes/barrier.toml` with its choices |
//! | `{{#ladder figure memories}}` | a figure that explains: memories, octree, padding |
//! | `{{#ladder interactive stride}}` | a part in which the simulator runs in the page |
//! | `{{#ladder model ratios}}` | a part of the model's validation: plot, summary or one of its tables |
//!
//! Steps on the CPU have no kernels: of them there are steps, diff, host, source, row, table, plot and sizes.
//!
//! A step is named by its folder, as `05-rsqrt` in pages of `src/nbody/` and as `nbody/05-rsqrt` anywhere.

use std::ops::Range;

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

impl Occurrence<'_> {
    /// Whether it stands for words of a sentence and not for a block.
    pub fn is_inline(&self) -> bool {
        ["value ", "gpu "].iter().any(|name| self.arguments.starts_with(name))
    }
}

/// What there is, for whoever mistyped it.
pub const SHAPES: &str = "steps LADDER, diff STEP, host STEP, source STEP, published STEP, ablation LADDER MACHINES, times MACHINE, residency MACHINE, predict MACHINE STEP SIZE, \
    value MACHINE STEP WHAT, gpu GPU TABLE.KEY, without STEP TEXT, row MACHINE STEP, table MACHINE FIRST..LAST, plot MACHINE PICTURE, \
    sizes MACHINE STEP, time-steps MACHINE, modelled LADDER FIRST..LAST GPUS, compare MEASURED MODELLED, events STEP, counts MACHINE STEP, timeline STEP, \
    machine LADDER, registers LADDER, kernel FILE NAME, harness COMMAND, \
    lines FILE OPTIONS, hazards FILE OPTIONS, patterns MEMORY KERNELS, limits MACHINE, \
    accuracy MACHINE, tradeoff FOLDER MACHINES, crossing MACHINES, against MACHINE, accounting GPU STEP, blocks MACHINE, tuning MACHINE, library LADDER, yardstick, model PART, exercises, \
    mistakes, answers, quiz NAME, figure NAME, interactive PART";

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
}

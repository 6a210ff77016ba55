//! Finds the directives of a page; [`crate::expand`] reads and draws them.
//!
//! A step is named by its folder, as `05-rsqrt` in pages of `src/nbody/` and as `nbody/05-rsqrt` anywhere; a machine by its
//! folder in `reports/`. Steps on the CPU have no kernels: of them there are steps, diff, host, source, row, table, plot
//! and sizes.

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

/// What may follow `{{#ladder`, and what it becomes.
pub const DIRECTIVES: [(&str, &str); 51] = [
    ("steps LADDER", "the ladder's steps with links to their pages"),
    ("diff STEP", "the difference between the step's kernels, or Rust functions, and its parent's"),
    ("host STEP", "what changes on the host"),
    ("source STEP", "the step's kernels, whole, or its program in Rust or C"),
    ("published STEP", "what the tutorial published for the step"),
    ("ablation LADDER MACHINE…", "what is lost without each idea, published and in those reports"),
    ("times MACHINE", "the tutorial's times next to those of a report"),
    ("residency MACHINE", "resident blocks and what limits them, for each step of a report"),
    ("predict MACHINE STEP [N]", "a question with three choices: the step's gain, at size N"),
    ("value MACHINE STEP WHAT", "inline: gain, first, n, time, rate or error of a report"),
    ("gpu GPU TABLE.KEY", "inline: a number of the model's description of a GPU"),
    ("without STEP TEXT", "what is found without the barrier on the line with TEXT"),
    ("row MACHINE STEP", "the step and its parent in a report"),
    ("table MACHINE [FIRST..LAST]", "all rows of a report, or some without detours"),
    (
        "plot MACHINE [PICTURE]",
        "the ladder; bounds, roofline, accuracy, sizes, blocks, tuning, spread",
    ),
    ("sizes MACHINE [STEP]", "rates of all steps at all sizes, or of one against its parent"),
    ("time-steps MACHINE", "how long whole time steps take at all sizes"),
    ("modelled LADDER FIRST..LAST GPU…", "steps as the time model has them on several GPUs"),
    ("compare MACHINE MACHINE", "a measured report next to a modelled one"),
    ("events STEP", "what the simulator counts of the step and of its parent"),
    ("counts MACHINE STEP", "the simulator's counts of the step and of its parent in a report"),
    ("timeline STEP", "what the first warps of the step and of its parent do"),
    ("machine LADDER", "the ladder's instructions in PTX and in machine code, by kind"),
    ("registers LADDER", "registers of its kernels for every architecture"),
    ("kernel FILE NAME", "one function of a CUDA or Rust source"),
    ("harness COMMAND", "a command, `events` or `gpus`, and what it prints"),
    ("lines FILE OPTIONS", "the source lines that `events` prints"),
    ("hazards FILE OPTIONS", "the hazards that `events` prints"),
    ("patterns MEMORY KERNEL…", "access patterns, counted here and on an H200"),
    ("few-bodies", "what the profiler counted of n-body's forces with few bodies"),
    ("limits MACHINE", "how near each step of a report comes to what the chip could do"),
    ("accuracy MACHINE", "speed and error at the same number of bodies"),
    ("tradeoff FOLDER MACHINE…", "time against error of the reports below a folder, and others"),
    ("crossing MACHINE MACHINE…", "from which size others are faster than the first"),
    ("against MACHINE", "a report against that of the CPU in its folder `cpu`"),
    ("accounting GPU STEP", "what an interaction of a step costs on a GPU"),
    ("blocks MACHINE", "which rules for block sizes held in a report's sweep"),
    ("tuning MACHINE", "the variants of steps in a report's sweep, the best marked"),
    ("library LADDER", "what the vendor's library takes for the ladder's problem"),
    ("yardstick", "hazards that the simulator and compute-sanitizer find"),
    ("playground", "kernels and exercises that a reader edits and runs in the page"),
    ("exercises", "all exercises with what each asks"),
    ("mistakes", "what students get wrong in each exercise, and what they read then"),
    ("answers", "the answers to all predictions, for an instructor"),
    ("quiz NAME", "a question of `book/quizzes/NAME.toml` with its choices"),
    ("figure NAME", "a figure that explains: memories, octree, padding"),
    ("interactive PART", "a part in which the simulator runs in the page"),
    ("compilers LADDER", "what NVRTC and clang make of a ladder's steps, or of all `ladders`"),
    ("model PART", "the model's validation: plot, summary or one of its tables"),
    ("model unmodelled", "the steps that have no modelled time, and why"),
    ("model profiled STEP", "what the profiler and the simulator counted of an n-body step"),
];

/// All of them, a line each, for a message.
pub fn listing() -> String {
    DIRECTIVES.iter().map(|(form, becomes)| format!("\n  {form}: {becomes}")).collect()
}

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
    use std::collections::BTreeSet;
    use std::path::PathBuf;

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
    fn every_directive_of_the_book_is_listed_and_every_listed_one_is_used() {
        let known: BTreeSet<&str> =
            DIRECTIVES.iter().filter_map(|(form, _)| form.split(' ').next()).collect();
        let root = ladder::workspace::root().expect("the workspace");
        let mut used = BTreeSet::new();
        let entries = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten();
        let top = entries(root.join("book/src")).map(|entry| entry.path());
        let all = top.flat_map(|path| entries(path.clone()).map(|it| it.path()).chain([path]));
        for page in all.filter(|path| path.extension().is_some_and(|it| it == "md")) {
            let text = std::fs::read_to_string(page).expect("a page");
            let found = find(&text).into_iter().map(|it| it.expect("a directive"));
            let ours = found.filter(|it| it.name == "ladder");
            used.extend(ours.filter_map(|it| Some(it.arguments.split(' ').next()?.to_owned())));
        }
        assert_eq!(used.iter().map(String::as_str).collect::<BTreeSet<_>>(), known);
    }

    #[test]
    fn an_unclosed_directive_is_an_error_at_its_line() {
        let found = find("a\n{{#ladder diff\n}}\n{{#ladder table h200}}");
        assert_eq!(found[0].as_ref().unwrap_err().0, 2);
        assert_eq!(found[1].as_ref().unwrap().line, 4);
    }
}

//! Checks the prose of step pages: how long it is, and, of the first ladder, that no number in it was typed that a report
//! should have written.
//!
//! Code, directives, pictures, links' targets and formulas are no prose. Small whole numbers and powers of two are how a kernel
//! is built (lanes, blocks, tiles, bits) and may be typed; so may names that end in digits, such as L2. Any other number needs a
//! line in [`TYPED`] with its reason. [`crate::measured`] checks the pages of all other ladders and chapters.

use std::path::Path;

/// The most words before the folded parts of a page.
const MOST_WORDS: usize = 900;

/// Whole numbers up to this one count parts of a kernel.
const SMALL: u64 = 16;

/// Pages, numbers in their prose that no report can write, and why.
const TYPED: &[(&str, &str, &str)] = &[
    ("11x-async-copies", "8.0", "the compute capability that brought the instruction"),
    ("16-tensor-sums", "8.0", "the compute capability that brought the instruction"),
    ("17-tensor-distances", "20", "operations of an interaction, by the field's convention"),
    ("17-tensor-distances", "24", "instructions for eight pairs, counted in the source"),
];

/// What is wrong with a step's page that is too long.
pub fn length(text: &str) -> Option<String> {
    let words = words_before_folds(&prose(text));
    (words > MOST_WORDS)
        .then(|| format!("{words} words before the folded parts, and {MOST_WORDS} are the most"))
}

/// Numbers of a step's page that were typed: the line, and what to do. There are so many `exercises`.
pub fn numbers(page: &Path, text: &str, exercises: usize) -> Vec<(usize, String)> {
    let stem = page.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let prose = prose(text);
    let mut found = Vec::new();
    for (at, line) in prose.lines().enumerate() {
        // Exercises are named by their numbers.
        let is_exercise = |word: &str| {
            line.starts_with("Exercise")
                && word.parse::<usize>().is_ok_and(|number| (1..=exercises).contains(&number))
        };
        let typed = line.split(|c: char| c.is_whitespace() || "—–/*".contains(c));
        for word in typed.map(bare).filter(|word| needs_source(word) && !is_exercise(word)) {
            if !TYPED.iter().any(|(of, number, _)| (*of, *number) == (stem, word)) {
                let said = format!(
                    "`{word}` was typed: write it by {{{{#ladder value …}}}}, say it in words, or give a reason in prose.rs"
                );
                found.push((at + 1, said));
            }
        }
    }
    found
}

/// A word without what stands around it.
fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !(c.is_alphanumeric() || "%×−-".contains(c)))
}

/// Whether a word holds a number that something else should have written.
fn needs_source(word: &str) -> bool {
    if !word.contains(|c: char| c.is_ascii_digit()) {
        return false;
    }
    // L2, H200, sm_90, FP32, f64; and powers of two as such.
    let is_power = word.strip_prefix('2').is_some_and(|power| {
        power.starts_with(['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'])
    });
    if is_power || word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return false;
    }
    let number = word.strip_suffix("-byte").or(word.strip_suffix("nd")).unwrap_or(word);
    match number.parse::<u64>() {
        Ok(number) => number > SMALL && !number.is_power_of_two(),
        Err(_) => true,
    }
}

/// The text with all that is no prose blanked, line for line.
pub fn prose(text: &str) -> String {
    let mut out = text.to_owned();
    for (open, close) in [
        ("```", "```"),
        ("<math", "</math>"),
        ("<sup>", "</sup>"),
        ("{{#", "}}"),
        ("`", "`"),
        ("](", ")"),
        ("<code>", "</code>"),
    ] {
        out = blanked(&out, open, close);
    }
    // A step's number stands in its page's title.
    let (first, rest) = out.split_once('\n').unwrap_or((&out, ""));
    format!(
        "{}\n{rest}",
        first.split_once(' ').map_or("", |(_, title)| title).trim_start_matches(is_numbering)
    )
}

fn is_numbering(c: char) -> bool {
    c.is_ascii_digit() || c == 'x'
}

/// Text with each part from `open` to `close` blanked but for the ends of its lines.
fn blanked(text: &str, open: &str, close: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        let inside = &rest[start + open.len()..];
        let Some(length) = inside.find(close) else { break };
        out.push_str(&rest[..start]);
        out.push(' ');
        out.extend(inside[..length].chars().filter(|c| *c == '\n'));
        rest = &inside[length + close.len()..];
    }
    out + rest
}

fn words_before_folds(prose: &str) -> usize {
    blanked(prose, "<details", "</details>")
        .split_whitespace()
        .filter(|word| !word.starts_with('#'))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        numbers(Path::new("nbody/06-x.md"), text, 66)
            .into_iter()
            .map(|(line, what)| format!("{line}: {what}"))
            .collect()
    }

    #[test]
    fn numbers_that_a_report_could_write_are_found() {
        let found = said(
            "# 06 A step\n\n256 threads, 32 lanes, L2, the 16-byte load, 8 bodies.\nIt gains 14% and 1.14.\n27 left.\n",
        );
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("4: `14%`") && found[2].starts_with("5: `27`"), "{found:?}");
    }

    #[test]
    fn what_is_no_prose_may_hold_any_number() {
        let text = "# 13x Double\n\n```c\nint a = 77;\n```\n`--size 257` [link](05.md#77) {{#ladder value h200 05 gain}}\n";
        assert_eq!(said(text), Vec::<String>::new());
    }

    #[test]
    fn reasons_are_for_numbers_that_are_there() {
        let root = ladder::workspace::root().expect("the workspace");
        for (stem, number, reason) in TYPED {
            let file = root.join(format!("book/src/nbody/{stem}.md"));
            let text = std::fs::read_to_string(&file).expect("a page");
            let mut words = prose(&text);
            words.retain(|c| c != '*');
            assert!(
                words.split_whitespace().any(|word| bare(word) == *number),
                "{stem}: {number}: {reason}"
            );
        }
    }

    /// The sentences of a page's paragraphs and lists, and how many of them have a colon.
    fn colons(text: &str) -> (usize, usize) {
        let prose = prose(text);
        let is_prose = |line: &&str| !line.starts_with(['|', '#', '>', '<', '$']);
        let ends = |c: char| ['.', '!', '?'].contains(&c);
        let sentences = prose.lines().filter(is_prose).flat_map(|line| line.split_inclusive(ends));
        let sentences: Vec<&str> =
            sentences.filter(|it| it.split_whitespace().count() >= 3).collect();
        let with_colon = |it: &&&str| it.contains(": ") || it.trim_end().ends_with(':');
        (sentences.len(), sentences.iter().filter(with_colon).count())
    }

    /// Readers for whom English is a foreign language read full sentences more easily.
    #[test]
    fn few_sentences_have_a_colon() {
        assert_eq!(colons("# A: b\n\nOne two three. Four five: six!\n| a b c: | d |\n"), (2, 1));
        let source = ladder::workspace::root().expect("the workspace").join("book/src");
        let (mut folders, mut all) = (vec![source], (0, 0));
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|it| it == "md") {
                    let (sentences, with) = colons(&std::fs::read_to_string(path).expect("a page"));
                    all = (all.0 + sentences, all.1 + with);
                }
            }
        }
        let (sentences, with) = all;
        assert!(sentences > 5000 && 100 * with < 8 * sentences, "{with} of {sentences} sentences");
    }

    #[test]
    fn long_pages_are_found_and_folded_parts_not_counted() {
        let long = "word ".repeat(900);
        let said = length(&format!("# 06 A\n\n{long}\n")).expect("it is too long");
        assert!(said.starts_with("901 words"), "{said}");
        assert_eq!(length(&format!("# 06 A\n\n<details>\n{long}\n</details>\n")), None);
    }
}

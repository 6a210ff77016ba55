//! What of a step's Rust source a page shows.

/// The program, without the tests that follow it.
pub fn program(text: &str) -> String {
    text.lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Functions and types alone, for comparing: without imports, and without what the step says of itself as data,
/// which its host box shows.
pub fn functions(text: &str) -> String {
    let program = program(text);
    let mut lines: Vec<&str> = Vec::new();
    let mut from = program.lines();
    while let Some(line) = from.next() {
        if line.starts_with("pub const STEP: Step") {
            while lines.last().is_some_and(|last| last.starts_with("///")) {
                lines.pop();
            }
        } else if !["use ", "pub use ", "mod "].iter().any(|word| line.starts_with(word)) {
            lines.push(line);
            continue;
        }
        if !line.ends_with(';') {
            from.find(|line| line.ends_with(';') && !line.starts_with(' '));
        }
    }
    lines.dedup_by(|next, last| next.is_empty() && last.is_empty());
    lines.pop_if(|last| last.is_empty());
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

/// The functions of `parent` without what `step` uses of it as it is: what is imported has not been removed. With it
/// goes what nothing else needs.
pub fn without_imported(parent: &str, step: &str) -> String {
    let mut imported: Vec<&str> = Vec::new();
    // Steps on the CPU are crates: cpu_03_no_if, barnes_hut_cpu_02_array.
    let is_of_step =
        |clause: &&str| clause.split("::").next().is_some_and(|it| it.contains("cpu_"));
    for clause in step.split("\nuse ").skip(1).filter(is_of_step) {
        imported.extend(words(clause.split(';').next().unwrap_or_default()));
    }
    let functions = functions(parent);
    let mut kept = items(&functions);
    let mut used = String::new();
    loop {
        let goes = |item: &&String| {
            let Some(name) = name(item) else { return false };
            imported.contains(&name)
                || words(&used).any(|word| word == name)
                    && !kept.iter().any(|other| {
                        self::name(other) != Some(name) && words(other).any(|word| word == name)
                    })
        };
        let gone: String = kept.iter().filter(goes).map(String::as_str).collect();
        if gone.is_empty() {
            return kept.concat();
        }
        kept.retain(|item| !gone.contains(item.as_str()));
        used.push_str(&gone);
    }
}

/// The parts of a source that stand by themselves, each with the comments and empty lines before it.
fn items(text: &str) -> Vec<String> {
    let mut items = vec![String::new()];
    for line in text.lines() {
        if let Some(item) = items.last_mut() {
            item.push_str(line);
            item.push('\n');
        }
        let of_one_line = line.starts_with(|c: char| c.is_alphabetic()) && line.ends_with(';');
        if line == "}" || of_one_line {
            items.push(String::new());
        }
    }
    items
}

/// What an item defines, or what it implements something for.
fn name(item: &str) -> Option<&str> {
    let first = item.lines().find(|line| line.starts_with(|c: char| c.is_alphabetic()))?;
    let first = first.strip_prefix("pub ").unwrap_or(first);
    if first.starts_with("impl") {
        let of = first.split(" for ").last()?.trim_start_matches("impl");
        // The type follows the parameters of the `impl`, if it has any.
        return words(if of.starts_with('<') { of.split_once("> ")?.1 } else { of }).next();
    }
    words(first).nth(1)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_imported_was_not_removed() {
        let parent = "/// A.\npub const A: u32 = 1;\nconst B: u32 = 2;\nconst C: u32 = 3;\n\n\
            fn force() {\n    shared(C);\n}\n\n/// Shared.\npub fn shared() {\n    T::new(B, C);\n}\n\n\
            struct T<V> {\n}\n\nimpl<V: X> T<V> {\n}\n\nimpl<V> Loop for T<V> {\n}\n";
        let step = "//! Changed: a\n\nuse cpu_01_a::{STEP as PARENT, shared};\nuse other::force;\n";
        let expected =
            "/// A.\npub const A: u32 = 1;\nconst C: u32 = 3;\n\nfn force() {\n    shared(C);\n}\n";
        assert_eq!(without_imported(parent, step).trim_end(), expected.trim_end());
        assert_eq!(without_imported(parent, "use cpu_01_a::STEP;\n"), functions(parent));
    }

    const SOURCE: &str = "//! Changed: a\n\nuse a::{\n    B,\n};\nuse c;\n\n/// Lanes.\nconst LANES: usize = 16;\n\n\
        /// What this step\n/// changes.\npub const STEP: Step = PARENT.then(\n    \"02-b\",\n    \"B\",\n);\n\n\
        fn force() {\n    let use_it = 1;\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n}\n";

    #[test]
    fn tests_are_no_part_of_the_program() {
        let text = program(SOURCE);
        assert!(
            text.starts_with("//! Changed") && text.ends_with("let use_it = 1;\n}\n\n"),
            "{text}"
        );
    }

    #[test]
    fn functions_stand_without_imports_and_data() {
        let expected = "//! Changed: a\n\n/// Lanes.\nconst LANES: usize = 16;\n\n\
            fn force() {\n    let use_it = 1;\n}\n";
        assert_eq!(functions(SOURCE), expected);
    }
}

// SPDX-License-Identifier: MIT OR Apache-2.0
//! What of a step's Rust source a page shows.

/// The program, without the tests behind it.
pub fn program(text: &str) -> String {
    text.lines()
        .take_while(|line| *line != "#[cfg(test)]")
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Functions and types alone, for comparing: without imports, and without what the step says of itself as data,
/// which its host box tells.
pub fn functions(text: &str) -> String {
    let program = program(text);
    let mut lines: Vec<&str> = Vec::new();
    let mut from = program.lines();
    while let Some(line) = from.next() {
        let end = if ["use ", "pub use ", "mod "].iter().any(|word| line.starts_with(word)) {
            ";"
        } else if line.starts_with("pub const STEP: Step") {
            while lines.last().is_some_and(|last| last.starts_with("///")) {
                lines.pop();
            }
            "};"
        } else {
            lines.push(line);
            continue;
        };
        if !line.ends_with(end) {
            from.find(|line| line.ends_with(end));
        }
    }
    lines.dedup_by(|next, last| next.is_empty() && last.is_empty());
    lines.into_iter().map(|line| format!("{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "//! Changed: a\n\nuse a::{\n    B,\n};\nuse c;\n\n/// Lanes.\nconst LANES: usize = 16;\n\n\
        /// What this step\n/// changes.\npub const STEP: Step = Step {\n    name: \"02-b\",\n    ..PARENT\n};\n\n\
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
            fn force() {\n    let use_it = 1;\n}\n\n";
        assert_eq!(functions(SOURCE), expected);
    }
}

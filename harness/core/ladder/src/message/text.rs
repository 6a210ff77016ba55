//! Words of a source.

/// Where a word stands in a line, in bytes, and how long it is in characters.
pub(super) fn find_word(line: &str, word: &str) -> Option<(usize, usize)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).map(|(start, _)| start).find_map(|start| {
        let before = line[..start].chars().next_back();
        let after = line[start + word.len()..].chars().next();
        let is_whole = !before.is_some_and(is_part) && !after.is_some_and(is_part);
        is_whole.then(|| (start, word.chars().count()))
    })
}

/// The words of a text that can be names.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(|first: char| first.is_alphabetic() || first == '_'))
}

/// The one of some names that is nearest to another and not that one, if any is near.
pub(super) fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let likeness = |other: &'n str| (other, strsim::jaro_winkler(name, other));
    known
        .filter(|other| *other != name)
        .map(likeness)
        .filter(|(_, likeness)| *likeness > 0.85)
        .max_by(|(_, one), (_, other)| one.total_cmp(other))
        .map(|(name, _)| name)
}

/// A line without what is a comment at its end, and without spaces there.
pub(super) fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or(line).trim_end()
}

/// Kernels that a source defines: their names, and the lines in which they stand, from 1.
pub(super) fn kernels(text: &str) -> Vec<(&str, u32)> {
    let mut found = Vec::new();
    let mut expected = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = without_comment(line);
        expected |= line.contains("__global__");
        // What a launch bound has in its parentheses is no name of a kernel.
        let heads = line.match_indices('(').map(|(at, _)| names(&line[..at]).last());
        let name = heads.flatten().find(|name| !name.starts_with("__"));
        if let Some(name) = name.filter(|_| expected) {
            found.push((name, number));
            expected = false;
        }
    }
    found
}

/// The line with which the innermost loop around a line begins, from 1; the line itself where there is none.
pub(super) fn head_of_loop(text: &str, line: u32) -> u32 {
    let lines: Vec<&str> = text.lines().take(line as usize).map(without_comment).collect();
    let is_head = |line: &str| names(line).any(|word| ["for", "while", "do"].contains(&word));
    // Braces that were closed further down, and not yet opened again.
    let mut closed = 0;
    for (index, code) in lines.iter().enumerate().rev() {
        let number = index as u32 + 1;
        let mut opens = number == line;
        // What the line itself closes is around it.
        for brace in code.chars().rev().filter(|_| number != line) {
            match brace {
                '}' => closed += 1,
                '{' if closed == 0 => opens = true,
                '{' => closed -= 1,
                _ => {}
            }
        }
        if opens && is_head(code) {
            return number;
        }
    }
    line
}

/// The condition of the loop whose head is in a line, from 1; none where it has none.
pub(super) fn condition(text: &str, head: u32) -> Option<String> {
    let rest: Vec<&str> = text.lines().skip(head as usize - 1).map(without_comment).collect();
    let rest = rest.join(" ");
    let at = |word: &str, from: usize| {
        find_word(&rest[from..], word).map(|(at, length)| from + at + length)
    };
    let (keyword, start) = ["for", "while", "do"]
        .into_iter()
        .filter_map(|word| Some((word, at(word, 0)?)))
        .min_by_key(|(_, start)| *start)?;
    let start = match keyword {
        // Its condition is after what it repeats.
        "do" => at("while", after_body(&rest, start)?)?,
        _ => start,
    };
    let (open, close) = parentheses(&rest, start)?;
    let inner = &rest[open..close];
    let condition = match keyword {
        "for" => inner.split(';').nth(1)?,
        _ => inner,
    };
    let words: Vec<&str> = condition.split_whitespace().collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

/// Where the block ends that begins behind `start`, in bytes.
fn after_body(text: &str, start: usize) -> Option<usize> {
    let mut depth = 0;
    let ends = |(at, c): (usize, char)| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        (depth == 0 && matches!(c, '}' | ';')).then_some(start + at + 1)
    };
    text[start..].char_indices().find_map(ends)
}

/// What is between the first parenthesis behind `start` and the one that closes it, in bytes.
fn parentheses(text: &str, start: usize) -> Option<(usize, usize)> {
    let open = start + text[start..].find('(')?;
    let mut depth = 0;
    let closes = |(at, c): (usize, char)| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(open + at)
    };
    let close = text[open..].char_indices().find_map(closes)?;
    Some((open + 1, close))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_condition_of_each_kind_of_loop_is_found() {
        for (text, expected) in [
            ("  while (j < n) { // (", Some("j < n")),
            ("for (int j = f(1); j <\n   (n + 1); ++j)\n", Some("j < (n + 1)")),
            (
                "do {\n if (a) { b(); }\n} while (atomicCAS(p, 0, 1) != 0);",
                Some("atomicCAS(p, 0, 1) != 0"),
            ),
            ("do a(); while (b);", Some("b")),
            ("for (;;) {", None),
            ("while (true", None),
            ("x = 1;", None),
        ] {
            assert_eq!(condition(text, 1).as_deref(), expected, "{text}");
        }
        assert_eq!(condition("a\nwhile (b)\n", 2).as_deref(), Some("b"));
    }

    #[test]
    fn words_are_whole() {
        assert_eq!(find_word("masss[t] = mass[t];", "mass"), Some((11, 4)));
        assert_eq!(find_word("masss[t]", "mass"), None);
        assert_eq!(nearest("epsq", names("a + epssq * b")), Some("epssq"));
        assert_eq!(nearest("epsq", names("a + b")), None);
    }

    #[test]
    fn the_loop_around_a_line_is_found() {
        let text = "void f()\n{\n  for (;;) { // {\n    if (a) {\n      b();\n    }\n    while (c) {\n      d();\n    }\n    e();\n  }\n  g();\n}\n";
        let heads = [(5, 3), (3, 3), (8, 7), (9, 7), (10, 3), (11, 3), (12, 12)];
        for (line, head) in heads {
            assert_eq!(head_of_loop(text, line), head, "{line}");
        }
    }

    #[test]
    fn kernels_are_found_in_several_styles() {
        let text = "extern \"C\" __global__ void one(int n)\n__device__ int f(int a) {}\n\
                    __global__ void\n__launch_bounds__(256, 2)\ntwo(float *p)\n{ g(1); }\n";
        assert_eq!(kernels(text), [("one", 1), ("two", 5)]);
    }
}

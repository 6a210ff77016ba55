//! Lines put into files that are there already.

/// The text with a line after the last one that `is_before`.
pub fn after_last(text: &str, line: &str, is_before: impl Fn(&str) -> bool) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().rposition(|line| is_before(line))?;
    Some(with(&lines, at + 1, line))
}

/// The text with a line before the first one that `is_after`.
pub fn before_first(text: &str, line: &str, is_after: impl Fn(&str) -> bool) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| is_after(line))?;
    Some(with(&lines, at, line))
}

/// The text with lines before the end of the part that begins with a line: before the blank lines at its end, and the
/// next line that `begins_next`.
pub fn at_end_of(
    text: &str,
    line: &str,
    begins: &str,
    begins_next: impl Fn(&str) -> bool,
) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let begin = lines.iter().position(|line| line.starts_with(begins))? + 1;
    let next = lines[begin..].iter().position(|line| begins_next(line));
    let end = next.map_or(lines.len(), |next| begin + next);
    let blank = lines[begin..end].iter().rev().take_while(|line| line.trim().is_empty()).count();
    Some(with(&lines, end - blank, line))
}

fn with(lines: &[&str], at: usize, line: &str) -> String {
    let (before, after) = lines.split_at(at);
    let all = before.iter().chain([&line]).chain(after);
    all.flat_map(|line| [line, "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_go_after_the_last_of_their_kind() {
        let text = "a1\na2\n\nb\n";
        assert_eq!(
            after_last(text, "a3", |it| it.starts_with('a')).expect("a place"),
            "a1\na2\na3\n\nb\n"
        );
        assert_eq!(after_last(text, "c2", |it| it.starts_with('c')), None);
        assert_eq!(
            before_first(text, "a0", |it| it.starts_with('a')).expect("a place"),
            "a0\na1\na2\n\nb\n"
        );
    }

    #[test]
    fn lines_go_to_the_end_of_a_part() {
        let text = "# A\n\n- a\n\n# B\n\n- b\n";
        let heading = |line: &str| line.starts_with("# ");
        let of = |begins| at_end_of(text, "- new", begins, heading);
        assert_eq!(of("# A").expect("a place"), "# A\n\n- a\n- new\n\n# B\n\n- b\n");
        assert_eq!(of("# B").expect("a place"), "# A\n\n- a\n\n# B\n\n- b\n- new\n");
        assert_eq!(of("# C"), None);
    }
}

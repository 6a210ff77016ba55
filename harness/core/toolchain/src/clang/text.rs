//! What clang writes, in the form of what NVRTC writes.

/// The version in the first line of `clang --version`, e.g. "22.1.8".
pub(super) fn release(said: &str) -> Option<&str> {
    let (_, rest) = said.lines().find_map(|line| line.split_once("clang version "))?;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
    rest.starts_with(|c: char| c.is_ascii_digit()).then_some(rest[..end].trim_end_matches('.'))
}

/// The architectures in a list of processors, from Maxwell on, without those that run on one GPU only, ascending.
pub(super) fn architectures(known: &str) -> Vec<u32> {
    let numbers = known.lines().filter_map(|line| line.trim().strip_prefix("sm_")?.parse().ok());
    let mut numbers: Vec<u32> = numbers.filter(|number| *number >= 50).collect();
    numbers.sort_unstable();
    numbers
}

/// A log whose messages begin with `FILE(LINE): `, with an empty line between two, and a mark that is one character wide.
pub(super) fn log(said: &str) -> String {
    let kinds = ["): error: ", "): fatal error: ", "): warning: ", "): note: "];
    let mut text = String::new();
    for line in said.lines() {
        let is_mark = line.contains('^') && line.chars().all(|c| matches!(c, ' ' | '^' | '~'));
        if !text.is_empty() && kinds.iter().any(|kind| line.contains(kind)) {
            text.push('\n');
        }
        match is_mark {
            true => text += line.replace('~', " ").trim_end(),
            false => text += line,
        }
        text.push('\n');
    }
    text
}

/// PTX in which a branch over a jump, to the label that follows, is one branch with the opposite condition. LLVM cannot turn
/// conditions round for this target; what makes a GPU's code of PTX does.
pub(super) fn straightened(ptx: &str) -> String {
    let lines: Vec<&str> = ptx.lines().collect();
    let mut text = String::with_capacity(ptx.len());
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let jump = at + 1 + lines[at + 1..].iter().take_while(|line| is_silent(line)).count();
        match lines.get(jump).and_then(|jump| opposite(line, jump, &lines[at + 1..])) {
            Some(branch) => {
                text.extend([branch.as_str(), "\n"]);
                text.extend(lines[at + 1..jump].iter().flat_map(|line| [line, "\n"]));
                at = jump + 1;
            }
            None => {
                text.extend([line, "\n"]);
                at += 1;
            }
        }
    }
    text
}

/// Whether a line of PTX is no instruction and no label.
fn is_silent(line: &&str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with("//") || line.starts_with(".loc")
}

/// The branch that does what `branch` and `jump` do, if a label of `rest`, before any other instruction, is where `branch` goes.
fn opposite(branch: &str, jump: &str, rest: &[&str]) -> Option<String> {
    let (condition, over) = branch.trim().strip_prefix('@')?.split_once(" bra ")?;
    let to = jump.trim().strip_prefix("bra.uni ")?.trim_start();
    let over = over.trim().strip_suffix(';')?;
    let mut labels = rest.iter().filter(|line| !is_silent(line)).skip(1);
    labels.next()?.strip_prefix(over)?.strip_prefix(':')?;
    let condition = match condition.strip_prefix('!') {
        Some(condition) => condition.to_owned(),
        None => format!("!{condition}"),
    };
    Some(format!("\t@{condition} bra \t{to}"))
}

/// Why LLVM IR did not become PTX, as an error of the source: of its first line where the line is not known.
pub(super) fn of_translation(name: &str, error: &ir::IrError) -> String {
    let (file, line) = match &error.source_line {
        Some((file, line)) => (file.as_str(), *line),
        None => (name, 1),
    };
    format!("{file}({line}): error: {} (line {} of the LLVM IR)\n", error.message, error.line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_over_a_jump_is_one_branch() {
        let loops = "a:\n\t@%p1 bra \tb;\n\t.loc\t1 8 5\n\tbra.uni \ta;\nb:   // %end\n\tret;\n";
        assert_eq!(
            straightened(loops),
            "a:\n\t@!%p1 bra \ta;\n\t.loc\t1 8 5\nb:   // %end\n\tret;\n"
        );
        let negated = "\t@!%p1 bra \tb;\n\tbra.uni \ta;\nb:\n";
        assert_eq!(straightened(negated), "\t@%p1 bra \ta;\nb:\n");
        for others in [
            "\t@%p1 bra \tb;\n\tbra.uni \ta;\nbb:\n",
            "\t@%p1 bra \tb;\n\tadd;\n\tbra.uni \ta;\nb:\n",
            "\t@%p1 bra \tb;\nb:\n",
            "\t@%p1 bra \tb;\n",
        ] {
            assert_eq!(straightened(others), others);
        }
    }

    #[test]
    fn a_version_is_read_from_every_makers_words() {
        for (said, expected) in [
            ("clang version 22.1.8\nTarget: x", Some("22.1.8")),
            ("Debian clang version 19.1.7 (3)", Some("19.1.7")),
            ("Apple clang version 17.0.0 (clang-1700.0.13.5)", Some("17.0.0")),
            ("gcc (Debian 12.2.0) 12.2.0", None),
            ("clang version ", None),
        ] {
            assert_eq!(release(said), expected, "{said}");
        }
    }

    #[test]
    fn architectures_are_those_that_later_gpus_run_too() {
        let known = "Available CPUs for this target:\n\n\tsm_100\n\tsm_90a\n\tsm_35\n\tsm_50\n";
        assert_eq!(architectures(known), [50, 100]);
        assert!(architectures("error: unable to create target").is_empty());
    }

    #[test]
    fn messages_stand_apart_with_one_mark_each() {
        let said = "a.cu(1): error: no\n  x = y;\n  ~~^~~\na.cu(2): error: nor this\n2 errors\n";
        let expected =
            "a.cu(1): error: no\n  x = y;\n    ^\n\na.cu(2): error: nor this\n2 errors\n";
        assert_eq!(log(said), expected);
    }
}

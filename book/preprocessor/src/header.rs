//! What each page says first: what one can do after it, how long it takes, what it needs. A step needs the one before.

/// The parts of it, in order, on one line below the title.
const PARTS: [&str; 3] = ["> **You will be able to** ", " **Time:** ", " **Needs:** "];

/// The same for a step's page.
const OF_STEP: [&str; 2] = ["> **Goal:** ", " **Time:** "];

/// Lines among which it stands.
const LINES: usize = 5;

/// What is wrong with the header of a page; a step's is shorter.
pub fn fault(text: &str, is_of_step: bool) -> Option<String> {
    let parts: &[&str] = if is_of_step { &OF_STEP } else { &PARTS };
    let Some(line) = text.lines().take(LINES).find(|line| line.starts_with('>')) else {
        let form = parts.join("…");
        return Some(format!("has no header: write `{form}…` below the title"));
    };
    let mut rest = line;
    for part in parts {
        match rest.split_once(*part) {
            Some((_, after)) if !after.trim().is_empty() => rest = after,
            _ => return Some(format!("its header lacks `{}…`", part.trim())),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_has_all_its_parts() {
        let whole =
            "# A\n\n> **You will be able to** x. **Time:** 3 minutes. **Needs:** nothing.\n";
        assert_eq!(fault(whole, false), None);
        assert_eq!(fault("# A\n\n> **Goal:** say x. **Time:** 3 minutes.\n", true), None);
        assert!(fault(whole, true).is_some_and(|said| said.contains("lacks `> **Goal:**…`")));
        for (text, said) in [
            ("# A\n\ntext\n".to_owned(), "has no header"),
            (whole.replace("**Time:** 3 minutes. ", ""), "lacks `**Time:**…`"),
            (whole.replace(" nothing.", ""), "lacks `**Needs:**…`"),
            (whole.replace("# A\n", "# A\n\n\n\n\n"), "has no header"),
        ] {
            let found = fault(&text, false).unwrap_or_default();
            assert!(found.contains(said), "{text}: {found}");
        }
    }
}

//! What each page says first, but for steps' pages, whose form is known: what one can do after it, how long it takes, what it needs.

/// Its parts, in order, on one line below the title.
const PARTS: [&str; 3] = ["> **You will be able to** ", " **Time:** ", " **Needs:** "];

/// Lines among which it stands.
const LINES: usize = 5;

/// What is wrong with the header of a page.
pub fn fault(text: &str) -> Option<String> {
    let Some(line) = text.lines().take(LINES).find(|line| line.starts_with('>')) else {
        return Some(format!(
            "has no header: write `{}… {}… {}…` below the title",
            PARTS[0],
            PARTS[1].trim_start(),
            PARTS[2].trim_start()
        ));
    };
    let mut rest = line;
    for part in PARTS {
        match rest.split_once(part) {
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
        assert_eq!(fault(whole), None);
        for (text, said) in [
            ("# A\n\ntext\n".to_owned(), "has no header"),
            (whole.replace("**Time:** 3 minutes. ", ""), "lacks `**Time:**…`"),
            (whole.replace(" nothing.", ""), "lacks `**Needs:**…`"),
            (whole.replace("# A\n", "# A\n\n\n\n\n"), "has no header"),
        ] {
            let found = fault(&text).unwrap_or_default();
            assert!(found.contains(said), "{text}: {found}");
        }
    }
}

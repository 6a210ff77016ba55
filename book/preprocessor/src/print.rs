//! The page with all pages, for paper: without what is folded at the ends of steps, and with each plot once.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// What begins a part that is left out: a step's code and machine code, which the step's own page has.
const FOLDED: [&str; 2] = ["<details id=\"kernels", "<details id=\"machine-code"];

/// Shortens the page of the built book in `folder`.
///
/// # Errors
/// It cannot be read or written.
pub fn shorten(folder: &Path) -> Result<()> {
    let file = folder.join("print.html");
    let text =
        fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    let text = FOLDED
        .into_iter()
        .fold(text, |text, begin| without(&text, begin, ("<details", "</details>")));
    let text = without(&text, "<svg class=\"narrow\"", ("<svg", "</svg>"));
    fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
}

/// A text without each element that begins so; `tags` open and close elements of its kind.
fn without(text: &str, begin: &str, (open, close): (&str, &str)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(begin) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[length(rest, open, close)..];
    }
    out + rest
}

/// Bytes of the element that a text begins with.
fn length(text: &str, open: &str, close: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    loop {
        let next = |tag: &str| text[at..].find(tag).map(|found| at + found);
        match (next(open), next(close)) {
            (Some(opened), Some(closed)) if opened < closed => {
                depth += 1;
                at = opened + open.len();
            }
            (_, Some(closed)) => {
                depth -= 1;
                at = closed + close.len();
                if depth == 0 {
                    return at;
                }
            }
            (_, None) => return text.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_left_out_with_what_is_in_them() {
        let text = "a<details id=\"kernels\">b<details>c</details>d</details>e<details>f</details>";
        let left = without(text, FOLDED[0], ("<details", "</details>"));
        assert_eq!(left, "ae<details>f</details>");
        assert_eq!(
            without(
                "x<svg class=\"narrow\"><g/></svg>y",
                "<svg class=\"narrow\"",
                ("<svg", "</svg>")
            ),
            "xy"
        );
    }
}

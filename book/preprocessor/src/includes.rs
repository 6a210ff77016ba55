//! Checks mdBook's own directives. mdBook leaves a missing include standing in the page and renders a
//! missing anchor as empty text, both without failing.

use std::path::Path;

use crate::directive::Occurrence;

/// Whether a directive of mdBook resolves from the page in `folder`; none if it is not one of mdBook's.
pub fn check(folder: &Path, found: &Occurrence<'_>) -> Option<Result<(), String>> {
    match found.name {
        "title" => Some(Ok(())),
        "include" | "rustdoc_include" | "playground" => Some(resolve(folder, found.arguments)),
        _ => None,
    }
}

/// `path`, `path:anchor`, `path:line` or `path:first:last`, perhaps followed by properties.
fn resolve(folder: &Path, arguments: &str) -> Result<(), String> {
    let target = arguments.split_whitespace().next().unwrap_or("");
    let (path, part) = target.split_once(':').unwrap_or((target, ""));
    let text = std::fs::read_to_string(folder.join(path))
        .map_err(|error| format!("includes `{path}`, which cannot be read: {error}"))?;
    let mut lines = part.split(':');
    let first = lines.next().unwrap_or("");
    if first.is_empty() || first.parse::<usize>().is_ok() {
        let last = [first, lines.next().unwrap_or("")]
            .iter()
            .filter_map(|line| line.parse().ok())
            .max()
            .unwrap_or(0);
        let count = text.lines().count();
        return if last > count {
            Err(format!("includes line {last} of `{path}`, which has {count}"))
        } else {
            Ok(())
        };
    }
    for marker in ["ANCHOR:", "ANCHOR_END:"] {
        if !text.lines().any(|line| has_marker(line, marker, first)) {
            return Err(format!(
                "includes `{first}` of `{path}`, where no line holds `{marker} {first}`"
            ));
        }
    }
    Ok(())
}

fn has_marker(line: &str, marker: &str, anchor: &str) -> bool {
    line.split_once(marker).is_some_and(|(_, rest)| {
        let name = rest.trim_start();
        name.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).next() == Some(anchor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_lines_and_anchors_must_exist() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let text = "a\n// ANCHOR: sum\nb\n// ANCHOR_END: sum\n// ANCHOR: open\n";
        std::fs::write(folder.path().join("k.cu"), text).expect("a file");
        let check = |arguments| resolve(folder.path(), arguments);
        for good in ["k.cu", "k.cu:sum", "k.cu:2", "k.cu:2:5", "k.cu::3", "k.cu:sum editable"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for (bad, said) in [
            ("missing.cu", "cannot be read"),
            ("k.cu:su", "ANCHOR: su"),
            ("k.cu:summ", "ANCHOR: summ"),
            ("k.cu:open", "ANCHOR_END: open"),
            ("k.cu:6", "which has 5"),
            ("k.cu:2:9", "which has 5"),
        ] {
            let message = check(bad).unwrap_err();
            assert!(message.contains(said), "{bad}: {message}");
        }
    }
}

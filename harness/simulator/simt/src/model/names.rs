//! Names of GPUs as people type them.

use super::catalogue::GPUS;

/// A name without what people write differently.
pub(super) fn plain(name: &str) -> String {
    let name = name.trim().to_ascii_lowercase();
    let name = name.strip_prefix("nvidia ").unwrap_or(&name);
    let name = name.replace("geforce", "").replace("tesla", "").replace("quadro", "");
    name.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// The known names most like `wanted`, which is in plain form.
pub(super) fn nearest(wanted: &str) -> Vec<&'static str> {
    let mut names: Vec<_> =
        GPUS.iter().map(|(name, _)| (distance(wanted, &plain(name)), *name)).collect();
    names.sort();
    let close = wanted.len().div_ceil(2).max(2);
    names.into_iter().filter(|(d, _)| *d <= close).take(3).map(|(_, name)| name).collect()
}

/// Insertions, deletions and replacements between two words (Levenshtein).
pub(super) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_vendor_blanks_and_capitals() {
        assert_eq!(plain(" NVIDIA GeForce RTX 3080"), "rtx3080");
        assert_eq!(plain("Tesla-C2050"), plain("c2050"));
    }

    #[test]
    fn distances_count_changed_letters() {
        assert_eq!(distance("h100", "h200"), 1);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
    }

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        assert_eq!(nearest("rtx3090")[0], "rtx-3080");
        assert_eq!(nearest("voodoo"), Vec::<&str>::new());
    }
}

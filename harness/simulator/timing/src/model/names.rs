//! Names of GPUs as people type them.

use strsim::levenshtein;

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
        GPUS.iter().map(|(name, _)| (levenshtein(wanted, &plain(name)), *name)).collect();
    names.sort();
    let close = wanted.len().div_ceil(2).max(2);
    names.into_iter().filter(|(d, _)| *d <= close).take(3).map(|(_, name)| name).collect()
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
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        assert_eq!(nearest("rtx3090")[0], "rtx-3080");
        assert_eq!(nearest("voodoo"), Vec::<&str>::new());
    }
}

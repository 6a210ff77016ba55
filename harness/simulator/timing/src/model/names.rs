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

/// The known names that have all words of `wanted`: those of laptops only where there are no others.
pub(super) fn having(wanted: &str) -> Vec<&'static str> {
    let wanted = wanted.to_ascii_lowercase();
    let words: Vec<&str> =
        wanted.split(|c: char| !c.is_ascii_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let has = |name: &&str| {
        !words.is_empty() && words.iter().all(|word| name.split('-').any(|part| part == *word))
    };
    let found: Vec<&str> = GPUS.iter().map(|(name, _)| *name).filter(has).collect();
    let (laptops, others): (Vec<&str>, Vec<&str>) =
        found.into_iter().partition(|name| name.ends_with("-laptop"));
    if others.is_empty() { laptops } else { others }
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
    fn a_part_of_a_name_will_do() {
        assert_eq!(having("4090"), ["rtx-4090"]);
        assert_eq!(having("4070"), ["rtx-4070"]);
        assert_eq!(having("4050"), ["rtx-4050-laptop"]);
        assert!(having("rtx").len() > 3);
        assert_eq!(having("laptop 4060"), ["rtx-4060-laptop"]);
        assert_eq!(having("409").len() + having("").len() + having("voodoo").len(), 0);
    }

    #[test]
    fn a_slip_finds_its_name_and_nonsense_finds_none() {
        assert_eq!(nearest("rtx30800")[0], "rtx-3080");
        assert_eq!(nearest("voodoo"), Vec::<&str>::new());
    }
}

//! What ladders and steps can be called.

use std::path::Path;

use teaching::learn::exercise::Exercise;
use ui::Usage;

/// The longest name: it stands in paths, titles and columns of tables.
const LONGEST: usize = 24;

/// Names of folders, of arguments, of crates and of Rust's own words that are no ladder's.
const RESERVED: &str = "all alloc as async await break const continue core crate device dyn else enum example exercises extern \
     false fn for gen half harness if impl in ladder ladders let libraries loop match mod move mut new pub rayon ref report \
     return self simt static std steps struct super test tests trait true type union unsafe use where while yield";

/// Checks the name of a ladder.
///
/// # Errors
/// It is none, with one that would do.
pub fn check_ladder(root: &Path, name: &str) -> Result<(), Usage> {
    check("ladder", "matrix-product", name)?;
    if root.join("book/src").join(name).with_extension("md").exists() {
        return Err(Usage(format!(
            "the book has a page `{name}`, and a ladder's pages are in a folder of its name; choose another"
        )));
    }
    if RESERVED.split(' ').any(|reserved| reserved == name) {
        return Err(Usage(format!(
            "`{name}` means something else in Rust or in this workbook; choose another"
        )));
    }
    Ok(())
}

/// Checks the name of a step without its number.
///
/// # Errors
/// It is none, with one that would do.
pub fn check_slug(slug: &str) -> Result<(), Usage> {
    check("step", "shared-tile", slug)
}

/// Checks the name of an exercise without its number; `all` are those that are there.
///
/// # Errors
/// It is none, with one that would do; or an exercise has it.
pub fn check_exercise(slug: &str, all: &[Exercise]) -> Result<(), Usage> {
    check("exercise", "lost-update", slug)?;
    match all.iter().find(|exercise| report::split(&exercise.name).1 == slug) {
        Some(other) => {
            Err(Usage(format!("{} is called so already; choose another name", other.name)))
        }
        None => Ok(()),
    }
}

fn check(what: &str, example: &str, name: &str) -> Result<(), Usage> {
    let is_word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if name.len() <= LONGEST && name.split('-').all(is_word) {
        return Ok(());
    }
    Err(Usage(format!(
        "`{name}` cannot be the name of a {what}: it needs words of small letters and digits with hyphens between them, each \
         beginning with a letter, and at most {LONGEST} characters; for example `{example}`"
    )))
}

/// A name as a title: "Matrix product".
pub fn title(name: &str) -> String {
    let words = name.replace('-', " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// A name as a constant of Rust: "SHARED_TILE".
pub fn constant(slug: &str) -> String {
    slug.replace('-', "_").to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use ladder::workspace;

    use super::*;

    #[test]
    fn names_are_words_with_hyphens() {
        let root = &workspace::root().expect("a clone");
        for name in ["a", "matrix-product", "fp16", "a-b-c2"] {
            assert_eq!(check_ladder(root, name).map_err(|it| it.to_string()), Ok(()), "{name}");
        }
        let long = "a".repeat(LONGEST + 1);
        for name in
            ["", "-a", "a-", "a--b", "Matrix", "a_b", "2d", "a/b", "../a", "é", "a b", &long]
        {
            let error = check_ladder(root, name).expect_err(name).to_string();
            assert!(error.contains("for example `matrix-product`"), "{error}");
            assert!(check_slug(name).is_err(), "{name}");
        }
        for name in ["all", "async", "core", "map"] {
            assert!(check_ladder(root, name).is_err() && check_slug(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn names_have_other_forms() {
        assert_eq!(title("matrix-product"), "Matrix product");
        assert_eq!(constant("shared-tile"), "SHARED_TILE");
    }
}

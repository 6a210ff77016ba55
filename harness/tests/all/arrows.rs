//! Imports between a crate's files go one way: where files import each other in a circle, none can be read or changed
//! without the others.
//!
//! An import counts from the file that names an item to the file that defines it, whichever files export it again on the
//! way. So a module that only declares and exports its children is in no circle with them. Tests within a file are left out.

mod imports;
mod source;

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

use imports::imports;

/// Files of a crate, each with those that it imports.
type Imports = BTreeMap<String, BTreeSet<String>>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates = Vec::new();
    for folder in ["book", "harness", "steps"] {
        find_crates(&root.join(folder), &mut crates);
    }
    assert!(crates.len() > 50, "only {} crates are found", crates.len());
    crates.sort();
    let mut found = Vec::new();
    for file in &crates {
        let name = file.strip_prefix(&root).expect("below the root").display().to_string();
        let imports = imports(file);
        found.extend(circles(&imports).iter().map(|it| format!("{name}: {}", it.join(" → "))));
    }
    assert!(found.is_empty(), "imports in a circle:\n{}", found.join("\n"));
}

/// The first files of crates below a folder, but for what cargo makes.
fn find_crates(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if entry.is_dir() && !entry.ends_with("target") {
            find_crates(&entry, found);
        }
        if entry.ends_with("src") {
            let programs = ["lib.rs", "main.rs"].map(|file| entry.join(file));
            found.extend(programs.into_iter().filter(|file| file.is_file()));
        }
    }
}

/// The shortest circle through each file that is in none of those found before.
fn circles(imports: &Imports) -> Vec<Vec<&str>> {
    let mut found: Vec<Vec<&str>> = Vec::new();
    for start in imports.keys().map(String::as_str) {
        if found.iter().flatten().any(|file| *file == start) {
            continue;
        }
        // From which file each is reached first.
        let mut from: HashMap<&str, &str> = HashMap::new();
        let mut reached = VecDeque::from([start]);
        while let Some(file) = reached.pop_front() {
            for other in imports.get(file).into_iter().flatten() {
                from.entry(other).or_insert_with(|| {
                    reached.push_back(other);
                    file
                });
            }
        }
        let Some(mut file) = from.get(start) else { continue };
        let mut circle = vec![start, file];
        while *file != start {
            file = &from[file];
            circle.push(file);
        }
        circle.reverse();
        found.push(circle);
    }
    found
}

#[test]
fn a_circle_is_named_by_its_files() {
    let file = |text: &str| text.to_owned();
    let imports: Imports = [("a", "b"), ("b", "c"), ("c", "b"), ("c", "a"), ("d", "a")]
        .into_iter()
        .fold(Imports::new(), |mut all, (from, to)| {
            all.entry(file(from)).or_default().insert(file(to));
            all
        });
    assert_eq!(circles(&imports), [["a", "b", "c", "a"]]);
}

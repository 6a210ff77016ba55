//! A part of a class that is graded by itself: `--shard 3/8` of eight array jobs. Each writes a file of its own, so that none
//! waits for another and one that dies is run again alone; `grade merge` joins them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, ensure};
use ui::Usage;

use super::grades::{Grades, Outcome};
use super::students::{Entry, Student};

/// The most shards.
const MOST: usize = 10_000;

/// One of several shards of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shard {
    /// From 1.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if (1..=of).contains(&number) && of <= MOST => {
                Ok(Shard { number, of })
            }
            _ => Err(format!("write NUMBER/OF, from 1/8 to 8/8; at most {MOST}")),
        }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Whether it grades the student of a place.
    pub fn has(&self, place: usize) -> bool {
        place % self.of == self.number - 1
    }

    /// Its grades, in the folder for the grades.
    pub fn file(&self, out: &Path) -> PathBuf {
        folder(out).join(format!("{}-of-{}.json", self.number, self.of))
    }

    /// Which shards left their grades in a folder.
    ///
    /// # Errors
    /// None did, or they are of different numbers.
    pub fn all(out: &Path) -> Result<Vec<Shard>> {
        let folder = folder(out);
        let of = |name: &str| name.strip_suffix(".json")?.replace("-of-", "/").parse().ok();
        let mut all: Vec<Shard> = match fs::read_dir(&folder) {
            Ok(entries) => entries
                .flatten()
                .filter_map(|entry| of(&entry.file_name().to_string_lossy()))
                .collect(),
            Err(_) => Vec::new(),
        };
        all.sort();
        let name = folder.display();
        let first = all.first().with_context(|| {
            Usage(format!(
                "no shard is in {name}; run `grade --shard 1/8` and the others, with the same --out"
            ))
        })?;
        let other = all.iter().find(|shard| shard.of != first.of);
        ensure!(
            other.is_none(),
            Usage(format!("{name} has shards of different runs; remove all but those of one"))
        );
        Ok(all)
    }

    /// The grades of all shards, as if they were of one run.
    ///
    /// # Errors
    /// A file cannot be read, or shards had different seeds.
    pub fn join(all: &[Shard], out: &Path, into: &mut Grades) -> Result<()> {
        for shard in all {
            let Grades { seeds, unconfined, grades, .. } = Grades::open(&shard.file(out))?;
            ensure!(
                into.seeds.is_empty() || into.seeds == seeds,
                Usage(format!("shard {shard} had other seeds than the others; run it again"))
            );
            into.seeds = seeds;
            for missing in unconfined {
                if !into.unconfined.contains(&missing) {
                    into.unconfined.push(missing);
                }
            }
            into.grades.extend(grades);
        }
        Ok(())
    }

    /// The shards that have not checked all of their students.
    pub fn incomplete(all: &[Shard], grades: &Grades, entries: &[Entry]) -> Vec<Shard> {
        let of = all[0].of;
        let open: HashSet<&Student> = grades
            .grades
            .iter()
            .filter(|grade| grade.outcome == Outcome::Unchecked)
            .map(|grade| &grade.student)
            .collect();
        let is_open = |shard: &Shard| {
            let mut own = entries.iter().enumerate().filter(|(place, _)| shard.has(*place));
            own.any(|(_, entry)| open.contains(&entry.student))
        };
        (1..=of).map(|number| Shard { number, of }).filter(is_open).collect()
    }

    /// What to do for a student of a place whom none of the shards has checked.
    pub fn missing(all: &[Shard], place: usize) -> String {
        let of = all[0].of;
        let shard = Shard { number: place % of + 1, of };
        format!("shard {shard} has not checked it: run it again, then merge again")
    }
}

/// Where shards write.
pub fn folder(out: &Path) -> PathBuf {
    out.join("shards")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_in_one_shard() {
        let shards: Vec<Shard> =
            (1..=8).map(|number| format!("{number}/8").parse().expect("a shard")).collect();
        for place in 0..100 {
            assert_eq!(shards.iter().filter(|shard| shard.has(place)).count(), 1);
        }
        assert!(Shard::missing(&shards, 10).starts_with("shard 3/8 "));
        for text in ["", "3", "0/8", "9/8", "1/0", "1/10001", "-1/3", "a/b"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }

    #[test]
    fn shards_are_found_by_their_files() {
        let out = tempfile::tempdir().expect("a folder");
        let none = Shard::all(out.path()).expect_err("none").to_string();
        assert!(none.contains("--shard 1/8"), "{none}");
        fs::create_dir(folder(out.path())).expect("a folder");
        for name in ["2-of-3.json", "1-of-3.json", ".lock-1-of-3", "notes.json"] {
            fs::write(folder(out.path()).join(name), "").expect("written");
        }
        let all = Shard::all(out.path()).expect("two");
        assert_eq!(all, [Shard { number: 1, of: 3 }, Shard { number: 2, of: 3 }]);
        fs::write(folder(out.path()).join("1-of-2.json"), "").expect("written");
        let mixed = Shard::all(out.path()).expect_err("mixed").to_string();
        assert!(mixed.contains("different runs"), "{mixed}");
    }
}

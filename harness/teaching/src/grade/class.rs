//! What is graded, with which hidden data, for how many points: the instructor's file.
//!
//! ```toml
//! seeds = [11, 12]               # decide what is random in the data; students do not know them
//! column = "Homework 3 (4711)"   # the assignment's column, as Canvas exports it
//!
//! [late]                         # see `late`
//! due = 2026-11-20T23:59:00+01:00
//! percent_per_day = 10
//!
//! [comparison]                   # see `ranking`
//! gpu = "h200"
//! names = "pseudonyms"
//!
//! [[exercise]]
//! name = "18-stale-tile"         # or its number, or its slug
//! sizes = [192, 448]             # besides those that the exercise names
//! points = { compiles = 1, results = 5, hazards = 2, goals = 2, beside_goal = 0.25 }
//! ```

use std::path::Path;

use anyhow::{Context, Result};
use processes::confine::Limits;
use report::files;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Spanned;
use ui::{Usage, new_seed};

use super::comparison::Comparison;
use super::late::Rule;

use crate::learn::exercise::{self, Exercise};
use crate::learn::findings::Part;
use crate::learn::plan::drawn_size;

/// The instructor's file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// Decide what is random in the data; one is drawn where there are none.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// Seconds of a processor that a check may take.
    #[serde(default, deserialize_with = "seconds")]
    pub cpu_seconds: Option<u64>,
    /// Memory that a check may use.
    #[serde(default, deserialize_with = "mebibytes")]
    pub memory_mib: Option<u64>,
    /// The assignment's column in a gradebook, as Canvas exports it; else the folder's name.
    pub column: Option<String>,
    /// What late submissions lose.
    pub late: Option<Rule>,
    /// Whether the class's kernels are compared.
    pub comparison: Option<Comparison>,
    /// What is graded.
    #[serde(default, rename = "exercise")]
    pub exercises: Vec<Graded>,
}

/// An exercise that is graded.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Graded {
    /// Its number, slug or folder.
    pub name: String,
    /// Sizes besides the exercise's own; one is drawn where the file says nothing.
    #[serde(default, deserialize_with = "sizes")]
    pub sizes: Option<Vec<u64>>,
    /// What its parts are worth.
    #[serde(default)]
    pub points: Points,
    /// Where it is named, before what is wrong with it: `class.toml:7: `.
    #[serde(skip)]
    place: String,
}

/// The points for each part that an exercise has.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Points {
    /// For a file that compiles.
    #[serde(deserialize_with = "points")]
    pub compiles: f64,
    /// For the right results.
    #[serde(deserialize_with = "points")]
    pub results: f64,
    /// For a kernel without hazards.
    #[serde(deserialize_with = "points")]
    pub hazards: f64,
    /// For events within the limits.
    #[serde(deserialize_with = "points")]
    pub goals: f64,
    /// The share of those for results and hazards, from 0 to 1, for what is right and not what the exercise asks for.
    #[serde(deserialize_with = "share")]
    pub beside_goal: f64,
}

impl Default for Points {
    fn default() -> Points {
        Points { compiles: 1.0, results: 5.0, hazards: 2.0, goals: 2.0, beside_goal: 0.25 }
    }
}

impl Points {
    /// Those of a part.
    pub fn of(&self, part: Part) -> f64 {
        match part {
            Part::Compiles => self.compiles,
            Part::Results => self.results,
            Part::Hazards => self.hazards,
            Part::Goals => self.goals,
        }
    }
}

/// The parts that a check of this exercise has.
pub fn parts(exercise: &Exercise) -> &'static [Part] {
    let has_goals = exercise.is_parallel() || !exercise.limits.is_empty();
    match &exercise.predict {
        _ if exercise.is_program() => &[Part::Compiles, Part::Results, Part::Goals],
        Some(_) => &[Part::Results],
        None if has_goals => &Part::ALL,
        None => &[Part::Compiles, Part::Results, Part::Hazards],
    }
}

impl Graded {
    /// An exercise that is named elsewhere.
    pub fn named(name: &str) -> Graded {
        let place = String::new();
        Graded { name: name.to_owned(), sizes: None, points: Points::default(), place }
    }
}

impl Class {
    /// Reads the file.
    ///
    /// # Errors
    /// It cannot be read, or is not as it must be: which line, and why.
    pub fn read(file: &Path) -> Result<Class> {
        let name = file.display();
        let text = files::read_text(file).with_context(|| format!("cannot read {name}"))?;
        let wrong = |error: toml::de::Error| {
            Usage(match error.span() {
                Some(span) => format!("{name}:{}: {}", line(&text, span.start), error.message()),
                None => format!("{name}: {}", error.message()),
            })
        };
        let mut class: Class = toml::from_str(&text).map_err(wrong)?;
        let places: Places = toml::from_str(&text).map_err(wrong)?;
        for (graded, named) in class.exercises.iter_mut().zip(places.exercise) {
            graded.place = format!("{name}:{}: ", line(&text, named.name.span().start));
        }
        let folder = file.parent().unwrap_or(Path::new(""));
        class.late.iter_mut().for_each(|rule| rule.is_in(folder));
        Ok(class)
    }

    /// Adds exercises that were named elsewhere.
    pub fn add(&mut self, names: &[String]) {
        self.exercises.extend(names.iter().map(|name| Graded::named(name)));
    }

    /// Gives exercises their whole names, and draws what the file leaves open.
    ///
    /// # Errors
    /// There is no such exercise, one is named twice, or no size can be added to it.
    pub fn complete(&mut self, all: &[Exercise]) -> Result<(), Usage> {
        if self.exercises.is_empty() {
            return Err(Usage(
                "which exercises? Name them with --exercise, or in the file that --class names"
                    .to_owned(),
            ));
        }
        if self.seeds.is_empty() {
            self.seeds.push(new_seed());
        }
        let mut seen = Vec::new();
        for graded in &mut self.exercises {
            let place = &graded.place;
            let exercise = exercise::find(all, &graded.name)
                .map_err(|Usage(why)| Usage(format!("{place}{why}")))?;
            graded.name.clone_from(&exercise.name);
            if seen.contains(&exercise.name) {
                let again = format!("{place}{} is named twice; leave one out", exercise.name);
                return Err(Usage(again));
            }
            seen.push(exercise.name.clone());
            let sizes = graded
                .sizes
                .get_or_insert_with(|| drawn_size(exercise, self.seeds[0]).into_iter().collect());
            let has_own = exercise.launches.is_empty() && !exercise.is_program();
            if !sizes.is_empty() && has_own {
                return Err(Usage(format!(
                    "{place}{}: its sizes follow from the seeds; leave `sizes` out",
                    exercise.name
                )));
            }
        }
        Ok(())
    }

    /// What each check may use.
    pub fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            cpu_seconds: self.cpu_seconds.unwrap_or(usual.cpu_seconds),
            memory_bytes: self.memory_mib.map_or(usual.memory_bytes, |mib| mib << 20),
        }
    }
}

/// Where each exercise is named.
#[derive(Deserialize)]
struct Places {
    #[serde(default)]
    exercise: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    name: Spanned<String>,
}

/// The line of a byte, from 1.
fn line(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

fn points<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let points = f64::deserialize(from)?;
    match points.is_finite() && (0.0..=1e6).contains(&points) {
        true => Ok(points),
        false => Err(D::Error::custom("points are numbers from 0 on")),
    }
}

fn share<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let share = f64::deserialize(from)?;
    match (0.0..=1.0).contains(&share) {
        true => Ok(share),
        false => Err(D::Error::custom("beside_goal is a share from 0 to 1")),
    }
}

fn sizes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<u64>>, D::Error> {
    let sizes = Vec::<u64>::deserialize(from)?;
    match sizes.iter().all(|size| (1..=1 << 24).contains(size)) {
        true => Ok(Some(sizes)),
        false => Err(D::Error::custom(format!("a size is a number from 1 to {}", 1 << 24))),
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(from)? {
        seconds @ 1..=3600 => Ok(Some(seconds)),
        _ => Err(D::Error::custom("cpu_seconds is a number from 1 to 3600")),
    }
}

fn mebibytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(from)? {
        mib if (512..=1 << 20).contains(&mib) => Ok(Some(mib)),
        _ => {
            Err(D::Error::custom("memory_mib is a number from 512, below which no compiler starts"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(text: &str) -> Result<Class, String> {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("class.toml");
        std::fs::write(&file, text).expect("written");
        let mut class = Class::read(&file).map_err(|error| error.to_string())?;
        let all = Exercise::all().expect("exercises");
        class.complete(&all).map_err(|error| error.to_string())?;
        Ok(class)
    }

    #[test]
    fn names_points_and_hidden_data_are_completed() {
        let class = completed("[[exercise]]\nname = \"stale-tile\"\n[[exercise]]\nname = \"3\"\npoints = { results = 9 }\n")
            .expect("a class");
        let [tile, predict] = &class.exercises[..] else { panic!("two") };
        assert_eq!((tile.name.as_str(), tile.points), ("18-stale-tile", Points::default()));
        let size = tile.sizes.as_ref().expect("drawn")[0];
        assert!(size % 64 == 0 && size <= 512 && ![64, 256].contains(&size), "{size}");
        assert_eq!(predict.points, Points { results: 9.0, ..Points::default() });
        assert_eq!(predict.sizes.as_deref(), Some(&[][..]));
        assert_eq!(class.seeds.len(), 1);
    }

    #[test]
    fn mistakes_are_named() {
        for (text, words) in [
            ("", "--exercise"),
            ("[[exercise]]\nname = \"stale-tle\"", "did you mean"),
            ("[[exercise]]\nname = \"18\"\n[[exercise]]\nname = \"stale-tile\"", "named twice"),
            ("[[exercise]]\nname = \"51\"\nsizes = [7]", "follow from the seeds"),
            ("[[exercise]]\nname = \"18\"\nsizes = [0]", "a size is"),
            ("[[exercise]]\nname = \"18\"\npoints = { results = -1 }", "from 0 on"),
            ("[[exercise]]\nname = \"18\"\npoints = { speed = 1 }", "speed"),
            ("[[exercise]]\nname = \"18\"\npoints = { beside_goal = 2 }", "from 0 to 1"),
            ("seed = 3", "class.toml:1: unknown field `seed`, expected one of `seeds`"),
            (
                "[[exercise]]\nname = \"18\"\n\n[[exercise]]\nname = \"1x\"",
                "class.toml:5: there is no",
            ),
            (
                "seeds = [1]\n[[exercise]]\nname = \"18\"\npoints = { goals = -1 }",
                "class.toml:4: points",
            ),
            ("[late]\ndue = 2026-11-20", "class.toml:2: "),
            ("[comparison]\ngpu = \"h2000\"", "class.toml:2: no GPU is called"),
            ("cpu_seconds = 0", "cpu_seconds"),
            ("memory_mib = 1", "memory_mib"),
        ] {
            let error = completed(text).expect_err(text);
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}

//! The page of submissions that are alike, for the instructor: pairs, with both sources next to each other.

use std::collections::HashSet;

use maud::{Markup, html};

use super::clean;
use super::document::{self, Width};
use super::kept::Handed;
use super::similar::{Pair, Prints, pairs};
use super::students::Student;
use crate::learn::exercise::Exercise;

/// The most pairs of an exercise that are listed, and whose sources are shown.
const MOST_LISTED: usize = 200;
const MOST_SHOWN: usize = 30;

/// A file that is compared.
pub struct Compared<'s> {
    /// Whose it is.
    pub student: &'s Student,
    /// Its text.
    pub text: String,
    prints: Prints,
}

impl<'s> Compared<'s> {
    /// A file that a student handed in.
    pub fn new(student: &'s Student, file: &Handed) -> Compared<'s> {
        let text = String::from_utf8_lossy(&file.bytes).into_owned();
        Compared { student, prints: Prints::of(&text), text }
    }
}

/// The page, with the files of each exercise.
pub fn page(exercises: &[(&Exercise, Vec<Compared>)]) -> String {
    let body = html! {
        p {
            "Comments, layout and the names of variables make no difference; what the exercise gives and what much of the \
             class wrote is not counted. In a short exercise right solutions are alike by themselves: this is a reason to \
             read two files, and no proof of anything."
        }
        @for (exercise, files) in exercises { (of_exercise(exercise, files)) }
    };
    document::page("Submissions that are alike", Width::Wide, None, &body)
}

fn of_exercise(exercise: &Exercise, files: &[Compared]) -> Markup {
    let given = Prints::of(&exercise.beginning_text().unwrap_or_default());
    let prints: Vec<&Prints> = files.iter().map(|file| &file.prints).collect();
    let pairs = pairs(&prints, &given);
    html! {
        h2 { (exercise.name) }
        @if pairs.is_empty() { p { "Nothing of " (files.len()) " files." } }
        @for (place, pair) in pairs.iter().take(MOST_LISTED).enumerate() {
            @let names = pair.files.map(|file| files[file].student.name.as_str());
            @let head = html! {
                strong { (format!("{:.0} %", 100.0 * pair.part)) } " " (names[0]) " and " (names[1])
                span.note { " (" (pair.shared) " common fingerprints)" }
            };
            @if place < MOST_SHOWN {
                details { summary { (head) } (sides(pair, files)) }
            } @else {
                p { (head) }
            }
        }
        @if pairs.len() > MOST_LISTED { p.note { "and " (pairs.len() - MOST_LISTED) " more pairs" } }
    }
}

fn sides(pair: &Pair, files: &[Compared]) -> Markup {
    let side = |file: &Compared, common: &HashSet<usize>| {
        html! {
            div {
                p { (file.student.name) }
                pre {
                    @for (at, line) in file.text.lines().enumerate() {
                        @if common.contains(&(at + 1)) { mark { (clean::text(line)) } } @else { (clean::text(line)) }
                        "\n"
                    }
                }
            }
        }
    };
    html! {
        div.sides {
            (side(&files[pair.files[0]], &pair.lines[0]))
            (side(&files[pair.files[1]], &pair.lines[1]))
        }
    }
}

//! Variants of steps against each other.

use report::Report;
use maud::{Markup, html};

use super::table::scrolled;
use crate::tuning::{HEAD, MARK, Tuning};

/// A table for each step and number of bodies.
pub fn tables(report: &Report) -> Markup {
    let caption = "× best: the rate over that of the fastest. No slower: no difference of 1 % to it was shown.";
    html! {
        @for tuning in Tuning::of(report) {
            h3 { (tuning.title()) }
            (scrolled(&tuning.title(), caption, &HEAD, lines(&tuning)))
        }
    }
}

fn lines(tuning: &Tuning) -> Markup {
    html! {
        tbody {
            @for (cells, no_slower) in tuning.lines() {
                tr {
                    th scope="row" { (cells[0]) }
                    @for cell in &cells[1..] { td.faster[no_slower && *cell == cells[MARK]] { (cell) } }
                }
            }
        }
    }
}

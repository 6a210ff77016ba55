//! The picture of the speed-up ladder.
//!
//! Steps are rungs, the first at the bottom. A rung reaches from its parent's speed to its own on
//! a logarithmic axis, so its length is its × parent, and rungs of equal length gain equally.
//! Nothing needs a legend: what a mark means is written next to it.

mod drawing;
mod frame;
pub mod rungs;

use report::Report;

use super::Picture;
use rungs::Ladder;

/// The picture of a report; `None` where it has nothing but variants of steps.
pub fn ladder(report: &Report) -> Option<Picture> {
    let is_ladder = report.rows.is_empty() || report.rows.iter().any(|row| row.is_own());
    let ladder = Ladder::of(report);
    let title = ladder.title.clone();
    is_ladder.then(|| Picture::draw("ladder", title, |canvas| drawing::draw(canvas, &ladder)))
}

/// What a report says in one line.
pub fn message(report: &Report) -> String {
    Ladder::of(report).title
}

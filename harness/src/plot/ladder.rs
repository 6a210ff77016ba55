//! The picture of the speed-up ladder.
//!
//! Steps are rungs, the first at the bottom. A rung reaches from its parent's speed to its own on
//! a logarithmic axis, so its length is its × parent, and rungs of equal length gain equally.
//! Nothing needs a legend: what a mark means is written beside it.

mod frame;
mod layout;
mod marks;

use anyhow::Result;

use super::canvas::{Canvas, Surface};
use super::rungs::Picture;
use super::style::CARD;
use layout::Layout;
pub use layout::extent;

/// A picture on its way to a canvas.
struct Drawing<'a, 'c, 'b, DB> {
    picture: &'a Picture,
    layout: Layout,
    canvas: &'c mut Canvas<'b, DB>,
}

/// Draws a picture.
pub fn draw<DB: Surface>(picture: &Picture, canvas: &mut Canvas<DB>) -> Result<()> {
    let (width, height) = extent(picture);
    canvas.fill((0, 0), (width as i32, height as i32), CARD)?;
    let mut drawing = Drawing { picture, layout: Layout::of(picture), canvas };
    drawing.head()?;
    drawing.grid()?;
    // Uprights first: rungs and words lie over them.
    for at in 0..picture.rungs.len() {
        drawing.riser(at)?;
    }
    for at in 0..picture.rungs.len() {
        drawing.rung(at)?;
    }
    drawing.notes()
}

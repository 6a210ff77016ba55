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
use super::drawn::Drawn;
use super::rungs::Picture;
use super::style::{CARD, WIDTH};
use layout::{AXIS, Layout};

/// A picture on its way to a canvas.
struct Drawing<'a, 'c, 'b, DB> {
    picture: &'a Picture,
    layout: Layout,
    canvas: &'c mut Canvas<'b, DB>,
}

impl Drawn for Picture {
    fn extent(&self) -> (u32, u32) {
        let layout = Layout::of(self);
        let notes = frame::notes(self, layout.axis.as_ref());
        (WIDTH as u32, (layout.bottom + AXIS - 14 + notes.height()) as u32)
    }

    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()> {
        let (width, height) = self.extent();
        canvas.fill((0, 0), (width as i32, height as i32), CARD)?;
        let mut drawing = Drawing { picture: self, layout: Layout::of(self), canvas };
        drawing.head()?;
        drawing.grid()?;
        // Uprights first: rungs and words lie over them.
        for at in 0..self.rungs.len() {
            drawing.riser(at)?;
        }
        for at in 0..self.rungs.len() {
            drawing.rung(at)?;
        }
        drawing.notes()
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn describe(&self) -> String {
        self.in_words()
    }
}

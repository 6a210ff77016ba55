//! What every picture has, whatever it shows.

use anyhow::Result;

use super::canvas::{Canvas, Surface};

/// A picture that can be drawn on any canvas.
pub trait Drawn {
    /// Its size in pixels.
    fn extent(&self) -> (u32, u32);
    /// Draws it.
    ///
    /// # Errors
    /// The canvas refused.
    fn draw<DB: Surface>(&self, canvas: &mut Canvas<DB>) -> Result<()>;
    /// Its message in one line.
    fn title(&self) -> &str;
    /// All of it in words, for those who do not see it.
    fn describe(&self) -> String;
}

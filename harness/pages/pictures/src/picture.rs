//! What drawing gives: a picture, and the names of pictures.

/// A picture.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Its file's name without the ending.
    pub name: &'static str,
    /// Its message in one line.
    pub title: String,
    /// All of it in words, for those who do not see it.
    pub words: String,
    /// The text of its SVG; the same data gives the same bytes.
    pub svg: String,
    /// The same drawn for a phone, of the pictures that the book has.
    pub narrow: Option<String>,
}

/// The names of all pictures that a report alone can have, in the order in which they are read.
pub const NAMES: [&str; 8] =
    ["ladder", "bounds", "roofline", "accuracy", "sizes", "blocks", "tuning", "spread"];

/// The name of the picture of one processor against another.
pub const AGAINST: &str = "against-cpu";

/// The name of the picture of several machines.
pub const MACHINES: &str = "machines";

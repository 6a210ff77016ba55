//! Tables of a report: for a terminal and for Markdown. Both are in the ladder's order, never by
//! speed.

pub mod by_size;
pub mod figures;
pub mod layout;
mod markdown;
mod terminal;

pub use markdown::{line as markdown_line, linked, markdown};
pub use terminal::{colour, sizes, terminal, width};

//! Exercises as a reader does them, at a terminal or in a pipe.
//!
//! ```text
//! course    the exercises, what the reader has done of them, and how the reader calls this program
//!  └ text   what is said of them: goals, hints, lists, verdicts
//! open      the program that stays open: a verdict at each save, keys, the next exercise on a pass
//!  ├ screen    pages, and the lines at the bottom with the file and the keys
//!  ├ keys      single keys, and a terminal that is left as it was found
//!  └ editor    opens the reader's file
//! ```

pub mod course;
pub mod editor;
pub mod keys;
pub mod open;
pub mod screen;
pub mod text;

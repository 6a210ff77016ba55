//! What pictures are drawn with.
//!
//! ```text
//! canvas     lines, shapes and text in pixels        lettering   looks and widths of text
//! style      colours and sizes                       scale       values as pixels
//! marks      looks of series                         grid        grid lines and axes
//! labels     labels that keep apart                  places      labels of marks in a plane
//! sheet      what stands above and below             rows        names of steps, columns of numbers
//! curve      series of points                        names       names at the ends of curves
//! chart      curves over a common axis
//! ```

pub mod canvas;
pub mod chart;
pub mod curve;
pub mod grid;
pub mod labels;
pub mod lettering;
pub mod marks;
pub mod names;
pub mod places;
pub mod rows;
pub mod scale;
pub mod sheet;
pub mod style;

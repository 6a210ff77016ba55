//! Pictures of reports made up for the purpose.

mod ladder;
mod legible;
mod machines;
mod shown;

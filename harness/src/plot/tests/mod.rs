//! Pictures of reports made up for the purpose.

mod against;
mod bars;
mod ladder;
mod legible;
mod machines;
mod shown;

//! Pictures of reports made up for the purpose.

mod accuracy;
mod against;
mod bars;
mod ladder;
mod legible;
mod machines;
mod shown;

//! Reports as people look at them: tables for terminal, Markdown, HTML and CSV, sentences, pictures, pages.
//!
//! Everything is drawn from a [`report::Report`]; nothing here knows a ladder, a problem or a device.

pub mod accuracy;
pub mod against;
pub mod compare;
pub mod export;
pub mod heuristics;
pub mod html;
pub mod plot;
pub mod published;
pub mod scaling;
pub mod summary;
#[cfg(test)]
mod synthetic;
pub mod table;
pub mod tuning;

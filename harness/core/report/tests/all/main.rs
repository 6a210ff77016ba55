//! Reports as files. All in one test program: to link each file alone costs more than it runs.

mod bad_reports;
mod refuted;
mod schema;

//! The report's format as a JSON schema, drawn from the types and their comments.

use schemars::schema_for;

use super::{Report, json};

/// The JSON schema of a report, as text with a final line end. Files that satisfy it may still hold
/// what no run can have written: see [`Report::check`].
///
/// # Panics
/// Never: a schema is JSON.
pub fn schema() -> String {
    json::to_text(&schema_for!(Report)).expect("a schema is JSON")
}

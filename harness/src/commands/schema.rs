//! `schema`: the format of report.json.

use std::process::ExitCode;

use anyhow::Result;

use crate::output::print;

/// Prints the JSON schema.
pub fn run() -> Result<ExitCode> {
    print(&ladder::report::schema())?;
    Ok(ExitCode::SUCCESS)
}

//! `schema`: the format of report.json, or of scaling.json.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::reports::SchemaArgs;
use crate::output::print;

/// Prints the JSON schema.
pub fn run(args: &SchemaArgs) -> Result<ExitCode> {
    print(&match args.scaling {
        true => report::scaling::schema(),
        false => report::schema(),
    })?;
    Ok(ExitCode::SUCCESS)
}

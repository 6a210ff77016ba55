//! `schema`: the format of report.json, or of scaling.json.

use std::process::ExitCode;

use anyhow::Result;

use crate::cli::reports::SchemaArgs;
use crate::output::print;
use crate::scaling;

/// Prints the JSON schema.
pub fn run(args: &SchemaArgs) -> Result<ExitCode> {
    print(&match args.scaling {
        true => scaling::data::schema()?,
        false => ladder::report::schema(),
    })?;
    Ok(ExitCode::SUCCESS)
}

//! `schema`: the format of report.json, or of scaling.json.

use std::process::ExitCode;

use anyhow::Result;

use clap::Args;
use ui::output::print;

pub(crate) const SCHEMA_HELP: &str = "\
Every field with its meaning and unit is described in it, as in the committed
reports/report.schema.json. It is made from the types in
harness/core/report/src/; after a change there:
  cargo run -p maintain -- schema > reports/report.schema.json";

/// Which format is shown.
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// That of scaling.json, which `scale` writes
    #[arg(long)]
    pub scaling: bool,
}

/// Prints the JSON schema.
pub fn run(args: &SchemaArgs) -> Result<ExitCode> {
    print(&match args.scaling {
        true => report::scaling::schema(),
        false => report::schema(),
    })?;
    Ok(ExitCode::SUCCESS)
}

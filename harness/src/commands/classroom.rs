//! `classroom`: the files with which a class's repositories grade by themselves.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use ui::output::{print, wrote};

use teaching::classroom;

pub(crate) const CLASSROOM_EXAMPLES: &str = "\
Examples (`harness` is short for `cargo run -p harness --`):
  harness classroom hw1       write the files of an assignment
  harness classroom hw1 --workbook https://gitlab.uni.example/gpu/ladder

DIR gets .github/workflows/grade.yml (GitHub Classroom), .gitlab-ci.yml
(GitLab), workbook.ipynb (Colab) and class.toml, which says what is graded: the
only one to edit. The workbook's address in them is that of this clone's remote
`origin`.
Exit codes: 0 all are written; 1 one could not be written; 2 usage";

/// The options of `classroom`.
#[derive(Debug, Args)]
pub struct ClassroomArgs {
    /// The folder of the assignment's repository
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Address of the workbook [default: this clone's remote `origin`]
    #[arg(long, value_name = "URL")]
    pub workbook: Option<String>,
}

/// Writes the files.
pub fn run(args: &ClassroomArgs) -> Result<ExitCode> {
    let address = classroom::address(args.workbook.as_deref())?;
    let files = classroom::write(&args.folder, &address)?;
    print(&format!("{}\nfor the workbook at {address}\n", wrote(&files)))?;
    Ok(ExitCode::SUCCESS)
}

//! clang in the page. The page runs it when a file is read: that of the job is written before, and what is read is what came of it.

use std::fs;
use std::io;

use serde::Deserialize;
use toolchain::clang::{Job, Ran};

/// Where the job is written, and what came of it is read.
const JOB: &str = "/clang/job";
const RAN: &str = "/clang/ran";

/// What the page fetches, and how it is known.
#[derive(Deserialize)]
struct Package {
    release: String,
}

/// Makes the page's clang the compiler of this process.
pub fn provide() {
    let package: Package = serde_json::from_str(include_str!("../page/compiler.json"))
        .expect("the committed settings");
    toolchain::clang::provide(&package.release, run);
}

fn run(job: &Job) -> io::Result<Ran> {
    fs::write(JOB, serde_json::to_string(job)?)?;
    Ok(serde_json::from_str(&fs::read_to_string(RAN)?)?)
}

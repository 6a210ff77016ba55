//! The file of a report. A run of some steps keeps what the file says of the others.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use report::files::{check_writable, write_whole};
use report::mutation::Mutation;
use ui::output::{mention, shown};

/// Where a report is to be written.
pub struct Saved<'a> {
    file: &'a Path,
    /// The report that is there, of which other steps are kept.
    earlier: Option<Mutation>,
}

impl Saved<'_> {
    /// Makes the folder of a file, and finds out whether the file can be written, before hours of work.
    ///
    /// # Errors
    /// It cannot, or what it says of other steps cannot be read.
    pub fn at(file: &Path, keeps_others: bool) -> Result<Saved<'_>> {
        if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let problem = || format!("cannot make {}", folder.display());
            fs::create_dir_all(folder).with_context(problem)?;
        }
        let is_there = keeps_others && file.exists();
        let earlier = is_there.then(|| Mutation::read(file)).transpose()?;
        check_writable(file)?;
        Ok(Saved { file, earlier })
    }

    /// Writes a report of some of a ladder's `steps`.
    ///
    /// # Errors
    /// The report that is there is of other mutants, or the file cannot be written.
    pub fn write(self, mut report: Mutation, steps: &[&str]) -> Result<()> {
        if let Some(earlier) = self.earlier {
            let problem = || format!("cannot add to {}, choose another file", shown(self.file));
            report.add_earlier(earlier, steps).with_context(problem)?;
        }
        write_whole(self.file, |to| to.write_all(report.to_json().as_bytes()))?;
        mention(&format!("wrote {}", shown(self.file)));
        Ok(())
    }
}

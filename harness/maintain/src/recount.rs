//! Counting the limits of a measured report anew: its times stay, what its kernels execute and move is counted by
//! today's simulator. Only where the kernels are those that were timed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use device::Source;
use ladder::run::{LadderRun, subject};
use ladder::{revision, workspace};
use report::{Limits, Recounted, Report, Row, today};
use simt::model::Gpu;

use ui::Usage;

/// Counts the limits of all rows that have some anew; `said` hears the name of each step. `kernels_of` is the revision
/// whose kernels were timed, where the report does not name one of this clone.
///
/// # Errors
/// A report without such limits, kernels that are not those that were timed or of which that cannot be told, code that
/// cannot be counted. Then the report may be changed in part, and must not be written.
pub fn recount(
    report: &mut Report,
    kernels_of: Option<&str>,
    said: &mut dyn FnMut(&str),
) -> Result<()> {
    if let Some(reader) = &report.options.replacement {
        bail!(Usage(format!(
            "{} was timed in place of {}, and the report does not hold its source; run it again",
            reader.file.display(),
            reader.step
        )));
    }
    let ladder = ladders::ladder(&report.options.ladder)?;
    let kernels_of = timed_revision(report, kernels_of)?;
    let mut climb = LadderRun::new(ladder, report.options.clone())?;
    let root = workspace::root()?;
    let rows = || report.rows.iter().filter(|row| row.limits.is_some());
    for row in rows() {
        let step = ladders::step(ladder, &row.step)?;
        let source = climb.source(&step, &row.variant())?;
        check(&Clone { root: &root, revision: &kernels_of }, &climb, &source)?;
    }
    let Some(of_first) = rows().find_map(|row| row.limits.as_ref()) else {
        bail!(Usage(
            "no row has limits that the simulator counted; `run` counts them on a GPU".to_owned()
        ));
    };
    let gpu = described(of_first)?;
    for row in report.rows.iter_mut().filter(|row| row.limits.is_some()) {
        said(&subject(row).to_string());
        let counted = climb.count(row, &gpu, &mut |_| ());
        let (limits, occupancy) =
            counted.map_err(|why| anyhow::anyhow!("{}: {why}", subject(row)))?;
        *row = Row { limits: Some(limits), occupancy, ..std::mem::take(row) };
    }
    report.recounted = Some(Recounted { date: today(), revision: revision(), kernels_of });
    Ok(())
}

/// The revision of the kernels that were timed.
fn timed_revision(report: &Report, named: Option<&str>) -> Result<String, Usage> {
    const REMEDY: &str =
        "name the revision whose kernels were timed with --kernels-of, or run it again";
    match (named, report.revision.as_deref()) {
        (Some(named), _) => Ok(named.to_owned()),
        (None, Some(own)) if !own.ends_with("-dirty") => Ok(own.to_owned()),
        (None, Some(own)) => {
            Err(Usage(format!("files differed from the revision {own} that was timed; {REMEDY}")))
        }
        (None, None) => Err(Usage(format!("the report names no revision; {REMEDY}"))),
    }
}

/// The description of the GPU of which a report has limits.
fn described(limits: &Limits) -> Result<Gpu, Usage> {
    let known = Gpu::names().filter_map(|name| Gpu::named(name).ok());
    known.into_iter().find(|gpu| gpu.name == limits.gpu).ok_or_else(|| {
        Usage(format!(
            "{}: the model has no description of this GPU; run it again there",
            limits.gpu
        ))
    })
}

/// A clone at a revision.
struct Clone<'c> {
    root: &'c Path,
    revision: &'c str,
}

impl Clone<'_> {
    /// The text of a file there; none where it has no such file.
    fn text(&self, path: &Path) -> Result<Option<String>> {
        let show = |what: String| {
            let mut git = Command::new("git");
            // The clone may be another user's.
            git.args(["-c", "safe.directory=*", "-C"])
                .arg(self.root)
                .args(["show", "--no-textconv"]);
            git.arg(what).output().context("git is not on this machine")
        };
        let revision = self.revision;
        if revision.starts_with('-') || !show(format!("{revision}^{{tree}}"))?.status.success() {
            bail!(Usage(format!(
                "this clone has no revision {revision}, so that nothing tells whether the kernels are those that \
                 were timed; name the revision that has them with --kernels-of"
            )));
        }
        let found =
            show(format!("{revision}:./{}", path.display().to_string().replace('\\', "/")))?;
        Ok(found.status.success().then(|| String::from_utf8_lossy(&found.stdout).into_owned()))
    }
}

/// Checks that what machine code is made from is as it was: the CUDA source, what it includes, and the digest of the PTX,
/// in which compiler and options are too.
fn check(clone: &Clone, climb: &LadderRun, source: &Source) -> Result<()> {
    let folder = climb.kernels().strip_prefix(clone.root).unwrap_or(climb.kernels());
    let sources = source.cuda.iter().map(|text| (PathBuf::from(&source.file), text));
    let included = source.includes.iter().map(|it| (PathBuf::from(&it.file), &it.text));
    let ptx = source.ptx.iter().map(|ptx| (folder.join(&ptx.file), &ptx.text));
    for (file, text) in sources.chain(included).chain(ptx) {
        let there = clone.text(&file)?;
        if there.as_deref().map(|there| what_counts(&file, there)) != Some(what_counts(&file, text))
        {
            bail!(Usage(format!(
                "{} is not what it was at revision {}, whose kernels were timed; run the ladder again",
                file.display(),
                clone.revision
            )));
        }
    }
    Ok(())
}

/// What of a file must be the same: all of a source, the digest of PTX.
fn what_counts(file: &Path, text: &str) -> String {
    let is_ptx = file.extension().is_some_and(|it| it == "ptx");
    let digest = text.lines().next().filter(|first| is_ptx && first.starts_with("// digest "));
    digest.map_or_else(|| text.replace("\r\n", "\n"), str::to_owned)
}

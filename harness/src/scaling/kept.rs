//! What is finished of a run, as its folder keeps it while the run goes on: an interrupted one goes on from there.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ladder::workspace;
use report::runs::list;
use report::scaling::Scaling;
use report::{files, now, stamp};
use serde::{Deserialize, Serialize};
use ui::output::{explain, say, shown};

use super::predict::Link;
use crate::folder::Folder;
use crate::runs;

/// The options on which the rows of a run depend.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The ladder.
    pub ladder: String,
    /// Numbers of GPUs.
    pub gpus: Vec<u32>,
    /// Folders of the steps.
    pub steps: Vec<String>,
    /// Sizes of strong scaling.
    pub sizes: Vec<u64>,
    /// Size on one GPU of weak scaling.
    pub weak: u64,
    /// Whether the GPUs are simulated.
    pub is_simulated: bool,
    /// The GPU whose time is modelled.
    pub model: String,
    /// Where machine code may come from.
    pub code: String,
    /// Samples of each time.
    pub samples: u32,
    /// The least time of a sample, ms.
    pub sample_ms: u32,
    /// The link of the GPUs whose time is predicted.
    pub link: Option<Link>,
}

/// A run that goes on.
#[derive(Serialize, Deserialize)]
pub struct Run {
    /// What it is asked to do.
    pub asked: Asked,
    /// What is finished.
    pub report: Scaling,
    /// Whether it was said that this cannot be kept.
    #[serde(skip)]
    pub is_lost: bool,
}

/// The report's file, without its ending.
const NAME: &str = "scaling";

/// The folder of a new run: `out`, or one of its own.
///
/// # Errors
/// It cannot be written to, or another run writes to it.
pub fn begin(out: Option<&Path>, asked: &Asked) -> Result<Folder> {
    match out {
        Some(out) => Folder::open(out, NAME),
        None => runs::begin(&place()?, &stamp(now()), &asked.ladder, NAME),
    }
}

/// Where runs have folders of their own.
fn place() -> Result<PathBuf> {
    Ok(workspace::own()?.join("reports/local/gpus"))
}

impl Run {
    /// The run that was interrupted in `out`, or the latest with the same options that was, and its folder.
    ///
    /// # Errors
    /// There is none, or it cannot be written to.
    pub fn resumed(
        out: Option<&Path>,
        asked: &Asked,
        seed: Option<u64>,
    ) -> Result<(Folder, Option<Run>)> {
        if let Some(out) = out {
            let folder = Folder::open(out, NAME)?;
            let run = Run::kept(&folder, asked, seed)?;
            return Ok((folder, Some(run)));
        }
        let place = place()?;
        for run in list(&place) {
            if let Some(folder) = Folder::try_open(&run.path, NAME)?
                && let Ok(run) = Run::kept(&folder, asked, seed)
            {
                return Ok((folder, Some(run)));
            }
        }
        bail!("no run with these options was interrupted in {}; leave out --resume", shown(&place));
    }

    /// The run with the same options that the folder keeps, and with this seed if one is given.
    ///
    /// # Errors
    /// There is none, or it had other options.
    pub fn kept(folder: &Folder, asked: &Asked, seed: Option<u64>) -> Result<Run> {
        let out = folder.path().display();
        let file = folder
            .kept()
            .with_context(|| format!("no run in {out} was interrupted; leave out --resume"))?;
        let no_run = || format!("{} holds no interrupted run; leave out --resume", file.display());
        let bytes = files::read(file).with_context(no_run)?;
        let run: Run = serde_json::from_slice(&bytes).with_context(no_run)?;
        if run.asked != *asked || seed.is_some_and(|seed| seed != run.report.seed) {
            bail!(
                "the run in {out} had other options; give the same ones as then, or leave out --resume"
            );
        }
        Ok(run)
    }

    /// Keeps what is finished. Where that is not possible the run goes on, and its end says why.
    pub fn keep(&mut self, folder: &Folder) {
        let text = serde_json::to_string(self).context("the run is no data");
        if let Err(error) = text.and_then(|text| Ok(folder.keep(&text)?))
            && !std::mem::replace(&mut self.is_lost, true)
        {
            say(&format!("could not save the finished rows: {}", explain(&error)));
        }
    }
}

//! Draws every committed report. `cargo run -p pictures --example redraw` draws the committed
//! pictures anew; with `-- FOLDER` it writes all that there could be to `FOLDER/<report>/`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Instant;

use pictures::{Context, Picture};
use report::Report;
use report::against::{self, Against};
use report::files::write_whole;
use report::published::Published;
use report::scaling::Scaling;
use report::validation::Validation;

fn main() -> Result<(), Box<dyn Error>> {
    let out = std::env::args_os().nth(1).map(PathBuf::from);
    for name in folders(&reports(), Path::new(""))? {
        let started = Instant::now();
        let pictures = pictures_of(&name)?;
        let seconds = started.elapsed().as_secs_f64();
        let to = out.clone().unwrap_or_else(reports).join(&name);
        std::fs::create_dir_all(&to)?;
        let mut written = 0;
        for picture in &pictures {
            let file = to.join(picture.name).with_extension("svg");
            if out.is_some() || file.is_file() {
                write_whole(&file, |file| file.write_all(picture.svg.as_bytes()))?;
                written += 1;
            }
        }
        let (name, drawn) = (name.display(), pictures.len());
        println!("{name}: {drawn} pictures in {seconds:.3} s, {written} written");
    }
    Ok(())
}

/// The folder of the committed reports.
pub fn reports() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../reports")
}

/// All that a folder's files have the data for.
pub fn pictures_of(name: &Path) -> Result<Vec<Picture>, Box<dyn Error>> {
    let dir = reports().join(name);
    let mut pictures = Vec::new();
    if dir.join("report.json").is_file() {
        let report = Report::read(&dir.join("report.json"))?;
        let published = Published::of_ladder(&reports(), &report.options.ladder)?;
        let pair = against::partner(&report, &dir)?.filter(|pair| pair.dir == dir);
        let against = pair.and_then(|pair| Against::of(&pair.gpu, &pair.cpu, &published));
        let context = Context { published: &published, against: against.as_ref() };
        pictures = pictures::of_report(&report, &context);
        if !published.lines.is_empty() {
            pictures.extend(pictures::machines(&report, &[], &published).ok());
        }
    }
    if dir.join(report::scaling::FILE).is_file() {
        pictures.extend(pictures::scaling(&Scaling::read(&dir)?));
    }
    let model = dir.join("model.json");
    if model.is_file() {
        let validation: Validation = serde_json::from_slice(&std::fs::read(model)?)?;
        pictures.push(pictures::model(&validation));
    }
    Ok(pictures)
}

/// All folders below a folder, relative to it, in order.
pub fn folders(top: &Path, below: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries: Result<Vec<_>, _> = std::fs::read_dir(top.join(below))?.collect();
    let mut entries = entries?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries.into_iter().filter(|entry| entry.path().is_dir()) {
        let name = below.join(entry.file_name());
        // A reader's own runs are not committed.
        if name == Path::new("local") {
            continue;
        }
        found.push(name.clone());
        found.extend(folders(top, &name)?);
    }
    Ok(found)
}

//! A student's files, and which of them is for an exercise. No link is followed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::archive::{self, Kind};
use super::clean;
use super::kept::{Handed, Kept, Refused};
use crate::learn::exercise::Exercise;

/// How deep folders may be.
pub const DEEPEST: usize = 16;

/// Reads what a student handed in: files, folders and archives.
///
/// # Errors
/// Why nothing is graded of it.
pub fn read(paths: &[PathBuf]) -> Result<Kept, Refused> {
    let mut kept = Kept::default();
    for path in paths {
        read_one(path, "", 0, &mut kept)?;
    }
    kept.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(kept)
}

/// `above` is the path of the folder in the submission; the topmost name is the student's, and no part of it.
fn read_one(path: &Path, above: &str, depth: usize, kept: &mut Kept) -> Result<(), Refused> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = clean::line(&name).into_owned();
    let unreadable = |error: std::io::Error| Refused(format!("{name} cannot be read: {error}"));
    let known = fs::symlink_metadata(path).map_err(unreadable)?;
    if known.is_symlink() {
        return Err(format!("`{name}` is a link; hand in the file itself").into());
    }
    if known.is_dir() {
        if depth > DEEPEST {
            return Err("its folders are too deep".to_owned().into());
        }
        let entries = fs::read_dir(path).map_err(unreadable)?;
        for entry in entries {
            kept.count()?;
            let entry = entry.map_err(unreadable)?.path();
            // A clone's own: large, and none of it is handed in.
            if entry.file_name().is_some_and(|name| name == ".git" || name == "__MACOSX") {
                continue;
            }
            let above = if depth == 0 { String::new() } else { format!("{above}{name}/") };
            read_one(&entry, &above, depth + 1, kept)?;
        }
        return Ok(());
    }
    if !known.is_file() {
        return Err(format!("`{name}` is no ordinary file").into());
    }
    if let Some(kind) = Kind::of(&name) {
        return archive::unpack(path, kind, kept);
    }
    let mut file = File::open(path).map_err(unreadable)?;
    kept.add(&format!("{above}{name}"), &mut file)
}

/// The file that is for `exercise`, by its name; of the only exercise also the only file of its kind.
///
/// # Errors
/// There is none, or there are several.
pub fn find<'f>(
    files: &'f [Handed],
    exercise: &Exercise,
    is_only: bool,
) -> Result<&'f Handed, Refused> {
    let beginning = exercise.beginning().map_err(|error| Refused(error.to_string()))?;
    let ending = beginning.extension().unwrap_or_default().to_string_lossy().into_owned();
    let of_kind = |file: &&Handed| {
        file.name().rsplit_once('.').is_some_and(|(_, own)| own.eq_ignore_ascii_case(&ending))
    };
    let slug = report::split(&exercise.name).1;
    let is_named = |file: &&Handed| {
        let stem = file.name().rsplit_once('.').map_or("", |(stem, _)| stem).to_ascii_lowercase();
        // A platform writes -1 after the name of what is handed in once more.
        let (stem, again) = stem.rsplit_once('-').unwrap_or((&stem, ""));
        let whole = match again.parse::<u32>() {
            Ok(_) => stem.to_owned(),
            Err(_) if again.is_empty() => stem.to_owned(),
            Err(_) => format!("{stem}-{again}"),
        };
        whole == exercise.name || whole == slug
    };
    let all: Vec<&Handed> = files.iter().filter(of_kind).collect();
    let mut named: Vec<&Handed> = all.iter().copied().filter(|file| is_named(file)).collect();
    // The later of those that were handed in twice.
    named
        .sort_by_key(|file| (file.path.matches('/').count(), std::cmp::Reverse(file.name().len())));
    let wanted = format!("{}.{ending}", exercise.name);
    match (&named[..], &all[..]) {
        ([one], _) => Ok(one),
        ([first, second, ..], _)
            if first.folder() == second.folder() && first.name() != second.name() =>
        {
            Ok(first)
        }
        ([first, second, ..], _) if first.folder().len() < second.folder().len() => Ok(first),
        ([_, _, ..], _) => Err(format!("{wanted} is there several times").into()),
        ([], [one]) if is_only => Ok(one),
        ([], _) => Err(format!("there is no {wanted}").into()),
    }
}

/// The files that a kernel may include: those next to it.
pub fn beside<'f>(files: &'f [Handed], of: &Handed) -> impl Iterator<Item = &'f Handed> {
    let folder = of.folder().to_owned();
    files.iter().filter(move |file| file.folder() == folder && file.path.ends_with(".cuh"))
}

/// A name for a file of this program's own: the student's, where it is a plain one.
pub fn plain_name(file: &Handed, exercise: &Exercise) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let name = file.name();
    match name.chars().all(is_plain) && !name.starts_with(['.', '-']) && name.len() <= 100 {
        true => name.to_owned(),
        false => {
            let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
            format!("{}.{}", exercise.name, ending.to_ascii_lowercase())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[&str], is_only: bool) -> Result<String, Refused> {
        let all = Exercise::all().expect("exercises");
        let exercise = all.iter().find(|it| it.name == "18-stale-tile").expect("it is there");
        let file = |path: &&str| Handed { path: (*path).to_owned(), bytes: Vec::new() };
        let files: Vec<Handed> = paths.iter().map(file).collect();
        find(&files, exercise, is_only).map(|file| file.path.clone())
    }

    #[test]
    fn the_file_is_found_by_name_or_as_the_only_one() {
        for path in
            ["18-stale-tile.cu", "hw/Stale-Tile.CU", "a/b/18-stale-tile.cu", "18-stale-tile-2.cu"]
        {
            assert_eq!(found(&["mine.cu", path, "x.ptx"], false).as_deref(), Ok(path));
        }
        assert_eq!(
            found(&["18-stale-tile.cu", "18-stale-tile-1.cu"], true).as_deref(),
            Ok("18-stale-tile-1.cu")
        );
        assert_eq!(
            found(&["18-stale-tile.cu", "old/18-stale-tile.cu"], true).as_deref(),
            Ok("18-stale-tile.cu")
        );
        assert_eq!(found(&["main.cu", "a.cuh"], true).as_deref(), Ok("main.cu"));
        assert!(found(&["main.cu"], false).is_err_and(|it| it.0.contains("no 18-stale-tile.cu")));
        assert!(found(&["a.cu", "b.cu"], true).is_err());
        assert!(
            found(&["a/18-stale-tile.cu", "b/18-stale-tile.cu"], true)
                .is_err_and(|it| it.0.contains("several"))
        );
        assert!(found(&[], true).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_and_folders_are_read_whole() {
        let folder = tempfile::tempdir().expect("a folder");
        let ada = folder.path().join("ada");
        fs::create_dir_all(ada.join("src/deep")).expect("folders");
        fs::write(ada.join("src/deep/a.cu"), "a").expect("written");
        fs::write(ada.join("b.cuh"), "b").expect("written");
        fs::write(ada.join("essay.pdf"), "b").expect("written");
        let files = read(std::slice::from_ref(&ada)).expect("files").files;
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["b.cuh", "src/deep/a.cu"]);
        for target in ["/etc/passwd", "/", "loop"] {
            let link = ada.join("loop");
            std::os::unix::fs::symlink(target, &link).expect("a link");
            assert!(
                read(std::slice::from_ref(&ada)).expect_err(target).0.contains("`loop` is a link")
            );
            fs::remove_file(link).expect("removed");
        }
        assert_eq!(
            read(&[folder.path().join("none")]).map_err(|it| it.0.contains("cannot be read")),
            Err(true)
        );
    }
}

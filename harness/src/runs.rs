//! Runs for which no folder was named: each has one of its own, `reports/local/<ladder>/<time>-<what>/`, and
//! replaces no other. The latest twenty of a ladder are kept, and with them the latest of all its steps.
//!
//! `latest.html` next to them leads a browser to the latest page. It is a file and not a link to a folder: to make
//! a link needs rights on Windows.

use std::path::{Path, PathBuf};

use anyhow::Result;
use ladder::{Ladder, workspace};
use ladders::LADDERS;
use report::files::write_whole;
use report::runs::{ALL, Run, list};
use report::{Report, Request, now, split, stamp};
use show::compare::{Comparison, EFFECT};
use ui::Usage;
use ui::output::shown;

use crate::folder::{self, Folder};

/// How many runs of a ladder are kept.
const KEPT: usize = 20;

/// Letters of what was run in a folder's name; more of it is left out.
const LETTERS: usize = 40;

const PAGE: &str = "report.html";

/// The folder of a ladder's runs.
///
/// # Errors
/// This is no clone.
pub fn place(ladder: &dyn Ladder) -> Result<PathBuf, workspace::NotFound> {
    Ok(workspace::own()?.join("reports/local").join(ladder.name()))
}

/// Begins a run, whose report is `<name>.json`, in a new folder, which is called after `time`, or where a run has that
/// after a later second.
///
/// # Errors
/// The folder cannot be made or written to.
pub fn begin(place: &Path, time: &str, what: &str, name: &str) -> Result<Folder> {
    let runs = list(place);
    let is_free = |time: &String| runs.iter().all(|run| run.time != *time);
    let times = std::iter::once(time.to_owned()).chain((now() + 1..).map(stamp));
    for time in times.filter(is_free) {
        let path = place.join(format!("{time}-{what}"));
        // Another run may make it at this moment, and then holds it.
        if !path.exists()
            && let Some(folder) = Folder::try_open(&path, name)?
        {
            return Ok(folder);
        }
    }
    unreachable!("seconds do not end")
}

/// What is run, for the name of a folder: `all`, `05`, `05+08-13`, `mine.cu-as-06`, `sweep-06`.
pub fn what(ladder: &dyn Ladder, request: &Request) -> String {
    let is_library = |name: &&String| ladder.libraries().iter().any(|it| it.name == **name);
    let (libraries, steps): (Vec<&String>, Vec<&String>) =
        request.steps.iter().partition(is_library);
    let of_steps = match &request.replacement {
        Some(kernel) => {
            let name = kernel.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("{name}-as-{}", split(&kernel.step).0)
        }
        None if steps.len() == ladder.steps().len() => ALL.to_owned(),
        None if steps.is_empty() => libraries.into_iter().cloned().collect::<Vec<_>>().join("+"),
        None => ranges(ladder, &steps),
    };
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-+._".contains(c);
    let name: String = of_steps.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let name = match name.len() {
        ..=LETTERS => name,
        _ => format!("{}-steps", request.steps.len()),
    };
    if request.is_sweep() { format!("sweep-{name}") } else { name }
}

/// Numbers of steps; those that follow each other in the ladder by the first and the last.
fn ranges(ladder: &dyn Ladder, steps: &[&String]) -> String {
    let all = ladder.steps();
    let place = |step: &String| all.iter().position(|other| other.name == *step);
    let groups = steps.chunk_by(|a, b| place(a).map(|at| at + 1) == place(b));
    let of_group = |group: &[&String]| match group {
        [first, .., last] => format!("{}-{}", split(first).0, split(last).0),
        steps => steps.iter().map(|step| split(step).0).collect(),
    };
    groups.map(of_group).collect::<Vec<_>>().join("+")
}

/// Removes the oldest runs of a place beyond those that are kept, and leads to the latest page. What a run left that
/// still goes on stays, and so does a folder with a file that is not a run's.
pub fn tidy(place: &Path) {
    let runs = list(place);
    let full = runs.iter().find(|run| run.is_full());
    for run in runs.iter().skip(KEPT).filter(|run| Some(*run) != full) {
        folder::remove(&run.path);
    }
    let Some(latest) = runs.iter().find(|run| run.path.join(PAGE).is_file()) else { return };
    let page = format!("{}-{}/{PAGE}", latest.time, latest.what);
    let text = format!(
        "<!doctype html>\n<meta charset=\"utf-8\">\n<title>Latest report</title>\n\
         <meta http-equiv=\"refresh\" content=\"0; url={page}\">\n<a href=\"{page}\">{page}</a>\n"
    );
    // Who cannot have it has the page itself.
    let _ = write_whole(&place.join("latest.html"), |out| out.write_all(text.as_bytes()));
}

/// The folder or file that is meant: `latest` and `previous` are runs with a time, `cpu/latest` that of a ladder; all else is a
/// path.
///
/// # Errors
/// There is no such run.
pub fn find(name: &Path) -> Result<PathBuf, Usage> {
    let words: Vec<&str> = name.iter().map(|word| word.to_str().unwrap_or_default()).collect();
    let (ladders, word, of) = match *words.as_slice() {
        [word @ ("latest" | "previous")] => (LADDERS.to_vec(), word, String::new()),
        [ladder, word @ ("latest" | "previous")] => {
            let named = LADDERS.iter().filter(|known| known.name() == ladder);
            (named.copied().collect(), word, format!(" {ladder}"))
        }
        _ => return Ok(name.to_owned()),
    };
    if ladders.is_empty() {
        return Ok(name.to_owned());
    }
    let wrong = |problem: String| Usage(format!("{}: {problem}", name.display()));
    let mut latest: Option<Run> = None;
    for ladder in ladders {
        let place = place(ladder).map_err(|error| wrong(error.to_string()))?;
        let is_timed = |run: &Run| {
            Report::read(&run.report())
                .is_ok_and(|it| it.rows.iter().any(|row| row.seconds().is_some()))
        };
        let found = list(&place).into_iter().find(is_timed);
        // Of ladders that were run together it is the first.
        if let Some(run) = found
            && latest.as_ref().is_none_or(|latest| run.time > latest.time)
        {
            latest = Some(run);
        }
    }
    let Some(latest) = latest else {
        let problem = format!("no run is kept in reports/local; `harness run{of}` makes one");
        return Err(wrong(problem));
    };
    if word == "latest" {
        return Ok(latest.path);
    }
    let report = Report::read(&latest.report()).map_err(|error| wrong(error.to_string()))?;
    let with_it = |other: &Report| {
        let comparison = Comparison::of(("A", other), ("B", &report), EFFECT);
        (!comparison.rows.is_empty()).then_some(())
    };
    let found = earlier(&latest, with_it).map(|(run, ())| run.path);
    found.ok_or_else(|| {
        wrong(format!("no run before {} contains any of the same steps", shown(&latest.path)))
    })
}

/// The latest run of the same ladder before this one in whose report `wanted` finds something.
pub fn earlier<T>(run: &Run, wanted: impl Fn(&Report) -> Option<T>) -> Option<(Run, T)> {
    let runs = list(run.path.parent()?).into_iter().filter(|other| other.time < run.time);
    runs.into_iter().find_map(|other| {
        let found = wanted(&Report::read(&other.report()).ok()?)?;
        Some((other, found))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn make(place: &Path, name: &str) -> PathBuf {
        let path = place.join(name);
        fs::create_dir(&path).expect("a folder");
        for file in ["report.json", "report.html", "ladder.svg", "06.reason.txt"] {
            fs::write(path.join(file), "").expect("a file");
        }
        path
    }

    #[test]
    fn runs_that_begin_in_one_second_have_folders_of_their_own() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let open = || begin(place.path(), "2026-11-20-104159", "06", "report").expect("a folder");
        let folders = std::thread::scope(|scope| {
            let runs = [(); 4].map(|()| scope.spawn(open));
            runs.map(|run| run.join().expect("a folder"))
        });
        let mut names: Vec<_> = folders.iter().map(|it| it.path().to_owned()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), 4);
        assert!(names[0].ends_with("2026-11-20-104159-06"), "{names:?}");
        drop(folders);
        assert!(list(place.path()).is_empty(), "runs that wrote nothing leave nothing");
    }

    #[test]
    fn twenty_runs_are_kept_and_what_is_not_theirs() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let name = |day: u32, what: &str| format!("2026-11-{day:02}-104159-{what}");
        let older = make(place.path(), &name(1, "all"));
        let full = make(place.path(), &name(2, "all"));
        let [own, goes_on, one] = [3, 4, 5].map(|day| make(place.path(), &name(day, "06")));
        fs::write(own.join("notes.txt"), "mine").expect("a file");
        let lock = Folder::try_open(&goes_on, "report").expect("free");
        make(place.path(), "before");
        for day in 6..26 {
            make(place.path(), &name(day, "06"));
        }
        tidy(place.path());
        assert!([&full, &own, &goes_on, &place.path().join("before")].iter().all(|it| it.is_dir()));
        assert!(!older.exists() && !one.exists());
        assert_eq!(list(place.path()).len(), 23);
        assert_eq!(fs::read_dir(&own).expect("a folder").count(), 5, "nothing of it is removed");
        let page = fs::read_to_string(place.path().join("latest.html")).expect("the way");
        assert!(page.contains("url=2026-11-25-104159-06/report.html"), "{page}");
        drop(lock);
        tidy(place.path());
        assert!(!goes_on.exists());
    }

    #[test]
    fn folders_are_named_after_what_is_run() {
        let ladder = LADDERS[0];
        let all = ladder.steps();
        let at =
            |number: &str| all.iter().position(|it| split(it.name).0 == number).expect("a step");
        let named = |places: Vec<usize>| {
            let steps = places.into_iter().map(|place| all[place].name.to_owned()).collect();
            what(ladder, &Request { steps, ..Request::default() })
        };
        assert_eq!(named((0..all.len()).collect()), "all");
        assert_eq!(named(vec![at("06")]), "06");
        assert_eq!(named([vec![at("02")], (at("05")..=at("08")).collect()].concat()), "02+05-08");
        let odd = (0..all.len()).step_by(2).collect::<Vec<_>>();
        assert_eq!(named(odd.clone()), format!("{}-steps", odd.len()));
        let step = all[at("06")].name.to_owned();
        let file = PathBuf::from("/some/my kernel.cu");
        let replacement = Some(report::Replacement { file, step: step.clone() });
        let request = Request { steps: vec![step], replacement, ..Request::default() };
        assert_eq!(what(ladder, &request), "my_kernel.cu-as-06");
        assert_eq!(
            what(ladder, &Request { sweep_sizes: vec![64], ..request }),
            "sweep-my_kernel.cu-as-06"
        );
    }
}

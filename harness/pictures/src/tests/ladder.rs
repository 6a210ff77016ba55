//! The picture of the ladder.
use ::report::{Outcome, Report, Row};
use report::TimeSource;

use crate::plot::rungs::{Picture, State};
use crate::plot::scene::Basis;
use crate::plot::{self, Plot};
use crate::synthetic::{at, report, row, timed};

/// The ladder among a report's pictures.
fn ladder(report: &Report) -> Plot {
    plot::of(report).into_iter().find(|plot| plot.stem == "ladder").expect("a ladder")
}

fn ladder_svg(report: &Report) -> anyhow::Result<String> {
    ladder(report).svg()
}

/// Four times slower at first, then twice as fast, slower by half on a detour, and 1.25 times.
fn small() -> Vec<Row> {
    let mut second = timed("02-many", Some("01-one"), 1000, 1e-3);
    second.timed.push(at(100, 1e-4));
    vec![
        timed("01-one", None, 100, 4e-4),
        second,
        timed("03x-aside", Some("02-many"), 1000, 2e-3),
        timed("04-next", Some("02-many"), 1000, 8e-4),
    ]
}

#[test]
fn rungs_say_what_rows_say() {
    let picture = Picture::of(&report(small(), false));
    let factors: Vec<_> =
        picture.rungs.iter().map(|rung| rung.climb().unwrap().times_parent).collect();
    assert_eq!(factors, [None, Some(4.0), Some(0.5), Some(1.25)]);
    let parents: Vec<_> = picture.rungs.iter().map(|rung| rung.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(1), Some(1)]);
    assert_eq!(picture.rungs[1].climb().unwrap().times_parent_n, Some(100));
    assert_eq!(picture.usual_n, Some(1000));
    // 02 is four times 01 at 100 bodies, but at its own 1000 its speed is 40 times 01's.
    let level: Vec<_> = (1..4).map(|at| picture.lift(at).unwrap().level).collect();
    assert_eq!(level, [false, true, true]);
    // 4 · 1.25: the detour is not on the way.
    assert_eq!(picture.title, "All-pairs n-body: ×5.00 from 01-one to 04-next on GPU <A&B>");
}

#[test]
fn every_step_and_factor_is_written() {
    let svg = ladder_svg(&report(small(), false)).unwrap();
    for text in [
        "01-one",
        "02-many",
        "03x-aside",
        "04-next",
        "idea of 04-next",
        "detour · idea of 03x-aside",
        "×4.00",
        "×0.500",
        "×1.25",
        "at n = 100",
        "n = 100",
        "n = 1000 bodies",
        "MEASURED",
    ] {
        // The first two elements repeat it for screen readers.
        let drawn = svg.split_once("</desc>").unwrap().1;
        assert!(drawn.contains(text), "{text} in {svg}");
    }
    assert!(svg.contains(
        "<title>All-pairs n-body: ×5.00 from 01-one to 04-next on GPU &lt;A&amp;B&gt;</title>"
    ));
    assert!(!svg.contains("MODELLED") && !svg.contains("<A&B>"));
}

fn model(row: &mut Row) {
    row.outcome = Outcome::Simulated;
    row.time_source = Some(TimeSource::Model);
}

#[test]
fn a_model_is_never_called_a_measurement() {
    let mut rows = small();
    rows.iter_mut().for_each(model);
    let modelled = report(rows, true);
    assert_eq!(Picture::of(&modelled).scene.basis, Basis::Modelled);
    assert!(Picture::of(&modelled).title.ends_with("on a modelled GPU <A&B>"));
    let svg = ladder_svg(&modelled).unwrap();
    assert!(svg.contains("MODELLED") && svg.contains("for GPU &lt;A&amp;B&gt; (simulated)"));
    assert!(!svg.contains("MEASURED"));

    let mut rows = small();
    model(&mut rows[3]);
    let mixed = Picture::of(&report(rows, false));
    assert_eq!(mixed.scene.basis, Basis::Mixed);
    assert_eq!(mixed.rungs[3].climb().unwrap().times_parent, None);
}

/// Without the first step × first does not exist; the message says what was compared.
#[test]
fn a_part_of_a_ladder_says_how_far_it_climbs() {
    let picture = Picture::of(&report(small()[1..].to_vec(), false));
    assert_eq!(picture.title, "All-pairs n-body: ×1.25 from 02-many to 04-next on GPU <A&B>");
    assert!(picture.rungs.iter().all(|rung| rung.climb().unwrap().times_first.is_none()));
}

#[test]
fn what_was_not_timed_is_an_empty_rung_with_its_reason() {
    let mut rows = small();
    rows[1] = row("02-many", Some("01-one"), Outcome::Wrong);
    rows[1].reason = Some("error 1e-2 > 1e-6".to_owned());
    rows[2] = row("03x-aside", Some("02-many"), Outcome::Skipped);
    let report = report(rows, false);
    let picture = Picture::of(&report);
    assert_eq!(
        picture.rungs[1].state,
        State::Empty(Outcome::Wrong, "error 1e-2 > 1e-6".to_owned())
    );
    // 04 hangs on the nearest step below that has a speed, and claims no factor.
    assert_eq!(picture.lift(3), None);
    assert_eq!(picture.stands_on(3), Some(0));
    assert_eq!(picture.title, "All-pairs n-body on GPU <A&B>: 2 steps were timed");
    let svg = ladder_svg(&report).unwrap();
    for text in ["wrong", "error 1e-2 &gt; 1e-6", "skipped", "parent wrong"] {
        assert!(svg.contains(text), "{text} in {svg}");
    }
}

#[test]
fn odd_reports_are_drawn() {
    let skipped = |step: &str| row(step, None, Outcome::Skipped);
    let none = ladder_svg(&report(vec![skipped("01-one"), skipped("02-many")], false)).unwrap();
    assert!(none.contains("no step was timed") && none.contains("NOT TIMED"));
    let long = "long ".repeat(100);
    let mut wordy = timed(&long, Some("not there"), 1, 1e-300);
    wordy.title.clone_from(&long);
    let mut failed = row("x", Some("x"), Outcome::Failed);
    failed.reason = Some(long);
    let mut timeless = timed("01-one", None, 1, 1.0);
    timeless.timed.clear();
    let cases = [
        vec![],
        vec![timed("01-one", None, 1, 1.0)],
        vec![wordy, failed, timeless],
        (0..40).map(|at| timed(&at.to_string(), None, 1 << 30, 10f64.powi(at))).collect(),
    ];
    for rows in cases {
        let svg = ladder_svg(&report(rows, true)).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn the_same_report_gives_the_same_bytes_whole() {
    let report = report(small(), false);
    let dir = tempfile::tempdir().unwrap();
    let paths = ladder(&report).write(dir.path()).unwrap();
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap()).collect();
    assert_eq!(names, ["ladder.svg", "ladder.png"]);
    let files = std::fs::read_dir(dir.path()).unwrap().count();
    assert_eq!(files, 2, "nothing else is left");
    let svg = std::fs::read_to_string(&paths[0]).unwrap();
    assert_eq!(svg, ladder_svg(&report).unwrap());
    let png = std::fs::read(&paths[1]).unwrap();
    assert!(png.starts_with(b"\x89PNG") && png.len() < 200_000, "{}", png.len());
    ladder(&report).write(dir.path()).unwrap();
    assert_eq!(std::fs::read(&paths[1]).unwrap(), png);
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let error = ladder(&report(small(), false)).write(&dir.path().join("none")).unwrap_err();
    let text = format!("{error:#}");
    assert!(text.contains("none/ladder.svg") && text.contains("choose a place"), "{text}");
}

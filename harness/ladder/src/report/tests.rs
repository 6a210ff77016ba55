use std::path::Path;

use proptest::prelude::*;

use super::*;

fn row(step: &str, after: Option<&str>, n: u64, seconds: f64) -> Row {
    let step = crate::Step {
        name: Box::leak(step.to_owned().into_boxed_str()),
        after: after.map(|after| &*Box::leak(after.to_owned().into_boxed_str())),
        detour: false,
        title: "an idea",
        changes: "one line",
        cuda: "",
        options: &[],
        layout: crate::Layout::ScalarArrays,
        padding: 1,
        parameters: crate::Parameters::Arguments,
        threads: crate::Threads::One,
    };
    let mut row = Row::new("toy", &step, Outcome::Measured, None);
    row.device = Some("a GPU".to_owned());
    row.time_source = Some(TimeSource::Device);
    row.n = Some(n);
    row.seconds = Some(seconds);
    row.step_seconds = Some(1.1 * seconds);
    row.interactions_per_second = Some((n * n) as f64 / seconds);
    row.error_rms = Some(1e-7);
    row.tolerance = Some(1e-6);
    row
}

fn also(n: u64, seconds: f64) -> Also {
    Also { n, time_steps: 1, seconds, step_seconds: seconds }
}

fn report() -> Report {
    let mut second = row("02-b", Some("01-a"), 8192, 0.1);
    second.also.push(also(1024, 0.004));
    second.samples = vec![0.1, 1.0 / 3.0, 5e-324];
    let mut wrong = row("03-c", Some("02-b"), 33, 1.0);
    wrong.outcome = Outcome::Wrong;
    wrong.reason = Some("accelerations at n = 33 …".to_owned());
    (wrong.seconds, wrong.step_seconds, wrong.interactions_per_second) = (None, None, None);
    Report::new(&Request::default(), None, vec![row("01-a", None, 1024, 0.4), second, wrong])
}

#[test]
fn rows_are_compared_at_the_greatest_common_size() {
    let mut first = row("01-a", None, 1024, 8.0);
    first.also.push(also(1000, 7.0));
    let mut second = row("02-b", Some("01-a"), 8192, 4.0);
    second.also.extend([also(1000, 0.1), also(1024, 0.5)]);
    let third = row("03-c", Some("02-b"), 8192, 2.0);
    let detour = row("03x-d", Some("03-c"), 8192, 4.0);
    let mut rows = vec![first, second, third, detour];
    relate(&mut rows);
    let compared: Vec<_> =
        rows.iter().map(|row| (row.times_parent, row.times_parent_n, row.times_first)).collect();
    assert_eq!(
        compared,
        [
            (None, None, Some(1.0)),
            (Some(16.0), Some(1024), Some(16.0)),
            (Some(2.0), Some(8192), Some(32.0)),
            (Some(0.5), Some(8192), Some(16.0)),
        ]
    );
}

#[test]
fn what_was_not_verified_or_has_no_common_size_is_not_compared() {
    let mut wrong = row("02-b", Some("01-a"), 1024, 1.0);
    wrong.outcome = Outcome::Wrong;
    let mut modelled = row("02x-m", Some("01-a"), 1024, 1.0);
    (modelled.outcome, modelled.time_source) = (Outcome::Simulated, Some(TimeSource::Model));
    let mut rows = vec![
        row("01-a", None, 1024, 8.0),
        wrong,
        row("03-c", Some("02-b"), 1024, 1.0),
        row("04-d", Some("03-c"), 2048, 1.0),
        row("05-e", Some("absent"), 2048, 1.0),
        modelled,
    ];
    rows[2].times_parent = Some(99.0); // left from an earlier run
    relate(&mut rows);
    for row in &rows[1..] {
        assert_eq!((row.times_parent, row.times_first), (None, None), "{}", row.step);
    }
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("report.json");
    let report = report();
    report.write(&file).expect("written");
    assert_eq!(Report::read(&file).expect("read"), report);
    assert!(report.write(&folder.path().join("absent/report.json")).is_err());
}

/// The names that others read; a change of one is a new schema.
#[test]
fn the_fields_have_the_names_of_the_schema() {
    let json: serde_json::Value = serde_json::from_str(&report().to_json()).expect("JSON");
    let names = |value: &serde_json::Value| {
        let object = value.as_object().expect("an object");
        object.keys().cloned().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(&json), "date device machine options revision rows schema seed");
    assert_eq!(names(&json["machine"]), "arch cores cpu os");
    assert_eq!(
        names(&json["rows"][2]),
        "after also changes code detour device energy_drift error_rms error_worst \
         interactions_per_second ladder momentum_drift n outcome reason samples seconds step \
         step_seconds time_source times_first times_parent times_parent_n title tolerance"
    );
    assert_eq!(json["schema"], 1);
    assert_eq!(json["rows"][1]["outcome"], "measured");
    assert_eq!(json["rows"][1]["time_source"], "device");
    assert!(json["rows"][2]["seconds"].is_null());
    assert_eq!(names(&json["rows"][1]["also"][0]), "n seconds step_seconds time_steps");
}

#[test]
fn every_bad_report_is_said_with_its_fault() {
    let good: serde_json::Value = serde_json::from_str(&report().to_json()).expect("JSON");
    let with = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut json = good.clone();
        change(&mut json);
        let text = json.to_string();
        Report::from_json(text.as_bytes(), Path::new("r.json")).expect_err("bad").to_string()
    };
    type Change<'a> = &'a dyn Fn(&mut serde_json::Value);
    let cases: [(Change, &str); 11] = [
        (&|r| r["schema"] = 2.into(), "schema 2"),
        (&|r| r["schema"] = "one".into(), "invalid type"),
        (&|r| *r = 5.into(), "invalid type"),
        (&|r| drop(r.as_object_mut().map(|r| r.remove("rows"))), "missing field `rows`"),
        (&|r| r["rows"][0]["step"] = serde_json::Value::Null, "invalid type: null"),
        (&|r| r["rows"][0]["outcome"] = "fine".into(), "unknown variant `fine`"),
        (&|r| r["rows"][0]["seconds"] = (-1.0).into(), "row 1 (01-a): seconds"),
        (&|r| r["rows"][1]["also"][0]["n"] = 0.into(), "row 2 (02-b): n and time_steps"),
        (&|r| r["rows"][1]["n"] = serde_json::Value::Null, "row 2 (02-b): n is missing"),
        (&|r| r["rows"][2]["reason"] = "".into(), "row 3 (03-c): reason is missing"),
        (&|r| r["rows"][1]["step"] = "01-a".into(), "row 2 (01-a) repeats row 1"),
    ];
    for (change, part) in cases {
        let message = with(change);
        assert!(message.contains("r.json") && message.contains(part), "{part}: {message}");
    }
    let infinite = report().to_json().replace("5e-324", "1e999");
    let error = Report::from_json(infinite.as_bytes(), Path::new("r.json")).expect_err("infinite");
    assert!(error.to_string().contains("number out of range"), "{error}");
    let error = Report::from_json(b"", Path::new("r.json")).expect_err("empty");
    assert!(error.to_string().contains("r.json is not a report"), "{error}");
    assert!(Report::read(Path::new("/nowhere/r.json")).is_err());
}

#[test]
fn no_host_user_or_folder_is_recorded() {
    let text = report().to_json();
    let root = crate::workspace::root().expect("the workspace");
    assert!(!text.contains(&root.display().to_string()));
}

proptest! {
    /// A spoiled report is refused or still satisfies the checks; it never panics.
    #[test]
    fn no_mutation_panics(changes in prop::collection::vec((any::<usize>(), any::<u8>()), 1..6)) {
        let mut text = report().to_json().into_bytes();
        for (at, byte) in changes {
            let at = at % text.len();
            text[at] = byte;
        }
        if let Ok(report) = Report::from_json(&text, Path::new("r.json")) {
            prop_assert!(report.check().is_ok());
        }
    }
}

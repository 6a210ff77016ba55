//! The tables that people read: what they show, and that they fit where they are shown.

use harness::ladders::LADDERS;
use harness::summary::summary;
use harness::table::{markdown, sizes, terminal};
use ladder::Request;
use ladder::report::{
    Accuracy, EndToEnd, Outcome, Report, Row, Samples, TimeSource, Timed, relate,
};
use tabled::grid::util::string::get_text_width;

/// The seconds that each step of the ladder takes, at sizes of the right magnitude.
const SECONDS: [f64; 12] =
    [16.54, 0.0336, 0.0300, 0.0365, 0.0221, 0.0178, 0.0225, 0.0187, 0.0125, 0.0114, 0.0106, 0.0103];

/// One sample at `n`.
fn timed(n: u64, seconds: f64) -> Timed {
    Timed {
        n,
        seconds,
        interval: None,
        spread: None,
        step_seconds: seconds,
        step_interval: None,
        launches: 1,
        time_steps: 1,
        accuracy: Accuracy { n, rms: Some(9.1e-7), worst: None, tolerance: 2.5e-5 },
        parent: None,
        samples: Samples::default(),
    }
}

fn report(outcome: Outcome, source: TimeSource) -> Report {
    let rows = LADDERS[0].steps.iter().zip(SECONDS).enumerate().map(|(place, (step, seconds))| {
        let n: u64 = if place == 0 { 8192 } else { 131_072 };
        Row {
            device: Some("toy".to_owned()),
            time_source: Some(source),
            timed: vec![timed(n, seconds)],
            ..Row::new("nbody", step, outcome, None)
        }
    });
    let info = device::Info {
        kind: "simt".to_owned(),
        name: "simulator".to_owned(),
        compute_capability: None,
        driver_version: None,
        cuda_version: None,
        memory_bytes: 1 << 31,
        memory_free_bytes: 1 << 31,
        multiprocessors: None,
        clock_mhz: None,
        launch_limit_seconds: 20.0,
        modelled: (source == TimeSource::Model).then(|| "NVIDIA H200".to_owned()),
    };
    Report::new(&Request::default(), Some(info), rows.collect())
}

fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

#[test]
fn every_line_fits_80_and_120_columns() {
    let mut report = report(Outcome::Simulated, TimeSource::Model);
    report.rows[6].outcome = Outcome::Wrong;
    report.rows[6].reason = Some("body 255 has ".to_owned() + &"a long story ".repeat(20));
    for width in [80, 100, 120, 160] {
        let text = plain(&(terminal(&report.rows, width) + &summary(&report, width)));
        println!("{text}");
        for line in text.lines() {
            assert!(get_text_width(line) <= width, "{width} columns: {line:?}");
        }
    }
}

#[test]
fn a_wide_terminal_shows_what_each_step_changes() {
    let rows = report(Outcome::Measured, TimeSource::Device).rows;
    let wide = plain(&terminal(&rows, 160));
    for row in &rows {
        let line = wide.lines().find(|line| line.contains(&row.step)).expect("a line for the step");
        assert!(line.contains(&row.changes), "{line}");
    }
    assert!(!plain(&terminal(&rows, 80)).contains("what it changes"));
}

#[test]
fn figures_stand_in_the_row_of_their_step() {
    let rows = report(Outcome::Measured, TimeSource::Device).rows;
    let text = plain(&terminal(&rows, 120));
    let line = text.lines().find(|line| line.starts_with("05-rsqrt")).expect("its line");
    // 131072² / 0.0221 s = 777·10⁹; 0.0365 s / 0.0221 s = 1.65.
    for figure in ["measured", "131072", "22.1 ms", "777", "1.65", "9.1e-7"] {
        assert!(line.contains(figure), "{figure}: {line}");
    }
}

#[test]
fn modelled_times_are_never_called_measured() {
    let modelled = plain(&summary(&report(Outcome::Simulated, TimeSource::Model), 120));
    assert!(modelled.contains("MODELLED for NVIDIA H200"), "{modelled}");
    assert!(!modelled.contains("MEASURED"), "{modelled}");
    let measured = plain(&summary(&report(Outcome::Measured, TimeSource::Device), 120));
    assert!(measured.contains("MEASURED on simulator") && !measured.contains("MODELLED"));
}

/// A report as a run on a GPU leaves it: samples, and costs from end to end.
fn sampled() -> Report {
    let mut report = report(Outcome::Measured, TimeSource::Device);
    for (place, row) in report.rows.iter_mut().enumerate() {
        for timed in &mut row.timed {
            // A step is slower by 0.4% in every second round.
            let noise = |round: u32| 1.0 + 0.004 * f64::from((round + place as u32) % 2);
            timed.samples.round = (0..8).collect();
            timed.samples.seconds = (0..8).map(|round| timed.seconds * noise(round)).collect();
        }
        row.end_to_end = Some(EndToEnd {
            code_seconds: 0.2,
            allocate_seconds: 1e-4,
            upload_seconds: 1e-4,
            upload_bytes: 1 << 20,
            force_seconds: 0.02,
            download_seconds: 1e-4,
            download_bytes: 1 << 20,
        });
    }
    // The fifth is as fast as its parent.
    let timed = report.rows[3].timed.clone();
    report.rows[4].timed = timed;
    relate(&mut report.rows);
    report
}

#[test]
fn ratios_have_intervals_and_a_mark_where_no_difference_was_shown() {
    let report = sampled();
    for width in [80, 120, 200] {
        let text = plain(&terminal(&report.rows, width));
        println!("{text}");
        assert!(text.lines().all(|line| get_text_width(line) <= width), "{width}: {text}");
        let line = |step: &str| text.lines().find(|line| line.contains(step)).expect("a line");
        // 0.0336 / 0.0300, within 0.4% either way: the ratios of the rounds are 1.116 and 1.124.
        assert!(line("03-soa").contains(" 1.12 ±0.4%"), "{}", line("03-soa"));
        assert!(line("05-rsqrt").contains("= 1.00 ±<0.01%"), "{}", line("05-rsqrt"));
        assert!(line("04-constant").contains("0.822 ±0.4%"), "{}", line("04-constant"));
    }
    assert!(markdown(&report).contains("| = 1.00 ±<0.01% |"), "{}", markdown(&report));
    // Where that is too wide the interval goes, the verdict stays.
    let narrow = plain(&terminal(&report.rows, 68));
    assert!(narrow.contains("= 1.00 ") && !narrow.contains('±'), "{narrow}");
}

/// The narrower the terminal, the less is shown; what is most wanted stays longest.
#[test]
fn columns_give_way_in_their_order() {
    let report = sampled();
    let shown = |width: usize| {
        let text = plain(&terminal(&report.rows, width));
        let head: String = text.lines().take_while(|line| !line.contains('─')).collect();
        ["what it changes", "to end", "step", "error", "outcome", "parent", "first"]
            .map(|column| head.matches(column).count())
    };
    // The step's folder and the time of a time step both have "step" in their head.
    assert_eq!(shown(180), [1, 1, 2, 1, 1, 1, 1]);
    assert_eq!(shown(120), [0, 1, 2, 1, 1, 1, 1]);
    assert_eq!(shown(90), [0, 0, 2, 1, 1, 1, 1]);
    assert_eq!(shown(80), [0, 0, 1, 1, 1, 1, 1]);
    assert_eq!(shown(74), [0, 0, 1, 0, 1, 1, 1]);
    // A model has no costs from end to end: no empty column.
    let modelled = plain(&terminal(&self::report(Outcome::Simulated, TimeSource::Model).rows, 180));
    assert!(!modelled.contains("to end"), "{modelled}");
}

#[test]
fn a_sweep_shows_all_sizes() {
    let mut report = sampled();
    for row in &mut report.rows {
        row.timed.push(timed(1000, 1e-4));
    }
    relate(&mut report.rows);
    let text = plain(&sizes(&report.rows, 80));
    assert_eq!(text.lines().count(), 3 + 24, "{text}");
    assert!(text.lines().all(|line| get_text_width(line) <= 80), "{text}");
    let line = text.lines().rfind(|line| line.contains("05-rsqrt")).expect("its line");
    assert!(line.contains("1000") && line.contains("100 µs") && line.contains("10.0"), "{line}");
}

#[test]
fn a_bad_row_shows_no_time_and_its_whole_reason() {
    let mut report = report(Outcome::Measured, TimeSource::Device);
    let step = LADDERS[0].steps[2];
    let reason = "first line\n  second line with details".to_owned();
    report.rows[2] = Row::new("nbody", &step, Outcome::Failed, Some(reason));
    let table = plain(&terminal(&report.rows, 120));
    let line = table.lines().find(|line| line.starts_with("03-soa")).expect("its line");
    assert!(line.contains("failed") && !line.contains(" ms"), "{line}");
    let below = plain(&summary(&report, 120));
    assert!(below.contains("03-soa failed: first line\n  second line with details"), "{below}");
}

#[test]
fn markdown_has_a_row_a_step_in_ladder_order() {
    let mut report = report(Outcome::Measured, TimeSource::Device);
    report.rows[1].changes = "a | b".to_owned();
    let text = markdown(&report);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2 + 12);
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(lines.iter().all(|line| columns(line) == columns(lines[0])), "{text}");
    assert!(lines[2].starts_with("| `one-thread`") && lines[13].starts_with("| `fast-math`"));
    assert!(lines[7].contains("(detour)"), "{}", lines[7]);
}

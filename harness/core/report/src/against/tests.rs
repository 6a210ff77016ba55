//! A GPU against a CPU, of reports made up for the purpose.

use super::*;
use crate::published::Line;
use crate::synthetic::{exact, host, report, sweep};
use crate::{Outcome, Report};

fn compare(gpu: &Report, cpu: &Report) -> Against {
    Against::of(gpu, cpu, &Published::default()).expect("something to compare")
}

fn near(found: Option<f64>, wanted: f64) {
    let found = found.expect("a factor");
    assert!((found / wanted - 1.0).abs() < 1e-9, "{found}, not {wanted}");
}

#[test]
fn opponents_are_the_first_the_fastest_thread_and_the_best() {
    let against = compare(&sweep(), &host());
    let steps = [against.thread(), against.fastest_thread(), Some(against.best())];
    let steps = steps.map(|entry| entry.expect("an opponent").step.as_str());
    assert_eq!(steps, ["01-c-loop", "06-registers", "08-threads"]);
    // 05x-two-loops is a detour; 07-unroll is kept and faster.
    assert_eq!(against.top().step, "07-unroll");
    let rate = against.top().rate / 1e9;
    let [thread, fastest, best] = against.times(against.top());
    near(thread, rate / 0.31);
    near(fastest, rate / 6.1);
    near(best, rate / 171.0);
    near(against.times(against.thread().expect("the first step"))[0], 1.0);
}

#[test]
fn ratios_have_intervals_where_both_times_are_measured() {
    let [mut gpu, mut cpu] = [sweep(), host()];
    for timed in
        [&mut gpu, &mut cpu].into_iter().flat_map(|it| &mut it.rows).flat_map(|it| &mut it.timed)
    {
        let sample = |place: u32| timed.seconds * (0.999 + 0.001 * f64::from(place % 3));
        timed.samples.seconds = (0..21).map(sample).collect();
    }
    let against = compare(&gpu, &cpu);
    let top = against.top();
    for (times, interval) in against.times(top).into_iter().zip(against.intervals(top)) {
        let (times, interval) = (times.expect("a ratio"), interval.expect("its interval"));
        assert!(interval.low <= times && times <= interval.high, "{times}: {interval:?}");
        assert!(
            interval.low < interval.high && interval.high < 1.01 * interval.low,
            "{interval:?}"
        );
    }
    assert_eq!(against.intervals(against.best())[2], None, "a step against itself");
    let model = compare(&crate::synthetic::modelled(gpu), &cpu);
    assert_eq!(model.intervals(model.top()), [None; 3]);
}

#[test]
fn only_reports_of_the_same_work_on_a_gpu_and_a_cpu_are_compared() {
    let none = Published::default();
    assert!(Against::of(&exact(), &host(), &none).is_none(), "other work");
    assert!(Against::of(&host(), &sweep(), &none).is_none(), "the wrong way round");
    assert!(Against::of(&sweep(), &sweep(), &none).is_none(), "two GPUs");
    assert!(Against::of(&report(vec![], false), &host(), &none).is_none(), "no step");
}

#[test]
fn what_was_published_stands_with_its_step() {
    let line = Line {
        step: "01-one-thread".to_owned(),
        slide: 28,
        against: "one CPU thread".to_owned(),
        gpu: "G".to_owned(),
        n: Some(10_000),
        time_steps: None,
        ratio: "1/72.4".to_owned(),
    };
    let published = Published { lines: vec![line], ..Published::default() };
    let against = Against::of(&sweep(), &host(), &published).expect("steps");
    let counts: Vec<usize> = against.gpu.steps.iter().map(|step| step.published.len()).collect();
    assert_eq!(counts, [1, 0, 0, 0, 0, 0, 0, 0]);
    let first = &against.gpu.steps[0].published[0];
    assert_eq!((first.slide, first.text.as_str(), first.n), (28, "1/72.4", Some(10_000)));
    assert_eq!(first.times, 1.0 / 72.4);
}

/// What is not verified counts for nothing, and neither does a sweep over blocks.
#[test]
fn only_verified_rows_are_compared() {
    let (mut gpu, mut cpu) = (sweep(), host());
    gpu.rows[7].outcome = Outcome::Wrong;
    gpu.rows[4].outcome = Outcome::Failed;
    gpu.rows[2].block = Some(128);
    cpu.rows[8].outcome = Outcome::Wrong;
    cpu.rows[6].outcome = Outcome::Skipped;
    let against = compare(&gpu, &cpu);
    assert_eq!((against.gpu.steps.len(), against.cpu.steps.len()), (5, 7));
    // The detour 05x-two-loops is faster, but was not kept.
    assert_eq!(against.top().step, "06-shared-blocking");
    assert_eq!((against.best().step.as_str(), against.fastest_thread), ("07-pairs", Some(6)));
    // Without the first step nothing is known of one CPU thread.
    cpu.rows[0].outcome = Outcome::Failed;
    let against = compare(&gpu, &cpu);
    assert_eq!((against.thread, against.times(against.top())[0]), (None, None));
    cpu.rows.iter_mut().for_each(|row| row.outcome = Outcome::Failed);
    assert!(Against::of(&gpu, &cpu, &Published::default()).is_none());
}

#[test]
fn threads_may_be_unknown() {
    let mut cpu = host();
    cpu.rows.iter_mut().for_each(|row| row.threads = None);
    let against = compare(&sweep(), &cpu);
    assert_eq!((against.thread, against.fastest_thread, against.best), (Some(0), None, 8));
    // A first step on many threads is not one thread.
    cpu.rows[0].threads = Some(4);
    assert_eq!(compare(&sweep(), &cpu).thread, None);
}

#[test]
fn a_faster_detour_is_known() {
    let mut cpu = host();
    assert!(compare(&sweep(), &cpu).faster_detour().is_none());
    cpu.rows[5].timed[0].seconds /= 100.0;
    let against = compare(&sweep(), &cpu);
    assert_eq!(against.best().step, "08-threads");
    assert_eq!(against.faster_detour().expect("the detour").step, "05x-gcc");
}

fn written(report: &Report, dir: &std::path::Path) {
    std::fs::create_dir_all(dir).expect("a folder");
    report.write(&dir.join("report.json")).expect("written");
}

#[test]
fn reports_are_found_below_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let (gpu, cpu) = (sweep(), host());
    let (above, below) = (folder.path(), folder.path().join("cpu"));
    let found = |report: &Report, dir: &std::path::Path| partner(report, dir).expect("read");
    assert!(found(&gpu, above).is_none() && found(&cpu, &below).is_none(), "nothing is there");
    written(&cpu, &below);
    written(&gpu, above);
    for pair in [found(&gpu, above), found(&cpu, &below)] {
        let pair = pair.expect("the other");
        assert_eq!((pair.dir.as_path(), &pair.gpu, &pair.cpu), (above, &gpu, &cpu));
        assert_eq!(pair.way, "cpu/report.json");
    }
    assert!(found(&cpu, above).is_none(), "its folder is not called so");
    written(&exact(), &below);
    assert!(found(&gpu, above).is_none(), "other work");
    std::fs::write(below.join("report.json"), "{").expect("written");
    let error = partner(&gpu, above).expect_err("no report").to_string();
    assert!(error.contains("report.json"), "{error}");
}

#[test]
fn reports_are_found_in_folders_named_after_their_ladders() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |report: &Report| folder.path().join(&report.options.ladder);
    let (gpu, cpu, other) = (sweep(), host(), exact());
    for report in [&gpu, &cpu, &other] {
        written(report, &of(report));
    }
    for report in [&gpu, &cpu] {
        let pair = partner(report, &of(report)).expect("read").expect("the other");
        assert_eq!((pair.dir, pair.gpu, pair.cpu), (of(&gpu), gpu.clone(), cpu.clone()));
        assert_eq!(pair.way, "../cpu/report.json");
    }
    assert!(partner(&other, &of(&other)).expect("read").is_none(), "no CPU does its work");
}

#[test]
fn runs_of_two_ladders_find_the_latest_full_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let of = |report: &Report, run: &str| folder.path().join(&report.options.ladder).join(run);
    let (gpu, cpu) = (sweep(), host());
    let (old, new, one) =
        ("2026-11-20-104159-all", "2026-11-21-104159-all", "2026-11-22-104159-03");
    written(&gpu, &of(&gpu, old));
    written(&gpu, &of(&gpu, one));
    assert!(partner(&gpu, &of(&gpu, one)).expect("read").is_none(), "no CPU");
    for run in [old, new, one] {
        written(&cpu, &of(&cpu, run));
    }
    // A part of the GPU's ladder is compared; one of the CPU's is an opponent for nobody.
    for run in [old, one] {
        let pair = partner(&gpu, &of(&gpu, run)).expect("read").expect("the CPU");
        assert_eq!((pair.dir, pair.way), (of(&gpu, run), format!("../../cpu/{new}/report.json")));
    }
    let pair = partner(&cpu, &of(&cpu, new)).expect("read").expect("the GPU");
    assert_eq!((pair.dir, pair.cpu), (of(&gpu, old), cpu.clone()));
    assert!(partner(&cpu, &of(&cpu, one)).expect("read").is_none());
    let mut sweep = gpu;
    sweep.options.sweep_sizes = vec![64, 128];
    written(&sweep, &of(&sweep, one));
    assert!(partner(&sweep, &of(&sweep, one)).expect("read").is_none());
}

//! A GPU against a CPU, of reports made up for the purpose.

use report::{Outcome, Report};

use super::folder::{above, below};
use super::{Against, table, words};
use crate::published::{self, Line};
use crate::synthetic::{GPU, host, report, sweep, timed};

fn lines() -> Vec<Line> {
    published::committed().unwrap()
}

fn compare(gpu: &Report, cpu: &Report) -> Against {
    Against::of(gpu, cpu, &lines()).unwrap().expect("something to compare")
}

/// The same report, as the model gives it.
fn modelled() -> Report {
    let mut report = sweep();
    let device = report.device.as_mut().unwrap();
    (device.name, device.modelled) = ("simulator".to_owned(), Some("NVIDIA H200".to_owned()));
    for row in &mut report.rows {
        row.outcome = Outcome::Simulated;
        row.time_source = Some(device::TimeSource::Model);
    }
    report
}

fn near(found: Option<f64>, wanted: f64) {
    let found = found.expect("a factor");
    assert!((found / wanted - 1.0).abs() < 1e-9, "{found}, not {wanted}");
}

#[test]
fn opponents_are_the_first_the_fastest_thread_and_the_best() {
    let against = compare(&sweep(), &host());
    let steps = [against.thread(), against.fastest_thread(), Some(against.best())];
    let steps = steps.map(|entry| entry.unwrap().step.as_str());
    assert_eq!(steps, ["01-c-loop", "06-registers", "08-threads"]);
    // 05x-two-loops would be another's headline; 07-unroll is kept and faster.
    assert_eq!(against.top().step, "07-unroll");
    let rate = against.top().rate / 1e9;
    let [thread, fastest, best] = against.times(against.top());
    near(thread, rate / 0.31);
    near(fastest, rate / 6.1);
    near(best, rate / 171.0);
    let [thread, ..] = against.times(against.thread().unwrap());
    near(thread, 1.0);
}

#[test]
fn what_was_published_stands_beside_its_step() {
    let against = compare(&sweep(), &host());
    let counts: Vec<usize> = against.gpu.steps.iter().map(|step| step.published.len()).collect();
    assert_eq!(counts, [3, 3, 0, 0, 0, 0, 0, 0]);
    let first = &against.gpu.steps[0].published[0];
    assert_eq!((first.slide, first.text.as_str(), first.n), (28, "1/72.4", Some(10_000)));
    assert_eq!(first.times, 1.0 / 72.4);
    let text = table::figure(&against.gpu.steps[1].published[1]);
    assert_eq!(text, "×176.7 on Tesla C2050 (CC 2.0), n not stated, slide 31");
    let bad = Line { ratio: "1/x".to_owned(), ..lines().remove(0) };
    let error = Against::of(&sweep(), &host(), &[bad]).unwrap_err().to_string();
    assert!(error.contains("`1/x` of 01-one-thread on slide 28"), "{error}");
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
    let sentence = words::sentence(&against);
    assert!(!sentence.contains("07-unroll") && !sentence.contains("08-threads"), "{sentence}");

    // Without the C loop nothing is told of one CPU thread.
    cpu.rows[0].outcome = Outcome::Failed;
    let against = compare(&gpu, &cpu);
    assert_eq!((against.thread, against.times(against.top())[0]), (None, None));
    assert!(!words::sentence(&against).contains("one CPU thread"));
    assert!(words::opponents(&against).starts_with("One CPU thread: not known. "));

    for row in &mut cpu.rows {
        row.outcome = Outcome::Failed;
    }
    assert!(Against::of(&gpu, &cpu, &lines()).unwrap().is_none());
    assert!(Against::of(&report(vec![], false), &host(), &lines()).unwrap().is_none());
}

/// A report of before threads were written: the first step is one thread by what the ladder is.
#[test]
fn threads_may_be_unknown() {
    let mut cpu = host();
    for row in &mut cpu.rows {
        row.threads = None;
    }
    let against = compare(&sweep(), &cpu);
    assert_eq!((against.thread, against.fastest_thread, against.best), (Some(0), None, 8));
    assert!(words::opponents(&against).contains("Fastest on one thread: not known."));
    // A first step on many threads is not one thread.
    cpu.rows[0].threads = Some(4);
    assert_eq!(compare(&sweep(), &cpu).thread, None);
}

/// A detour is no opponent, but that it was faster is not kept quiet.
#[test]
fn a_faster_detour_is_named() {
    let mut cpu = host();
    assert!(!words::opponents(&compare(&sweep(), &cpu)).contains("detour"));
    cpu.rows[5].timed[0].seconds /= 100.0;
    cpu.rows[5].threads = Some(32);
    let against = compare(&sweep(), &cpu);
    assert_eq!(against.best().step, "08-threads");
    let said = words::opponents(&against);
    let wanted = "Faster than that was a detour: 05x-gcc, 32 threads, 1.58× its rate.";
    assert!(said.ends_with(wanted), "{said}");
    let sentence = words::sentence(&against);
    assert!(sentence.contains(" A detour of the CPU is faster than that: "), "{sentence}");
}

#[test]
fn a_ladder_of_one_step_has_one_opponent() {
    let mut cpu = host();
    cpu.rows.truncate(1);
    let against = compare(&sweep(), &cpu);
    let sentence = words::sentence(&against);
    assert_eq!(sentence.matches('×').count(), 1, "{sentence}");
    assert_eq!(words::roles(&against, 0).len(), 3);
    // The fastest on one thread is the best too, and is called that.
    let mut cpu = host();
    cpu.rows.truncate(2);
    let against = compare(&sweep(), &cpu);
    assert!(words::message(&against).ends_with(" the best CPU step"));
    let sentence = words::sentence(&against);
    assert_eq!(sentence.matches('×').count(), 2, "{sentence}");
}

#[test]
fn the_sentence_says_what_is_modelled() {
    let against = compare(&sweep(), &host());
    let sentence = words::sentence(&against);
    assert!(sentence.starts_with(&format!("07-unroll on {GPU} is ")), "{sentence}");
    assert!(sentence.contains("× the best CPU step (08-threads, 32 threads)."), "{sentence}");
    assert!(sentence.contains("× one CPU thread (01-c-loop), "), "{sentence}");
    assert!(!sentence.contains("model"), "{sentence}");

    let against = compare(&modelled(), &host());
    let sentence = words::sentence(&against);
    assert!(sentence.starts_with("07-unroll on a modelled NVIDIA H200 is "), "{sentence}");
    assert!(sentence.ends_with("The GPU's time is a model's, only the CPU's was measured."));
    assert!(words::message(&against).starts_with("07-unroll on a modelled NVIDIA H200: ×"));
    let caption = words::caption(&against).join(" ");
    assert!(caption.contains("the simulator's model of NVIDIA H200, not measured"), "{caption}");
    let table = table::markdown(&against, &|_| None);
    assert!(table.contains("GPU, modelled") && !table.contains("| GPU |"), "{table}");
}

#[test]
fn two_computers_are_both_named() {
    let mut cpu = host();
    assert_eq!(words::machines(&compare(&sweep(), &cpu)), None);
    cpu.machine.cpu = Some("Another processor".to_owned());
    cpu.machine.cores = 64;
    cpu.date = "2026-11-21".to_owned();
    let against = compare(&sweep(), &cpu);
    let said = words::machines(&against).expect("said");
    assert!(said.contains("beside the GPU is A processor (x86_64, 2 hardware threads)"), "{said}");
    assert!(said.contains("ran on Another processor (x86_64, 64 hardware threads)"), "{said}");
    let caption = words::caption(&against).join(" ");
    assert!(caption.contains(&said) && caption.contains("CPU's report: 2026-11-21"), "{caption}");
    // A model's times are of no computer.
    assert_eq!(words::machines(&compare(&modelled(), &cpu)), None);
}

#[test]
fn sizes_that_differ_are_told() {
    let sizes = words::sizes(&compare(&sweep(), &host()));
    assert!(
        sizes.ends_with("GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384."),
        "{sizes}"
    );
}

#[test]
fn the_markdown_table_has_every_step() {
    let against = compare(&sweep(), &host());
    let link = |entry: &super::Entry| Some(format!("{}/{}.md", entry.ladder, entry.step));
    let text = table::markdown(&against, &link);
    let lines: Vec<&str> = text.lines().take_while(|line| line.starts_with('|')).collect();
    assert_eq!(lines.len(), 2 + 9 + 8, "{text}");
    assert!(lines.iter().all(|line| line.matches('|').count() == 10), "{text}");
    let first = "| [01-c-loop](cpu/01-c-loop.md): idea of 01-c-loop | CPU, 1 thread | 16384 | 0.310 | \
                 ×1.00 | 1/19.7 | 1/552 |";
    assert!(lines[2].starts_with(first), "{}", lines[2]);
    assert!(lines[11].contains("1/72.4 on Quadro FX 5800 (CC 1.3), n = 10\u{2009}000, slide 28;"));
    assert!(text.contains("(detour)") && text.contains("One CPU thread: 01-c-loop"), "{text}");
}

#[test]
fn reports_are_found_in_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    let (gpu, cpu) = (sweep(), host());
    assert!(below(&gpu, folder.path()).unwrap().is_none(), "no folder of the CPU");
    let dir = folder.path().join("cpu");
    std::fs::create_dir(&dir).unwrap();
    assert!(below(&gpu, folder.path()).unwrap().is_none(), "no report in it");
    assert!(above(&cpu, &dir).unwrap().is_none(), "no report above");

    cpu.write(&dir.join("report.json")).unwrap();
    assert_eq!(below(&gpu, folder.path()).unwrap().unwrap().best().step, "08-threads");
    assert!(below(&cpu, folder.path()).unwrap().is_none(), "that is no GPU's");
    gpu.write(&folder.path().join("report.json")).unwrap();
    let found = above(&cpu, &dir).unwrap().unwrap();
    assert_eq!(
        (found.dir.as_path(), found.against.top().step.as_str()),
        (folder.path(), "07-unroll")
    );
    assert!(above(&cpu, folder.path()).unwrap().is_none(), "its folder is not called so");

    let mut written = super::folder::redraw(&found).unwrap();
    written.sort();
    let names = ["against-cpu.png", "against-cpu.svg", "report.html"];
    assert_eq!(written, names.map(|name| folder.path().join(name)));

    // Something else in its place is said.
    let mut other = timed("01-a", None, 64, 1.0);
    other.ladder = "other".to_owned();
    let mut foreign = report(vec![other], false);
    foreign.options.ladder = "other".to_owned();
    foreign.write(&dir.join("report.json")).unwrap();
    let error = below(&gpu, folder.path()).unwrap_err().to_string();
    assert!(error.contains("is of the ladder other, not of cpu"), "{error}");
    std::fs::write(dir.join("report.json"), "{").unwrap();
    let error = format!("{:#}", below(&gpu, folder.path()).unwrap_err());
    assert!(error.contains("report.json"), "{error}");
}

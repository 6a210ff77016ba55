//! A GPU against a CPU.

use report::against::Against;
use report::synthetic::{self, GPU, host, sweep, timed};
use report::{Outcome, Report, TimeSource};

use super::legible::{check, texts};
use super::published;
use crate::Picture;

fn picture(gpu: &Report, cpu: &Report) -> Picture {
    let against = Against::of(gpu, cpu, &published()).expect("something to compare");
    let picture = crate::against(&against);
    check(&picture);
    picture
}

fn words(picture: &Picture) -> Vec<String> {
    texts(&picture.svg).into_iter().map(|text| text.text).collect()
}

/// The same report, as the model gives it.
fn modelled() -> Report {
    let mut report = sweep();
    report.device.as_mut().expect("a device").modelled = Some("NVIDIA H200".to_owned());
    for row in &mut report.rows {
        row.outcome = Outcome::Simulated;
        row.time_source = Some(TimeSource::Model);
    }
    report
}

#[test]
fn both_ladders_and_their_opponents_are_drawn() {
    let picture = picture(&sweep(), &host());
    let words = words(&picture);
    let has = |wanted: &str| words.iter().any(|text| text.contains(wanted));
    for wanted in [
        "07-unroll on GPU <A&B>: ×",
        "the best CPU step",
        "MEASURED",
        "on GPU <A&B> and on A processor",
        "one CPU thread",
        "fastest on one thread",
        "best CPU step",
        "times one CPU thread",
        "10⁹ pairs/s, logarithmic",
        "detour · idea of 05x-gcc · 1 thread",
        "idea of 08-threads · 32 threads",
        "1/72.4 · 1/36.7",
        "×107.5 · ×176.7",
        "published, slide 31",
        "GPU One (CC 1.3)",
        "GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384.",
        "n = 8192",
        "1/552",
    ] {
        assert!(has(wanted), "{wanted} in {words:?}");
    }
    assert!(!has("modelled") && !has("Two computers"), "{words:?}");
    let said = &picture.words;
    assert!(said.contains("32 threads, best CPU step, 171, ×552, ×28.0, ×1.00\n"), "{said}");
}

#[test]
fn a_model_is_never_shown_as_measured() {
    let picture_of_model = picture(&modelled(), &host());
    let words = words(&picture_of_model);
    let has = |wanted: &str| words.iter().any(|text| text.contains(wanted));
    for wanted in [
        "07-unroll on a modelled NVIDIA H200: ×",
        "MEASURED AND MODELLED",
        "A processor measured, NVIDIA H200 modelled (simulated)",
        "modelled NVIDIA H200",
        "The GPU's times are the simulator's model of NVIDIA H200, not measured.",
    ] {
        assert!(has(wanted), "{wanted} in {words:?}");
    }
    assert!(words.iter().all(|text| text != "MEASURED"), "{words:?}");

    let mut mixed = sweep();
    mixed.rows[3].outcome = Outcome::Simulated;
    let mixed = picture(&mixed, &host());
    assert!(mixed.words.contains("MEASURED AND MODELLED"), "{}", mixed.words);
}

#[test]
fn another_computer_is_named_in_the_picture() {
    let mut cpu = host();
    cpu.machine.cpu = Some("Another processor".to_owned());
    cpu.date = "2026-11-21".to_owned();
    let words = words(&picture(&sweep(), &cpu)).join(" ");
    assert!(words.contains("Two computers: the GPU's has A processor"), "{words}");
    assert!(words.contains("GPU: 2026-11-20, CPU: 2026-11-21"), "{words}");
}

/// One step each, no first step, no threads, names and rates from the ends of what there is.
#[test]
fn odd_comparisons_keep_apart() {
    let mut cpu = host();
    cpu.rows.truncate(1);
    let mut gpu = sweep();
    gpu.rows.truncate(1);
    picture(&gpu, &cpu);
    cpu.rows[0].threads = None;
    picture(&sweep(), &cpu);

    let mut cpu = host();
    cpu.rows[0].outcome = Outcome::Failed;
    let texts = words(&picture(&sweep(), &cpu));
    // Published figures have no place without one thread.
    assert!(!texts.iter().any(|text| text.contains("published")), "{texts:?}");

    let long = "a name that does not end ".repeat(20);
    let (mut gpu, mut cpu) = (sweep(), host());
    for row in gpu.rows.iter_mut().chain(&mut cpu.rows) {
        row.step = format!("{}-{long}", row.step);
        row.title.clone_from(&long);
    }
    cpu.machine.cpu = Some(long.clone());
    gpu.revision = Some(long.clone());
    for report in [&mut gpu, &mut cpu] {
        report.device.as_mut().expect("a device").name.clone_from(&long);
    }
    picture(&gpu, &cpu);

    let (mut gpu, mut cpu) = (sweep(), host());
    for (place, row) in gpu.rows.iter_mut().chain(&mut cpu.rows).enumerate() {
        row.timed[0].seconds *= 10f64.powi(place as i32 * 24 - 200);
    }
    picture(&gpu, &cpu);

    let mut slow = timed("01-one-thread", None, 1000, 1.0);
    slow.device = Some(GPU.to_owned());
    let mut even = timed("01-c-loop", None, 1000, 1.0);
    even.ladder = "cpu".to_owned();
    let cpu = Report { rows: vec![even], ..host() };
    let same = picture(&synthetic::report(vec![slow], false), &cpu);
    assert!(same.title.ends_with("×1.00 one CPU thread"), "{}", same.title);
}

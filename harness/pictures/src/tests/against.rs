//! A GPU against a CPU.

use ::report::{Outcome, Report};

use super::legible::{check, texts};
use crate::against::Against;
use crate::plot::{Plot, against};
use crate::published;
use crate::synthetic::{self, GPU, host, sweep, timed};

fn picture(gpu: &Report, cpu: &Report) -> Plot {
    let lines = published::committed().unwrap();
    against(&Against::of(gpu, cpu, &lines).unwrap().expect("something to compare"))
}

fn words(plot: &Plot) -> Vec<String> {
    texts(&plot.svg().unwrap()).into_iter().map(|text| text.text).collect()
}

/// The same report, as the model gives it.
fn modelled() -> Report {
    let mut report = sweep();
    report.device.as_mut().unwrap().modelled = Some("NVIDIA H200".to_owned());
    for row in &mut report.rows {
        row.outcome = Outcome::Simulated;
        row.time_source = Some(device::TimeSource::Model);
    }
    report
}

#[test]
fn both_ladders_and_their_opponents_are_drawn() {
    let plot = picture(&sweep(), &host());
    check(&plot);
    let words = words(&plot);
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
        "detour · idea of 05x-gcc · 1 thread",
        "idea of 08-threads · 32 threads",
        "1/72.4 · 1/36.7 · 1/68.1",
        "×107.5 · ×176.7 · ×176.2",
        "published, slide 31",
        "Tesla C2050 (CC 2.0)",
        "GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384.",
        "n = 8192",
        "1/552",
    ] {
        assert!(has(wanted), "{wanted} in {words:?}");
    }
    assert!(!has("modelled") && !has("Two computers"), "{words:?}");
    let said = plot.words();
    assert!(said.contains("08-threads, CPU, 32 threads: 171·10⁹ interactions per second, ×552 one CPU thread, ×28.0 fastest on one thread, ×1.00 best CPU step."), "{said}");
    assert!(said.contains("published × one CPU thread: 1/72.4 on Quadro FX 5800"), "{said}");
    assert_eq!(plot.svg().unwrap(), picture(&sweep(), &host()).svg().unwrap());
}

#[test]
fn a_model_is_never_shown_as_measured() {
    let plot = picture(&modelled(), &host());
    check(&plot);
    let words = words(&plot);
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
    let plot = picture(&mixed, &host());
    check(&plot);
    assert!(plot.words().contains("MEASURED AND MODELLED"), "{}", plot.words());
}

#[test]
fn another_computer_is_named_in_the_picture() {
    let mut cpu = host();
    cpu.machine.cpu = Some("Another processor".to_owned());
    cpu.date = "2026-11-21".to_owned();
    let plot = picture(&sweep(), &cpu);
    check(&plot);
    let words = words(&plot).join(" ");
    assert!(words.contains("Two computers: beside the GPU is A processor"), "{words}");
    assert!(words.contains("GPU: 2026-11-20, CPU: 2026-11-21"), "{words}");
}

/// One step each, no C loop, no threads, names and rates from the ends of what there is.
#[test]
fn odd_comparisons_keep_apart() {
    let mut cpu = host();
    cpu.rows.truncate(1);
    let mut gpu = sweep();
    gpu.rows.truncate(1);
    check(&picture(&gpu, &cpu));
    cpu.rows[0].threads = None;
    check(&picture(&sweep(), &cpu));

    let mut cpu = host();
    cpu.rows[0].outcome = Outcome::Failed;
    let plot = picture(&sweep(), &cpu);
    check(&plot);
    // Published figures have no place without one thread.
    assert!(!words(&plot).iter().any(|text| text.contains("published")), "{:?}", words(&plot));

    let long = "a name that does not end ".repeat(20);
    let (mut gpu, mut cpu) = (sweep(), host());
    for row in gpu.rows.iter_mut().chain(&mut cpu.rows) {
        row.step = format!("{}-{long}", row.step);
        row.title.clone_from(&long);
    }
    cpu.machine.cpu = Some(long.clone());
    gpu.revision = Some(long.clone());
    gpu.device.as_mut().unwrap().name.clone_from(&long);
    cpu.device.as_mut().unwrap().name.clone_from(&long);
    check(&picture(&gpu, &cpu));

    let (mut gpu, mut cpu) = (sweep(), host());
    for (place, row) in gpu.rows.iter_mut().chain(&mut cpu.rows).enumerate() {
        row.timed[0].seconds *= 10f64.powi(place as i32 * 24 - 200);
    }
    check(&picture(&gpu, &cpu));

    let mut slow = timed("01-one-thread", None, 1000, 1.0);
    slow.device = Some(GPU.to_owned());
    let mut even = timed("01-c-loop", None, 1000, 1.0);
    even.ladder = "cpu".to_owned();
    let plot =
        picture(&synthetic::report(vec![slow], false), &synthetic::report(vec![even], false));
    check(&plot);
    assert!(plot.words().contains("×1.00 one CPU thread"), "{}", plot.words());
}

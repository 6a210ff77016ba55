//! A GPU against a CPU.

use report::against::Against;
use report::synthetic::{host, modelled, sweep, timed};
use report::{Outcome, Report};

use super::legible::check;
use super::{published, says};
use crate::Picture;

fn picture(gpu: &Report, cpu: &Report) -> Picture {
    let against = Against::of(gpu, cpu, &published()).expect("something to compare");
    let picture = crate::against(&against);
    check(&picture);
    picture
}

#[test]
fn both_ladders_and_their_opponents_are_drawn() {
    let picture = picture(&sweep(), &host());
    says(
        &picture,
        &[
            "07-unroll on GPU <A&B>: 5240× one CPU thread",
            "the best CPU step",
            "MEASURED, on GPU <A&B> and on A processor",
            "one CPU thread",
            "fastest on one thread",
            "times one CPU thread",
            "10⁹ pairs/s, logarithmic",
            "detour · idea of 05x-gcc · 1 thread",
            "32 threads, best CPU step, 171, 552×, 28.0×, 1.00×\n",
            "published, slide 31, 107.5× · 176.7×\n",
            "GPU One (CC 1.3)",
            "GPU 131\u{2009}072 (8192 for 01-one-thread), CPU 16\u{2009}384.",
            "n = 8192",
            "1/552",
        ],
    );
    assert!(!picture.words.contains("modelled") && !picture.words.contains("Two computers"));
}

#[test]
fn a_model_and_another_computer_are_named() {
    let mut model = modelled(sweep());
    model.device.as_mut().expect("a device").modelled = Some("NVIDIA H200".to_owned());
    let said = [
        "07-unroll on a modelled NVIDIA H200: 5240× one CPU thread",
        "MEASURED AND MODELLED, A processor measured, NVIDIA H200 modelled (simulated)",
        "The GPU's times are the simulator's model of NVIDIA H200, not measured.",
    ];
    says(&picture(&model, &host()), &said);
    let mut mixed = sweep();
    mixed.rows[3].outcome = Outcome::Simulated;
    says(&picture(&mixed, &host()), &["MEASURED AND MODELLED"]);

    let mut cpu = host();
    cpu.machine.cpu = Some("Another processor".to_owned());
    cpu.date = "2026-11-21".to_owned();
    let said = ["Two computers: the GPU's has A processor", "GPU: 2026-11-20, CPU: 2026-11-21"];
    says(&picture(&sweep(), &cpu), &said);
}

/// One step each, no first step, no threads, names and rates from the ends of what there is.
#[test]
fn odd_comparisons_keep_apart() {
    let mut cpu = host();
    cpu.rows.truncate(1);
    cpu.rows[0].threads = None;
    picture(&sweep(), &cpu);
    let one = Report { rows: vec![timed("01-one-thread", None, 1000, 1.0)], ..sweep() };
    let mut even = timed("01-c-loop", None, 1000, 1.0);
    even.ladder = "cpu".to_owned();
    let same = picture(&one, &Report { rows: vec![even], ..host() });
    assert!(same.title.ends_with("1.00× one CPU thread"), "{}", same.title);

    let mut cpu = host();
    cpu.rows[0].outcome = Outcome::Failed;
    // Published figures have no place without one thread.
    assert!(!picture(&sweep(), &cpu).words.contains("published, slide"));

    let long = "a name that does not end ".repeat(20);
    let (mut gpu, mut cpu) = (sweep(), host());
    for (place, row) in gpu.rows.iter_mut().chain(&mut cpu.rows).enumerate() {
        row.timed[0].seconds *= 10f64.powi(place as i32 * 24 - 200);
        row.step = format!("{}-{long}", row.step);
        row.title.clone_from(&long);
    }
    for report in [&mut gpu, &mut cpu] {
        report.device.as_mut().expect("a device").name.clone_from(&long);
    }
    picture(&gpu, &cpu);
}

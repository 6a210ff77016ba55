//! What is found of each kernel in `kernels/`, next to what NVIDIA's compute-sanitizer finds of it on a GPU:
//! `yardstick.toml`.

use std::collections::BTreeSet;

use super::fixture::{Fixture, marked, text};
use serde::Deserialize;
use simt::{Fault, FaultKind, LaunchError};

#[derive(Deserialize)]
struct Yardstick {
    case: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    /// File and kernel.
    kernel: String,
    launch: Shape,
    /// The kind of the first hazard, as its message begins; `nothing` of a kernel without.
    ours: String,
    /// It is found only where blocks come in ascending order.
    #[serde(default)]
    in_order: bool,
}

#[derive(Deserialize)]
struct Shape {
    blocks: [u32; 3],
    threads: [u32; 3],
    n: u32,
    /// Words of `in` that the host writes, and none of `out`; without it, all of both.
    written: Option<usize>,
}

/// What a launch comes to.
enum Outcome {
    Ran(Vec<Fault>),
    NotLaunched,
}

impl Case {
    fn parts(&self) -> (&str, &str) {
        self.kernel.split_once('/').expect("file/kernel")
    }

    /// With blocks and warps in the order of a seed.
    fn run(&self, seed: u64) -> Outcome {
        let (file, kernel) = self.parts();
        let Shape { blocks, threads, n, written } = self.launch;
        let mut fixture = match written {
            None => Fixture::filled(file),
            Some(_) => Fixture::new(file),
        };
        if self.in_order {
            // With two CPU threads the second block may come before the first.
            fixture.simulator = fixture.simulator.with_threads(1);
        }
        if let Some(words) = written {
            fixture.simulator.write(fixture.input, &vec![7; 4 * words]).expect("the array's size");
        }
        fixture.seed = seed;
        match fixture.watch(kernel, blocks, threads, n) {
            Ok(events) => Outcome::Ran(events.hazards),
            Err(LaunchError::Fault(fault)) => Outcome::Ran(vec![*fault]),
            Err(_) => Outcome::NotLaunched,
        }
    }
}

fn yardstick() -> Vec<Case> {
    let table: Yardstick = toml::from_str(include_str!("yardstick.toml")).expect("a valid table");
    table.case
}

/// The lines of a fault's both sides that are known.
fn lines(fault: &Fault) -> Vec<u32> {
    let first = match &fault.kind {
        FaultKind::Race(race) => race.first.cuda.as_ref(),
        _ => None,
    };
    first.into_iter().chain(&fault.cuda).map(|it| it.at.line).collect()
}

#[test]
fn each_kernel_has_the_hazard_of_the_table_in_its_marked_lines_and_no_other() {
    for case in yardstick() {
        let (file, kernel) = case.parts();
        let marked = marked(&text(&format!("{file}.cu")), kernel);
        for seed in 0..if case.in_order { 1 } else { 3 } {
            let Outcome::Ran(mut found) = case.run(seed) else {
                assert_eq!(case.ours, "not launched", "{}", case.kernel);
                continue;
            };
            // GPUs of today order it, and nothing else of the table is about the memory model.
            found.retain(|fault| !fault.is_of_model_only());
            let first = found.first().map(ToString::to_string);
            let kind =
                first.as_ref().map_or("nothing", |text| text.split(':').next().unwrap_or(text));
            assert_eq!(kind, case.ours, "{}, seed {seed}: {first:?}", case.kernel);
            // The copies are made in a function of their own.
            if file == "copies" {
                continue;
            }
            for fault in &found {
                let lines = lines(fault);
                assert!(lines.iter().all(|line| marked.contains(line)), "{}: {fault}", case.kernel);
                assert!(!fault.remedy().is_empty(), "{}", case.kernel);
            }
        }
    }
}

#[test]
fn the_table_has_every_kernel_that_takes_its_arrays() {
    let listed: BTreeSet<String> = yardstick().into_iter().map(|case| case.kernel).collect();
    let files: BTreeSet<&str> = listed.iter().filter_map(|name| name.split('/').next()).collect();
    for file in files {
        let text = text(&format!("{file}.cu"));
        for line in text.lines().filter(|line| line.contains("__global__ void")) {
            let head = line.split("*out").next().unwrap_or_default();
            let head = head.rsplit_once('(').map_or("", |(head, _)| head);
            let name = head.rsplit(' ').next().unwrap_or_default();
            let name = format!("{file}/{name}");
            assert!(listed.contains(&name), "{name} is not in yardstick.toml");
        }
    }
}

//! The n-body ladder's kernels: clean as they are, racy without any of their barriers.

use std::fs;
use std::path::Path;

use super::fixture::{Run, set};
use simt::{Fault, FaultKind, Launch, Scheduling, Simulator};

const N: u32 = 600;
const FIELDS: [&str; 10] =
    ["mass", "posx", "posy", "posz", "velx", "vely", "velz", "accx", "accy", "accz"];

/// The committed PTX with constant parameters: file name and text.
fn steps() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../kernels/nbody");
    let mut steps: Vec<_> = fs::read_dir(folder)
        .expect("the ladder's kernels")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "ptx"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read_to_string(path).expect("its text"))
        })
        .filter(|(_, text)| text.contains(".const .align 8 .u64 posx"))
        .collect();
    steps.sort_unstable();
    steps
}

/// The hazards of a force evaluation of equal bodies, so that results are right in any order of loads.
fn hazards(text: &str, scheduling: Scheduling) -> Vec<Fault> {
    let padded = N.next_multiple_of(256);
    let simulator = Simulator::new(1 << 24);
    let run = Run {
        text,
        kernel: "force",
        launch: Launch::new([padded / 256, 1, 1], [256, 1, 1]).scheduling(scheduling),
    };
    run.hazards(&simulator, |loaded| {
        set(&simulator, loaded, "n", &N.to_le_bytes());
        set(&simulator, loaded, "epssq", &0.0025f32.to_le_bytes());
        for field in FIELDS {
            let bytes = 4 * u64::from(padded);
            let address = simulator.alloc(field, bytes).expect("enough memory");
            if !field.starts_with("acc") {
                simulator.fill(address, bytes, 0).expect("the array's size");
            }
            set(&simulator, loaded, field, &address.to_le_bytes());
        }
        vec![0u32.to_le_bytes().into()]
    })
}

#[test]
fn all_steps_are_clean() {
    let steps = steps();
    assert!(steps.len() >= 8, "{} steps", steps.len());
    for (name, text) in steps {
        for scheduling in [Scheduling::Independent, Scheduling::Lockstep] {
            assert_eq!(hazards(&text, scheduling), [], "{name}");
        }
    }
}

#[test]
fn without_any_one_of_its_barriers_each_step_races() {
    let mut removed = 0;
    for (name, text) in steps() {
        for (at, barrier) in text.match_indices("bar.sync") {
            let mut racy = text.clone();
            // A comment takes its place, up to the end of the line.
            racy.replace_range(at..at + barrier.len(), "// bar.sync");
            let found = hazards(&racy, Scheduling::Independent);
            let is_race = |fault: &Fault| matches!(fault.kind, FaultKind::Race(_));
            assert!(found.iter().any(is_race), "{name}: barrier {at} is not missed: {found:?}");
            removed += 1;
        }
    }
    assert!(removed >= 12, "{removed} barriers");
}

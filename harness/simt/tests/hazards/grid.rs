//! Blocks that wait for each other: clean as the n-body ladder has them, racy without any barrier or fence of theirs.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::{Fault, FaultKind, Launch, Module, Reach, Simulator, Watch};

const N: u32 = 150;
const BLOCKS: u32 = 3;

fn text() -> String {
    let path = "../../kernels/nbody/13x-one-launch.ptx";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(path).expect("the step's PTX")
}

/// What is told of two time steps of equal bodies, so that results are right in any order.
fn told(text: &str, threads: usize) -> Vec<Fault> {
    let simulator = Simulator::new(1 << 24).with_threads(threads);
    let module = Arc::new(Module::parse("step.ptx", text).expect("valid PTX"));
    let loaded = simulator.load(module).expect("enough memory");
    let set = |name: &str, bytes: &[u8]| {
        let (address, _) = loaded.symbol(name).expect("a symbol of the kernel's");
        simulator.write(address, bytes).expect("the symbol's size");
    };
    set("n", &N.to_le_bytes());
    for name in ["epssq", "dtime", "dthf"] {
        set(name, &0.0025f32.to_le_bytes());
    }
    for name in ["body", "velocity", "acceleration", "meeting"] {
        let bytes = if name == "meeting" { 4 } else { 16 * u64::from(N) };
        let address = simulator.alloc(name, bytes).expect("enough memory");
        simulator.fill(address, bytes, 0).expect("the array's size");
        set(name, &address.to_le_bytes());
    }
    let launch = Launch {
        grid: [BLOCKS, 1, 1],
        block: [1024, 1, 1],
        shared_bytes: 0,
        arguments: &[&0u32.to_le_bytes(), &2u32.to_le_bytes()],
    };
    let watch = Watch { hazards: true, together: true, ..Watch::default() };
    simulator.watch(&loaded, "run", &launch, &watch).expect("no fault").hazards
}

/// Whether blocks race in what is told.
fn is_race_of_blocks(told: &[Fault]) -> bool {
    let is =
        |fault: &Fault| matches!(&fault.kind, FaultKind::Race(race) if race.reach == Reach::Grid);
    told.iter().any(is)
}

#[test]
fn blocks_that_meet_do_not_race() {
    for threads in [1, 2, 3] {
        assert_eq!(told(&text(), threads), [], "{threads} CPU threads");
    }
}

#[test]
fn without_any_barrier_or_fence_of_their_meeting_they_do() {
    let text = text();
    let places = |what| text.match_indices(what).map(|(at, what): (usize, &str)| (at, what));
    let all: Vec<(usize, &str)> = places("bar.sync").chain(places("membar.gl")).collect();
    assert_eq!(all.len(), 8);
    for (at, what) in all {
        for threads in [1, 3] {
            let mut racy = text.clone();
            // A comment takes its place, up to the end of the line.
            racy.replace_range(at..at + what.len(), &format!("// {what}"));
            let told = told(&racy, threads);
            assert!(is_race_of_blocks(&told), "{what} at {at}, {threads} CPU threads: {told:?}");
        }
    }
}

#[test]
fn neither_fences_of_their_own_nor_none_at_all_order_blocks() {
    for fence in ["membar.cta", "//"] {
        let told = told(&text().replace("membar.gl", fence), 1);
        assert!(is_race_of_blocks(&told), "{fence}: {told:?}");
    }
}

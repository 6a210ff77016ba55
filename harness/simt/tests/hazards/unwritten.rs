//! Reads of what nothing has written.

use crate::fixture::{Fixture, WORDS, marked, text};
use simt::{Fault, FaultKind};

const ONE: [u32; 3] = [1, 1, 1];
const TWO_WARPS: [u32; 3] = [64, 1, 1];

fn is_told(told: &[Fault], kernel: &str, name: &str, offset: u64) {
    let [line] = marked(&text("unwritten.cu"), kernel)[..] else { panic!("one line") };
    assert_eq!(told.len(), 1, "{kernel}: {told:?}");
    let FaultKind::Uninitialised(read) = &told[0].kind else { panic!("{}", told[0]) };
    assert_eq!((read.name.as_deref(), read.offset), (Some(name), offset), "{}", told[0]);
    assert_eq!(told[0].cuda.as_ref().map(|(_, line)| *line), Some(line), "{}", told[0]);
}

#[test]
fn shared_memory() {
    let told = Fixture::filled("unwritten").hazards("shared_tail", ONE, TWO_WARPS, 50);
    // Thread 0 reads word 63, of which nothing is written.
    is_told(&told, "shared_tail", "tile", 4 * 63);
    assert_eq!(told[0].thread, [0, 0, 0]);
    assert_eq!(Fixture::filled("unwritten").hazards("shared_tail", ONE, TWO_WARPS, 64), []);
}

#[test]
fn global_memory() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4 * 50]).unwrap();
    let told = fixture.hazards("global_tail", ONE, TWO_WARPS, 50);
    is_told(&told, "global_tail", "in", 4 * 50);
    assert_eq!(told[0].thread, [50, 0, 0]);
    assert!(told[0].to_string().contains("to do: copy to it or clear it"), "{}", told[0]);
    fixture.simulator.write(fixture.input + 4 * 50, &[7; 4 * 14]).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 64), []);
}

#[test]
fn an_atomic_reads() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4]).unwrap();
    is_told(&fixture.hazards("never_cleared", ONE, TWO_WARPS, 0), "never_cleared", "out", 0);
    fixture.simulator.fill(fixture.out, 8, 0).unwrap();
    assert_eq!(fixture.hazards("never_cleared", ONE, TWO_WARPS, 0), []);
}

#[test]
fn what_kernels_write_is_written() {
    let fixture = Fixture::new("unwritten");
    fixture.simulator.write(fixture.input, &[7; 4]).unwrap();
    assert_eq!(fixture.hazards("own_words", ONE, TWO_WARPS, 0), []);
    // What is poisoned has to be written again.
    fixture.simulator.poison(fixture.input, 4 * WORDS, 0xff).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 0).len(), 1);
}

#[test]
fn after_a_launch_that_was_not_watched_all_counts_as_written() {
    let fixture = Fixture::new("unwritten");
    let arguments: [&[u8]; 3] = [&fixture.out.to_le_bytes(), &fixture.input.to_le_bytes(), &[0; 4]];
    let launch =
        simt::Launch { grid: ONE, block: TWO_WARPS, shared_bytes: 0, arguments: &arguments };
    fixture.simulator.launch(&fixture.loaded, "global_tail", &launch).unwrap();
    assert_eq!(fixture.hazards("global_tail", ONE, TWO_WARPS, 0), []);
}

//! Asynchronous copies into shared memory.

use super::fixture::{Fixture, marked, text};
use simt::{AccessKind, Fault, FaultKind, RaceScope};

const ONE: [u32; 3] = [1, 1, 1];
const TWO_WARPS: [u32; 3] = [64, 1, 1];

fn hazards(kernel: &str) -> Vec<Fault> {
    Fixture::filled("copies").hazards(kernel, ONE, TWO_WARPS, 512)
}

fn line(fault: &Fault) -> u32 {
    fault.cuda.as_ref().expect("line information").at.line
}

#[test]
fn copies_that_are_waited_for_are_clean() {
    for kernel in ["two_buffers", "groups"] {
        for seed in 0..4 {
            let fixture = Fixture { seed, ..Fixture::filled("copies") };
            assert_eq!(fixture.hazards(kernel, ONE, TWO_WARPS, 512), [], "{kernel}");
        }
    }
}

#[test]
fn what_is_read_before_the_wait_is_not_there() {
    for kernel in ["never_waited_for", "second_time"] {
        let found = hazards(kernel);
        let [fault] = &found[..] else { panic!("{kernel}: {found:?}") };
        assert!(matches!(fault.kind, FaultKind::Uninitialised(_)), "{kernel}: {fault}");
        assert_eq!([line(fault)], marked(&text("copies.cu"), kernel)[..], "{kernel}: {fault}");
        assert!(fault.to_string().contains("cp.async.wait_group"), "{fault}");
    }
}

#[test]
fn who_waits_for_a_copy_waits_for_no_other_thread() {
    // The line of the copy, in a function of its own.
    let source = text("copies.cu");
    let copy = (1..).zip(source.lines()).find(|(_, line)| line.contains("cp.async.ca")).unwrap().0;
    for kernel in ["waited_for_by_one", "too_early"] {
        let found = hazards(kernel);
        let race = found.iter().find_map(|fault| match &fault.kind {
            FaultKind::Race(race) => Some(race),
            _ => None,
        });
        let race = race.unwrap_or_else(|| panic!("{kernel}: {found:?}"));
        assert_eq!(race.scope, RaceScope::Block, "{kernel}");
        let sides = [&race.first, &race.second].map(|side| {
            let line = side.cuda.as_ref().expect("line information").at.line;
            (side.kind, line)
        });
        assert!(sides.contains(&(AccessKind::Write, copy)), "{kernel}: {sides:?}");
        let [read] = marked(&source, kernel)[..] else { panic!("one line") };
        assert!(sides.contains(&(AccessKind::Read, read)), "{kernel}: {sides:?}");
    }
}

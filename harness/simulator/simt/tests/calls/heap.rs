//! `malloc`, `free`, `new` and `delete` on the device.

use simt::{AccessError, FaultKind, Simulator};

use super::fixture::{Fixture, marked, text};

fn fixture() -> Fixture {
    Fixture::new("prints", Simulator::new(1 << 20))
}

#[test]
fn every_thread_builds_and_frees_a_list() {
    let fixture = fixture();
    let words = fixture.words("lists", 4, 64, 20, 256);
    assert!((0..256).map(|i| 190 * (i % 64 + 1)).eq(words));
    assert_eq!(fixture.simulator.heap_blocks(), []);
    // The same again and again: what was freed is used again.
    for _ in 0..40 {
        fixture.words("lists", 4, 64, 20, 256);
    }
    assert_eq!(fixture.words("lists", 4, 64, 20, 256)[255], 190 * 64);
}

#[test]
fn memory_outlives_the_launch_and_what_is_never_freed_is_known() {
    let fixture = fixture();
    fixture.launch("keep", 1, 40, 10).unwrap();
    assert_eq!(fixture.simulator.heap_blocks().len(), 40);
    let words = fixture.words("release", 1, 40, 10, 40);
    assert!((0..40).map(|t| t + 9).eq(words));
    let left = fixture.simulator.heap_blocks();
    let [block] = &left[..] else { panic!("{left:?}") };
    assert_eq!((block.bytes, block.allocated.thread), (40, [5, 0, 0]));
    let source = text("prints.cu");
    let line = source.lines().nth(block.allocated.line.line as usize - 1).expect("its line");
    assert!(line.contains("new int[n]"), "{line}");
}

#[test]
fn the_heap_has_eight_mebibytes_until_it_is_given_more() {
    let fixture = fixture();
    assert_eq!(fixture.words("too_much", 1, 1, 0, 1), [1]);
    assert!(!fixture.simulator.set_heap_bytes(1 << 24));
    let larger = Fixture::new("prints", Simulator::new(1 << 20));
    assert!(larger.simulator.set_heap_bytes(1 << 24));
    assert_eq!(larger.words("too_much", 1, 1, 0, 1), [3]);
}

#[test]
fn what_is_freed_twice_or_was_never_allocated_is_a_fault() {
    let fixture = fixture();
    let twice = fixture.fault("twice", 1, 1, 64);
    let source = text("prints.cu");
    assert!(matches!(twice.kind, FaultKind::Free(_)), "{twice}");
    assert_eq!(twice.cuda.as_ref().map(|it| it.at.line), Some(marked(&source, "void twice(")));
    let told = twice.to_string();
    assert!(told.starts_with("double free: 0x"), "{told}");
    let line = marked(&source, "void twice(");
    for part in [format!("prints.cu:{} by thread", line - 3), format!("prints.cu:{} by", line - 2)]
    {
        assert!(told.contains(&part), "{part}: {told}");
    }
    let inside = fixture.fault("inside", 1, 1, 64);
    assert_eq!(inside.cuda.as_ref().map(|it| it.at.line), Some(marked(&source, "void inside(")));
    let text = inside.to_string();
    assert!(text.starts_with("invalid free: malloc() never returned 0x"), "{text}");
    assert!(text.contains(", which lies inside a block of 64 bytes"), "{text}");
}

#[test]
fn uses_after_free_and_past_the_end_are_faults() {
    let fixture = fixture();
    let source = text("prints.cu");
    for (kernel, problem, told) in [
        ("after", AccessError::Freed, "use after free: "),
        (
            "past_the_end",
            AccessError::OutOfBounds,
            "0 bytes after the end of allocation `malloc(): allocated at",
        ),
    ] {
        let fault = fixture.fault(kernel, 1, 17, 64);
        let FaultKind::InvalidAccess(access) = &fault.kind else { panic!("{fault}") };
        assert_eq!(access.error, problem, "{fault}");
        let line = marked(&source, &format!("void {kernel}("));
        assert_eq!(fault.cuda.as_ref().map(|it| it.at.line), Some(line), "{fault}");
        assert!(fault.to_string().contains(told), "{fault}");
    }
}

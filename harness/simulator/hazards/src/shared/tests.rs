//! What is recorded, and what it conflicts with.

use super::*;
use execution::Level;

#[test]
fn a_stamp_keeps_its_parts() {
    let stamp = Stamp::new(u32::MAX, (1 << 22) - 1, 1023);
    assert_eq!((stamp.tick(), stamp.at(), stamp.thread()), (u32::MAX, (1 << 22) - 1, 1023));
    let stamp = Stamp::new(7, 5, 33);
    assert_eq!((stamp.tick(), stamp.at(), stamp.thread()), (7, 5, 33));
}

#[test]
fn conflicts_are_found_whichever_comes_first() {
    let mut clocks = VectorClocks::new(64);
    let mut shadow = Shadow::new(4, 2);
    let stamp = |clocks: &VectorClocks, at, thread| Stamp::new(clocks.now(), at, thread);
    let writes = |shadow: &mut Shadow, clocks: &VectorClocks, at, thread| {
        let mut found = Vec::new();
        let stamp = stamp(clocks, at, thread);
        shadow.write(1, stamp, clocks, |_| false, |s, _| found.push(s.at()));
        found
    };
    assert_eq!(writes(&mut shadow, &clocks, 10, 0), []);
    assert_eq!(shadow.read(2, stamp(&clocks, 11, 40), &clocks), None);
    assert_eq!(shadow.read(1, stamp(&clocks, 11, 40), &clocks).map(Stamp::at), Some(10));
    assert_eq!(writes(&mut shadow, &clocks, 12, 0), [11]);
    clocks.whole_block();
    assert_eq!(shadow.read(1, stamp(&clocks, 13, 41), &clocks), None);
    assert_eq!(shadow.read(1, stamp(&clocks, 14, 40), &clocks), None);
    // Each of the two readers conflicts with the other when it writes.
    assert_eq!(writes(&mut shadow, &clocks, 15, 40), [13]);
    clocks.warp(1, u32::MAX, u32::MAX);
    assert_eq!(writes(&mut shadow, &clocks, 16, 41), []);
}

#[test]
fn a_row_is_recorded_as_its_lanes_would_be() {
    let build = Build::new(Level::detect());
    let clocks = VectorClocks::new(64);
    let stamps = |at, warp: u32| {
        let clocks = &clocks;
        (0..32).map(move |lane| Stamp::new(clocks.now(), at, 32 * warp + lane))
    };
    let (mut rows, mut lanes) = (Shadow::new(100, 2), Shadow::new(100, 2));
    assert!(rows.write_row(build, 3, Stamp::new(clocks.now(), 7, 32), &clocks, clocks.now()));
    for (cell, stamp) in (3..).zip(stamps(7, 1)) {
        lanes.write(cell, stamp, &clocks, |_| false, |_, _| panic!("there was nothing"));
        lanes.note_first(cell, stamp, clocks.now());
    }
    assert!(rows.writes == lanes.writes && rows.first == lanes.first);
    assert!(!rows.read_row(build, 3, Stamp::new(clocks.now(), 8, 0), &clocks), "not ordered");
    assert!(!rows.write_row(build, 34, Stamp::new(clocks.now(), 8, 0), &clocks, 0), "nor the last");
    for at in [9, 10] {
        assert!(rows.read_row(build, 40, Stamp::new(clocks.now(), at, 0), &clocks));
        for (cell, stamp) in (40..).zip(stamps(at, 0)) {
            assert_eq!(lanes.read(cell, stamp, &clocks), None);
        }
    }
    assert!(rows.last == lanes.last && rows.other == lanes.other && rows.read == lanes.read);
    assert!(
        !rows.write_row(build, 40, Stamp::new(clocks.now(), 11, 32), &clocks, 0),
        "it was read"
    );
    assert!(!rows.read_row(build, 69, Stamp::new(clocks.now(), 12, 0), &clocks), "outside");
}

//! Global memory: requests, bytes, sectors.

use simt::{Coalescing, Machine};

use super::machine::{MACHINE, counts, run_on};

/// A load by each thread of the word at `stride` times its index plus `offset`.
fn load(stride: u32, offset: u32) -> String {
    format!(
        "mul.lo.s32 %r6, %r1, {stride};\nadd.s32 %r6, %r6, {offset};\nmul.wide.u32 %rd2, %r6, 4;\n\
         add.s64 %rd2, %rd1, %rd2;\nld.global.f32 %f1, [%rd2];"
    )
}

#[test]
fn neighbouring_words_of_a_warp_are_four_sectors() {
    let counts = counts(&load(1, 0), 256);
    assert_eq!((counts.global_requests, counts.global_bytes), (8, 1024));
    assert_eq!(counts.global_sectors, 32);
}

#[test]
fn a_shifted_row_touches_one_sector_more() {
    assert_eq!(counts(&load(1, 1), 32).global_sectors, 5);
    assert_eq!(counts(&load(1, 8), 32).global_sectors, 4, "a whole sector on: aligned again");
}

#[test]
fn strides_touch_more_sectors_up_to_one_a_lane() {
    for (stride, sectors) in [(0, 1), (2, 8), (4, 16), (8, 32), (32, 32), (1024, 32)] {
        assert_eq!(counts(&load(stride, 0), 32).global_sectors, sectors, "stride {stride}");
    }
}

#[test]
fn an_array_of_structures_of_40_bytes() {
    // Lane k's word begins at byte 40 k: sectors 40 k / 32, which are 32 different ones up to 1240 / 32 = 38.
    let distinct = (0..32).map(|k| 40 * k / 32).collect::<std::collections::BTreeSet<_>>().len();
    assert_eq!(counts(&load(10, 0), 32).global_sectors, distinct as u64);
}

#[test]
fn wide_loads_ask_for_more_bytes_in_one_request() {
    let body = "mul.wide.u32 %rd2, %r1, 16;\nadd.s64 %rd2, %rd1, %rd2;\n\
                ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];";
    let counts = counts(body, 64);
    assert_eq!((counts.global_requests, counts.global_bytes), (2, 1024));
    assert_eq!(counts.global_sectors, 32);
}

#[test]
fn lanes_that_are_switched_off_ask_for_nothing() {
    let body = format!("setp.lt.u32 %p1, %r2, 5;\n@!%p1 bra OUT;\n{}\nOUT:", load(8, 0));
    let counts = counts(&body, 64);
    assert_eq!((counts.global_requests, counts.global_bytes, counts.global_sectors), (1, 20, 5));
}

#[test]
fn a_generic_address_counts_where_it_points() {
    let body = "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd2, %rd1, %rd2;\nld.f32 %f1, [%rd2];\n\
                cvta.shared.u64 %rd3, 0;\nst.f32 [%rd3], %f1;";
    let counts = counts(body, 32);
    assert_eq!((counts.global_requests, counts.shared_requests), (1, 1));
}

#[test]
fn fermi_moves_whole_lines_and_gt200_segments() {
    let on = |coalescing, stride, offset| {
        let machine = Machine { coalescing, ..MACHINE };
        run_on(machine, &load(stride, offset), 1, 32).total().global_sectors
    };
    // 32 words from word 1 lie in two lines of 128 bytes.
    assert_eq!(on(Coalescing::Lines, 1, 0), 4);
    assert_eq!(on(Coalescing::Lines, 1, 1), 8);
    assert_eq!(on(Coalescing::Lines, 32, 0), 128);
    // Each half warp: 16 words are 64 bytes, half of a segment of 128.
    assert_eq!(on(Coalescing::HalfWarps, 1, 0), 4);
    // Words 1 to 16 are bytes 4 to 67 of a segment, words 17 to 32 its bytes 68 to 127 (reduced to its upper half)
    // and the first word of the next (reduced to 32 bytes).
    assert_eq!(on(Coalescing::HalfWarps, 1, 1), 4 + 2 + 1);
    // One word of each segment: 32 bytes each.
    assert_eq!(on(Coalescing::HalfWarps, 32, 0), 32);
    assert_eq!(on(Coalescing::HalfWarps, 0, 0), 2, "both halves fetch the word");
}

#[test]
fn counts_of_lines_add_up_to_the_launch() {
    let text = load(1, 0);
    let events = run_on(MACHINE, &format!(".loc 1 7 0\n{text}"), 4, 64);
    assert_eq!(events.blocks_run, 4);
    assert_eq!(events.total().global_sectors, 4 * 2 * 4);
    assert_eq!(events.instructions.iter().map(|c| c.warps).sum::<u64>(), events.warp_instructions);
}

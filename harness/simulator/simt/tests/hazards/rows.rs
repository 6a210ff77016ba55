//! Rows: accesses of all lanes of a warp to words that follow each other, which are recorded as a whole.

use super::fixture::{Run, zeros};
use simt::{Fault, FaultKind, Launch, RaceScope, Simulator};

/// Each thread of each block does what `body` says with the address of its own `bytes` bytes (`%rd1`), that of the next
/// thread (`%rd2`) and the number of its block (`%r1`).
fn text(bytes: u32, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {{\n\
         .reg .b32 %r<9>;\n.reg .b64 %rd<9>;\nld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\n\
         mov.u32 %r1, %ctaid.x;\ncvt.u64.u32 %rd3, %r1;\nmul.wide.u32 %rd1, %r0, {bytes};\n\
         add.s64 %rd1, %rd1, %rd0;\nadd.s64 %rd2, %rd1, {bytes};\n{body}\nret;\n}}\n"
    )
}

fn hazards(text: &str, blocks: u32) -> Vec<Fault> {
    let simulator = Simulator::new(1 << 20);
    let run = Run { text, kernel: "k", launch: Launch::new([blocks, 1, 1], [64, 1, 1]) };
    run.hazards(&simulator, |_| vec![zeros(&simulator, "p", 65 * 16).into()])
}

/// How far the races of a launch reach.
fn races(hazards: &[Fault]) -> Vec<RaceScope> {
    let race = |fault: &Fault| match &fault.kind {
        FaultKind::Race(race) => race.scope,
        other => panic!("no race: {other:?}"),
    };
    hazards.iter().map(race).collect()
}

/// Stores and loads of 4, 8 and 16 bytes.
const WIDTHS: [(u32, &str, &str); 4] = [
    (4, "u32", "%r1"),
    (8, "v2.u32", "{%r1, %r1}"),
    (8, "u64", "%rd3"),
    (16, "v4.u32", "{%r1, %r1, %r1, %r1}"),
];

#[test]
fn blocks_that_store_different_values_race() {
    for (bytes, of, value) in WIDTHS {
        let text = text(bytes, &format!("st.global.{of} [%rd1], {value};"));
        assert_eq!(hazards(&text, 1), [], "{of}");
        assert_eq!(races(&hazards(&text, 2)), [RaceScope::Grid], "{of}");
        let same = text.replace("mov.u32 %r1, %ctaid.x", "mov.u32 %r1, 7");
        assert_eq!(hazards(&same, 2), [], "{of}: the same value");
    }
}

#[test]
fn who_loads_what_another_block_stores_races() {
    for (bytes, of, value) in WIDTHS {
        let (into, other) = (value.replace("%r1", "%r5").replace("%rd3", "%rd5"), "%r1, 0");
        let body = format!(
            ".reg .pred %p0;\nsetp.eq.u32 %p0, {other};\n@%p0 bra STORE;\n\
             ld.global.{of} {into}, [%rd1];\nbra END;\nSTORE:\nst.global.{of} [%rd1], {value};\nEND:"
        );
        // Registers of a vector must differ.
        let body = body.replace("{%r5, %r5, %r5, %r5}", "{%r5, %r6, %r7, %r8}");
        let text = text(bytes, &body.replace("{%r5, %r5}", "{%r5, %r6}"));
        assert_eq!(hazards(&text, 1), [], "{of}");
        assert_eq!(races(&hazards(&text, 2)), [RaceScope::Grid], "{of}");
    }
}

#[test]
fn warps_of_a_block_race_where_their_rows_meet() {
    for (bytes, of, value) in WIDTHS {
        let value = value.replace("%r1", "%r0").replace("%rd3", "%rd0");
        let body = |between: &str| {
            format!("st.global.{of} [%rd1], {value};\n{between}\nst.global.{of} [%rd2], {value};")
        };
        assert_eq!(hazards(&text(bytes, &body("bar.sync 0;")), 1), [], "{of}");
        // Lanes of a warp execute one store before the other; its last lane meets the next warp.
        let found = hazards(&text(bytes, &body("")), 1);
        let is_race = |fault: &Fault| matches!(fault.kind, FaultKind::Race(_));
        assert!(of == "u64" || !found.is_empty() && found.iter().all(is_race), "{of}: {found:?}");
    }
}

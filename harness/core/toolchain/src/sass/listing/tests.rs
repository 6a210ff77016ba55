//! A listing written by hand, in the form of nvdisasm's, with what must be read from it.

use simt::machine::Wait;

use super::*;
use crate::sass::tools::mix;
use crate::sass::waits;

const LISTING: &str = include_str!("root.sass");

#[test]
fn blocks_end_at_branches_and_begin_at_their_targets() {
    let functions = functions(LISTING);
    assert_eq!(functions.len(), 1);
    assert_eq!(functions[0].name, "root");
    let mix = mix(&functions[0]);
    let found: Vec<(u32, &[usize], bool, String)> = mix
        .blocks
        .iter()
        .map(|b| (b.at, b.next.as_slice(), b.slow_path, b.code.to_string()))
        .collect();
    let block = |at, next, slow, code: &str| (at, next, slow, code.to_string());
    assert_eq!(
        found,
        [
            block(0x00, &[1][..], false, "3: LDC ISETP.GE.AND EXIT"),
            block(0x30, &[2, 3], false, "deep.cuh:5: LDG.E MUFU.RSQ BSSY BRA"),
            block(0x70, &[4], true, "deep.cuh:5: MOV CALL.REL.NOINC BRA"),
            block(0xa0, &[4], false, "deep.cuh:5: FMUL.FTZ"),
            // `.L_x_2` is named by BSSY alone and cuts nothing; a call of a mere label is a jump.
            block(0xb0, &[5, 6], false, "deep.cuh:5: BSYNC | 6: STG.E CALL.REL.NOINC"),
            block(0xe0, &[1], false, "6: BRA"),
            block(0xf0, &[], false, "6: EXIT"),
        ]
    );
}

#[test]
fn waits_are_those_of_an_in_order_issue() {
    let function = &functions(LISTING)[0];
    let waits = waits::waits(function, &function.blocks());
    // LDC at clock 0 gives R1 at 26; ISETP would go at 1. Its P0 is there 4 clocks later, and EXIT would go at once.
    assert_eq!(waits[0][&Wait::Constant], (25.0f64 / 26.0 * 100.0).round() / 100.0);
    assert_eq!(waits[0][&Wait::Alu], 0.75);
    // MUFU right after the load that it needs: 33 of 34 clocks.
    assert_eq!(waits[1][&Wait::Global], 0.97);
    // FMUL needs R5, made three instructions before: 15 of 18 clocks are left.
    assert_eq!(waits[3][&Wait::Mufu], 0.83);
    assert!(waits[2].is_empty(), "a slow path is not on the way");
    assert_eq!(waits[5][&Wait::Branch], 1.0);
}

#[test]
fn a_listing_can_be_shown_line_by_line() {
    let lines = functions(LISTING)[0].lines();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        &texts[2..5],
        ["LDC R1, c[0x0][0x28]", "ISETP.GE.AND P0, PT, R0, R1, PT", "@P0 EXIT"]
    );
    assert!(texts.contains(&".L_x_5:"));
    assert!(!texts.contains(&"NOP"));
    assert_eq!(lines[6].cuda.to_string(), "deep.cuh:5");
    assert!(lines.iter().all(|line| line.kernel == "root"));
}

#[test]
fn any_text_has_an_answer() {
    assert!(functions("").is_empty());
    for text in
        ["\t.section\t.text.k,\"ax\"", ".section .text.k,\n/*zz*/ X ;\n/*0000*/ @P0\n/*0010*/ ;"]
    {
        let functions = functions(text);
        assert!(functions.iter().all(|function| mix(function).instructions() == 0));
    }
}

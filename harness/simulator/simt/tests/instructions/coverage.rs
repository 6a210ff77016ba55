//! Nothing in `opcodes.txt` may be left without a test.

use std::collections::BTreeSet;

use super::{cases, halves, recorded, tiles};

/// The opcodes of a text: the first word of each statement, after its guard.
fn opcodes(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n', '{', '}']).filter_map(|statement| {
        let mut words = statement.split_whitespace();
        words.find(|word| !word.starts_with('@') && !word.ends_with(':'))
    })
}

#[test]
fn every_opcode_in_scope_is_tested() {
    let kernels = [
        cases::texts(),
        halves::texts(),
        recorded::texts(),
        tiles::texts(),
        crate::golden::texts(),
    ];
    let texts: Vec<String> = kernels.into_iter().flatten().collect();
    let tested: BTreeSet<&str> = texts.iter().flat_map(|text| opcodes(text)).collect();
    let listed = include_str!("opcodes.txt").lines().filter(|line| !line.starts_with('#'));
    let missing: Vec<&str> = listed.filter(|opcode| !tested.contains(opcode)).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

//! The litmus tests: what threads do, and what may come of it.

/// Where an outcome is seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Everywhere,
    /// Not within a block, which the scope of its block includes.
    Between,
    Never,
}

use Seen::{Between, Everywhere, Never};

/// A litmus test: a text of instructions for each thread, separated by `;`. `x`, `y` and `z` are words of 0 at first; a read
/// puts its value into the next of four results.
pub struct Litmus {
    pub name: &'static str,
    pub threads: &'static [&'static str],
    /// An outcome: results of all threads, in their order,
    pub outcome: &'static [u32],
    /// and what `x` and `y` are at the end.
    pub at_last: &'static [u32],
    pub seen: Seen,
}

const fn test(
    name: &'static str,
    threads: &'static [&'static str],
    outcome: &'static [u32],
    seen: Seen,
) -> Litmus {
    Litmus { name, threads, outcome, at_last: &[], seen }
}

const fn at_last(
    name: &'static str,
    threads: &'static [&'static str],
    outcome: &'static [u32],
    at_last: &'static [u32],
    seen: Seen,
) -> Litmus {
    Litmus { name, threads, outcome, at_last, seen }
}

/// In the words of PTX, but short: `W x 1` is `st.relaxed.gpu`, `R x` is `ld.relaxed.gpu`, `V` is volatile, `rel` and `acq`
/// after them are `.release` and `.acquire`, with `cta` of the block; `A x 1` is `red.add`, `X x 1` is `atom.exch`, whose old
/// value is a result, `Acta` is `red` of the block; `F` is `fence.acq_rel`, `S` is `fence.sc`, of this scope.
pub const ALL: &[Litmus] = &[
    // "Release and Acquire Patterns", "Synchronizes-With".
    test("MP", &["W x 1; W y 1", "R y; R x"], &[1, 0], Everywhere),
    test("MP, volatile", &["V x 1; V y 1", "R y; R x"], &[1, 0], Everywhere),
    test(
        "MP, fence of the writer alone",
        &["W x 1; F gpu; W y 1", "R y; R x"],
        &[1, 0],
        Everywhere,
    ),
    test(
        "MP, fence of the reader alone",
        &["W x 1; W y 1", "R y; F gpu; R x"],
        &[1, 0],
        Everywhere,
    ),
    test("MP, both fences", &["W x 1; F gpu; W y 1", "R y; F gpu; R x"], &[1, 0], Never),
    test("MP, both of the system", &["W x 1; F sys; W y 1", "R y; F sys; R x"], &[1, 0], Never),
    test("MP, a fence of the block", &["W x 1; F cta; W y 1", "R y; F gpu; R x"], &[1, 0], Between),
    test(
        "MP, the other of the block",
        &["W x 1; F gpu; W y 1", "R y; F cta; R x"],
        &[1, 0],
        Between,
    ),
    test("MP, both of the block", &["W x 1; F cta; W y 1", "R y; F cta; R x"], &[1, 0], Between),
    test("MP, release and acquire", &["W x 1; Wrel y 1", "Racq y; R x"], &[1, 0], Never),
    test("MP, release of the block", &["W x 1; Wrelcta y 1", "Racq y; R x"], &[1, 0], Between),
    test("MP, acquire of the block", &["W x 1; Wrel y 1", "Racqcta y; R x"], &[1, 0], Between),
    test("MP, release and fence", &["W x 1; Wrel y 1", "R y; F gpu; R x"], &[1, 0], Never),
    test("MP, fence and acquire", &["W x 1; F gpu; W y 1", "Racq y; R x"], &[1, 0], Never),
    test("MP, by a red", &["W x 1; F gpu; A y 1", "R y; F gpu; R x"], &[1, 0], Never),
    test(
        "MP, by a red of the block",
        &["W x 1; F gpu; Acta y 1", "R y; F gpu; R x"],
        &[1, 0],
        Between,
    ),
    test("MP, read by an exchange", &["W x 1; F gpu; W y 1", "X y 2; F gpu; R x"], &[1, 0], Never),
    test("MP, exchange, no fence", &["W x 1; F gpu; W y 1", "X y 2; R x"], &[1, 0], Everywhere),
    // A release sequence goes on through atomics, and ends at a store.
    test("MP, through a red", &["W x 1; F gpu; A y 1", "A y 1", "R y; F gpu; R x"], &[2, 0], Never),
    test(
        "MP, through two",
        &["W x 1; F gpu; W y 1", "A y 1", "A y 1", "R y; F gpu; R x"],
        &[3, 0],
        Never,
    ),
    test(
        "MP, through one of the block",
        &["W x 1; F gpu; W y 1", "Acta y 1", "R y; F gpu; R x"],
        &[2, 0],
        Between,
    ),
    test("MP, through a store", &["W x 1; F gpu; W y 1; W y 2", "R y; F gpu; R x"], &[2, 0], Never),
    test(
        "MP, through another's store",
        &["W x 1; F gpu; W y 1", "R y; W y 2", "R y; F gpu; R x"],
        &[1, 2, 0],
        Everywhere,
    ),
    // "Fence-SC".
    test("SB", &["W x 1; R y", "W y 1; R x"], &[0, 0], Everywhere),
    test("SB, fences", &["W x 1; F gpu; R y", "W y 1; F gpu; R x"], &[0, 0], Everywhere),
    test("SB, release, acquire", &["Wrel x 1; Racq y", "Wrel y 1; Racq x"], &[0, 0], Everywhere),
    test("SB, fences.sc", &["W x 1; S gpu; R y", "W y 1; S gpu; R x"], &[0, 0], Never),
    test("SB, one of the block", &["W x 1; S cta; R y", "W y 1; S gpu; R x"], &[0, 0], Between),
    test("SB, both of the block", &["W x 1; S cta; R y", "W y 1; S cta; R x"], &[0, 0], Between),
    // Its own store is the nearest, but nobody else needs to have seen it.
    test("SB, forwarded", &["W x 1; R x; R y", "W y 1; R y; R x"], &[1, 0, 1, 0], Everywhere),
    test("CoWR", &["W x 1; R x", "W y 1"], &[0], Never),
    // "Coherence".
    test("CoRR", &["W x 1; W x 2", "R x; R x"], &[2, 1], Never),
    test("CoRR, from the first", &["W x 1", "R x; R x"], &[1, 0], Never),
    test("CoRR, of two", &["W x 1", "W x 2", "R x; R x", "R x; R x"], &[1, 2, 2, 1], Never),
    test("CoRW", &["R x; W x 1"], &[1], Never),
    at_last("CoRW, of another", &["R x; W x 1", "W x 2"], &[2], &[2], Never),
    at_last("CoWW", &["W x 1; W x 2"], &[], &[1], Never),
    at_last("CoWW, and another", &["W x 1; W x 2", "W x 3"], &[], &[1], Never),
    at_last("CoWR, and another", &["W x 1; R x", "W x 2"], &[2], &[1], Never),
    // "Atomicity".
    at_last("two exchanges", &["X x 1", "X x 2"], &[0, 0], &[], Never),
    at_last("exchange between", &["X x 1; W x 3", "W x 2"], &[2], &[2], Never),
    at_last("sum", &["A x 1; A x 1", "A x 1"], &[], &[2], Never),
    // Stores that change places ("Coherence Order").
    at_last("2+2W", &["W x 1; W y 2", "W y 1; W x 2"], &[], &[1, 1], Everywhere),
    at_last(
        "2+2W, fences",
        &["W x 1; F gpu; W y 2", "W y 1; F gpu; W x 2"],
        &[],
        &[1, 1],
        Everywhere,
    ),
    at_last(
        "2+2W, fences.sc",
        &["W x 1; S gpu; W y 2", "W y 1; S gpu; W x 2"],
        &[],
        &[1, 1],
        Never,
    ),
    at_last(
        "2+2W, of the block",
        &["W x 1; S cta; W y 2", "W y 1; S cta; W x 2"],
        &[],
        &[1, 1],
        Between,
    ),
    at_last("S", &["W x 2; W y 1", "R y; W x 1"], &[1], &[2], Everywhere),
    at_last("S, one fence", &["W x 2; F gpu; W y 1", "R y; W x 1"], &[1], &[2], Everywhere),
    at_last("S, fences", &["W x 2; F gpu; W y 1", "R y; F gpu; W x 1"], &[1], &[2], Never),
    at_last("S, release and acquire", &["W x 2; Wrel y 1", "Racq y; W x 1"], &[1], &[2], Never),
    at_last(
        "S, fences of the block",
        &["W x 2; F cta; W y 1", "R y; F cta; W x 1"],
        &[1],
        &[2],
        Between,
    ),
    at_last("R", &["W x 1; W y 1", "W y 2; R x"], &[0], &[1, 2], Everywhere),
    at_last("R, fences", &["W x 1; F gpu; W y 1", "W y 2; F gpu; R x"], &[0], &[1, 2], Everywhere),
    at_last("R, fences.sc", &["W x 1; S gpu; W y 1", "W y 2; S gpu; R x"], &[0], &[1, 2], Never),
    at_last(
        "R, one of the block",
        &["W x 1; S cta; W y 1", "W y 2; S gpu; R x"],
        &[0],
        &[1, 2],
        Between,
    ),
    // "Causality Order" passes through threads.
    test("WRC", &["W x 1", "R x; F gpu; W y 1", "R y; F gpu; R x"], &[1, 1, 0], Never),
    test("WRC, no fences", &["W x 1", "R x; W y 1", "R y; R x"], &[1, 1, 0], Everywhere),
    test("WRC, no last", &["W x 1", "R x; F gpu; W y 1", "R y; R x"], &[1, 1, 0], Everywhere),
    test(
        "ISA2",
        &["W x 1; F gpu; W y 1", "R y; F gpu; W z 1", "R z; F gpu; R x"],
        &[1, 1, 0],
        Never,
    ),
    test(
        "ISA2, no middle",
        &["W x 1; F gpu; W y 1", "R y; W z 1", "R z; F gpu; R x"],
        &[1, 1, 0],
        Everywhere,
    ),
    test(
        "ISA2, middle of the block",
        &["W x 1; F gpu; W y 1", "R y; F cta; W z 1", "R z; F gpu; R x"],
        &[1, 1, 0],
        Between,
    ),
    test("IRIW", &["W x 1", "W y 1", "R x; R y", "R y; R x"], &[1, 0, 1, 0], Everywhere),
    test(
        "IRIW, fences",
        &["W x 1", "W y 1", "R x; F gpu; R y", "R y; F gpu; R x"],
        &[1, 0, 1, 0],
        Everywhere,
    ),
    test(
        "IRIW, fences.sc",
        &["W x 1", "W y 1", "R x; S gpu; R y", "R y; S gpu; R x"],
        &[1, 0, 1, 0],
        Never,
    ),
    // Allowed without dependencies; with fences or a dependency forbidden ("No-Thin-Air").
    test("LB", &["R x; W y 1", "R y; W x 1"], &[1, 1], Never),
    test("LB, fences", &["R x; F gpu; W y 1", "R y; F gpu; W x 1"], &[1, 1], Never),
    test("LB, of three", &["R x; W y 1", "R y; W z 1", "R z; W x 1"], &[1, 1, 1], Never),
];

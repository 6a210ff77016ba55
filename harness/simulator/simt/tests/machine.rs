//! Machine instructions of launches, against counts worked out by hand from small kernels and machine code written here.

use std::sync::Arc;

use simt::machine::{
    Basis, Code, MachineBlock, MachineCode, MachineCounts, MachineKind, Mix, Wait,
};
use simt::{Events, Launch, Loaded, Module, Simulator, Watch};

/// Sums `n` words; `n` comes from the launch. Lines of an imagined CUDA source are given by `.loc`.
const SUM: &str = include_str!("kernels/sum.ptx");

fn launch(text: &str, kernel: &str, n: u32, threads: u32) -> (Loaded, Events) {
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(Module::parse("test.ptx", text).unwrap())).unwrap();
    let memory = simulator.alloc("memory", 4096).unwrap();
    simulator.write(memory, &[0; 4096]).unwrap();
    let launch = Launch::new([1, 1, 1], [threads, 1, 1]).argument(memory).argument(n);
    let events = simulator.launch(&loaded, kernel, &launch, &Watch::default()).unwrap();
    (loaded, events)
}

fn block(at: u32, next: &[usize], code: &str) -> MachineBlock {
    let code: Code = code.parse().unwrap();
    MachineBlock { at, next: next.to_vec(), code, ..MachineBlock::default() }
}

fn code(blocks: Vec<MachineBlock>) -> MachineCode {
    MachineCode {
        arch: "sm_90".to_string(),
        registers: 16,
        stack_bytes: 0,
        spill_store_bytes: 0,
        spill_load_bytes: 0,
        shared_bytes: 0,
        mix: Some(Mix { blocks }),
    }
}

/// What ptxas might make of `SUM`: a loop of four copies and one of single turns for what is left.
fn unrolled_by_four() -> MachineCode {
    code(vec![
        block(0, &[1, 5], "2: MOV*3 | 3: ISETP.EQ.AND BRA"),
        block(80, &[2, 3], "3: IADD3 ISETP.GT.AND BRA"),
        block(128, &[2, 3], "4: LDG.E*4 FADD*4 | 3: IADD3*3 ISETP.LT.AND BRA"),
        block(336, &[4, 5], "3: ISETP.NE.AND BRA"),
        block(368, &[4, 5], "4: LDG.E FADD | 3: IADD3*3 ISETP.LT.AND BRA"),
        block(480, &[], "5: STG.E EXIT"),
    ])
}

fn executions(code: &MachineCode, n: u32, threads: u32) -> Vec<f64> {
    let (loaded, events) = launch(SUM, "sum", n, threads);
    let kernel = loaded.module().kernel("sum").unwrap();
    code.mix.as_ref().unwrap().executions(kernel, &events)
}

#[test]
fn a_loop_that_only_the_assembler_unrolled_is_divided_up() {
    let code = unrolled_by_four();
    // 11 = 2 · 4 + 3, in each of two warps.
    let found = executions(&code, 11, 64);
    assert_eq!((found[0], found[2], found[4], found[5]), (2.0, 4.0, 6.0, 2.0));
    // 3 = 0 · 4 + 3.
    let found = executions(&code, 3, 32);
    assert_eq!((found[2], found[4]), (0.0, 3.0));
    let (loaded, events) = launch(SUM, "sum", 11, 64);
    let counts = code.count(loaded.module().kernel("sum").unwrap(), &events);
    // Loads and sums are those of the PTX: 11 in each of two warps.
    assert_eq!(counts[MachineKind::LoadGlobal], 22.0);
    assert_eq!(counts[MachineKind::Fp32], 22.0);
    assert_eq!(counts[MachineKind::StoreGlobal], 2.0);
    assert_eq!(counts.warps, 2.0);
    assert_eq!(counts.basis, Basis::MachineCode);
    assert_eq!(counts.total, counts.kinds.iter().sum::<f64>());
}

#[test]
fn an_empty_loop_leaves_only_what_is_around_it() {
    let found = executions(&unrolled_by_four(), 0, 32);
    assert_eq!((found[0], found[2], found[4], found[5]), (1.0, 0.0, 0.0, 1.0));
}

#[test]
fn slow_paths_run_never_and_predicated_instructions_always() {
    let mut slow = block(160, &[2], "4: CALL.REL.NOINC LDG.E");
    slow.slow_path = true;
    let code = code(vec![
        block(0, &[1, 2], "2: MOV*3 | 3: ISETP.EQ.AND BRA"),
        slow,
        block(200, &[2, 3], "4: LDG.E FADD | 3: IADD3*3 ISETP.LT.AND BRA"),
        block(300, &[], "5: STG.E EXIT"),
    ]);
    assert_eq!(executions(&code, 5, 32), [1.0, 0.0, 5.0, 1.0]);
}

#[test]
fn waits_add_up_along_the_way_of_a_warp() {
    let mut code = unrolled_by_four();
    let blocks = &mut code.mix.as_mut().unwrap().blocks;
    blocks[2].waits.insert(Wait::Global, 1.0);
    blocks[4].waits.insert(Wait::Global, 0.5);
    let (loaded, events) = launch(SUM, "sum", 11, 64);
    let chain = code.count(loaded.module().kernel("sum").unwrap(), &events).chain;
    // Each warp: two turns of the large loop, three of the small one.
    assert_eq!(chain.wait(Wait::Global), 2.0 + 1.5);
    assert_eq!(chain.clocks(|_| 10.0), chain.issues + 35.0);
    // 5 + 3 + 2·13 + 2 + 3·7 + 2 instructions.
    assert_eq!(chain.issues, 59.0);
}

#[test]
fn without_machine_code_the_measured_expansion_stands_in() {
    let (loaded, events) = launch(SUM, "sum", 11, 32);
    let kernel = loaded.module().kernel("sum").unwrap();
    let counts = MachineCounts::expanded(kernel, &events);
    assert_eq!(counts.basis, Basis::Expansion);
    // Outside the loop: setp, guarded branch to what ends the kernel but stores first (3), st, ret; parameters and copies
    // cost nothing. In the loop: ld, add.f32, add.s64 (2), add.s32, setp, bra.
    assert_eq!(counts.total, (1 + 3 + 1 + 1) as f64 + 11.0 * 7.0);
    assert_eq!(counts[MachineKind::Integer], 11.0 * 3.0);
    let resources_only = MachineCode { mix: None, ..unrolled_by_four() };
    assert_eq!(resources_only.count(kernel, &events), counts);
}

#[test]
fn folded_instructions_cost_nothing() {
    const TEXT: &str = include_str!("kernels/fold.ptx");
    let (loaded, events) = launch(TEXT, "fold", 0, 32);
    let counts = MachineCounts::expanded(loaded.module().kernel("fold").unwrap(), &events);
    // mul.wide and add.s64 are one; five words are two loads of 128 bits; rsqrt without .ftz is 4, with it 1.
    for (kind, expected) in [
        (MachineKind::IntegerMul, 1.0),
        (MachineKind::Integer, 0.0),
        (MachineKind::LoadShared128, 2.0),
        (MachineKind::StoreShared, 1.0),
        (MachineKind::Mufu, 2.0),
        (MachineKind::Fp32, 2.0),
        (MachineKind::Compare, 1.0),
        (MachineKind::Barrier, 1.0),
        (MachineKind::StoreGlobal, 1.0),
        (MachineKind::Branch, 1.0),
        (MachineKind::Move, 0.0),
    ] {
        assert_eq!(counts[kind], expected, "{}", kind.name());
    }
    assert_eq!(counts.total, 12.0);
}

/// A loop of integer work whose test is in the middle: four turns of a round before it, four after it. What it is entered
/// with never ends it at once.
const TURNED: &str = include_str!("kernels/turned.ptx");

#[test]
fn a_loop_that_the_assembler_turned_round_goes_round_as_often_as_its_body() {
    let executions = |inside: &str, n: u32| {
        let (loaded, events) = launch(TURNED, "turned", n, 64);
        let mix = Mix {
            blocks: vec![
                block(
                    0,
                    &[1],
                    "2: LDC*2 | 4: IMAD.SHL.U32 LOP3.LUT*2 SHF.R.U32.HI | 4: IMAD.MOV.U32",
                ),
                block(80, &[2, 1], inside),
                block(240, &[], "5: STG.E EXIT"),
            ],
        };
        mix.executions(loaded.module().kernel("turned").unwrap(), &events)
    };
    // Two warps, five times round: the test is made six times.
    let whole = "4: IMAD.SHL.U32*2 LOP3.LUT*4 SHF.R.U32.HI*2 | 3: VIADD ISETP.NE.AND BRA";
    assert_eq!(executions(whole, 5), [2.0, 10.0, 2.0]);
    // Where the assembler made less of the work, nothing says that it goes round less often than the test.
    let less = "4: IMAD.SHL.U32 LOP3.LUT*2 SHF.R.U32.HI | 3: VIADD ISETP.NE.AND BRA";
    assert_eq!(executions(less, 5), [2.0, 12.0, 2.0]);
}

/// Two ways of integer work, one per warp, and a line of the second that goes on after they meet.
const TWO_WAYS: &str = include_str!("kernels/two-ways.ptx");

#[test]
fn a_way_that_only_some_warps_take_is_known_by_its_line() {
    let (loaded, events) = launch(TWO_WAYS, "ways", 0, 128);
    let mix = Mix {
        blocks: vec![
            block(0, &[1, 2], "2: S2R LDC LOP3.LUT ISETP.EQ.AND BRA"),
            block(80, &[3], "3: IMAD.SHL.U32 LOP3.LUT*2 SHF.R.U32.HI BRA"),
            block(160, &[3], "4: IMAD*9"),
            block(304, &[], "4: BSYNC | 5: STG.E EXIT"),
        ],
    };
    let found = mix.executions(loaded.module().kernel("ways").unwrap(), &events);
    assert_eq!(found, [4.0, 2.0, 2.0, 4.0]);
}

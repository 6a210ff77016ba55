//! Kernels that multiply matrices, as a compiler writes them: their results, faults, hazards and counts.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use simt::machine::{Basis, Code, MachineBlock, MachineCode, MachineCounts, MachineKind, Mix};
use simt::{
    Class, Events, FaultKind, Launch, LaunchError, Loaded, Module, Scheduling, Simulator, Watch,
};

use crate::common::words;

/// Rows of the first matrix, and columns of the second.
const ROWS: usize = 16;
const COLUMNS: usize = 8;

struct Bench {
    simulator: Simulator,
    loaded: Loaded,
    scheduling: Scheduling,
}

impl Bench {
    fn new() -> Bench {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("kernels/matrix.ptx");
        let text = fs::read_to_string(&path).expect("the file");
        let module = Arc::new(Module::parse("matrix.ptx", &text).expect("supported PTX"));
        let simulator = Simulator::new(1 << 20);
        let loaded = simulator.load(module).expect("enough memory");
        Bench { simulator, loaded, scheduling: Scheduling::Independent }
    }

    fn array(&self, name: &str, words: &[u32]) -> u64 {
        let address = self.simulator.alloc(name, 4 * words.len() as u64).expect("enough memory");
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.simulator.write(address, &bytes).expect("the array's size");
        address
    }

    fn words(&self, address: u64, count: usize) -> Vec<u32> {
        words(&self.simulator, address, count)
    }

    fn launch(
        &self,
        kernel: &str,
        threads: u32,
        arguments: &[&[u8]],
    ) -> Result<Events, LaunchError> {
        let launch = Launch::new([1, 1, 1], [threads, 1, 1])
            .scheduling(self.scheduling)
            .arguments(arguments);
        let watch = Watch { hazards: true, ..Watch::default() };
        self.simulator.launch(&self.loaded, kernel, &launch, &watch)
    }
}

/// Small integers and halves, whose products and sums no rounding touches.
fn element(i: usize) -> f32 {
    (i * 7 % 23) as f32 / 2.0 - 5.0
}

/// The product of `n` turns of 16, on the simulator: what it left, and what it did.
fn product(bench: &Bench, n: usize) -> (Vec<f32>, Events) {
    let numbers: Vec<f32> = (0..(ROWS + COLUMNS) * n).map(element).collect();
    let c = bench.array("c", &[0; ROWS * COLUMNS]);
    let ab = bench.array("ab", &numbers.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    let arguments: [&[u8]; 3] = [&c.to_le_bytes(), &ab.to_le_bytes(), &(n as u32).to_le_bytes()];
    let events = bench.launch("product", 64, &arguments).expect("no fault");
    let left = bench.words(c, ROWS * COLUMNS).into_iter().map(f32::from_bits).collect();
    (left, events)
}

#[test]
fn a_kernel_multiplies_matrices() {
    for scheduling in [Scheduling::Independent, Scheduling::Lockstep] {
        let bench = Bench { scheduling, ..Bench::new() };
        for n in [16, 48, 80] {
            let (left, events) = product(&bench, n);
            let numbers: Vec<f32> = (0..(ROWS + COLUMNS) * n).map(element).collect();
            let (a, b) = numbers.split_at(ROWS * n);
            for row in 0..ROWS {
                for column in 0..COLUMNS {
                    let sum: f32 = (0..n).map(|k| a[row * n + k] * b[k * COLUMNS + column]).sum();
                    assert_eq!(left[row * COLUMNS + column], sum, "n {n} [{row}][{column}]");
                }
            }
            assert!(events.hazards.is_empty(), "{}", events.hazards[0]);
            // A product for every 16 of n, by one of the warps; it loads the matrices with two instructions.
            assert_eq!(events.class(Class::Tensor).warps, n as u64 / 16);
            assert_eq!(events.class(Class::Tensor).threads, 2 * n as u64);
            assert_eq!(events.class(Class::LoadShared).warps, n as u64 / 8);
        }
    }
}

#[test]
fn a_row_that_nobody_wrote_is_told() {
    // ptxas takes these modifiers in any order.
    for modifiers in ["m8n8.x1.shared.b16", "x1.m8n8.b16.shared"] {
        check_unwritten_row(modifiers);
    }
}

fn check_unwritten_row(modifiers: &str) {
    let body = format!(
        ".shared .align 16 .b8 tile[128];\nmov.u32 %r1, %tid.x;\nshl.b32 %r1, %r1, 4;\nmov.u32 %r2, tile;\n\
         and.b32 %r3, %r1, 127;\nadd.u32 %r2, %r2, %r3;\nldmatrix.sync.aligned.{modifiers} {{%r4}}, [%r2];\nret;"
    );
    let text = format!(
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %r<9>;\n{body}\n}}\n"
    );
    let simulator = Simulator::new(1 << 20);
    let loaded = simulator.load(Arc::new(Module::parse("k.ptx", &text).unwrap())).unwrap();
    let launch = Launch::new([1; 3], [32, 1, 1]);
    let watch = Watch { hazards: true, ..Watch::default() };
    let events = simulator.launch(&loaded, "k", &launch, &watch).unwrap();
    let kinds: Vec<_> = events.hazards.iter().map(|fault| &fault.kind).collect();
    assert!(matches!(kinds[..], [FaultKind::Uninitialised(_)]), "{kinds:?}");
}

#[test]
fn a_kernel_transposes_matrices() {
    let bench = Bench::new();
    let words: Vec<u32> = (0..64).map(|i| ((2 * i + 1) << 16) | (2 * i)).collect();
    let (from, to) = (bench.array("in", &words), bench.array("out", &[0; 64]));
    bench.launch("transpose", 64, &[&to.to_le_bytes(), &from.to_le_bytes()]).expect("no fault");
    let halves = |words: &[u32]| -> Vec<u32> {
        words.iter().flat_map(|word| [word & 0xffff, word >> 16]).collect()
    };
    let (before, after) = (halves(&words), halves(&bench.words(to, 64)));
    for matrix in [0, 64] {
        for row in 0..8 {
            for column in 0..8 {
                let (here, there) = (matrix + 8 * row + column, matrix + 8 * column + row);
                assert_eq!(after[here], before[there]);
            }
        }
    }
}

/// As where an elected lane waits for a buffer of a pipeline: the others of its warp must not go on alone to what all execute.
#[test]
fn lanes_wait_for_one_that_waits_for_another_warp() {
    let text = |end: &str| {
        format!(
            ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{\n.reg .pred %p<4>;\n\
             .reg .b32 %r<5>;\n.reg .b64 %rd<3>;\n.shared .b32 flag;\nmov.u32 %r1, %tid.x;\nld.param.u64 %rd1, [out];\n\
             setp.ne.u32 %p1, %r1, 0;\nsetp.gt.u32 %p2, %r1, 31;\n@!%p1 st.volatile.shared.u32 [flag], 0;\nbar.sync 0;\n\
             @%p2 bra SET;\n@%p1 bra MEET;\nWAIT:\nld.volatile.shared.u32 %r2, [flag];\nsetp.eq.u32 %p3, %r2, 0;\n\
             @%p3 bra WAIT;\n{end}\nMEET:\nmovmatrix.sync.aligned.m8n8.trans.b16 %r3, %r1;\n\
             mad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r3;\nret;\nSET:\n\
             st.volatile.shared.u32 [flag], 1;\nret;\n}}\n"
        )
    };
    let run = |end: &str, seed: u64| {
        let simulator = Simulator::new(1 << 20);
        let out = simulator.alloc("out", 128).unwrap();
        let module = Module::parse("k.ptx", &text(end)).unwrap();
        let loaded = simulator.load(Arc::new(module)).unwrap();
        let launch = Launch::new([1; 3], [64, 1, 1]).argument(out).seed(seed);
        simulator.launch(&loaded, "k", &launch, &Watch::default())?;
        let mut bytes = [0; 128];
        simulator.read(out, &mut bytes).unwrap();
        Ok::<_, LaunchError>(bytes)
    };
    // Lane 1 has columns 2 and 3 of row 0, which are the first halves of lanes 8 and 12.
    for seed in 0..8 {
        let bytes = run("", seed).expect("no fault");
        assert_eq!(bytes[4..8], [8, 0, 12, 0], "{seed}");
    }
    // Where the lane then waits elsewhere for ever, they still miss it.
    let Err(LaunchError::Fault(fault)) = run("bar.sync 1, 64;", 1) else { panic!("not refused") };
    let text = fault.to_string();
    assert!(text.contains("reached it, 0x00000001 are elsewhere"), "{text}");
}

#[test]
fn lanes_that_returned_are_missing() {
    let bench = Bench::new();
    let (c, ab) = (bench.array("c", &[0; 64]), bench.array("ab", &[0; 64]));
    let run = |n: u32| {
        bench.launch("early_return", 64, &[&c.to_le_bytes(), &ab.to_le_bytes(), &n.to_le_bytes()])
    };
    run(64).expect("whole warps");
    run(32).expect("one whole warp");
    let Err(LaunchError::Fault(fault)) = run(40) else { panic!("not refused") };
    assert!(matches!(fault.kind, FaultKind::PartialWarp(_)), "{fault}");
    let text = fault.to_string();
    assert!(
        text.contains("only lanes 0x000000ff of warp 1 reached it, 0xffffff00 have exited"),
        "{text}"
    );
    assert!(text.contains("matrix.cu:") && text.contains("contribute zeros"), "{text}");
}

#[test]
fn machine_instructions_are_those_of_the_machine_code() {
    let bench = Bench::new();
    let (_, events) = product(&bench, 96);
    let kernel = bench.loaded.module().kernel("product").expect("the kernel");
    let expanded = MachineCounts::expanded(kernel, &events);
    assert_eq!(expanded.basis, Basis::Expansion);
    assert_eq!((expanded[MachineKind::Tensor], expanded.tensor), (6.0, 6.0));
    assert_eq!(expanded[MachineKind::LoadShared128], 6.0);
    assert_eq!(expanded[MachineKind::LoadShared64], 6.0);

    // As nvdisasm prints the parts of a loop with a product in it.
    let block = |at: u32, next: &[usize], code: &str| {
        let code: Code = code.parse().expect("valid code");
        MachineBlock { at, next: next.to_vec(), code, ..MachineBlock::default() }
    };
    let line = kernel.instructions().find(|i| i.class == Class::Tensor).map(|i| i.cuda_line);
    let line = line.expect("a product");
    let code = MachineCode {
        arch: "sm_90".to_string(),
        registers: 32,
        stack_bytes: 0,
        spill_store_bytes: 0,
        spill_load_bytes: 0,
        shared_bytes: 0,
        mix: Some(Mix {
            blocks: vec![
                block(0, &[1, 2], "14: S2R ISETP.GE.AND BRA"),
                block(
                    64,
                    &[1, 2],
                    &format!("{line}: HMMA.1688.F32*2 | 18: IADD3 ISETP.GE.AND BRA"),
                ),
                block(256, &[], "44: REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU*2 EXIT"),
            ],
        }),
    };
    let counts = code.count(kernel, &events);
    // Two halves for each product: the loop ran six times in all, and so did its work.
    assert_eq!(counts.tensor, counts[MachineKind::Tensor] / 2.0);
    assert!(counts[MachineKind::Tensor] > 0.0, "{counts:?}");
}

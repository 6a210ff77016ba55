//! Products whose first factor is sparse (`mma.sp`, `wgmma.mma_async.sp`), against those of an H200.
//!
//! `sparse.bin` has a line about the recording, then the results of each product in the order of [`products`]: d as
//! four words of each of the 32 lanes. The operands are made here, from [`SEED`].

use std::sync::Arc;

use super::cases::{Random, number};
use super::levels;
use simt::{Launch, Module, Simulator, Watch};

const RECORDING: &[u8] = include_bytes!("sparse.bin");

/// Begins the operands' random numbers.
const SEED: u64 = 42;

/// Words of operands of a lane: four of a, of b and of c, then metadata and three that nobody reads.
const WORDS: usize = 16;

/// Numbers of a type.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Numbers {
    /// Bits of a number, of its mantissa and of its exponent, and bits below it that do not count.
    Floats(u32, u32, u32),
    Integers,
}

const F16: Numbers = Numbers::Floats(10, 5, 0);
const BF16: Numbers = Numbers::Floats(7, 8, 0);
const TF32: Numbers = Numbers::Floats(10, 8, 13);
const E4M3: Numbers = Numbers::Floats(3, 4, 0);
const E5M2: Numbers = Numbers::Floats(2, 5, 0);
const INTEGERS: Numbers = Numbers::Integers;

/// An instruction.
#[derive(Debug)]
struct Kind {
    /// Shape and types.
    shape: &'static str,
    numbers: Numbers,
    /// Registers of a and of b.
    words: usize,
    selectors: u32,
    unit: Unit,
}

/// Who multiplies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    Warp,
    /// Four warps; whether a is in registers.
    Warpgroup(bool),
}

const fn warp(shape: &'static str, numbers: Numbers, words: usize, selectors: u32) -> Kind {
    Kind { shape, numbers, words, selectors, unit: Unit::Warp }
}

const fn warpgroup(
    shape: &'static str,
    numbers: Numbers,
    selectors: u32,
    in_registers: bool,
) -> Kind {
    Kind { shape, numbers, words: 4, selectors, unit: Unit::Warpgroup(in_registers) }
}

#[rustfmt::skip]
const KINDS: [Kind; 31] = [
    warp("m16n8k16.row.col.f32.f16.f16.f32", F16, 2, 4),
    warp("m16n8k32.row.col.f32.f16.f16.f32", F16, 4, 2),
    warp("m16n8k16.row.col.f16.f16.f16.f16", F16, 2, 4),
    warp("m16n8k32.row.col.f16.f16.f16.f16", F16, 4, 2),
    warp("m16n8k16.row.col.f32.bf16.bf16.f32", BF16, 2, 4),
    warp("m16n8k32.row.col.f32.bf16.bf16.f32", BF16, 4, 2),
    warp("m16n8k8.row.col.f32.tf32.tf32.f32", TF32, 2, 4),
    warp("m16n8k16.row.col.f32.tf32.tf32.f32", TF32, 4, 2),
    warp("m16n8k64.row.col.f32.e4m3.e4m3.f32", E4M3, 4, 1),
    warp("m16n8k64.row.col.f32.e5m2.e5m2.f32", E5M2, 4, 1),
    warp("m16n8k32.row.col.s32.s8.u8.s32", INTEGERS, 2, 2),
    warp("m16n8k64.row.col.satfinite.s32.s8.s8.s32", INTEGERS, 4, 1),
    warp("m16n8k64.row.col.s32.s4.s4.s32", INTEGERS, 2, 2),
    warp("m16n8k128.row.col.s32.u4.s4.s32", INTEGERS, 4, 1),
    warpgroup("m64n8k32.f32.f16.f16", F16, 2, true),
    warpgroup("m64n8k32.f32.f16.f16", F16, 2, false),
    warpgroup("m64n8k32.f16.f16.f16", F16, 2, true),
    warpgroup("m64n8k32.f32.bf16.bf16", BF16, 2, true),
    warpgroup("m64n8k32.f32.bf16.bf16", BF16, 2, false),
    warpgroup("m64n8k16.f32.tf32.tf32", TF32, 2, true),
    warpgroup("m64n8k16.f32.tf32.tf32", TF32, 2, false),
    warpgroup("m64n8k64.f32.e4m3.e4m3", E4M3, 1, true),
    warpgroup("m64n8k64.f32.e4m3.e4m3", E4M3, 1, false),
    warpgroup("m64n8k64.f32.e5m2.e5m2", E5M2, 1, true),
    warpgroup("m64n8k64.f32.e5m2.e5m2", E5M2, 1, false),
    warpgroup("m64n8k64.f16.e4m3.e4m3", E4M3, 1, true),
    warpgroup("m64n8k64.f16.e5m2.e5m2", E5M2, 1, true),
    warpgroup("m64n8k64.s32.s8.s8", INTEGERS, 1, true),
    warpgroup("m64n8k64.s32.s8.s8", INTEGERS, 1, false),
    warpgroup("m64n8k64.s32.u8.s8", INTEGERS, 1, true),
    warpgroup("m64n8k64.satfinite.s32.u8.u8", INTEGERS, 1, false),
];

/// How far exponents spread in the products of each kind; in the last ones are infinities and NaN.
const SPREADS: [i32; 3] = [2, 7, 5];

/// Blocks of a launch: one for each of the spreads.
const BLOCKS: usize = SPREADS.len();

impl Kind {
    fn warps(&self) -> usize {
        if self.unit == Unit::Warp { 1 } else { 4 }
    }

    fn sums_halves(&self) -> bool {
        self.shape.split('.').any(|word| word == "f16") && !self.shape.contains("f32")
    }

    fn element(&self, random: &mut Random, round: usize) -> u32 {
        let Numbers::Floats(mantissa, exponent, unused) = self.numbers else {
            return random.next() as u32;
        };
        let bits = mantissa + exponent + unused + 1;
        let spread = SPREADS[round];
        let one = |random: &mut Random| {
            let value = number(random, (mantissa, exponent), -spread, spread) << unused;
            let least = 1 << (mantissa + unused);
            let special = ((1 << exponent) - 1) << (mantissa + unused);
            match random.next() % 100 {
                _ if round < 2 => value,
                0 => special | value & least,
                1..4 => value & (least - 1),
                4..9 => value & 1 << (bits - 1),
                _ => value,
            }
        };
        (0..32 / bits).fold(0, |word, k| word | one(random) << (k * bits % 32))
    }

    fn accumulator(&self, random: &mut Random) -> u32 {
        if self.sums_halves() {
            return number(random, (10, 5), -4, 8) | number(random, (10, 5), -4, 8) << 16;
        }
        match self.numbers {
            Numbers::Floats(..) => number(random, (23, 8), -4, 8),
            Numbers::Integers => random.next() as u32,
        }
    }

    /// Indices of the numbers that are not zero: the two of each chunk in order.
    fn metadata(&self, random: &mut Random) -> u32 {
        let valid: &[u32] = match self.numbers {
            TF32 => &[0b0100, 0b1110],
            _ => &[0b0100, 0b1000, 0b1001, 0b1100, 0b1101, 0b1110],
        };
        (0..8).fold(0, |word, chunk| {
            word | valid[random.next() as usize % valid.len()] << (4 * chunk)
        })
    }

    /// The operands of a launch.
    fn operands(&self, random: &mut Random) -> Vec<u32> {
        let mut words = Vec::new();
        for round in 0..BLOCKS {
            for _ in 0..32 * self.warps() {
                words.extend((0..8).map(|_| self.element(random, round)));
                words.extend((0..4).map(|_| self.accumulator(random)));
                words.push(self.metadata(random));
                words.resize(words.len() + 3, 0);
            }
        }
        words
    }

    /// A kernel `product` of which each block multiplies once, with this selector.
    fn kernel(&self, selector: u32) -> String {
        let list = |first: usize, count: usize| {
            let all: Vec<String> = (first..first + count).map(|k| format!("%r{k}")).collect();
            format!("{{{}}}", all.join(", "))
        };
        let floats = self.shape.contains("f32");
        let sums = if self.sums_halves() { 2 } else { 4 };
        let (a, b) = (list(10, self.words), list(14, self.words));
        let (c, d) = match floats {
            true => ("{%f0, %f1, %f2, %f3}".to_string(), "{%f4, %f5, %f6, %f7}".to_string()),
            false => (list(18, sums), list(24, sums)),
        };
        let each = |format: &dyn Fn(usize) -> String| (0..4).map(format).collect::<String>();
        let (begin, end) = match floats {
            true => (
                each(&|k| format!("mov.b32 %f{k}, %r{};\n", 18 + k)),
                each(&|k| format!("mov.b32 %r{}, %f{};\n", 24 + k, 4 + k)),
            ),
            false => (String::new(), String::new()),
        };
        let flags = match (self.numbers, self.unit) {
            (Numbers::Integers, _) => "",
            (F16 | BF16, Unit::Warpgroup(true)) => ", 1, 1, 0",
            (F16 | BF16, _) => ", 1, 1, 0, 0",
            _ => ", 1, 1",
        };
        let product = match self.unit {
            Unit::Warp => format!(
                "mma.sp::ordered_metadata.sync.aligned.{} {d}, {a}, {b}, {c}, %r22, {selector};\n",
                self.shape
            ),
            Unit::Warpgroup(in_registers) => {
                let a = if in_registers { a } else { "%rd4".to_string() };
                // Core matrices of 8 rows of 16 bytes: 128 bytes on along k, 256 along rows.
                let copy = |from: &str, to: &str| match floats {
                    true => each(&|k| format!("mov.f32 %f{}, %f{k};\n", 4 + k)),
                    false => each(&|k| format!("mov.b32 %{to}{}, %{from}{};\n", 24 + k, 18 + k)),
                };
                let columns =
                    each(&|k| format!("@%p0 st.shared.u32 [%r4+{}], %r{};\n", 128 * k, 14 + k));
                let rows = each(&|k| {
                    format!("st.shared.u32 [%r5+{}], %r{};\n", k % 2 * 256 + k / 2 * 128, 10 + k)
                });
                // The fence is for sums and factors: compilers write the metadata after it.
                format!(
                    "setp.lt.u32 %p0, %r1, 32;\nand.b32 %r3, %r1, 31;\nmov.u32 %r6, columns;\nmov.u32 %r7, rows;\n\
                     mad.lo.u32 %r4, %r3, 4, %r6;\nshr.u32 %r5, %r1, 5;\nmul.lo.u32 %r5, %r5, 512;\n\
                     mad.lo.u32 %r5, %r3, 4, %r5;\nadd.u32 %r5, %r5, %r7;\n{columns}{rows}\
                     fence.proxy.async.shared::cta;\nbar.sync 0;\n\
                     shr.u32 %r6, %r6, 4;\nor.b32 %r6, %r6, {};\nshr.u32 %r7, %r7, 4;\nor.b32 %r7, %r7, {};\n\
                     mov.u32 %r8, 16;\nmov.b64 %rd4, {{%r7, %r8}};\nmov.b64 %rd5, {{%r6, %r8}};\n{}\
                     wgmma.fence.sync.aligned;\nor.b32 %r22, %r22, 0;\n\
                     wgmma.mma_async.sp.sync.aligned.{} {d}, {a}, %rd5, %r22, {selector}, 1{flags};\n\
                     wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n",
                    8 << 16,
                    8 << 16,
                    copy("r", "r"),
                    self.shape
                )
            }
        };
        format!(
            ".version 8.5\n.target sm_90a\n.address_size 64\n\
             .visible .entry product(.param .u64 operands, .param .u64 results)\n{{\n\
             .reg .pred %p<2>;\n.reg .b32 %r<32>;\n.reg .f32 %f<8>;\n.reg .b64 %rd<8>;\n\
             .shared .align 128 .b8 rows[2048];\n.shared .align 128 .b8 columns[512];\n\
             ld.param.u64 %rd0, [operands];\nld.param.u64 %rd1, [results];\n\
             mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r2, %r0, %r2, %r1;\n\
             mad.wide.u32 %rd0, %r2, 64, %rd0;\nmad.wide.u32 %rd1, %r2, 16, %rd1;\n\
             ld.global.v4.u32 {}, [%rd0];\nld.global.v4.u32 {}, [%rd0+16];\nld.global.v4.u32 {}, [%rd0+32];\n\
             ld.global.u32 %r22, [%rd0+48];\nmov.b32 %r26, 0;\nmov.b32 %r27, 0;\n{begin}{product}{end}\
             st.global.v4.u32 [%rd1], {};\nret;\n}}\n",
            list(10, 4),
            list(14, 4),
            list(18, 4),
            list(24, 4),
        )
    }
}

/// What the simulator makes of operands: d of each thread.
fn run(level: simt::Level, kind: &Kind, selector: u32, operands: &[u32]) -> Vec<u32> {
    let text = kind.kernel(selector);
    let module = Module::parse("product.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let simulator = Simulator::new(1 << 24).with_level(level);
    let loaded = simulator.load(Arc::new(module)).unwrap();
    let bytes: Vec<u8> = operands.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut results = vec![0; bytes.len() / WORDS * 4];
    let input = simulator.alloc("operands", bytes.len() as u64).unwrap();
    let output = simulator.alloc("results", results.len() as u64).unwrap();
    simulator.write(input, &bytes).unwrap();
    let launch = Launch::new([BLOCKS as u32, 1, 1], [32 * kind.warps() as u32, 1, 1]);
    let launch = launch.argument(input).argument(output);
    let watch = Watch { hazards: true, ..Watch::default() };
    let events = simulator.launch(&loaded, "product", &launch, &watch).unwrap();
    assert_eq!(events.hazards, [], "{kind:?}");
    simulator.read(output, &mut results).unwrap();
    results.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

#[test]
fn sparse_factors_are_multiplied_as_on_the_chip() {
    let end = RECORDING.iter().position(|&byte| byte == b'\n').expect("there is a first line");
    assert!(RECORDING.starts_with(b"Recorded "));
    let words = RECORDING[end + 1..].chunks_exact(4);
    let mut recorded = words.map(|word| u32::from_le_bytes(word.try_into().unwrap()));
    let mut random = Random(SEED);
    let mut wrong = Vec::new();
    for kind in &KINDS {
        for selector in 0..kind.selectors {
            let operands = kind.operands(&mut random);
            let right: Vec<u32> = recorded.by_ref().take(operands.len() / WORDS * 4).collect();
            for level in levels() {
                let found = run(level, kind, selector, &operands);
                let bad: Vec<_> = (0..right.len()).filter(|&k| right[k] != found[k]).collect();
                if let Some(&k) = bad.first() {
                    wrong.push(format!(
                        "{level:?} {:?} {} selector {selector}: {} of {}; block {}, thread {}, d{}: {:08x}, the chip {:08x}",
                        kind.unit, kind.shape, bad.len(), right.len(), k / 128 / kind.warps(), k / 4 % (32 * kind.warps()), k % 4, found[k], right[k]
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(recorded.next(), None, "more than the products");
}

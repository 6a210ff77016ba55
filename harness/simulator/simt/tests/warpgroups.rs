//! Products of four warps (`wgmma`). Where elements lie follows from the PTX ISA, sections "Shared Memory Matrix Layout",
//! "Strides" and the figures of the fragments of `wgmma`; the numbers are small integers, so that every sum is exact.

use std::sync::Arc;

use half::{bf16, f16};
use simt::{Fault, FaultKind, Launch, Module, Simulator, Unfinished, Watch};

/// Columns of the products here.
const N: usize = 24;

/// A product: the types as PTX writes them, bits of an element, bytes of the swizzle's rows (16 for none), which operands are
/// transposed, and whether a is in registers.
#[derive(Clone, Copy, Debug)]
struct Case {
    types: &'static str,
    bits: usize,
    width: usize,
    transposed: [bool; 2],
    in_registers: bool,
}

/// A small integer for each place.
fn number(seed: usize, row: usize, k: usize) -> i32 {
    ((row * 7 + k * 5 + seed * 3 + row * k) % 9) as i32 - 4
}

impl Case {
    fn depth(&self) -> usize {
        256 / self.bits
    }

    fn bytes(&self) -> usize {
        self.bits / 8
    }

    fn is_integer(&self) -> bool {
        self.types.starts_with("s32")
    }

    fn encode(&self, value: i32) -> Vec<u8> {
        let value = value as f32;
        match self.types {
            "f32.f16.f16" | "f16.f16.f16" => f16::from_f32(value).to_le_bytes().to_vec(),
            "f32.bf16.bf16" => bf16::from_f32(value).to_le_bytes().to_vec(),
            "f32.tf32.tf32" => value.to_le_bytes().to_vec(),
            // Of numbers of 16 bits the upper half, and three bits of the fraction with another bias.
            "f16.e5m2.e5m2" => vec![(f16::from_f32(value).to_bits() >> 8) as u8],
            "f32.e4m3.e4m3" if value == 0.0 => vec![0],
            "f32.e4m3.e4m3" => {
                let bits = f16::from_f32(value).to_bits();
                vec![(bits >> 8 & 0x80) as u8 | ((bits & 0x7fff) / 128 - 8 * 8) as u8]
            }
            _ => vec![value as i8 as u8],
        }
    }

    /// Where an element of an operand of `rows` rows (of b: columns) lies.
    fn offset(&self, transposed: bool, rows: usize, row: usize, k: usize) -> usize {
        let (width, bytes) = (self.width, self.bytes());
        // The number along the eight rows of an atom, a byte along such a row, and where the atom is.
        let (line, along, atom) = match (transposed, width) {
            // Core matrices of 128 bytes: two along k, then the next eight rows.
            (false, 16) => (row % 8, k * bytes % 16, (row / 8 * 2 + k * bytes / 16) * 128),
            (false, _) => (row % 8, k * bytes, row / 8 * 8 * width),
            (true, 16) => (k % 8, row * bytes % 16, (k / 8 * (rows / 8) + row / 8) * 128),
            (true, _) => {
                (k % 8, row * bytes % width, (row * bytes / width * 2 + k / 8) * 8 * width)
            }
        };
        let exchanged = (along / 16) ^ (line * width / 128 % 8);
        let chunk = if width == 16 { along / 16 } else { exchanged };
        atom + line * width + chunk * 16 + along % 16
    }

    /// The descriptor's two distances for such an operand: leading and stride.
    fn distances(&self, transposed: bool, rows: usize) -> [usize; 2] {
        match (transposed, self.width) {
            (false, 16) => [128, 256],
            (false, width) => [16, 8 * width],
            (true, 16) => [128 * (rows / 8), 128],
            (true, width) => [2 * 8 * width, 8 * width],
        }
    }

    fn descriptor(&self, start: usize, transposed: bool, rows: usize) -> u64 {
        let [leading, stride] = self.distances(transposed, rows).map(|bytes| bytes as u64 / 16);
        let mode = match self.width {
            16 => 0,
            128 => 1,
            64 => 2,
            _ => 3,
        };
        mode << 62 | stride << 32 | leading << 16 | (start as u64 / 16)
    }

    /// Registers of the sums of a thread.
    fn sums(&self) -> usize {
        if self.types.starts_with("f16") { N / 4 } else { N / 2 }
    }

    /// The kernel; `fence` comes between the stores to shared memory and the product.
    fn text(&self, bytes: usize, fence: &str) -> String {
        let (kind, letter) = match self.types.split('.').next() {
            Some("f32") => ("f32", "%f"),
            _ => ("b32", "%r"),
        };
        let sums: Vec<String> = (0..self.sums()).map(|k| format!("{letter}{}", 100 + k)).collect();
        let begin = match self.types.split('.').next() {
            Some("f32") => "0f40400000",
            Some("f16") => "0x42004200",
            _ => "3",
        };
        let all = sums.join(", ");
        let set: String = sums.iter().map(|d| format!("mov.{kind} {d}, {begin};\n")).collect();
        let store = sums.iter().enumerate();
        let store: String =
            store.map(|(k, d)| format!("st.global.{kind} [%rd2+{}], {d};\n", 4 * k)).collect();
        let a = if self.in_registers { "{%r50, %r51, %r52, %r53}" } else { "%rd4" };
        let [turned_a, turned_b] = self.transposed.map(u32::from);
        let flags = match (self.bits, self.in_registers) {
            (16, false) => format!(", 1, -1, {turned_a}, {turned_b}"),
            (16, true) => format!(", 1, -1, {turned_b}"),
            _ if self.is_integer() => String::new(),
            _ => ", 1, -1".to_string(),
        };
        format!(
            ".version 8.0\n.target sm_90a\n.address_size 64\n\
             .visible .entry test(.param .u64 in, .param .u64 out, .param .u64 a, .param .u64 b, .param .u32 adds)\n{{\n\
             .reg .pred %p<4>;\n.reg .b32 %r<240>;\n.reg .f32 %f<240>;\n.reg .b64 %rd<20>;\n\
             .shared .align 1024 .b8 tile[{bytes}];\nmov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [in];\n\
             ld.param.u64 %rd1, [out];\nld.param.u64 %rd4, [a];\nld.param.u64 %rd5, [b];\nld.param.u32 %r9, [adds];\n\
             setp.ne.u32 %p1, %r9, 0;\nmad.wide.u32 %rd2, %r0, {}, %rd1;\nmov.u32 %r1, tile;\nshl.b32 %r3, %r0, 2;\n\
             LOOP:\ncvt.u64.u32 %rd6, %r3;\nadd.s64 %rd6, %rd6, %rd0;\nld.global.u32 %r4, [%rd6];\n\
             add.u32 %r5, %r1, %r3;\nst.shared.u32 [%r5], %r4;\nadd.u32 %r3, %r3, 512;\n\
             setp.lt.u32 %p2, %r3, {bytes};\n@%p2 bra LOOP;\n{fence}\nbar.sync 0;\n\
             mad.wide.u32 %rd7, %r0, 16, %rd0;\nld.global.v4.u32 {{%r50, %r51, %r52, %r53}}, [%rd7+{bytes}];\n{set}\
             wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n{N}k{}.{} {{{all}}}, {a}, %rd5, %p1{flags};\n\
             wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n{store}ret;\n}}\n",
            4 * self.sums(),
            self.depth(),
            self.types
        )
    }

    /// The sums of each thread, and the hazards.
    fn run(&self, adds: bool, fence: &str) -> (Vec<u32>, Vec<Fault>) {
        self.run_changed(adds, fence, &|text| text)
    }

    /// The same of a changed text.
    fn run_changed(
        &self,
        adds: bool,
        fence: &str,
        change: &dyn Fn(String) -> String,
    ) -> (Vec<u32>, Vec<Fault>) {
        let start_b = 64 * self.depth() * self.bytes().max(2) * self.width.max(32) / 32;
        let start_b = start_b.next_multiple_of(1024);
        let bytes = start_b + 32768;
        let mut input = vec![0; bytes + 128 * 16];
        let mut put = |start: usize, (transposed, rows, seed): (bool, usize, usize)| {
            for row in 0..rows {
                for k in 0..self.depth() {
                    let at = start + self.offset(transposed, rows, row, k);
                    let value = self.encode(number(seed, row, k));
                    input[at..at + value.len()].copy_from_slice(&value);
                }
            }
        };
        put(0, (self.transposed[0], 64, 1));
        put(start_b, (self.transposed[1], N, 2));
        for thread in 0..128 {
            for register in 0..4 {
                let packed = 4 / self.bytes();
                let row = thread / 32 * 16 + thread % 32 / 4 + 8 * (register % 2);
                let k = thread % 4 * packed + 4 * packed * (register / 2);
                let word = (0..packed).flat_map(|part| self.encode(number(1, row, k + part)));
                let at = bytes + 16 * thread + 4 * register;
                input[at..at + 4].copy_from_slice(&word.collect::<Vec<u8>>());
            }
        }
        let text = change(self.text(bytes, fence));
        let module = Module::parse("test.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let simulator = Simulator::new(1 << 24);
        let loaded = simulator.load(Arc::new(module)).expect("enough memory");
        let from = simulator.alloc("in", input.len() as u64).expect("enough memory");
        simulator.write(from, &input).expect("its size");
        let size = 128 * 4 * self.sums() as u64;
        let out = simulator.alloc("out", size).expect("enough memory");
        let launch = Launch::new([1; 3], [128, 1, 1])
            .argument(from)
            .argument(out)
            .argument(self.descriptor(0, self.transposed[0], 64))
            .argument(self.descriptor(start_b, self.transposed[1], N))
            .argument(u32::from(adds));
        let watch = Watch { hazards: true, ..Watch::default() };
        let events = simulator.launch(&loaded, "test", &launch, &watch);
        let events = events.unwrap_or_else(|error| panic!("{self:?}: {error}"));
        let mut left = vec![0; size as usize];
        simulator.read(out, &mut left).expect("its size");
        let words = left.chunks_exact(4);
        let words = words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
        (words.collect(), events.hazards)
    }

    fn check(&self) {
        // b has the other sign, but of integers.
        let sign = if self.is_integer() { 1 } else { -1 };
        for adds in [false, true] {
            let (found, hazards) = self.run(adds, "fence.proxy.async.shared::cta;");
            assert_eq!(hazards, [], "{self:?}");
            let sum = |row: usize, column: usize| {
                let products = (0..self.depth()).map(|k| number(1, row, k) * number(2, column, k));
                sign * products.sum::<i32>() + if adds { 3 } else { 0 }
            };
            for (place, &word) in found.iter().enumerate() {
                let (thread, register) = (place / self.sums(), place % self.sums());
                let top = thread / 32 * 16 + thread % 32 / 4;
                let left = thread % 4 * 2;
                let text = format!("{self:?}, thread {thread}, register {register}");
                if self.types.starts_with("f16") {
                    let (row, column) = (top + 8 * (register % 2), left + 8 * (register / 2));
                    for part in 0..2 {
                        let value = f16::from_bits((word >> (16 * part)) as u16);
                        assert_eq!(value.to_f32(), sum(row, column + part) as f32, "{text}");
                    }
                    continue;
                }
                let row = top + 8 * (register / 2 % 2);
                let wanted = sum(row, left + 8 * (register / 4) + register % 2);
                match self.types.starts_with("f32") {
                    true => assert_eq!(f32::from_bits(word), wanted as f32, "{text}"),
                    false => assert_eq!(word as i32, wanted, "{text}"),
                }
            }
        }
    }
}

const HALF: Case = Case {
    types: "f32.f16.f16",
    bits: 16,
    width: 128,
    transposed: [false; 2],
    in_registers: false,
};

#[test]
fn operands_lie_as_their_descriptors_say() {
    for width in [16, 32, 64, 128] {
        Case { width, ..HALF }.check();
    }
    for width in [16, 32, 128] {
        Case { width, types: "f32.bf16.bf16", transposed: [true, true], ..HALF }.check();
    }
    Case { transposed: [true, false], width: 64, ..HALF }.check();
}

#[test]
fn each_type_has_its_depth_and_sums() {
    Case { types: "f16.f16.f16", ..HALF }.check();
    Case { types: "f32.tf32.tf32", bits: 32, ..HALF }.check();
    Case { types: "s32.s8.s8", bits: 8, width: 32, ..HALF }.check();
    Case { in_registers: true, ..HALF }.check();
    Case { in_registers: true, types: "s32.s8.s8", bits: 8, ..HALF }.check();
    for in_registers in [false, true] {
        Case { in_registers, types: "f32.e4m3.e4m3", bits: 8, ..HALF }.check();
        Case { in_registers, types: "f16.e5m2.e5m2", bits: 8, width: 64, ..HALF }.check();
    }
}

#[test]
fn threads_fence_what_they_have_written() {
    let (_, hazards) = HALF.run(true, "");
    assert!(
        matches!(hazards.as_slice(), [one, ..] if matches!(one.kind, FaultKind::MissingProxyFence(..))),
        "{hazards:?}"
    );
}

/// The sums belong to the product until it was waited for, and a fence comes before it.
#[test]
fn registers_of_a_product_under_way_are_its_own() {
    let fence = "fence.proxy.async.shared::cta;";
    let kinds = |change: &dyn Fn(String) -> String| {
        let (_, hazards) = HALF.run_changed(true, fence, change);
        hazards.into_iter().map(|fault| fault.kind).collect::<Vec<_>>()
    };
    let wait = "wgmma.wait_group.sync.aligned 0;";
    for no_wait in ["", "wgmma.wait_group.sync.aligned 1;"] {
        let found = kinds(&|text| text.replace(wait, no_wait));
        assert_eq!(found, [FaultKind::Unfinished(Unfinished::Used)], "{no_wait}");
    }
    let found = kinds(&|text| text.replace("wgmma.fence.sync.aligned;", ""));
    assert_eq!(found, [FaultKind::Unfinished(Unfinished::Unfenced)]);
    // Copies that compilers make give the sums other names.
    let renamed = kinds(&|text| {
        text.replace(wait, &format!("mov.f32 %f1, %f100;\n{wait}\nadd.f32 %f1, %f1, %f1;"))
    });
    assert_eq!(renamed, []);
}

/// Threads change the sums of one product, and the next one takes their place.
#[test]
fn a_fence_comes_before_the_first_product_and_after_each_write_to_its_sums() {
    let again = |fence: &str| {
        let (_, hazards) = HALF.run_changed(true, "fence.proxy.async.shared::cta;", &|text| {
            let product = text.lines().find(|line| line.starts_with("wgmma.mma_async"));
            let product = product.expect("there is one").to_string();
            let wait = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
            let use_it = "add.f32 %f100, %f100, %f100;\n";
            let more = format!("{wait}{use_it}{fence}{product}\n{wait}");
            text.replace(wait, &more)
        });
        hazards.into_iter().map(|fault| fault.kind).collect::<Vec<_>>()
    };
    assert_eq!(again("wgmma.fence.sync.aligned;\n"), []);
    assert_eq!(again(""), [FaultKind::Unfinished(Unfinished::Unfenced)]);
}

/// A product may read its operand in shared memory until its group was waited for.
#[test]
fn an_operand_stays_until_its_product_was_waited_for() {
    let store = "bar.sync 0;\nsetp.eq.u32 %p3, %r0, 0;\n@%p3 st.shared.u32 [%r1], %r0;\n";
    let wait = "wgmma.wait_group.sync.aligned 0;\n";
    let with = |order: String| {
        let change = |text: String| text.replace(wait, &order);
        HALF.run_changed(true, "fence.proxy.async.shared::cta;", &change).1
    };
    assert_eq!(with(format!("{wait}{store}")), []);
    let early = with(format!("{store}{wait}"));
    assert!(
        matches!(early.as_slice(), [one] if matches!(one.kind, FaultKind::Overwritten(_))),
        "{early:?}"
    );
    // The warps multiply together: who has waited knows that the others are done too, and may write without a barrier.
    let last = "setp.eq.u32 %p3, %r0, 127;\n@%p3 st.shared.u32 [%r1], %r0;\n";
    assert_eq!(with(format!("bar.sync 0;\n{wait}{last}")), []);
    let unknown = with(format!("bar.sync 0;\n{last}{wait}"));
    assert!(
        matches!(unknown.as_slice(), [one] if matches!(one.kind, FaultKind::Overwritten(_))),
        "{unknown:?}"
    );
    let later = with(format!("wgmma.wait_group.sync.aligned 1;\n{store}{wait}"));
    assert_eq!(later.len(), 1, "{later:?}");
}

/// The last warp reaches its product long after the others have reached theirs.
#[test]
fn a_warp_that_comes_late_keeps_the_others_waiting() {
    let fence = "wgmma.fence.sync.aligned;";
    let wait = "wgmma.wait_group.sync.aligned 0;\n";
    let is_late = "setp.lt.u32 %p3, %r0, 96;\nmov.u32 %r2, 0;\n@%p3 bra NOW;\n\
                   LATE: ld.volatile.global.u32 %r3, [%rd0];\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p3, %r2, 99;\n\
                   @%p3 bra LATE;\nNOW:\n";
    // The first thread changes the second operand as soon as it has waited.
    let store = "setp.eq.u32 %p3, %r0, 0;\n@%p3 st.shared.u32 [%r1+8192], %r0;\n";
    let proxy = "fence.proxy.async.shared::cta;";
    let change = |text: String| {
        text.replace(fence, &format!("{is_late}{fence}")).replace(wait, &format!("{wait}{store}"))
    };
    assert_eq!(HALF.run_changed(true, proxy, &change), HALF.run(true, proxy));
}

#[test]
#[should_panic(expected = "not all four warps of its warpgroup come")]
fn a_product_without_one_of_its_warps_is_a_deadlock() {
    let fence = "wgmma.fence.sync.aligned;";
    let change = |text: String| {
        text.replace(fence, &format!("setp.ge.u32 %p3, %r0, 96;\n@%p3 bra STAY;\n{fence}"))
            .replace("ret;", "STAY: bar.sync 1;\nret;")
    };
    HALF.run_changed(true, "fence.proxy.async.shared::cta;", &change);
}

#[test]
fn other_shapes_and_factors_are_refused_with_a_word() {
    let refusal = |from: &str, to: &str| {
        let text = HALF.text(1024, "");
        assert!(text.contains(from), "{text}");
        let error = match Module::parse("test.ptx", &text.replace(from, to)) {
            Ok(module) => module.find("test").err().map(|error| error.to_string()),
            Err(error) => Some(error.to_string()),
        };
        error.expect("it is wrong")
    };
    let shape = refusal("m64n24k16", "m64n20k16");
    assert!(shape.contains("m64n8k16 to m64n256k16"), "{shape}");
    let factor = refusal(", 1, -1, 0, 0;", ", 1, 0, 0, 0;");
    assert!(factor.contains("multiplies b by 1 or -1 only"), "{factor}");
}

//! Boxes of tensors: `cp.async.bulk.tensor` (PTX ISA, "Tensors", "Swizzling Modes").

use std::sync::Arc;

use simt::texture::{Fill, TensorElement, TensorMap};
use simt::{Launch, LaunchError, Module, Simulator, Watch};

/// A kernel of 32 threads: thread 0 loads the box at the coordinates `x` and `y` to `tile`; all threads copy it to `out`, and
/// then come the statements `end`.
fn text(bytes: u64, end: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n\
         .visible .entry test(.param .align 64 .b8 map[128], .param .u64 out, .param .u32 x, .param .u32 y)\n{{\n\
         .reg .pred %p<4>;\n.reg .b32 %r<30>;\n.reg .b64 %rd<20>;\n.shared .align 1024 .b8 tile[{bytes}];\n\
         .shared .align 8 .b64 bar;\nmov.u32 %r0, %tid.x;\nmov.u32 %r20, bar;\nmov.u32 %r21, tile;\n\
         mov.b64 %rd0, map;\ncvta.param.u64 %rd0, %rd0;\nld.param.u64 %rd1, [out];\nld.param.u32 %r1, [x];\n\
         ld.param.u32 %r2, [y];\nsetp.eq.u32 %p0, %r0, 0;\n@%p0 mbarrier.init.shared::cta.b64 [%r20], 1;\n\
         fence.proxy.async;\nbar.sync 0;\n\
         @%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r20], {bytes};\n\
         @%p0 cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [%r21], [%rd0, {{%r1, %r2}}], \
         [%r20];\nWAIT:\nmbarrier.try_wait.parity.shared::cta.b64 %p1, [%r20], 0;\n@!%p1 bra WAIT;\n\
         shl.b32 %r3, %r0, 2;\nLOOP:\nadd.u32 %r4, %r21, %r3;\nld.shared.u32 %r5, [%r4];\ncvt.u64.u32 %rd2, %r3;\n\
         add.s64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], %r5;\nadd.u32 %r3, %r3, 128;\n\
         setp.lt.u32 %p2, %r3, {bytes};\n@%p2 bra LOOP;\n{end}\nret;\n}}\n"
    )
}

/// 40 columns and 10 rows of words, each 176 bytes after the one before; a box of 8 columns or more and 4 rows.
struct Tensor {
    columns: u32,
    swizzle: u8,
    fill: Fill,
}

const WIDTH: i64 = 40;
const HEIGHT: i64 = 10;
const PITCH: u64 = 176;

/// What the tensor holds.
fn element(x: i64, y: i64) -> u32 {
    (1000 * y + x) as u32
}

impl Tensor {
    /// What a launch leaves in `out` and in the tensor, row after row with what is between rows.
    fn run(&self, (x, y): (i32, i32), end: &str) -> Result<[Vec<u32>; 2], LaunchError> {
        let simulator = Simulator::new(1 << 22);
        let address = simulator.alloc("tensor", PITCH * HEIGHT as u64).expect("enough memory");
        let row = |y: i64| (0..PITCH as i64 / 4).flat_map(move |x| element(x, y).to_le_bytes());
        let all: Vec<u8> = (0..HEIGHT).flat_map(row).collect();
        simulator.write(address, &all).expect("its size");
        let map = TensorMap {
            element: TensorElement {
                bytes: 4,
                is_float: self.fill == Fill::Nan,
                is_brain: false,
                is_signed: false,
            },
            dimensions: 2,
            address,
            sizes: [WIDTH as u64, HEIGHT as u64, 1, 1, 1],
            strides: [4, PITCH, 4, 4, 4],
            boxes: [self.columns, 4, 1, 1, 1],
            swizzle: self.swizzle,
            fill: self.fill,
        };
        map.check().expect("a valid map");
        let text = text(map.box_bytes(), end);
        let module = Module::parse("test.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let loaded = simulator.load(Arc::new(module)).expect("enough memory");
        let out = simulator.alloc("out", map.box_bytes()).expect("enough memory");
        let launch = Launch::new([1; 3], [32, 1, 1])
            .arguments([map.encode().to_vec()])
            .argument(out)
            .argument(x as u32)
            .argument(y as u32);
        let watch = Watch { hazards: true, ..Watch::default() };
        let events = simulator.launch(&loaded, "test", &launch, &watch)?;
        assert_eq!(events.hazards, []);
        Ok([(out, map.box_bytes()), (address, PITCH * HEIGHT as u64)].map(|(from, bytes)| {
            let mut left = vec![0; bytes as usize];
            simulator.read(from, &mut left).expect("its size");
            let words = left.chunks_exact(4);
            words.map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
        }))
    }

    /// The word of shared memory in which an element of the box lies.
    fn place(&self, x: u32, y: u32) -> usize {
        let row = self.columns / 4;
        // Chunks of 16 bytes: of each 8 rows of the swizzle, the number in it decides which are exchanged.
        let chunk = y * row + x / 4;
        let per_row = u32::from(self.swizzle) / 16;
        let line = chunk / 8 % 8;
        let exchanged = if per_row == 1 { chunk } else { chunk ^ (line % per_row) };
        (exchanged * 4 + x % 4) as usize
    }

    fn check(&self, (x, y): (i32, i32), outside: u32) {
        let [out, _] = self.run((x, y), "").expect("it runs");
        for row in 0..4 {
            for column in 0..self.columns {
                let (at_x, at_y) =
                    (i64::from(x) + i64::from(column), i64::from(y) + i64::from(row));
                let is_inside = (0..WIDTH).contains(&at_x) && (0..HEIGHT).contains(&at_y);
                let wanted = if is_inside { element(at_x, at_y) } else { outside };
                assert_eq!(out[self.place(column, row)], wanted, "({at_x}, {at_y})");
            }
        }
    }
}

#[test]
fn a_box_is_loaded_and_filled_in_outside() {
    let of = |columns, swizzle, fill| Tensor { columns, swizzle, fill };
    of(8, 16, Fill::Zeros).check((4, 3), 0);
    of(8, 16, Fill::Zeros).check((-4, 8), 0);
    of(8, 16, Fill::Nan).check((36, -2), 0x7ff7_7ff7);
    of(8, 32, Fill::Zeros).check((4, 1), 0);
    of(16, 64, Fill::Zeros).check((-4, 0), 0);
    of(32, 128, Fill::Zeros).check((12, 2), 0);
}

/// The box that was loaded is stored elsewhere, or added there.
#[test]
fn a_box_is_stored_and_added() {
    let tensor = Tensor { columns: 8, swizzle: 32, fill: Fill::Zeros };
    let store = |opcode: &str| {
        format!(
            "add.u32 %r1, %r1, 32;\nadd.u32 %r2, %r2, 5;\n@%p0 {opcode} [%rd0, {{%r1, %r2}}], [%r21];\n\
             @%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group.read 0;"
        )
    };
    let copy = store("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group");
    let add = store("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group");
    for (end, adds) in [(copy, false), (add, true)] {
        let [_, left] = tensor.run((4, 2), &end).expect("it runs");
        for (at, &word) in (0..).zip(&left) {
            let (x, y) = (at % (PITCH as i64 / 4), at / (PITCH as i64 / 4));
            // From (36, 7) on, as far as the tensor goes.
            let is_new = (36..WIDTH).contains(&x) && (7..HEIGHT).contains(&y);
            let wanted = match (is_new, adds) {
                (false, _) => element(x, y),
                (true, false) => element(x - 32, y - 5),
                (true, true) => element(x - 32, y - 5) + element(x, y),
            };
            assert_eq!(word, wanted, "({x}, {y})");
        }
    }
}

#[test]
fn what_is_no_map_is_named() {
    let tensor = Tensor { columns: 8, swizzle: 16, fill: Fill::Zeros };
    let wrong = "@%p0 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group \
                 [%rd1, {%r1, %r2}], [%r21];";
    let error = tensor.run((0, 0), wrong).expect_err("it fails").to_string();
    assert!(error.contains("no tensor map") && error.contains("cuTensorMapEncodeTiled"), "{error}");
}

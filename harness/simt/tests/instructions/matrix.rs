//! `mma`, `movmatrix`, `ldmatrix` and the conversions that make their operands.
//!
//! The products are judged by a plain one over matrices that are laid out here element by element, as the tables of the
//! ISA say where row and column of each register's part are.

use crate::harness::{HEADER, bytes, kernel, run, run_words, try_run, words};
use simt::Module;

/// The type of a product's operands, and k.
type Shape = (&'static str, usize);

const SHAPES: [Shape; 6] =
    [("f16", 8), ("f16", 16), ("bf16", 8), ("bf16", 16), ("tf32", 4), ("tf32", 8)];

fn is_packed(element: &str) -> bool {
    element != "tf32"
}

/// Registers of the first operand; the second has half of them.
fn registers((element, depth): Shape) -> usize {
    if is_packed(element) { depth / 4 } else { depth / 2 }
}

/// The value of an operand's bits, worked out from sign, exponent and mantissa.
fn value(element: &str, bits: u32) -> f64 {
    let (exponent_bits, mantissa_bits, bits) = match element {
        "f16" => (5, 10, bits & 0xffff),
        "bf16" => (8, 7, bits & 0xffff),
        // The low 13 bits do not count.
        _ => (8, 10, bits >> 13),
    };
    let mantissa = f64::from(bits & ((1 << mantissa_bits) - 1));
    let exponent = (bits >> mantissa_bits & ((1 << exponent_bits) - 1)) as i32;
    let bias = (1 << (exponent_bits - 1)) - 1;
    let unit = f64::from(1 << mantissa_bits);
    let magnitude = match exponent {
        0 => mantissa / unit * 2f64.powi(1 - bias),
        e if e == (1 << exponent_bits) - 1 && mantissa == 0.0 => f64::INFINITY,
        e if e == (1 << exponent_bits) - 1 => f64::NAN,
        e => (1.0 + mantissa / unit) * 2f64.powi(e - bias),
    };
    if bits >> (mantissa_bits + exponent_bits) == 1 { -magnitude } else { magnitude }
}

/// A kernel that loads the fragments of a, b and c (word r·32 + lane of its part of p0) and stores d to p1.
fn product(shape: Shape) -> String {
    let (element, depth) = shape;
    let (a, b) = (registers(shape), registers(shape) / 2);
    let mut body = String::from(
        "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
         mul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n",
    );
    for r in 0..a + b {
        body += &format!("ld.global.u32 %r{}, [%rd0+{}];\n", r + 1, 128 * r);
    }
    for r in 0..4 {
        body += &format!("ld.global.f32 %f{r}, [%rd0+{}];\n", 128 * (a + b + r));
    }
    let list = |from: usize, count: usize| {
        (from..from + count).map(|r| format!("%r{r}")).collect::<Vec<_>>().join(", ")
    };
    body += &format!(
        "mma.sync.aligned.m16n8k{depth}.row.col.f32.{element}.{element}.f32 {{%f4, %f5, %f6, %f7}}, {{{}}}, {{{}}}, \
         {{%f0, %f1, %f2, %f3}};\n",
        list(1, a),
        list(1 + a, b)
    );
    for r in 0..4 {
        body += &format!("st.global.f32 [%rd1+{}], %f{};\n", 128 * r, 4 + r);
    }
    kernel(2, 0, &body)
}

/// Row and k of part `half` of register `r` of the first operand, in a lane.
fn place_a((element, _): Shape, r: usize, half: usize, lane: usize) -> (usize, usize) {
    let row = lane / 4 + if r % 2 == 1 { 8 } else { 0 };
    if is_packed(element) {
        (row, lane % 4 * 2 + half + if r >= 2 { 8 } else { 0 })
    } else {
        (row, lane % 4 + if r >= 2 { 4 } else { 0 })
    }
}

/// k and column of the second operand's.
fn place_b((element, _): Shape, r: usize, half: usize, lane: usize) -> (usize, usize) {
    if is_packed(element) {
        (lane % 4 * 2 + half + 8 * r, lane / 4)
    } else {
        (lane % 4 + 4 * r, lane / 4)
    }
}

/// Row and column of register `r` of the sums.
fn place_c(r: usize, lane: usize) -> (usize, usize) {
    (lane / 4 + if r >= 2 { 8 } else { 0 }, lane % 4 * 2 + r % 2)
}

/// Matrices of a product, by row and column, as bits.
struct Matrices {
    a: Vec<Vec<u32>>,
    b: Vec<Vec<u32>>,
    c: Vec<Vec<u32>>,
}

impl Matrices {
    /// Filled by a function of matrix, row and column.
    fn new((_, depth): Shape, of: impl Fn(char, usize, usize) -> u32) -> Matrices {
        let fill = |matrix, rows: usize, columns: usize| {
            (0..rows).map(|i| (0..columns).map(|j| of(matrix, i, j)).collect()).collect()
        };
        Matrices { a: fill('a', 16, depth), b: fill('b', depth, 8), c: fill('c', 16, 8) }
    }

    fn fragments(&self, shape: Shape) -> Vec<u32> {
        let mut words = Vec::new();
        let halves = if is_packed(shape.0) { 0..2 } else { 0..1 };
        let word = |part: &dyn Fn(usize) -> u32| {
            halves.clone().fold(0, |word, half| word | part(half) << (16 * half))
        };
        for r in 0..registers(shape) {
            for lane in 0..32 {
                words.push(word(&|half| {
                    let (row, k) = place_a(shape, r, half, lane);
                    self.a[row][k]
                }));
            }
        }
        for r in 0..registers(shape) / 2 {
            for lane in 0..32 {
                words.push(word(&|half| {
                    let (k, column) = place_b(shape, r, half, lane);
                    self.b[k][column]
                }));
            }
        }
        for r in 0..4 {
            for lane in 0..32 {
                let (row, column) = place_c(r, lane);
                words.push(self.c[row][column]);
            }
        }
        words
    }

    /// What the simulator makes of them, by row and column.
    fn run(&self, shape: Shape) -> Vec<Vec<f32>> {
        let buffers = [bytes(self.fragments(shape)), vec![0; 512]];
        let left = words(&run(&product(shape), 1, 32, &buffers, &[])[1]);
        let mut d = vec![vec![0.0; 8]; 16];
        for r in 0..4 {
            for lane in 0..32 {
                let (row, column) = place_c(r, lane);
                d[row][column] = f32::from_bits(left[32 * r + lane]);
            }
        }
        d
    }

    /// The sum of an element, in f64.
    fn expected(&self, element: &str, row: usize, column: usize) -> f64 {
        let c = f64::from(f32::from_bits(self.c[row][column]));
        let terms = self.a[row]
            .iter()
            .zip(&self.b)
            .map(|(a, b)| value(element, *a) * value(element, b[column]));
        c + terms.sum::<f64>()
    }
}

/// A hash as a source of bits.
fn mixed(matrix: char, i: usize, j: usize) -> u32 {
    let seed = u64::from(u32::from(matrix)) << 32 | (i as u64) << 8 | j as u64;
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 32) as u32
}

/// Bits of a type: a number between 1/8 and 8 of either sign.
fn moderate(element: &str, matrix: char, i: usize, j: usize) -> u32 {
    let bits = mixed(matrix, i, j);
    let sign = bits >> 31;
    let exponent = bits >> 20 & 7;
    match (matrix, element) {
        ('a' | 'b', "f16") => sign << 15 | (12 + exponent % 6) << 10 | bits & 0x3ff,
        ('a' | 'b', "bf16") => sign << 15 | (124 + exponent % 6) << 7 | bits & 0x7f,
        // All bits of the mantissa: the low ones must not count.
        _ => sign << 31 | (124 + exponent % 6) << 23 | bits & 0x7f_ffff,
    }
}

#[test]
fn a_product_is_that_of_the_matrices() {
    for shape in SHAPES {
        let matrices = Matrices::new(shape, |matrix, i, j| moderate(shape.0, matrix, i, j));
        let d = matrices.run(shape);
        for (row, sums) in d.iter().enumerate() {
            for (column, &sum) in sums.iter().enumerate() {
                let exact = matrices.expected(shape.0, row, column);
                let got = f64::from(sum);
                // Rounded towards zero, once.
                let next = f64::from(f32::from_bits(sum.to_bits() + 1));
                let towards_zero = got.abs() <= exact.abs() && exact.abs() < next.abs();
                assert!(towards_zero, "{shape:?} [{row}][{column}]: {got:e} for {exact:e}");
            }
        }
    }
}

#[test]
fn every_element_is_in_its_place() {
    for shape in SHAPES {
        let depth = shape.1;
        let one = match shape.0 {
            "f16" => 0x3c00,
            "bf16" => 0x3f80,
            _ => 0x3f80_0000,
        };
        for k in 0..depth {
            // a selects element k of b's columns, of which each is a power of two; c is apart from it.
            let power = |j: usize| match shape.0 {
                "f16" => ((15 + j) << 10) as u32,
                "bf16" => ((127 + j) << 7) as u32,
                _ => ((127 + j) << 23) as u32,
            };
            let matrices = Matrices::new(shape, |matrix, i, j| match matrix {
                'a' if j == k && i % 3 == 0 => one,
                'b' if i == k => power(j),
                'c' => (1024.0 * i as f32).to_bits(),
                _ => 0,
            });
            let d = matrices.run(shape);
            for (row, columns) in d.iter().enumerate() {
                for (column, &got) in columns.iter().enumerate() {
                    let chosen = if row % 3 == 0 { f32::from(1u16 << column) } else { 0.0 };
                    assert_eq!(
                        got,
                        1024.0 * row as f32 + chosen,
                        "{shape:?} k {k} [{row}][{column}]"
                    );
                }
            }
        }
    }
}

#[test]
fn what_is_no_number_and_what_is_too_great() {
    for shape in SHAPES {
        let (infinity, nan, one, zero) = match shape.0 {
            "f16" => (0x7c00, 0x7e01, 0x3c00, 0x8000),
            "bf16" => (0x7f80, 0x7f81, 0x3f80, 0x8000),
            _ => (0x7f80_0000, 0x7fc0_0000, 0x3f80_0000, 0x8000_0000),
        };
        let matrices = Matrices::new(shape, |matrix, i, j| match (matrix, i, j) {
            ('a', 0, 1) => infinity,
            ('a', 1, 2) => nan,
            ('a', 2, 0) => infinity | zero,
            ('a', 3, _) => zero,
            ('a', ..) => one,
            // Column 5 meets the infinities with zeros.
            ('b', _, 5) => 0,
            ('b', ..) => one,
            ('c', 4, 0) => f32::INFINITY.to_bits(),
            ('c', 5, 1) => 0xff80_0001,
            ('c', 6, 2) => f32::MAX.to_bits(),
            ('c', 3, _) => (-0.0f32).to_bits(),
            _ => 0,
        });
        let d = matrices.run(shape);
        let depth = shape.1 as f32;
        let nan = 0x7fff_ffff;
        assert_eq!(d[0].iter().map(|x| x.to_bits()).collect::<Vec<_>>(), {
            let mut row = vec![f32::INFINITY.to_bits(); 8];
            row[5] = nan;
            row
        });
        assert!(d[1].iter().all(|x| x.to_bits() == nan));
        assert_eq!((d[2][0], d[2][5].to_bits()), (f32::NEG_INFINITY, nan));
        assert!(d[3].iter().take(5).all(|x| x.to_bits() == 1 << 31), "{:?}", d[3]);
        assert_eq!((d[4][0], d[5][1].to_bits()), (f32::INFINITY, nan));
        // Far below half a unit of the greatest number.
        assert_eq!((d[6][2], d[7][0], d[7][5]), (f32::MAX, depth, 0.0));
    }
    // Sums beyond the greatest number.
    let shape = ("bf16", 8);
    let matrices = Matrices::new(shape, |matrix, i, _| match matrix {
        'a' if i == 0 => 0xff00,
        'a' => 0x7f00,
        'b' => 0x3f80,
        _ => 0,
    });
    let d = matrices.run(shape);
    assert_eq!((d[0][0], d[1][7]), (f32::NEG_INFINITY, f32::INFINITY));
}

#[test]
fn subnormal_numbers_count() {
    for (shape, least, one) in
        [(("f16", 16), 1, 0x3c00), (("bf16", 16), 1, 0x3f80), (("tf32", 8), 1 << 13, 0x3f80_0000)]
    {
        let matrices = Matrices::new(shape, |matrix, _, _| match matrix {
            'a' => least,
            'b' => one,
            _ => 0,
        });
        let exact = shape.1 as f64 * value(shape.0, least);
        assert_eq!(f64::from(matrices.run(shape)[3][4]), exact, "{shape:?}");
    }
}

/// Each lane's word of an 8×8 matrix whose elements are their own places: row · 8 + column.
fn own_places(lane: u32) -> u32 {
    let (row, column) = (lane / 4, lane % 4 * 2);
    (row * 8 + column + 1) << 16 | (row * 8 + column)
}

/// The same of the transposed matrix.
fn transposed_places(lane: u32) -> u32 {
    let (row, column) = (lane / 4, lane % 4 * 2);
    ((column + 1) * 8 + row) << 16 | (column * 8 + row)
}

/// The lane's own word of buffer p0 in `%rd0`, and the word of [`own_places`] in `%r3`.
const PLACES: &str = "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nmul.wide.u32 %rd1, %r0, 4;\n\
    add.s64 %rd0, %rd0, %rd1;\nand.b32 %r0, %r0, 31;\nshl.b32 %r1, %r0, 1;\nadd.u32 %r2, %r1, 1;\n\
    shl.b32 %r2, %r2, 16;\nor.b32 %r3, %r1, %r2;\n";

fn transposition() -> String {
    kernel(
        1,
        0,
        &format!(
            "{PLACES}movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r3;\nst.global.u32 [%rd0], %r3;"
        ),
    )
}

#[test]
fn a_matrix_is_transposed() {
    let expected: Vec<u32> = (0..64).map(|thread| transposed_places(thread % 32)).collect();
    assert_eq!(run_words(&transposition(), 1, 64), expected);
}

/// Loads `count` matrices from shared memory, whose rows lie 48 bytes apart in descending order, and stores the last.
fn matrix_load(count: usize, transposed: bool, space: &str) -> String {
    let list = ["%r10", "%r11", "%r12", "%r13"][..count].join(", ");
    let trans = if transposed { ".trans" } else { "" };
    let generic = if space.is_empty() { "cvta.shared.u64 %rd5, %rd5;\n" } else { "" };
    // The word of row `lane / 4`, pair `lane % 4`, in 100 · matrix + row · 8 + column.
    let stores: String = (0..count)
        .map(|matrix| {
            let add = 100 * matrix * 0x1_0001;
            format!(
                "mov.u32 %r5, {};\nsub.u32 %r5, %r5, %r4;\nmul.lo.u32 %r5, %r5, 48;\nadd.u32 %r5, %r5, %r6;\n\
                 cvt.u64.u32 %rd4, %r5;\nadd.s64 %rd4, %rd3, %rd4;\nadd.u32 %r7, %r3, {add};\n\
                 st.shared.u32 [%rd4], %r7;\n",
                31 - 8 * matrix
            )
        })
        .collect();
    kernel(
        1,
        0,
        &format!(
            ".shared .align 16 .b8 tile[1536];\n{PLACES}mov.u64 %rd3, tile;\nshr.u32 %r4, %r0, 2;\n\
             and.b32 %r6, %r0, 3;\nshl.b32 %r6, %r6, 2;\n{stores}bar.warp.sync 0xffffffff;\n\
             mov.u32 %r5, 31;\nsub.u32 %r5, %r5, %r0;\nmul.lo.u32 %r5, %r5, 48;\ncvt.u64.u32 %rd5, %r5;\n\
             add.s64 %rd5, %rd3, %rd5;\n{generic}\
             ldmatrix.sync.aligned.m8n8.x{count}{trans}{space}.b16 {{{list}}}, [%rd5];\n\
             st.global.u32 [%rd0], %r{};",
            9 + count
        ),
    )
}

#[test]
fn matrices_are_loaded_row_by_row() {
    for count in [1, 2, 4] {
        for transposed in [false, true] {
            for space in [".shared", ""] {
                let of = if transposed { transposed_places } else { own_places };
                let add = 100 * (count as u32 - 1) * 0x1_0001;
                let expected: Vec<u32> = (0..32).map(|lane| of(lane) + add).collect();
                let got = run_words(&matrix_load(count, transposed, space), 1, 32);
                assert_eq!(got, expected, "x{count} {transposed} {space}");
            }
        }
    }
}

#[test]
fn a_row_must_be_aligned_and_inside() {
    for (address, told) in [(8, "misaligned"), (4096, "out of bounds")] {
        let body = format!(
            ".shared .align 16 .b8 tile[1536];\nmov.u64 %rd1, {address};\n\
             ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%r1}}, [%rd1];"
        );
        let error = try_run(&kernel(0, 0, &body), 1, 32, &[], &[]).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_part_of_a_warp_is_refused() {
    let multiply = "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r1, %r2}, {%r3}, \
                    {%f0, %f1, %f2, %f3};";
    let transpose = "movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r3;";
    let setup = "mov.u32 %r0, %tid.x;\nsetp.lt.u32 %p1, %r0, 48;\n";
    for instruction in [multiply, transpose] {
        let name = instruction.split('.').next().unwrap();
        let guarded = kernel(0, 0, &format!("{setup}@%p1 {instruction}"));
        let error = try_run(&guarded, 1, 64, &[], &[]).unwrap_err();
        let text = format!(
            "`{name}` needs all 32 lanes of a warp at once; of warp 1 lanes 0x0000ffff came"
        );
        assert!(error.contains(&text), "{error}");
        assert!(error.contains("0xffff0000 are elsewhere") && error.contains("to do: "), "{error}");

        let returned = kernel(0, 0, &format!("{setup}@!%p1 ret;\n{instruction}"));
        let error = try_run(&returned, 1, 64, &[], &[]).unwrap_err();
        assert!(error.contains("0xffff0000 have ended or never were"), "{error}");

        let short = kernel(0, 0, instruction);
        let error = try_run(&short, 1, 40, &[], &[]).unwrap_err();
        assert!(error.contains("0xffffff00 have ended or never were"), "{error}");

        // Whole warps may go around it.
        let whole = kernel(0, 0, &format!("{setup}setp.lt.u32 %p1, %r0, 32;\n@%p1 {instruction}"));
        try_run(&whole, 1, 64, &[], &[]).unwrap();
        // And lanes that part meet again before it.
        let parted = format!("{setup}@%p1 bra NEXT;\nadd.u32 %r1, %r1, 1;\nNEXT:\n{instruction}");
        try_run(&kernel(0, 0, &parted), 1, 64, &[], &[]).unwrap();
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let refused = |statement: &str| {
        let text = format!(
            "{HEADER}.visible .entry test()\n{{\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n{statement}\nret;\n}}\n"
        );
        Module::parse("test.ptx", &text).unwrap_err().to_string()
    };
    let four = "{%f0, %f1, %f2, %f3}";
    let rest = "{%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, %f2, %f3};";
    for (opcode, told) in [
        ("m16n8k32.row.col.f32.f16.f16.f32", "unsupported shape m16n8k32 of `mma` for f16"),
        ("m8n8k4.row.col.f32.f16.f16.f32", "unsupported shape m8n8k4 of `mma` for f16"),
        ("m16n8k16.row.col.f32.tf32.tf32.f32", "unsupported shape m16n8k16 of `mma` for tf32"),
        ("m16n8k4.row.col.f32.f16.f16.f32", "unsupported shape m16n8k4 of `mma` for f16"),
        ("m16n8k16.row.col.f16.f16.f16.f16", "unsupported types f16.f16.f16.f16 of `mma` m16n8k16"),
        ("m16n8k32.row.col.s32.s8.s8.s32", "unsupported types s32.s8.s8.s32 of `mma` m16n8k32"),
        ("m16n8k16.row.col.f32.f16.bf16.f32", "unsupported types f16 and bf16 of `mma` m16n8k16"),
        ("m16n8k16.row.row.f32.f16.f16.f32", "unsupported layout"),
    ] {
        let error = refused(&format!("mma.sync.aligned.{opcode} {four}, {rest}"));
        assert!(error.starts_with("test.ptx:8: ") && error.contains(told), "{error}");
        assert!(error.contains("m16n8k8 and m16n8k16 for f16 and bf16"), "{error}");
    }
    let error =
        refused(&format!("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {four}, {rest}"));
    assert!(error.contains("needs 2 registers here, found 4"), "{error}");
    let error = refused("movmatrix.sync.aligned.m8n8.b16 %r0, %r1;");
    assert!(error.contains("the only movmatrix is"), "{error}");
    let error = refused("ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r0}, [%r1];");
    assert!(error.contains(".x1, .x2 or .x4"), "{error}");
}

/// Converts each thread's word and stores the result.
fn conversion(statements: &str) -> String {
    kernel(
        2,
        0,
        &format!(
            "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmad.lo.u32 %r0, %r1, %r2, %r0;\n\
             mul.wide.u32 %rd2, %r0, 4;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
             add.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\nld.global.b32 %r3, [%rd0];\n\
             mov.b32 %f3, %r3;\n{statements}\nst.global.b32 [%rd1], %r4;"
        ),
    )
}

fn converted(statements: &str, inputs: &[u32]) -> Vec<u32> {
    let mut padded = inputs.to_vec();
    padded.resize(inputs.len().next_multiple_of(256), 0);
    let buffers = [bytes(padded.iter().copied()), vec![0; 4 * padded.len()]];
    let grid = (padded.len() / 256) as u32;
    let mut left = words(&run(&conversion(statements), grid, 256, &buffers, &[])[1]);
    left.truncate(inputs.len());
    left
}

const WIDEN: [(&str, &str); 2] = [
    ("f16", "cvt.u16.u32 %rs1, %r3;\ncvt.f32.f16 %f4, %rs1;\nmov.b32 %r4, %f4;"),
    ("bf16", "cvt.u16.u32 %rs1, %r3;\ncvt.f32.bf16 %f4, %rs1;\nmov.b32 %r4, %f4;"),
];

const NARROW: [(&str, &str); 5] = [
    ("f16", "cvt.rn.f16.f32 %rs1, %f3;\ncvt.u32.u16 %r4, %rs1;"),
    ("bf16", "cvt.rn.bf16.f32 %rs1, %f3;\ncvt.u32.u16 %r4, %rs1;"),
    ("f16", "mov.f32 %f5, 0f3F800000;\ncvt.rn.f16x2.f32 %r4, %f5, %f3;"),
    ("bf16", "mov.f32 %f5, 0f3F800000;\ncvt.rn.bf16x2.f32 %r4, %f5, %f3;"),
    ("tf32", "cvt.rna.tf32.f32 %r4, %f3;"),
];

#[test]
fn all_numbers_of_16_bits_are_widened() {
    let all: Vec<u32> = (0..1 << 16).collect();
    for (element, statements) in WIDEN {
        for (bits, got) in all.iter().zip(converted(statements, &all)) {
            let exact = value(element, *bits);
            let expected = if exact.is_nan() { 0x7fff_ffff } else { (exact as f32).to_bits() };
            assert_eq!(got, expected, "{element} {bits:#06x}");
        }
    }
}

/// The bits of the nearest number of a type to a finite one; of two, the one that `choose` takes.
fn nearest(element: &str, x: f64, choose: impl Fn(u32, u32) -> u32) -> u32 {
    // Among all numbers of its sign, by bisection; the next after the greatest stands for infinity.
    let (step, infinity) = match element {
        "f16" => (1, 0x7c00),
        "bf16" => (1, 0x7f80),
        _ => (1 << 13, 0x7f80_0000),
    };
    let magnitude = |bits: u32| match element {
        _ if bits < infinity => value(element, bits),
        "f16" => 65536.0,
        _ => 2f64.powi(128),
    };
    let (mut low, mut high) = (0, infinity / step);
    while high - low > 1 {
        let middle = low.midpoint(high);
        *if magnitude(middle * step) <= x.abs() { &mut low } else { &mut high } = middle;
    }
    let (below, above) = (x.abs() - magnitude(low * step), magnitude(high * step) - x.abs());
    let chosen = match below.total_cmp(&above) {
        std::cmp::Ordering::Less => low,
        std::cmp::Ordering::Greater => high,
        std::cmp::Ordering::Equal => choose(low, high),
    };
    chosen * step
}

#[test]
fn numbers_are_rounded_to_fewer_bits() {
    // Ties and their neighbours, the edges of the formats, and bits at random.
    let mut inputs: Vec<u32> = Vec::new();
    for exponent in (100..=144).chain(250..255).chain(0..3) {
        for mantissa in [
            0u32, 1, 0xfff, 0x1000, 0x1001, 0x3000, 0x7fff, 0x8000, 0x8001, 0x7f_e000, 0x7f_f000,
            0x7f_ffff,
        ] {
            inputs.push(exponent << 23 | mantissa);
            inputs.push(1 << 31 | exponent << 23 | mantissa);
        }
    }
    inputs.extend((0..2000).map(|i| mixed('x', i, 0)));
    let special = [0x7f80_0000, 0xff80_0000, 0x7f80_0001, 0xffc0_0000, 0x7fff_ffff];
    inputs.extend(special);
    for (element, statements) in NARROW {
        let packed = statements.contains("x2");
        for (&bits, got) in inputs.iter().zip(converted(statements, &inputs)) {
            let x = f64::from(f32::from_bits(bits));
            let wide = element == "tf32";
            let (sign, infinity, nan) = match element {
                "f16" => (bits >> 16 & 0x8000, 0x7c00, 0x7fff),
                "bf16" => (bits >> 16 & 0x8000, 0x7f80, 0x7fff),
                _ => (bits & 1 << 31, 0x7f80_0000, 0x7fff_ffff),
            };
            let expected = if x.is_nan() {
                nan
            } else if x.is_infinite() {
                sign | infinity
            } else {
                let even = |low: u32, high: u32| if low & 1 == 0 { low } else { high };
                sign | nearest(element, x, |low, high| if wide { high } else { even(low, high) })
            };
            let high = match (packed, element) {
                (false, _) => 0,
                (_, "f16") => 0x3c00 << 16,
                _ => 0x3f80 << 16,
            };
            assert_eq!(got, expected | high, "{statements} of {bits:#010x}");
        }
    }
}

pub fn texts() -> Vec<String> {
    let products = SHAPES.map(product);
    let loads = [1, 2, 4].map(|count| matrix_load(count, count == 2, ".shared"));
    let conversions = WIDEN.iter().chain(&NARROW).map(|(_, statements)| conversion(statements));
    products.into_iter().chain(loads).chain(conversions).chain([transposition()]).collect()
}

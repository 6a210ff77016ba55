//! `mma` of numbers of 8 bits, judged by plain products over matrices, as in [`super::products`].

use super::harness::{bytes, kernel, run, words};

/// Types of a and b, k, and type of the sums.
type Shape = (&'static str, &'static str, usize, &'static str);

const SHAPES: [Shape; 4] = [
    ("e4m3", "e4m3", 32, "f32"),
    ("e5m2", "e4m3", 32, "f32"),
    ("e4m3", "e5m2", 16, "f32"),
    ("e5m2", "e5m2", 32, "f16"),
];

/// Registers of a, b, and the sums.
fn registers((_, _, depth, sum): Shape) -> [usize; 3] {
    [depth / 8, depth / 16, if sum == "f32" { 4 } else { 2 }]
}

/// A kernel that loads the fragments of a, b and c (word r·32 + lane of its part of p0) and stores d to p1.
fn product(shape: Shape) -> String {
    let (type_a, type_b, depth, sum) = shape;
    let [a, b, sums] = registers(shape);
    let mut body = String::from(
        "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
         mul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n",
    );
    let file = if sum == "f32" { "f" } else { "r2" };
    for r in 0..a + b {
        body += &format!("ld.global.u32 %r{}, [%rd0+{}];\n", r + 1, 128 * r);
    }
    for r in 0..sums {
        body += &format!("ld.global.b32 %{file}{r}, [%rd0+{}];\n", 128 * (a + b + r));
    }
    let list = |file: &str, from: usize, count: usize| {
        (from..from + count).map(|r| format!("%{file}{r}")).collect::<Vec<_>>().join(", ")
    };
    let c = list(file, 0, sums);
    body += &format!(
        "mma.sync.aligned.m16n8k{depth}.row.col.{sum}.{type_a}.{type_b}.{sum} {{{c}}}, {{{}}}, {{{}}}, {{{c}}};\n",
        list("r", 1, a),
        list("r", 1 + a, b),
    );
    for r in 0..sums {
        body += &format!("st.global.b32 [%rd1+{}], %{file}{r};\n", 128 * r);
    }
    kernel(2, 0, &body)
}

/// The bits of a whole number from -8 to 8.
fn bits(element: &str, value: i32) -> u32 {
    let magnitude = value.unsigned_abs() as usize;
    let bits = match element {
        "e4m3" => [0, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e, 0x50][magnitude],
        "e5m2" => [0, 0x3c, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47, 0x48][magnitude],
        _ => [0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500, 0x4600, 0x4700, 0x4800][magnitude],
    };
    let width = if element == "f16" { 16 } else { 8 };
    bits | u32::from(value < 0) << (width - 1)
}

/// The fragments of matrices by row and column, as bits; of `c`, those of the sums' type.
fn fragments(shape: Shape, of: impl Fn(char, usize, usize) -> u32) -> Vec<u32> {
    let [a, b, sums] = registers(shape);
    let mut words = Vec::new();
    let packed = |part: &dyn Fn(usize) -> u32, count: usize, width: usize| {
        (0..count).fold(0, |word, k| word | part(k) << (width * k))
    };
    for (r, lane) in (0..a).flat_map(|r| (0..32).map(move |lane| (r, lane))) {
        let (row, k) = (lane / 4 + 8 * (r % 2), lane % 4 * 4 + 16 * (r / 2));
        words.push(packed(&|byte| of('a', row, k + byte), 4, 8));
    }
    for (r, lane) in (0..b).flat_map(|r| (0..32).map(move |lane| (r, lane))) {
        words.push(packed(&|byte| of('b', lane % 4 * 4 + 16 * r + byte, lane / 4), 4, 8));
    }
    for (r, lane) in (0..sums).flat_map(|r| (0..32).map(move |lane| (r, lane))) {
        words.push(if sums == 2 {
            packed(&|half| of('c', lane / 4 + 8 * r, lane % 4 * 2 + half), 2, 16)
        } else {
            of('c', lane / 4 + 8 * (r / 2), lane % 4 * 2 + r % 2)
        });
    }
    words
}

/// d by row and column, as bits.
fn multiplied(shape: Shape, of: impl Fn(char, usize, usize) -> u32) -> Vec<Vec<u32>> {
    let buffers = [bytes(fragments(shape, of)), vec![0; 512]];
    let left = words(&run(&product(shape), 1, 32, &buffers, &[])[1]);
    let mut d = vec![vec![0; 8]; 16];
    for (row, row_of_d) in d.iter_mut().enumerate() {
        for (column, element) in row_of_d.iter_mut().enumerate() {
            let lane = row % 8 * 4 + column / 2;
            *element = if shape.3 == "f32" {
                left[32 * (2 * (row / 8) + column % 2) + lane]
            } else {
                left[32 * (row / 8) + lane] >> (16 * (column % 2)) & 0xffff
            };
        }
    }
    d
}

/// A whole number from -8 to 8 for each element of the matrices.
fn whole(matrix: char, i: usize, j: usize) -> i32 {
    let mixed = (i * 31 + j * 17 + matrix as usize * 7) ^ (i * j);
    (mixed % 17) as i32 - 8
}

#[test]
fn products_of_whole_numbers_are_exact() {
    for shape in SHAPES {
        let (type_a, type_b, depth, sum) = shape;
        let d = multiplied(shape, |matrix, i, j| match (matrix, sum) {
            ('a', _) => bits(type_a, whole('a', i, j)),
            ('b', _) => bits(type_b, whole('b', i, j)),
            (_, "f32") => (whole('c', i, j) as f32).to_bits(),
            _ => bits("f16", whole('c', i, j)),
        });
        for (row, column) in (0..16).flat_map(|row| (0..8).map(move |column| (row, column))) {
            let products = (0..depth).map(|k| whole('a', row, k) * whole('b', k, column));
            let expected = products.sum::<i32>() + whole('c', row, column);
            let found = if sum == "f32" {
                f64::from(f32::from_bits(d[row][column]))
            } else {
                super::halves::value("f16", d[row][column])
            };
            assert_eq!(found, f64::from(expected), "{shape:?} [{row}][{column}]");
        }
    }
}

#[test]
fn the_accumulator_is_added_at_last() {
    let shape = SHAPES[0];
    // 448 · 448 in the first byte, its negative in the third: what is added to the first is lost.
    const GREATEST: u32 = 0x7e;
    let small = 2f32.powi(-20);
    let d = multiplied(shape, |matrix, i, j| match (matrix, i, j) {
        ('a', 0..8, 0) => GREATEST,
        ('a', 0..8, 2) => GREATEST | 0x80,
        ('a', 8, 1) => 0x7f,
        ('b', ..) => GREATEST,
        ('c', ..) => small.to_bits(),
        _ => 0,
    });
    assert!(d[..8].iter().flatten().all(|&bits| bits == small.to_bits()), "{d:x?}");
    assert!(d[8].iter().all(|&bits| bits == 0x7fff_ffff), "{d:x?}");
    assert!(d[9].iter().all(|&bits| bits == small.to_bits()), "{d:x?}");
}

pub fn texts() -> Vec<String> {
    SHAPES.map(product).into()
}

//! `mma`.
//!
//! The products are judged by plain ones over matrices that are laid out here element by element, as the tables of the
//! ISA say where row and column of each register's part are. What a chip makes of products is in `tests/products`.

use super::halves::value;
use super::harness::{bytes, kernel, run, words};

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

    /// An element as tensor cores make it: products and accumulator cut off 25 bits behind the greatest of their
    /// exponents, where a product's is the sum of its operands', then added exactly; the sum cut off to an `f32`.
    fn expected(&self, element: &str, row: usize, column: usize) -> f32 {
        let c = f64::from(f32::from_bits(self.c[row][column]));
        let mut terms = vec![(c, exponent(c))];
        for (a, b) in self.a[row].iter().zip(&self.b) {
            let (a, b) = (value(element, *a), value(element, b[column]));
            terms.push((a * b, exponent(a) + exponent(b)));
        }
        let greatest = terms.iter().map(|(_, exponent)| *exponent).max().expect("the accumulator");
        let unit = 2f64.powi(greatest - 25);
        let units: i64 = terms.iter().map(|(term, _)| (term / unit) as i64).sum();
        let sum = units as f64 * unit;
        let nearest = sum as f32;
        let too_great = f64::from(nearest).abs() > sum.abs();
        f32::from_bits(nearest.to_bits() - u32::from(too_great))
    }
}

/// Of a number that is not zero.
fn exponent(x: f64) -> i32 {
    let mut exponent = 0;
    while x.abs() < 2f64.powi(exponent) {
        exponent -= 1;
    }
    while x.abs() >= 2f64.powi(exponent + 1) {
        exponent += 1;
    }
    exponent
}

/// A hash as a source of bits.
pub fn mixed(matrix: char, i: usize, j: usize) -> u32 {
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
                let expected = matrices.expected(shape.0, row, column);
                assert_eq!(sum, expected, "{shape:?} [{row}][{column}]");
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
        // A sum of nothing but negative zeros.
        assert!(d[3].iter().take(5).all(|x| x.to_bits() == 0), "{:?}", d[3]);
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

pub fn texts() -> Vec<String> {
    SHAPES.map(product).into()
}

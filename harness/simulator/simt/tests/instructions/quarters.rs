//! `mma.m8n8k4` of `f16`, judged by plain products of four pairs of matrices of whole numbers, which are laid out as the
//! tables of the ISA say.

use super::harness::{bytes, kernel, run, words};

/// Layouts of a and b, types of d and c.
type Form = ([&'static str; 2], [&'static str; 2]);

fn forms() -> impl Iterator<Item = Form> {
    let layouts = [["row", "row"], ["row", "col"], ["col", "row"], ["col", "col"]];
    let sums = [["f32", "f32"], ["f32", "f16"], ["f16", "f16"]];
    layouts.into_iter().flat_map(move |layouts| sums.map(|sums| (layouts, sums)))
}

fn registers(of: &str) -> usize {
    if of == "f16" { 4 } else { 8 }
}

/// A kernel that loads the fragments of a, b and c (word r·32 + lane of its part of p0) and stores d to p1.
fn product(([layout_a, layout_b], [type_d, type_c]): Form) -> String {
    let mut body = String::from(
        "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
         mul.wide.u32 %rd2, %r0, 4;\nadd.s64 %rd0, %rd0, %rd2;\nadd.s64 %rd1, %rd1, %rd2;\n",
    );
    // From register 10 on: a, b, c; from 30 on: d.
    let name = |of: &str, r: usize| format!("{}{r}", if of == "f16" { "%r" } else { "%f" });
    let list = |of: &str, first: usize, count: usize| {
        (first..first + count).map(|r| name(of, r)).collect::<Vec<_>>().join(", ")
    };
    for r in 0..4 + registers(type_c) {
        let register = name(if r < 4 { "f16" } else { type_c }, 10 + r);
        body += &format!("ld.global.b32 {register}, [%rd0+{}];\n", 128 * r);
    }
    body += &format!(
        "mma.sync.aligned.m8n8k4.{layout_a}.{layout_b}.{type_d}.f16.f16.{type_c} {{{}}}, {{{}}}, {{{}}}, {{{}}};\n",
        list(type_d, 30, registers(type_d)),
        list("f16", 10, 2),
        list("f16", 12, 2),
        list(type_c, 14, registers(type_c)),
    );
    for r in 0..registers(type_d) {
        body += &format!("st.global.b32 [%rd1+{}], {};\n", 128 * r, name(type_d, 30 + r));
    }
    kernel(2, 0, &body)
}

/// A whole number, up to 1023 in magnitude, as bits.
fn half(value: i32) -> u32 {
    if value == 0 {
        return 0;
    }
    let magnitude = value.unsigned_abs();
    let exponent = magnitude.ilog2();
    let fraction = (magnitude << (10 - exponent)) & 0x3ff;
    u32::from(value < 0) << 15 | (exponent + 15) << 10 | fraction
}

/// Row and column of number `i` of a lane's part of a matrix, as the ISA's tables have them.
fn place(matrix: char, layout: &str, i: usize, laneid: usize) -> (usize, usize) {
    let shifted = |index: usize| if laneid < 16 { index } else { index + 4 };
    match (matrix, layout) {
        ('a', "row") => (shifted(laneid % 4), i),
        ('a', _) => (shifted(i % 4), laneid % 4),
        ('b', "row") => (laneid % 4, shifted(i)),
        ('b', _) => (i, shifted(laneid % 4)),
        (_, "f16") => (shifted(laneid % 4), i),
        _ => {
            let x = (laneid & 0b1) + (i & 0b10);
            (shifted(x), (i & 0b100) + (laneid & 0b10) + (i & 0b1))
        }
    }
}

/// The elements of the four pairs of matrices and of what is added: whole numbers without a pattern.
fn element(matrix: char, computation: usize, row: usize, column: usize) -> i32 {
    let mixed = (matrix as usize * 31 + computation * 8 + row) * 8 + column;
    let number = (mixed.wrapping_mul(0x9e37_79b9) >> 7) as i32;
    if matrix == 'c' { number % 300 } else { number % 12 }
}

/// The computation that a lane takes part in: 0 for lanes 0–3 and 16–19, and so on.
fn computation(laneid: usize) -> usize {
    laneid % 16 / 4
}

/// The registers of a fragment, in the order of memory.
fn fragment(
    matrix: char,
    layout: &str,
    count: usize,
    of: impl Fn(usize, usize, usize) -> i32,
) -> Vec<u32> {
    let packed = layout != "f32";
    let lanes = (0..count).flat_map(|r| (0..32).map(move |lane| (r, lane)));
    lanes
        .map(|(r, lane)| {
            let number = |i| {
                let (row, column) = place(matrix, layout, i, lane);
                of(computation(lane), row, column)
            };
            match packed {
                true => half(number(2 * r)) | half(number(2 * r + 1)) << 16,
                false => (number(r) as f32).to_bits(),
            }
        })
        .collect()
}

#[test]
fn four_products_of_quarters_of_the_warp() {
    for form in forms() {
        let ([layout_a, layout_b], [type_d, type_c]) = form;
        let part = |matrix| move |n, row, column| element(matrix, n, row, column);
        let mut input = fragment('a', layout_a, 2, part('a'));
        input.extend(fragment('b', layout_b, 2, part('b')));
        input.extend(fragment('c', type_c, registers(type_c), part('c')));
        let expected = fragment('d', type_d, registers(type_d), |n, row, column| {
            let products = (0..4).map(|k| element('a', n, row, k) * element('b', n, k, column));
            element('c', n, row, column) + products.sum::<i32>()
        });
        let room = vec![0; 4 * expected.len()];
        let buffers = run(&product(form), 1, 32, &[bytes(input), room], &[]);
        assert_eq!(words(&buffers[1]), expected, "{form:?}");
    }
}

pub fn texts() -> Vec<String> {
    forms().map(product).collect()
}

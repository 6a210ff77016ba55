//! `wmma`, and products of `mma` of more shapes and types than in `cases/products.txt`, against what an H100 made of the
//! same matrices.
//!
//! The lines of `recorded.txt` are `layout`s (the elements of a fragment, lane by lane, of a matrix whose elements are
//! their own places in memory), `sum`s (d of `wmma`, row by row) and `mma` (the registers of d, lane by lane).

use super::harness::{kernel, run};
use super::recorded::{digest, lines, mix, number};

/// Bits of an element in memory, and of the fragments' registers.
fn bits(element: &str) -> usize {
    match element {
        "s4" | "u4" => 4,
        "s8" | "u8" => 8,
        "f16" | "bf16" => 16,
        "f64" => 64,
        _ => 32,
    }
}

/// Registers of a fragment of `wmma` in each lane, as the ISA's table has them.
fn registers(shape: &str, fragment: char, element: &str) -> usize {
    match (element, fragment, shape) {
        ("f16", 'a' | 'b', _) | ("f32" | "s32", _, _) => 8,
        ("f16", ..) | ("tf32", ..) | ("bf16", _, "m16n16k16") => 4,
        ("bf16", 'a', "m32n8k16") | ("bf16", 'b', "m8n32k16") => 8,
        ("bf16", ..) | ("s8" | "u8", _, "m16n16k16") => 2,
        ("s8" | "u8", 'a', "m32n8k16") | ("s8" | "u8", 'b', "m8n32k16") => 4,
        ("s8" | "u8", ..) => 1,
        ("f64", 'a' | 'b', _) => 1,
        _ => 2,
    }
}

fn list(register: &str, from: usize, count: usize) -> String {
    let all: Vec<String> = (from..from + count).map(|k| format!("{register}{k}")).collect();
    format!("{{{}}}", all.join(", "))
}

fn register(element: &str) -> &'static str {
    if element == "f64" { "%fd" } else { "%r" }
}

/// Loads a fragment of p0 and stores each lane's registers to p1.
fn load(shape: &str, fragment: char, layout: &str, element: &str) -> String {
    let count = registers(shape, fragment, element);
    let (name, size) = (register(element), if element == "f64" { 8 } else { 4 });
    let mut body = format!(
        "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
         mad.wide.u32 %rd1, %r0, {}, %rd1;\n\
         wmma.load.{fragment}.sync.aligned.{layout}.{shape}.global.{element} {}, [%rd0];\n",
        count * size,
        list(name, 10, count)
    );
    for k in 0..count {
        body += &format!("st.global.b{} [%rd1+{}], {name}{};\n", 8 * size, size * k, 10 + k);
    }
    kernel(2, 0, &body)
}

/// The parts of a layout's line: shape, fragment, layout, element, and how far places were shifted to the right.
fn layout(name: &str) -> Option<(&str, char, &str, &str, usize)> {
    let words: Vec<&str> = name.split(' ').collect();
    let [_, shape, of, sums, matrix, layout, rest @ ..] = words.as_slice() else { return None };
    if words[0] != "layout" {
        return None;
    }
    let shift = if rest.first() == Some(&"shift8") { 8 } else { 0 };
    let (fragment, element) = match *matrix {
        "matrix_a" => ('a', *of),
        "matrix_b" => ('b', *of),
        _ => ('c', *sums),
    };
    Some((shape, fragment, layout.trim_end_matches("_major"), element, shift))
}

#[test]
fn fragments_lie_as_on_the_chip() {
    let mut count = 0;
    for (name, _, recorded) in lines() {
        let Some((shape, fragment, layout, element, shift)) = layout(name) else { continue };
        let size = bits(element) / 8;
        let memory =
            (0..1024usize).flat_map(|place| (place as u64 >> shift).to_le_bytes()[..size].to_vec());
        let words = registers(shape, fragment, element) * if size == 8 { 2 } else { 1 };
        let buffers = [memory.collect(), vec![0; 32 * 4 * words]];
        let found = run(&load(shape, fragment, layout, element), 1, 32, &buffers, &[]);
        let found = digest(found[1].chunks(size).flat_map(|element| element.iter().rev().copied()));
        assert_eq!(format!("#{found:016x}"), recorded, "{name}");
        count += 1;
    }
    assert!(count > 80, "{count} layouts");
}

/// A number whose bits have no pattern: of a kind, with exponents near that of 1.
fn element(kind: &str, place: u32) -> u64 {
    let r = mix(place);
    match kind {
        "f16" => u64::from(r & 0x83ff | (8 + (r >> 12) % 14) << 10),
        "bf16" => u64::from(r & 0x807f | (120 + (r >> 8) % 14) << 7),
        "f64" => {
            let both = u64::from(r) << 32 | u64::from(mix(r));
            let exponent = u64::from(1016 + mix(r.wrapping_add(7)) % 14);
            both & 0x800f_ffff_ffff_ffff | exponent << 52
        }
        _ => u64::from(r & 0x807f_ffff | (120 + mix(r) % 14) << 23),
    }
}

fn matrix(kind: &str, count: u32, seed: u32) -> Vec<u8> {
    let size = bits(kind) / 8;
    (0..count).flat_map(|k| element(kind, seed * 4096 + k).to_le_bytes()[..size].to_vec()).collect()
}

/// d = a·b + c of p0, p1, p2 to p3; a and the sums row by row, b column by column.
fn tile_product(shape: &str, of: &str, sums: &str) -> String {
    let types = match of {
        "f16" => format!("{sums}.{sums}"),
        "f64" => "f64.f64.f64.f64.rn".to_string(),
        _ => format!("{sums}.{of}.{of}.{sums}"),
    };
    let (a, b, c) = (
        list(register(of), 0, registers(shape, 'a', of)),
        list(register(of), 8, registers(shape, 'b', of)),
        list(register(sums), 16, registers(shape, 'c', sums)),
    );
    let load = |fragment: char, layout: &str, element: &str, list: &str, from: u32| {
        format!(
            "wmma.load.{fragment}.sync.aligned.{layout}.{shape}.global.{element} {list}, [%rd{from}];\n"
        )
    };
    let pointers: String = (0..4).map(|k| format!("ld.param.u64 %rd{k}, [p{k}];\n")).collect();
    let body = pointers
        + &load('a', "row", of, &a, 0)
        + &load('b', "col", of, &b, 1)
        + &load('c', "row", sums, &c, 2)
        + &format!(
            "wmma.mma.sync.aligned.row.col.{shape}.{types} {c}, {a}, {b}, {c};\n\
             wmma.store.d.sync.aligned.row.{shape}.global.{sums} [%rd3], {c};\n"
        );
    kernel(4, 0, &body)
}

fn sides(shape: &str) -> [u32; 3] {
    let mut sides = shape.split(['m', 'n', 'k']).skip(1).map(|side| side.parse().unwrap());
    std::array::from_fn(|_| sides.next().unwrap())
}

#[test]
fn tiles_have_the_sums_of_the_chip() {
    let mut wrong = Vec::new();
    for (name, _, recorded) in lines() {
        let words: Vec<&str> = name.split(' ').collect();
        let ["sum", shape, of, sums, round] = words[..] else { continue };
        let round: u32 = round.parse().unwrap();
        let [m, n, k] = sides(shape);
        let buffers = [
            matrix(of, m * k, 3 * round + 1),
            matrix(of, k * n, 3 * round + 2),
            matrix(sums, m * n, 3 * round + 3),
            vec![0; (m * n) as usize * bits(sums) / 8],
        ];
        let found = run(&tile_product(shape, of, sums), 1, 32, &buffers, &[]);
        let digits = bits(sums) / 4;
        let found = found[3]
            .chunks(bits(sums) / 8)
            .map(|bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        let right = recorded.as_bytes().chunks(digits).map(number);
        let bad: Vec<_> = right.zip(found).filter(|(right, found)| right != found).collect();
        if let Some((right, found)) = bad.first() {
            wrong.push(format!("{name}: {} wrong, {found:#x} expected {right:#x}", bad.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An `mma` with registers straight from [`element`]: opcode, element of a and b in registers, of c and d, how many
/// registers of each.
struct Recorded {
    name: &'static str,
    opcode: &'static str,
    kinds: [&'static str; 2],
    counts: [usize; 3],
    /// Places in a lane's row of 16 at which a, b and c begin.
    places: [u32; 3],
}

#[rustfmt::skip]
const RECORDED: [Recorded; 8] = [
    row("m16n8k16 f16.f16.f16.f16", "m16n8k16.row.col.f16.f16.f16.f16", ["2", "2"], [4, 2, 2], [0, 4, 6]),
    row("m16n8k8 f16.f16.f16.f16", "m16n8k8.row.col.f16.f16.f16.f16", ["2", "2"], [2, 1, 2], [0, 4, 6]),
    row("m8n8k4 f64", "m8n8k4.row.col.f64.f64.f64.f64", ["f64", "f64"], [1, 1, 2], [0, 1, 2]),
    row("m16n8k8 f64", "m16n8k8.row.col.f64.f64.f64.f64", ["f64", "f64"], [4, 2, 4], [0, 4, 6]),
    row("m16n8k16 satfinite s8.u8", "m16n8k16.row.col.satfinite.s32.s8.u8.s32", ["i", "saturating"], [2, 1, 4], [0, 2, 3]),
    row("m16n8k32 s8.s8", "m16n8k32.row.col.s32.s8.s8.s32", ["i", "i"], [4, 2, 4], [0, 4, 6]),
    row("m16n8k64 s4.u4", "m16n8k64.row.col.s32.s4.u4.s32", ["i", "i"], [4, 2, 4], [0, 4, 6]),
    row("m8n8k16 u8.s8", "m8n8k16.row.col.s32.u8.s8.s32", ["i", "i"], [1, 1, 2], [0, 1, 2]),
];

const fn row(
    name: &'static str,
    opcode: &'static str,
    kinds: [&'static str; 2],
    counts: [usize; 3],
    places: [u32; 3],
) -> Recorded {
    Recorded { name, opcode, kinds, counts, places }
}

impl Recorded {
    /// Loads the registers from p0, 8 bytes each, and stores d to p1.
    fn ptx(&self) -> String {
        let wide = self.kinds[0] == "f64";
        let (name, size) = if wide { ("%fd", 8) } else { ("%r", 4) };
        let [a, b, c] = self.counts;
        let mut body = format!(
            "mov.u32 %r0, %tid.x;\nld.param.u64 %rd0, [p0];\nld.param.u64 %rd1, [p1];\n\
             mad.wide.u32 %rd0, %r0, {}, %rd0;\nmad.wide.u32 %rd1, %r0, {}, %rd1;\n",
            8 * (a + b + c),
            size * c
        );
        for k in 0..a + b + c {
            body += &format!("ld.global.b{} {name}{}, [%rd0+{}];\n", 8 * size, 10 + k, 8 * k);
        }
        let lists = [list(name, 30, c), list(name, 10, a), list(name, 10 + a, b)];
        let sums = list(name, 10 + a + b, c);
        body += &format!("mma.sync.aligned.{} {}, {sums};\n", self.opcode, lists.join(", "));
        for k in 0..c {
            body += &format!("st.global.b{} [%rd1+{}], {name}{};\n", 8 * size, size * k, 30 + k);
        }
        kernel(2, 0, &body)
    }

    /// A register's bits.
    fn register(kind: &str, place: u32, of: usize) -> u64 {
        match kind {
            "2" => element("f16", 2 * place) | element("f16", 2 * place + 1) << 16,
            "saturating" => match of {
                0 => u64::from(mix(place) | 0x7fff_ff00),
                1 | 2 => u64::from(mix(place)),
                _ => 0x7fff_fff0,
            },
            "i" => u64::from(mix(place)),
            kind => element(kind, place),
        }
    }
}

#[test]
fn products_have_the_sums_of_the_chip() {
    let mut wrong = Vec::new();
    for (name, _, recorded) in lines() {
        let Some((name, round)) = name.strip_prefix("mma ").and_then(|n| n.rsplit_once(' ')) else {
            continue;
        };
        let Some(product) = RECORDED.iter().find(|product| product.name == name) else { continue };
        let round: u32 = round.parse().unwrap();
        let mut inputs = Vec::new();
        for lane in 0..32 {
            let place = round * 4096 + lane * 16;
            for (part, (&count, first)) in product.counts.iter().zip(product.places).enumerate() {
                let kind = product.kinds[part / 2];
                for k in 0..count {
                    let bits = Recorded::register(kind, place + first + k as u32, k);
                    inputs.extend(bits.to_le_bytes());
                }
            }
        }
        let size = if product.kinds[0] == "f64" { 8 } else { 4 };
        let buffers = [inputs, vec![0; 32 * size * product.counts[2]]];
        let found = run(&product.ptx(), 1, 32, &buffers, &[]);
        let found = found[1]
            .chunks(size)
            .map(|bytes| bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte)));
        let right = recorded.as_bytes().chunks(2 * size).map(number);
        let bad: Vec<_> = right.zip(found).filter(|(right, found)| right != found).collect();
        if let Some((right, found)) = bad.first() {
            wrong.push(format!("{name}: {} wrong, {found:#x} expected {right:#x}", bad.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

pub fn texts() -> Vec<String> {
    let loads = lines().filter_map(|(name, ..)| layout(name));
    let loads =
        loads.map(|(shape, fragment, layout, element, _)| load(shape, fragment, layout, element));
    let sums = lines().filter_map(|(name, ..)| {
        let words: Vec<&str> = name.split(' ').collect();
        let ["sum", shape, of, sums, _] = words[..] else { return None };
        Some(tile_product(shape, of, sums))
    });
    loads.chain(sums).chain(RECORDED.iter().map(Recorded::ptx)).collect()
}

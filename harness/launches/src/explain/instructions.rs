//! What differs in the instructions of two steps: PTX and machine code (SASS).

use std::collections::BTreeMap;

use show::table::terminal::wrap;
use show::table::{Field, Table};
use simt::model::Gpu;
use ui::output::section;

use super::code::painted;
use super::compare::UNITS;
use super::difference;
use super::running::Side;
use crate::facts::resident;
use crate::format::amount;

/// Unchanged instructions kept around a change.
const CONTEXT: usize = 2;

/// Instructions that are rarer than this are not shown, and smaller differences are none.
const NEGLIGIBLE: f64 = 0.005;

/// The PTX of the two kernels: how often each instruction ran, and the text. Numbers of registers and labels are not
/// compared: that a compiler renamed them is no difference.
pub fn ptx([before, after]: [&Side; 2], width: usize) -> String {
    let counts = |side: &Side| -> Vec<(String, f64)> {
        let opcodes = side.facts.opcodes.iter();
        opcodes.map(|known| (known.opcode.clone(), known.warps as f64)).collect()
    };
    let text = |side: &Side| -> Vec<String> {
        instructions(&side.ptx.text, &side.facts.kernel).map(str::to_owned).collect()
    };
    head("PTX instructions", after)
        + &side_by_side([before, after], counts, width)
        + &section("PTX")
        + &unified(&text(before), &text(after), ptx_key)
}

/// The machine code of the two kernels: how often each kind of instruction ran, and the text, where there are programs
/// that make it.
pub fn sass([before, after]: [&Side; 2], gpu: &Gpu, width: usize) -> String {
    let counts = |side: &Side| -> Vec<(String, f64)> {
        let kinds = side.facts.machine.kinds.iter();
        kinds.map(|known| (known.kind.to_owned(), known.warps)).collect()
    };
    let mut text = head("Machine instructions", after);
    for side in [before, after] {
        let basis = format!("{}: {}", side.name, resident::machine(&side.facts));
        text += &format!("{}\n", wrap(&basis, width));
    }
    text += "\n";
    text += &side_by_side([before, after], counts, width);
    let (arch, _) = gpu.sass_arch();
    text += &section(&format!("Machine code for {arch}"));
    match (listing(before, arch), listing(after, arch)) {
        (Ok(old), Ok(new)) => text + &unified(&old, &new, sass_key),
        (Err(error), _) | (_, Err(error)) => text + &format!("the text needs more: {error}\n"),
    }
}

/// The head of a table of instructions.
fn head(what: &str, side: &Side) -> String {
    section(&format!("{what} executed, for each {UNITS} {}", side.figure.work))
}

/// The instructions of a kernel's machine code.
fn listing(side: &Side, arch: &str) -> Result<Vec<String>, device::Error> {
    let lines = toolchain::sass::text(&side.source, arch)?;
    let own = lines.into_iter().filter(|line| line.kernel == side.facts.kernel);
    Ok(own.map(|line| line.text).collect())
}

/// Numbers of instructions side by side, those that changed most first.
fn side_by_side(
    sides: [&Side; 2],
    counts: impl Fn(&Side) -> Vec<(String, f64)>,
    width: usize,
) -> String {
    let mut found = BTreeMap::<String, [f64; 2]>::new();
    for (place, side) in sides.into_iter().enumerate() {
        for (name, warps) in counts(side) {
            found.entry(name).or_default()[place] = warps / side.work * UNITS;
        }
    }
    type Item = (String, [f64; 2]);
    let is_shown = |(_, [old, new]): &Item| old.max(*new) >= NEGLIGIBLE;
    let mut found: Vec<Item> = found.into_iter().filter(is_shown).collect();
    let change = |(_, [old, new]): &Item| new - old;
    found.sort_by(|one, other| change(other).abs().total_cmp(&change(one).abs()));
    let fields = vec![
        Field::text("", |(name, _): &Item| name.clone()),
        Field::number(&sides[0].name, |(_, each): &Item| amount(each[0])),
        Field::number(&sides[1].name, |(_, each): &Item| amount(each[1])),
        Field::number("difference", |item| match change(item) {
            small if small.abs() < NEGLIGIBLE => "=".to_owned(),
            difference => format!("{difference:+.2}"),
        }),
    ];
    Table::all(&found, fields).terminal(width)
}

/// A difference in one piece, with lines of equal keys as equal.
fn unified(old: &[String], new: &[String], key: impl Fn(&str) -> String) -> String {
    let lines =
        difference::of_lines(&difference::words(old), &difference::words(new), CONTEXT, key);
    if lines.is_empty() { "no difference\n".to_owned() } else { painted(&lines) }
}

/// The instructions of a kernel, without declarations, comments and line marks.
fn instructions<'t>(ptx: &'t str, kernel: &str) -> impl Iterator<Item = &'t str> {
    let entry = format!(".entry {kernel}(");
    ptx.lines()
        .skip_while(move |line| !line.contains(&entry))
        .skip_while(|line| *line != "{")
        .skip(1)
        .take_while(|line| *line != "}")
        .filter(|line| {
            let code = line.trim();
            !code.is_empty() && !code.starts_with('.') && !code.starts_with("//")
        })
}

/// The line with every register and label under one name of its kind: `%f12` is `%f`, `$L__BB0_4` is `$L`.
fn ptx_key(line: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_%$".contains(c);
    keyed(line, is_word, |word| match word.as_bytes().first() {
        Some(b'$') => "$L",
        // Special registers such as %tid have no number to lose.
        Some(b'%') => without_number(word),
        _ => word,
    })
}

/// The same for machine code: `R12` is `R`, `.L_x_3` is `.L`. Numbers in opcodes and constants stay.
fn sass_key(line: &str) -> String {
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_.".contains(c);
    // Modifiers of a register, as in `R4.reuse`, stay out.
    keyed(line, is_word, |word| match without_number(word.split('.').next().unwrap_or(word)) {
        kind @ ("R" | "UR" | "P" | "UP" | "B") => kind,
        _ if word.starts_with(".L_") => ".L",
        _ => word,
    })
}

fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// A line with `key` in the place of each of its words.
fn keyed(line: &str, is_word: impl Fn(char) -> bool, key: impl Fn(&str) -> &str) -> String {
    let pieces = line.split_inclusive(|c| !is_word(c)).flat_map(|piece| {
        let (word, rest) = piece.split_at(piece.find(|c| !is_word(c)).unwrap_or(piece.len()));
        [key(word), rest]
    });
    pieces.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed_registers_and_labels_are_no_difference() {
        assert_eq!(ptx_key("fma.rn.f32 %f12, %f1, %f9, %f12;"), "fma.rn.f32 %f, %f, %f, %f;");
        assert_eq!(ptx_key("@%p3 bra \t$L__BB0_4;"), "@%p bra \t$L;");
        assert_eq!(ptx_key("mov.u32 %r1, %tid.x;"), "mov.u32 %r, %tid.x;");
        assert_eq!(ptx_key("add.s32 %r1, %r2, 7;"), "add.s32 %r, %r, 7;");
        assert_eq!(ptx_key("ret;"), "ret;");
    }

    #[test]
    fn machine_registers_lose_their_numbers_and_operands_keep_theirs() {
        assert_eq!(sass_key("@!P0 FFMA R12, R1.reuse, UR4, R12"), "@!P FFMA R, R, UR, R");
        assert_eq!(sass_key("LDC R1, c[0x0][0x28]"), "LDC R, c[0x0][0x28]");
        assert_eq!(sass_key("BRA `(.L_x_14)"), "BRA `(.L)");
        assert_eq!(sass_key("IMAD.MOV.U32 R3, RZ, RZ, 0x3f8"), "IMAD.MOV.U32 R, RZ, RZ, 0x3f8");
        assert_eq!(sass_key("LDS.128 R4, [R20+0x10]"), "LDS.128 R, [R+0x10]");
    }

    #[test]
    fn a_kernels_instructions_end_with_it() {
        let ptx = ".visible .entry a(\n\t.param .u32 a_param_0\n)\n{\n\t.reg .f32 %f<2>;\n\t.loc 1 2 3\n\tret;\n\n}\n\
                   .visible .entry b(\n)\n{\n\t// end\n\ttrap;\n}\n";
        assert_eq!(instructions(ptx, "a").collect::<Vec<_>>(), ["\tret;"]);
        assert_eq!(instructions(ptx, "b").collect::<Vec<_>>(), ["\ttrap;"]);
        assert_eq!(instructions(ptx, "c").count(), 0);
    }
}

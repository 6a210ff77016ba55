//! The file of golden vectors: `#` comments, then one line for each instruction.
//!
//! `f32 f32 -> f32 | add.f32 %d, %a, %b; | 00000000… | 1b3f…`: the results of the rows in their order, in
//! hexadecimal, each with as many digits as its type has; then the digests of the results of more rows,
//! of four digits each. A line without results is still to be recorded.

use std::fmt::Write;

use super::instruction::Instruction;

/// A line of the file.
#[derive(Debug)]
pub struct Line {
    pub instruction: Instruction,
    /// The raw bits of the results, row by row; empty if there are none yet.
    pub results: Vec<u64>,
    /// The digests of the results of more rows.
    pub digests: Vec<u16>,
    /// Its number in the file.
    pub number: usize,
}

/// Reads the file's text; the error names the line.
pub fn parse(text: &str) -> Result<Vec<Line>, String> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    lines
        .map(|(number, line)| {
            let wrong = || format!("line {} is no golden vector: {line:.80}", number + 1);
            let (head, hex) = line.split_once("; | ").unwrap_or((line.trim_end_matches(';'), ""));
            let (results, digests) = hex.split_once(" | ").unwrap_or((hex, ""));
            let instruction = Instruction::parse(&format!("{head};")).ok_or_else(wrong)?;
            let digits = instruction.width().div_ceil(4) as usize;
            let results = numbers(results, digits).ok_or_else(wrong)?;
            let digests = numbers(digests, 4).ok_or_else(wrong)?;
            let digests = digests.into_iter().map(|digest| digest as u16).collect();
            Ok(Line { instruction, results, digests, number: number + 1 })
        })
        .collect()
}

/// Numbers of so many hexadecimal digits each.
fn numbers(hex: &str, digits: usize) -> Option<Vec<u64>> {
    let number = |chunk| u64::from_str_radix(std::str::from_utf8(chunk).ok()?, 16).ok();
    hex.as_bytes().chunks(digits).map(number).collect()
}

/// The text of a line.
pub fn format(line: &Line) -> String {
    let digits = line.instruction.width().div_ceil(4) as usize;
    let mut text = format!("{} | ", line.instruction);
    for result in &line.results {
        write!(text, "{result:0digits$x}").expect("a String takes all");
    }
    if !line.digests.is_empty() {
        text += " | ";
    }
    for digest in &line.digests {
        write!(text, "{digest:04x}").expect("a String takes all");
    }
    text
}

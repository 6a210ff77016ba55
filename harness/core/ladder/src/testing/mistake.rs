//! Deliberate mistakes in committed PTX, given by lines of the source and by operations: registers are the compiler's,
//! and another one chooses others. A ladder has them as a table.

use std::collections::HashMap;
use std::{fmt, fs};

use report::Outcome;
use simt::Line;
use toolchain::ptx::{EVERY_GPU, HOPPER};

use super::lines::instructions;
use crate::sources::Sources;
use crate::workspace;

/// A mistake in a step's committed PTX, and what must be found.
#[derive(Debug)]
pub(super) struct Mistake {
    /// Its line of the table.
    row: String,
    /// The step.
    pub step: String,
    /// Text of the source line whose instructions are changed, or of it and those before it.
    line: String,
    /// What becomes of them: see [`Change::of`].
    change: String,
    /// What the row must say.
    pub outcome: Outcome,
    /// Words of the row's reason.
    pub reason: String,
}

/// What becomes of the instructions of a source line, of all those that it fits: the compiler may have unrolled a loop.
///
/// Names are the beginnings of PTX names: `bar` is that of `bar.sync`.
#[derive(Debug, Clone, Copy)]
enum Change<'t> {
    /// A comparison includes its limit, or no longer does: `<` becomes `<=`.
    OffByOne,
    /// A comparison for equality becomes its opposite.
    Negated,
    /// The instruction of this name is left out.
    Without(&'t str),
    /// An instruction of this form becomes another: `shl.b32 $0, $1, 5` becomes `shl.b32 $0, $1, 4`.
    ///
    /// `$0` and the like stand for operands. What follows the form in the instruction stays: the rest of its name and
    /// its further operands.
    Instead(&'t str, &'t str),
}

/// Comparisons and what an error by one makes of them.
const ORDERED: [(&str, &str); 4] = [("lt", "le"), ("gt", "ge"), ("lo", "ls"), ("hi", "hs")];

/// The mistakes of a table: see [`expect_found`](super::expect_found).
///
/// # Panics
/// A line is none of a table.
pub(super) fn mistakes(table: &str) -> impl Iterator<Item = Mistake> {
    let lines = table.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| Mistake::of(line).unwrap_or_else(|| panic!("no mistake: {line}")))
}

impl Mistake {
    fn of(row: &str) -> Option<Mistake> {
        let cells = row.split(" :: ").map(|cell| cell.replace("\\n", "\n"));
        let [step, line, change, found] = cells.collect::<Vec<_>>().try_into().ok()?;
        let (outcome, reason) = found.split_once(": ").unwrap_or((&found, ""));
        let outcome = match outcome {
            "failed" => Outcome::Failed,
            "wrong" => Outcome::Wrong,
            "simulated" => Outcome::Simulated,
            _ => return None,
        };
        let reason = reason.to_owned();
        Change::of(&change)?;
        Some(Mistake { row: row.to_owned(), step, line, change, outcome, reason })
    }

    /// The step's PTX with the mistake in it; or why it cannot be made: the PTX has no such line, or this no such instruction.
    pub(super) fn ptx(&self, ladder: &str) -> Result<String, String> {
        let change = Change::of(&self.change).expect("a change");
        let folder = workspace::root().expect("the workspace").join("kernels").join(ladder);
        let files =
            [EVERY_GPU, HOPPER].map(|kind| folder.join(format!("{}{}", self.step, kind.ending)));
        let file = files.iter().find(|file| file.exists()).expect("its PTX");
        let ptx = fs::read_to_string(file).expect("its PTX");
        let (mut changed, mut copied, mut sources) = (String::new(), 0, Sources::default());
        let mut known: HashMap<Line, bool> = HashMap::new();
        let mut is_meant = |line: &Line| {
            known.get(line).copied().unwrap_or_else(|| {
                let is_meant = sources.has(line, &self.line);
                known.insert(line.clone(), is_meant);
                is_meant
            })
        };
        let mut seen = Vec::new();
        for (instruction, lines) in instructions(&ptx) {
            if !lines.iter().any(&mut is_meant) {
                continue;
            }
            seen.push(instruction);
            if let Some(mistake) = change.made(instruction) {
                let start = instruction.as_ptr().addr() - ptx.as_ptr().addr();
                changed += &ptx[copied..start];
                changed += &mistake;
                copied = start + instruction.len();
            }
        }
        if copied > 0 {
            return Ok(changed + &ptx[copied..]);
        }
        Err(match seen.as_slice() {
            [] => format!("no instruction of {} is of a line with this text", file.display()),
            seen => {
                format!("it fits none of the line's instructions:\n    {}", seen.join("\n    "))
            }
        })
    }
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.row)
    }
}

impl<'t> Change<'t> {
    /// As a table has it.
    fn of(text: &'t str) -> Option<Change<'t>> {
        match (text, text.split_once(" => "), text.split_once(' ')) {
            ("off by one", ..) => Some(Change::OffByOne),
            ("negated", ..) => Some(Change::Negated),
            (_, Some((from, to)), _) => Some(Change::Instead(from, to)),
            (_, _, Some(("without", name))) => Some(Change::Without(name)),
            _ => None,
        }
    }

    /// The instruction with the change; none if it is another kind of instruction.
    fn made(self, instruction: &str) -> Option<String> {
        match self {
            Change::OffByOne => ORDERED.iter().find_map(|(a, b)| compared(instruction, a, b)),
            Change::Negated => compared(instruction, "eq", "ne"),
            Change::Without(name) => replaced(instruction, name, ""),
            Change::Instead(from, to) => replaced(instruction, from, to),
        }
    }
}

/// A `setp` with one comparison in the place of the other.
fn compared(instruction: &str, one: &str, other: &str) -> Option<String> {
    [(one, other), (other, one)].into_iter().find_map(|(from, to)| {
        replaced(instruction, &format!("setp.{from}"), &format!("setp.{to}"))
    })
}

/// An instruction of the form `from` as one of the form `to`, or as none where that is empty.
fn replaced(instruction: &str, from: &str, to: &str) -> Option<String> {
    let (mut tokens, mut form) = (tokens(instruction), tokens(from));
    let guard = if tokens.first() == Some(&"@") { tokens.drain(..2).collect() } else { Vec::new() };
    let name = form.remove(0);
    let rest = tokens.first()?.strip_prefix(name)?;
    if !(rest.is_empty() || rest.starts_with('.')) || tokens.len() <= form.len() {
        return None;
    }
    let mut operands = Vec::new();
    for (token, expected) in tokens[1..].iter().zip(&form) {
        match expected.starts_with('$') {
            true => operands.push((*expected, *token)),
            false if token == expected => {}
            false => return None,
        }
    }
    if to.is_empty() {
        return Some(String::new());
    }
    let (name, more) = to.split_once(' ').unwrap_or((to, ""));
    let filled = operands.iter().fold(more.to_owned(), |to, (name, token)| to.replace(name, token));
    let kept = tokens[1 + form.len()..].join(" ");
    Some(format!("{} {name}{rest} {filled} {kept}", guard.join(" ")))
}

/// Names, numbers and signs of an instruction.
fn tokens(text: &str) -> Vec<&str> {
    let is_sign = |c: char| "[]{},;|+@".contains(c);
    let (mut tokens, mut rest) = (Vec::new(), text.trim_start());
    while let Some(first) = rest.chars().next() {
        let end = if is_sign(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| is_sign(c) || c.is_whitespace()).unwrap_or(rest.len())
        };
        tokens.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instruction_is_changed_whatever_its_registers() {
        let made = |change: Change, instruction| {
            let made = change.made(instruction)?;
            Some(tokens(&made).join(" "))
        };
        let text = |text: &str| Some(text.to_owned());
        let compared = "setp.ge.s32 \t%p1, %r2, 5;";
        assert_eq!(made(Change::OffByOne, compared), text("setp.gt.s32 %p1 , %r2 , 5 ;"));
        assert_eq!(made(Change::Negated, compared), None);
        let unequal = "@!%p2 setp.ne.s32 \t%p1, %r2, 5;";
        assert_eq!(made(Change::Negated, unequal), text("@ !%p2 setp.eq.s32 %p1 , %r2 , 5 ;"));
        assert_eq!(made(Change::Without("bar"), "@%p7 bar.sync \t0;"), text(""));
        assert_eq!(made(Change::Without("ba"), "bar.sync \t0;"), None);
        let swapped = Change::Instead("st.global.v2 [$0], {$1, $2", "st.global.v2 [$0], {$2, $1");
        let store = "st.global.v2.f32 \t[%rd5], {%f1, %f2};";
        assert_eq!(made(swapped, store), text("st.global.v2.f32 [ %rd5 ] , { %f2 , %f1 } ;"));
        assert_eq!(made(swapped, "st.global.v2.f32 \t[%rd5+8], {%f1, %f2};"), None);
        let less = Change::Instead("add $0, $1, -1", "add $0, $1, -2");
        assert_eq!(made(less, "add.s32 \t%r1, %r2, -1;"), text("add.s32 %r1 , %r2 , -2 ;"));
    }
}

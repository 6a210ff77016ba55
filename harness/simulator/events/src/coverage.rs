//! Which of a kernel's code ran: instructions, and second rounds of loops.
//!
//! An instruction ran if some thread executed it. A loop of the PTX ran a second round if some thread came to the end of
//! a round twice without leaving the loop in between: code that is wrong from the second round on shows in no launch that
//! has only first ones. A loop of the source can be several of the PTX, as where the compiler unrolls it and adds
//! another for the rounds that are left over: one of them is enough.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use program::Kernel;
use program::Module;
use ptx::Line;

/// What of a module's code ran, in some launches.
#[derive(Debug, Clone)]
pub struct Coverage {
    module: Arc<Module>,
    kernels: BTreeMap<String, ExecutedLines>,
}

/// What of a kernel's code ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutedLines {
    /// In the order of [`Kernel::instructions`].
    instructions: Vec<bool>,
    /// In the order of the kernel's loops.
    loops: Vec<bool>,
}

/// What of a kernel's code never ran.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gaps {
    /// Name of the kernel.
    pub kernel: String,
    /// Whether none of its code ran.
    pub never_ran: bool,
    /// Lines of which no instruction ran; those between which no line ran are together: first and last.
    pub lines: Vec<(Line, u32)>,
    /// Loops without a second round: the lines where their rounds end.
    pub loops: Vec<Line>,
}

impl Coverage {
    /// The coverage of a module of which nothing has run yet.
    pub fn new(module: Arc<Module>) -> Coverage {
        Coverage { module, kernels: BTreeMap::new() }
    }

    /// Adds what ran in a launch of one of its kernels.
    pub fn add(&mut self, kernel: &str, ran: &ExecutedLines) {
        match self.kernels.get_mut(kernel) {
            Some(all) => all.add(ran),
            None => drop(self.kernels.insert(kernel.to_string(), ran.clone())),
        }
    }

    /// Adds what ran of the same module elsewhere.
    pub fn merge(&mut self, other: &Coverage) {
        other.kernels.iter().for_each(|(kernel, ran)| self.add(kernel, ran));
    }

    /// What never ran, by kernel in the order of the module; nothing if everything did.
    pub fn gaps(&self) -> Vec<Gaps> {
        let of = |kernel: &Kernel| match self.kernels.get(kernel.name()) {
            Some(ran) => ran.gaps(kernel),
            None => ExecutedLines::nothing(kernel).gaps(kernel),
        };
        self.module.kernels().filter_map(of).collect()
    }
}

impl ExecutedLines {
    /// None of a kernel's code.
    pub fn nothing(kernel: &Kernel) -> ExecutedLines {
        ExecutedLines {
            instructions: vec![false; kernel.instructions().count()],
            loops: vec![false; kernel.loops().len()],
        }
    }

    /// Notes that an instruction ran.
    pub fn executed(&mut self, instruction: u32) {
        self.instructions[instruction as usize] = true;
    }

    /// Notes that a loop ran a second round.
    pub fn repeated(&mut self, index: usize) {
        self.loops[index] = true;
    }

    fn add(&mut self, other: &ExecutedLines) {
        let or = |all: &mut [bool], more: &[bool]| {
            all.iter_mut().zip(more).for_each(|(one, other)| *one |= other);
        };
        or(&mut self.instructions, &other.instructions);
        or(&mut self.loops, &other.loops);
    }

    /// What never ran; none if everything did.
    fn gaps(&self, kernel: &Kernel) -> Option<Gaps> {
        let mut ran = BTreeMap::<Line, bool>::new();
        for (instruction, one) in kernel.instructions().zip(&self.instructions) {
            *ran.entry(kernel.line_of(instruction)).or_default() |= one;
        }
        let mut lines: Vec<(Line, u32)> = Vec::new();
        let mut before: Option<&Line> = None;
        for (line, _) in ran.iter().filter(|(_, ran)| !**ran) {
            let goes_on = before.is_some_and(|before| {
                before.file == line.file && ran.range(before..line).nth(1).is_none()
            });
            match lines.last_mut().filter(|_| goes_on) {
                Some((_, last)) => *last = line.line,
                None => lines.push((line.clone(), line.line)),
            }
            before = Some(line);
        }
        let mut repeated = BTreeMap::<Line, bool>::new();
        for (one, ran) in kernel.loops().iter().zip(&self.loops) {
            *repeated.entry(kernel.line_of(kernel.last_of(one.latches[0]))).or_default() |= ran;
        }
        let once = repeated.into_iter().filter(|(_, repeated)| !repeated);
        let loops: Vec<Line> = once.map(|(line, _)| line).collect();
        let never_ran = !self.instructions.contains(&true);
        (!lines.is_empty() || !loops.is_empty()).then(|| Gaps {
            kernel: kernel.name().to_string(),
            never_ran,
            lines,
            loops,
        })
    }
}

impl fmt::Display for Gaps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gaps { kernel, never_ran, lines, loops } = self;
        if *never_ran {
            return write!(f, "`{kernel}` was never launched");
        }
        let name = |line: &Line| line.file.rsplit('/').next().unwrap_or_default().to_string();
        let mut by_file = BTreeMap::<String, Vec<String>>::new();
        for (first, last) in lines {
            by_file.entry(name(first)).or_default().push(match last - first.line {
                0 => last.to_string(),
                1 => format!("{}, {last}", first.line),
                _ => format!("{}–{last}", first.line),
            });
        }
        let never = by_file.iter().map(|(file, lines)| match &lines[..] {
            [one] if one.parse::<u32>().is_ok() => {
                format!("line {one} of {file} was never executed")
            }
            _ => format!("lines {} of {file} were never executed", lines.join(", ")),
        });
        let once = loops.iter().map(|line| {
            format!("the loop at line {} of {} never ran a second round", line.line, name(line))
        });
        let all: Vec<String> = never.chain(once).collect();
        write!(f, "in `{kernel}` {}", all.join("; "))
    }
}

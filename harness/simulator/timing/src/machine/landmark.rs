//! Landmarks: instructions that PTX and machine code have in common, by which blocks of the one are found again in
//! the other.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{MachineBlock, Place};
use super::kind::MachineKind;
use program::{Block, Class, Kernel, Summary};

/// A kind of instruction that the assembler keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Landmark {
    /// One instruction there and here, whatever the assembler does around it.
    Kept(MachineKind),
    /// Kept but for merging: four neighbouring words are one 128-bit load.
    SharedLoad,
    /// Kept in number, but sequences (division, square root) have some of their own.
    Arithmetic(MachineKind),
    /// Conditions: kept unless the assembler turns them into predicated instructions.
    Condition,
}

impl Landmark {
    /// Its weight as evidence.
    pub(super) fn weight(self) -> u32 {
        match self {
            Landmark::Kept(_) => 8,
            Landmark::SharedLoad => 4,
            Landmark::Arithmetic(_) => 2,
            Landmark::Condition => 1,
        }
    }
}

/// A line: the number of its file in [`Files`], and its own.
type Line = (usize, u32);

/// A landmark at a source line.
type Spot = (Line, Landmark);

/// Relative difference of executions that is taken for agreement.
pub(super) const TOLERANCE: f64 = 0.02;

/// The landmarks of one block, by their number in [`Landmarks`], in ascending order, and how often it has each.
pub(super) type Seen = Vec<(usize, u32)>;

/// The landmarks of a kernel in both forms.
pub(super) struct Landmarks {
    places: Vec<Spot>,
    /// Of each PTX block.
    pub ptx: Vec<Seen>,
    /// Of each machine block.
    pub machine: Vec<Seen>,
}

impl Landmarks {
    /// Finds them. Where the two name no line in common, lines are left out.
    pub(super) fn of(kernel: &Kernel, machine: &[MachineBlock]) -> Landmarks {
        let files = Files::of(kernel, machine);
        let mut ptx: Vec<_> = kernel.blocks().iter().map(|block| of_ptx(&files, block)).collect();
        let mut machine: Vec<_> = machine.iter().map(|block| of_machine(&files, block)).collect();
        let lines = |blocks: &[BTreeMap<Spot, u32>]| -> BTreeSet<Line> {
            let lines = blocks.iter().flat_map(|b| b.keys().map(|(line, _)| *line));
            lines.filter(|(_, line)| *line > 0).collect()
        };
        if lines(&ptx).is_disjoint(&lines(&machine)) {
            ptx.iter_mut().chain(&mut machine).for_each(|block| *block = without_lines(block));
        }
        let replaced = replaced(&ptx, &machine);
        for block in ptx.iter_mut().chain(&mut machine) {
            block.retain(|(line, landmark), _| *landmark != MUFU || !replaced.contains(line));
        }
        let places: BTreeSet<Spot> =
            ptx.iter().chain(&machine).flat_map(|b| b.keys().copied()).collect();
        let places: Vec<Spot> = places.into_iter().collect();
        let number = |blocks: &[BTreeMap<Spot, u32>]| -> Vec<Seen> {
            let seen = |block: &BTreeMap<Spot, u32>| {
                let known = |(place, count): (&Spot, &u32)| {
                    Some((places.binary_search(place).ok()?, *count))
                };
                block.iter().filter_map(known).collect()
            };
            blocks.iter().map(seen).collect()
        };
        Landmarks { ptx: number(&ptx), machine: number(&machine), places }
    }

    /// Whether it is an instruction that machine code has as often as PTX.
    pub(super) fn is_kept(&self, place: usize) -> bool {
        matches!(self.places[place].1, Landmark::Kept(_))
    }

    /// Number of different landmarks.
    pub(super) fn count(&self) -> usize {
        self.places.len()
    }

    /// The weight of a landmark as evidence.
    pub(super) fn weight(&self, place: usize) -> u32 {
        self.places[place].1.weight()
    }

    /// Whether it is a condition, the weakest evidence.
    pub(super) fn is_condition(&self, place: usize) -> bool {
        self.places[place].1 == Landmark::Condition
    }

    /// Copies of PTX code that stand in machine code with landmarks `machine` against `ptx`: the median ratio of those
    /// landmarks with the greatest weight, and that weight. `None` if the two have nothing in common.
    pub(super) fn copies(&self, machine: &[u32], ptx: &[u32]) -> Option<(f64, u32)> {
        let both = || (0..self.count()).filter(|&p| machine[p] > 0 && ptx[p] > 0);
        let most = both().map(|place| self.weight(place)).max()?;
        let mut ratios: Vec<f64> = both()
            .filter(|&place| self.weight(place) == most)
            .map(|place| f64::from(machine[place]) / f64::from(ptx[place]))
            .collect();
        ratios.sort_by(f64::total_cmp);
        Some((ratios[ratios.len() / 2], most))
    }
}

/// Lines of which machine code computes much less by the special function unit than the rest of their arithmetic lets
/// expect. So it is with functions of the compiler's library: a newer one takes integers for a power of two.
fn replaced(ptx: &[BTreeMap<Spot, u32>], machine: &[BTreeMap<Spot, u32>]) -> BTreeSet<Line> {
    let count = |blocks: &[BTreeMap<Spot, u32>], line: Line, landmark: Landmark| -> u32 {
        blocks.iter().filter_map(|block| block.get(&(line, landmark))).sum()
    };
    let spots = ptx.iter().flat_map(BTreeMap::keys);
    let lines = spots.filter(|(_, landmark)| *landmark == MUFU).map(|(line, _)| *line);
    let few = |line: &Line| {
        let [there, here] = [ptx, machine]
            .map(|blocks| [MUFU, FP32].map(|landmark| f64::from(count(blocks, *line, landmark))));
        // Copies of both, each multiplied by what the PTX has of the two.
        here[0] * there[1] < MUCH_LESS * here[1] * there[0]
    };
    lines.filter(few).collect()
}

/// Less than this part of what was expected is no accident.
const MUCH_LESS: f64 = 0.75;

fn without_lines(block: &BTreeMap<Spot, u32>) -> BTreeMap<Spot, u32> {
    let mut merged = BTreeMap::new();
    for ((_, landmark), count) in block {
        *merged.entry((Line::default(), *landmark)).or_default() += count;
    }
    merged
}

/// The files that lines are of: their numbers compare as their names do.
struct Files {
    names: Vec<String>,
    /// By the numbers of the kernel's files.
    of_kernel: BTreeMap<u32, usize>,
}

impl Files {
    fn of(kernel: &Kernel, machine: &[MachineBlock]) -> Files {
        let included = |file: &String| Place::new(file, 0).included;
        let lines = machine.iter().flat_map(|block| block.code.lines());
        // The kernel's own file has no name, and is the first.
        let mut names = vec![String::new()];
        names.extend(kernel.source_files().values().map(included));
        for (place, ..) in lines {
            if !names.contains(&place.included) {
                names.push(place.included.clone());
            }
        }
        names.sort_unstable();
        names.dedup();
        let mut files = Files { names, of_kernel: BTreeMap::new() };
        let number = |file: &String| files.number(&included(file));
        files.of_kernel = kernel.source_files().iter().map(|(k, it)| (*k, number(it))).collect();
        files
    }

    fn number(&self, name: &str) -> usize {
        self.names.partition_point(|other| other.as_str() < name)
    }
}

const FP32: Landmark = Landmark::Arithmetic(MachineKind::Fp32);
const MUFU: Landmark = Landmark::Kept(MachineKind::Mufu);

fn of_ptx(files: &Files, block: &Block) -> BTreeMap<Spot, u32> {
    let mut seen = BTreeMap::new();
    // Signs are changed and left out where a machine instruction reads its operand.
    let is_sign = |opcode: &str| opcode.starts_with("neg.") || opcode.starts_with("abs.");
    for instruction in block.instructions.iter().filter(|it| !is_sign(&it.opcode)) {
        let file = files.of_kernel.get(&instruction.cuda_file).copied().unwrap_or_default();
        let own = (file, instruction.cuda_line);
        let place = if is_of_group(&instruction.opcode) { Line::default() } else { own };
        let known = of_class(instruction.class).iter().filter(|_| !is_beside(instruction));
        for (landmark, count) in known {
            *seen.entry((place, *landmark)).or_default() += count;
        }
        // A condition is a branch that reads something: its guard.
        if instruction.class == Class::Branch && !instruction.sources.is_empty() {
            *seen.entry((own, Landmark::Condition)).or_default() += 1;
        }
    }
    seen
}

/// Whether it is a product by four warps (`wgmma`). The assembler spreads these among the lines of what computes their
/// operands' places, so that their own tells nothing.
fn is_of_group(opcode: &str) -> bool {
    opcode.starts_with("wgmma") || opcode.contains("GMMA.")
}

/// Whether it is a barrier in shared memory or one of a cluster. Machine code has other instructions for these, and the first
/// look at such a barrier stands in front of the loop that waits.
fn is_beside(instruction: &Summary) -> bool {
    instruction.class == Class::Barrier
        && (instruction.opcode.starts_with("mbarrier")
            || instruction.opcode.starts_with("barrier.cluster"))
}

/// The landmarks of one PTX instruction; sequences have the arithmetic of their fast path.
fn of_class(class: Class) -> &'static [(Landmark, u32)] {
    use Landmark::{Arithmetic, Kept, SharedLoad};
    match class {
        Class::Fp32Add | Class::Fp32Mul | Class::Fp32Fma => &[(FP32, 1)],
        Class::Mufu => &[(MUFU, 1)],
        Class::MufuSubnormal => &[(MUFU, 1), (FP32, 2)],
        Class::SqrtRn => &[(MUFU, 1), (FP32, 4)],
        Class::RcpRn => &[(MUFU, 1), (FP32, 3)],
        Class::DivRn => &[(MUFU, 1), (FP32, 8)],
        Class::Fp64 => &[(Arithmetic(MachineKind::Fp64), 1)],
        Class::LoadGlobal => &[(Kept(MachineKind::LoadGlobal), 1)],
        Class::StoreGlobal => &[(Kept(MachineKind::StoreGlobal), 1)],
        Class::LoadShared => &[(SharedLoad, 1)],
        Class::StoreShared => &[(Kept(MachineKind::StoreShared), 1)],
        Class::Atomic => &[(Kept(MachineKind::Atomic), 1)],
        Class::Barrier => &[(Kept(MachineKind::Barrier), 1)],
        Class::Shuffle => &[(Kept(MachineKind::Shuffle), 1)],
        Class::Tensor => &[(Kept(MachineKind::Tensor), 1)],
        _ => &[],
    }
}

fn of_machine(files: &Files, block: &MachineBlock) -> BTreeMap<Spot, u32> {
    let mut seen = BTreeMap::new();
    for (place, opcode, count) in block.code.lines() {
        let kind = MachineKind::of(opcode);
        let landmark = match kind {
            MachineKind::Mufu
            | MachineKind::LoadGlobal
            | MachineKind::StoreGlobal
            | MachineKind::StoreShared
            | MachineKind::Atomic
            | MachineKind::Shuffle
            | MachineKind::Tensor => Landmark::Kept(kind),
            MachineKind::Barrier if opcode.starts_with("BAR") => Landmark::Kept(kind),
            MachineKind::LoadShared | MachineKind::LoadShared64 | MachineKind::LoadShared128 => {
                Landmark::SharedLoad
            }
            MachineKind::Fp32 | MachineKind::Fp64 => Landmark::Arithmetic(kind),
            MachineKind::Branch
                if (opcode.starts_with("BRA") || opcode.starts_with("CALL"))
                    && block.next.len() > 1 =>
            {
                Landmark::Condition
            }
            // A guarded exit stands for a branch to the end.
            MachineKind::Branch if opcode.starts_with("EXIT") && !block.next.is_empty() => {
                Landmark::Condition
            }
            _ => continue,
        };
        let own = (files.number(&place.included), place.line);
        let line = if is_of_group(opcode) { Line::default() } else { own };
        *seen.entry((line, landmark)).or_default() += count;
    }
    seen
}

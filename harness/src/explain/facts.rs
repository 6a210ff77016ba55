//! What the simulator saw of one launch, or of the launches of a force evaluation, as data: `--format json` writes it, and every text and table is
//! drawn from it.

use std::collections::BTreeMap;

use device::{Profile, Ptx, Source};
use ladder::limits::longest;
use serde::Serialize;
use simt::machine::{Basis, MachineKind};
use simt::{Class, Counts};

use super::classes;
use super::ratios::Ratios;

/// One launch; or several that make a force evaluation: then counts and times are sums over them, and what belongs to a
/// launch is that of the one that took the most time.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The kernel's name.
    pub kernel: String,
    /// What ran: "committed PTX 7.8 (compute_50)".
    pub code: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Shared memory of a block in bytes, what the kernel declares and what the launch adds.
    pub shared_bytes: u32,
    /// Blocks that ran. Where they are fewer than the grid's, all counts are scaled to the grid.
    pub blocks_run: u64,
    /// Everything that was counted.
    pub total: Counts,
    /// The same, related.
    pub ratios: Ratios,
    /// PTX instructions by kind, those that occur, in a fixed order.
    pub classes: Vec<ClassFacts>,
    /// Source lines that did something, in their order.
    pub lines: Vec<LineFacts>,
    /// PTX instructions by opcode, in alphabetical order.
    pub opcodes: Vec<OpcodeFacts>,
    /// Machine instructions issued, by kind.
    pub machine: MachineFacts,
    /// How blocks are resident on the modelled GPU.
    pub residency: ResidencyFacts,
    /// The modelled time.
    pub model: ModelFacts,
    /// Hazards, in full.
    pub hazards: Vec<String>,
    /// Each of the launches, in their order, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<LaunchFacts>,
}

/// One of several launches.
#[derive(Debug, Clone, Serialize)]
pub struct LaunchFacts {
    /// The kernel's name.
    pub kernel: String,
    /// Blocks in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y, z.
    pub block: [u32; 3],
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Machine instructions issued by warps.
    pub machine_instructions: f64,
    /// Modelled time, s.
    pub seconds: f64,
    /// The name of the bound that binds.
    pub binding: Option<String>,
}

/// PTX instructions of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct ClassFacts {
    /// What readers call it.
    pub class: &'static str,
    /// Instructions issued by warps.
    pub warps: u64,
    /// The same, times the threads active in each.
    pub threads: u64,
}

/// What a source line did.
#[derive(Debug, Clone, Serialize)]
pub struct LineFacts {
    /// The file: the `.cu` as it was given, others as the compiler knows them.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// What stands there; none where the file is not at hand.
    pub text: Option<String>,
    /// What its instructions did.
    pub counts: Counts,
}

/// PTX instructions of one opcode.
#[derive(Debug, Clone, Serialize)]
pub struct OpcodeFacts {
    /// As written, with its modifiers.
    pub opcode: String,
    /// Instructions issued by warps.
    pub warps: u64,
}

/// Machine instructions (SASS): what the chip issues for the PTX.
#[derive(Debug, Clone, Serialize)]
pub struct MachineFacts {
    /// The architecture whose machine code was counted; none where PTX instructions were expanded by a table of what
    /// they become.
    pub arch: Option<String>,
    /// Whether the code is that of the modelled GPU's own architecture.
    pub exact: bool,
    /// Registers of a thread.
    pub registers: Option<u32>,
    /// Bytes of a thread that are spilled to local memory and loaded from there.
    pub spill_bytes: Option<u32>,
    /// All instructions issued by warps.
    pub total: f64,
    /// Those of each kind that occurs, in a fixed order.
    pub kinds: Vec<KindFacts>,
}

/// Machine instructions of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct KindFacts {
    /// What readers call it.
    pub kind: &'static str,
    /// Instructions issued by warps.
    pub warps: f64,
}

/// How many blocks a multiprocessor holds at a time.
#[derive(Debug, Clone, Serialize)]
pub struct ResidencyFacts {
    /// Blocks of a multiprocessor.
    pub blocks: u32,
    /// Their warps.
    pub warps: u32,
    /// Warps for which it has room.
    pub most_warps: u32,
    /// What limits them: "registers", "shared memory", "warps", "blocks", "the grid".
    pub limit: &'static str,
}

/// What the time model says.
#[derive(Debug, Clone, Serialize)]
pub struct ModelFacts {
    /// The GPU whose time it is.
    pub gpu: String,
    /// Time of the launch, s.
    pub seconds: f64,
    /// Every bound, s; the largest binds.
    pub bounds: Vec<BoundFacts>,
    /// The name of the bound that binds; none for a launch that did nothing.
    pub binding: Option<String>,
}

/// A limit on the time.
#[derive(Debug, Clone, Serialize)]
pub struct BoundFacts {
    /// What limits.
    pub name: String,
    /// The time that this alone would take, s.
    pub seconds: f64,
}

impl Facts {
    /// Gathers what the launches of a force evaluation have to say, at least one, as [`Facts::new`] does.
    pub fn of_launches(profiles: &[Profile], source: &Source, code: &str, ptx: &Ptx) -> Facts {
        let longest = longest(profiles);
        let mut facts = Facts::new(&profiles[longest], source, code, ptx);
        if profiles.len() > 1 {
            facts.launches = profiles.iter().map(LaunchFacts::new).collect();
            for (_, other) in profiles.iter().enumerate().filter(|(place, _)| *place != longest) {
                facts.add(Facts::new(other, source, code, ptx));
            }
            facts.ratios = Ratios::of(&facts.total);
            facts.model.rebind();
        }
        facts
    }

    /// Adds what another launch did.
    fn add(&mut self, other: Facts) {
        self.total += other.total;
        for more in other.classes {
            match self.classes.iter_mut().find(|known| known.class == more.class) {
                Some(known) => {
                    known.warps += more.warps;
                    known.threads += more.threads;
                }
                None => self.classes.push(more),
            }
        }
        let place = |name: &str| Class::ALL.iter().position(|class| classes::name(*class) == name);
        self.classes.sort_by_key(|known| place(known.class));
        for more in other.lines {
            match self.lines.iter_mut().find(|l| l.file == more.file && l.line == more.line) {
                Some(known) => known.counts += more.counts,
                None => self.lines.push(more),
            }
        }
        self.lines.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        for more in other.opcodes {
            match self.opcodes.iter_mut().find(|known| known.opcode == more.opcode) {
                Some(known) => known.warps += more.warps,
                None => self.opcodes.push(more),
            }
        }
        self.opcodes.sort_by(|one, other| one.opcode.cmp(&other.opcode));
        self.machine.add(other.machine);
        self.model.seconds += other.model.seconds;
        for more in other.model.bounds {
            match self.model.bounds.iter_mut().find(|known| known.name == more.name) {
                Some(known) => known.seconds += more.seconds,
                None => self.model.bounds.push(more),
            }
        }
        self.hazards.extend(other.hazards);
    }

    /// Gathers what `profile` has to say of code that came from `source` and was loaded as `code`; `ptx` is its
    /// text.
    pub fn new(profile: &Profile, source: &Source, code: &str, ptx: &Ptx) -> Facts {
        let (kernel, events) = (profile.kernel(), &profile.events);
        let total = events.total();
        let of_class = |class: Class| {
            let count = events.class(class);
            ClassFacts { class: classes::name(class), warps: count.warps, threads: count.threads }
        };
        let lines = events.lines(kernel).into_iter().map(|(place, counts)| LineFacts {
            text: text_of(source, ptx, &place),
            file: file_of(source, &place).map_or(place.file, |(file, _)| file.to_owned()),
            line: place.line,
            counts,
        });
        Facts {
            kernel: profile.kernel.clone(),
            code: code.to_owned(),
            grid: profile.grid,
            block: profile.block,
            shared_bytes: profile.shared_bytes,
            blocks_run: profile.blocks_run,
            total,
            ratios: Ratios::of(&total),
            classes: Class::ALL.into_iter().map(of_class).filter(|class| class.warps > 0).collect(),
            lines: lines.filter(|line| line.counts.warps > 0).collect(),
            opcodes: opcodes(profile),
            machine: MachineFacts::new(profile),
            residency: ResidencyFacts::new(profile),
            model: ModelFacts::new(profile),
            hazards: events.hazards.iter().map(ToString::to_string).collect(),
            launches: Vec::new(),
        }
    }

    /// Instructions issued by warps that are of one of these classes.
    pub fn of_classes(&self, wanted: &[Class]) -> u64 {
        let is_wanted =
            |facts: &&ClassFacts| wanted.iter().any(|c| classes::name(*c) == facts.class);
        self.classes.iter().filter(is_wanted).map(|class| class.warps).sum()
    }
}

impl LaunchFacts {
    fn new(profile: &Profile) -> LaunchFacts {
        LaunchFacts {
            kernel: profile.kernel.clone(),
            grid: profile.grid,
            block: profile.block,
            registers: profile.registers,
            machine_instructions: profile.issued.total,
            seconds: profile.estimate.seconds,
            binding: profile.estimate.binding().map(|bound| bound.name.to_owned()),
        }
    }
}

impl MachineFacts {
    /// Adds the instructions of another launch.
    fn add(&mut self, other: MachineFacts) {
        self.total += other.total;
        for more in other.kinds {
            match self.kinds.iter_mut().find(|known| known.kind == more.kind) {
                Some(known) => known.warps += more.warps,
                None => self.kinds.push(more),
            }
        }
        let place = |name: &str| MachineKind::ALL.iter().position(|kind| kind.name() == name);
        self.kinds.sort_by_key(|known| place(known.kind));
    }

    fn new(profile: &Profile) -> MachineFacts {
        let (code, issued) = (profile.machine.as_ref(), &profile.issued);
        let counted = code.filter(|_| issued.basis == Basis::MachineCode);
        let kinds = MachineKind::ALL
            .into_iter()
            .map(|kind| KindFacts { kind: kind.name(), warps: issued[kind] });
        MachineFacts {
            arch: counted.map(|code| code.arch.clone()),
            exact: counted.is_some() && profile.gpu.sass_arch().1,
            registers: code.map(|code| code.registers),
            spill_bytes: code.map(|code| code.spill_store_bytes + code.spill_load_bytes),
            total: issued.total,
            kinds: kinds.filter(|kind| kind.warps > 0.0).collect(),
        }
    }

    /// Instructions of a kind.
    pub fn of(&self, kind: MachineKind) -> f64 {
        let found = self.kinds.iter().find(|known| known.kind == kind.name());
        found.map_or(0.0, |known| known.warps)
    }
}

impl ResidencyFacts {
    fn new(profile: &Profile) -> ResidencyFacts {
        let residency = &profile.residency;
        ResidencyFacts {
            blocks: residency.blocks,
            warps: residency.warps,
            most_warps: profile.gpu.limits.warps.value as u32,
            limit: residency.limit.name(),
        }
    }
}

impl ModelFacts {
    /// Lets the largest bound bind.
    fn rebind(&mut self) {
        let largest = self.bounds.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        self.binding = largest.map(|bound| bound.name.clone());
    }

    fn new(profile: &Profile) -> ModelFacts {
        let estimate = &profile.estimate;
        let bound = |bound: &simt::model::Bound| BoundFacts {
            name: bound.name.to_owned(),
            seconds: bound.seconds,
        };
        ModelFacts {
            gpu: profile.gpu.name.clone(),
            seconds: estimate.seconds,
            bounds: estimate.bounds.iter().map(bound).collect(),
            binding: estimate.binding().map(|bound| bound.name.to_owned()),
        }
    }
}

/// What stands on a line of the CUDA source or of the PTX.
fn text_of(source: &Source, ptx: &Ptx, place: &simt::Line) -> Option<String> {
    let text = match file_of(source, place) {
        Some((_, text)) => text,
        None if place.file == ptx.file => &ptx.text,
        None => return None,
    };
    let line = text.lines().nth(place.line.checked_sub(1)? as usize)?;
    Some(line.to_owned())
}

/// The file of a line, and its text: the `.cu` or what it includes. A reader may keep them in another folder than the one
/// under which they were compiled.
fn file_of<'s>(source: &'s Source, place: &simt::Line) -> Option<(&'s str, &'s str)> {
    let name = file_name(&place.file);
    match &source.cuda {
        Some(cuda) if name == file_name(&source.cuda_name) => Some((&source.file, cuda)),
        _ => {
            let included = source.includes.iter().find(|include| include.name == name)?;
            Some((&included.file, &included.text))
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn opcodes(profile: &Profile) -> Vec<OpcodeFacts> {
    let mut sums = BTreeMap::<&str, u64>::new();
    for instruction in profile.kernel().instructions() {
        *sums.entry(&instruction.opcode).or_default() +=
            profile.events.blocks[instruction.block].executions;
    }
    let executed = sums.into_iter().filter(|(_, warps)| *warps > 0);
    executed.map(|(opcode, warps)| OpcodeFacts { opcode: opcode.to_owned(), warps }).collect()
}

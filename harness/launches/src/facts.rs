//! What the simulator saw of one launch, or of the launches of a pass, as data: `--format json` writes it, and every text and
//! table is drawn from it: [`ratios`] of its counts, their [`spread`] over warps, bounds of its time, what is [`resident`].

pub(crate) mod bounds;
pub mod ratios;
pub mod resident;
pub mod spread;

use std::collections::BTreeMap;
use std::path::Path;

use device::{Profile, Ptx, Source};
use ladder::limits::longest;
use report::files;
use serde::Serialize;
use simt::machine::{Basis, MachineKind};
use simt::model::Bound;
use simt::{Class, Counts, Line};

use ratios::Ratios;
use spread::Spread;
use ui::output::shown;

/// One launch; or several that make a pass: then counts and times are sums over them, and what belongs to a launch is that
/// of the one that took the most time.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The name that the PTX has.
    pub kernel: String,
    /// What ran: "committed PTX 7.8 (compute_50)".
    pub code: String,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Shared memory of a block, what the kernel declares and what the launch adds.
    pub shared_bytes: u32,
    /// Where they are fewer than the grid's, all counts are scaled to the grid.
    pub blocks_run: u64,
    /// Where blocks may see what others do, if they may: they then took turns, in the same order in every run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_order: Option<String>,
    /// What all instructions did.
    pub total: Counts,
    /// What follows from these counts.
    pub ratios: Ratios,
    /// How the work is spread over warps.
    pub spread: Spread,
    /// PTX instructions by kind, those that occur, in a fixed order.
    pub classes: Vec<ClassFacts>,
    /// Source lines that did something, in their order.
    pub lines: Vec<LineFacts>,
    /// PTX instructions, in alphabetical order.
    pub opcodes: Vec<OpcodeFacts>,
    /// What the chip issues for it.
    pub machine: MachineFacts,
    /// What runs at a time.
    pub residency: ResidencyFacts,
    /// The modelled time.
    pub model: ModelFacts,
    /// What the kernels printed, the first MiB of each.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub printed: String,
    /// Calls of `printf` whose text is left out.
    #[serde(skip_serializing_if = "is_none")]
    pub printed_cut: u64,
    /// What is left on the device's heap at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unfreed: Option<String>,
    /// Races and wrong accesses that were found, in words.
    pub hazards: Vec<String>,
    /// Each of the launches, in their order, where there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub launches: Vec<LaunchFacts>,
}

fn is_none(count: &u64) -> bool {
    *count == 0
}

/// One of several launches.
#[derive(Debug, Clone, Serialize)]
pub struct LaunchFacts {
    /// The name that the PTX has.
    pub kernel: String,
    /// Blocks along x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// Of a thread; `None` where no machine code is known.
    pub registers: Option<u32>,
    /// Issued by warps.
    pub machine_instructions: f64,
    /// Modelled time.
    pub seconds: f64,
    /// The bound that binds; `None` for a launch that did nothing.
    pub binding: Option<&'static str>,
}

/// PTX instructions of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct ClassFacts {
    /// The kind, in words.
    pub class: &'static str,
    /// Instructions issued by warps.
    pub warps: u64,
    /// The same, times the threads active in each.
    pub threads: u64,
}

/// What the instructions of a source line did.
#[derive(Debug, Clone, Serialize)]
pub struct LineFacts {
    /// The `.cu` as it was given, others as the compiler knows them.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// `None` where the file is not at hand.
    pub text: Option<String>,
    /// What its instructions did.
    pub counts: Counts,
}

/// PTX instructions of one opcode, with its modifiers.
#[derive(Debug, Clone, Serialize)]
pub struct OpcodeFacts {
    /// `ld.global.f32`.
    pub opcode: String,
    /// Instructions issued by warps.
    pub warps: u64,
}

/// Machine instructions (SASS): what the chip issues for the PTX.
#[derive(Debug, Clone, Serialize)]
pub struct MachineFacts {
    /// The architecture whose machine code was counted; `None` where PTX instructions were expanded by a table of what
    /// they become.
    pub arch: Option<String>,
    /// Whether the code is that of the modelled GPU's own architecture.
    pub exact: bool,
    /// Of a thread.
    pub registers: Option<u32>,
    /// Bytes of a thread that are spilled to local memory and loaded from there.
    pub spill_bytes: Option<u32>,
    /// Issued by warps.
    pub total: f64,
    /// Those of each kind that occurs, in a fixed order.
    pub kinds: Vec<KindFacts>,
}

/// Machine instructions of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct KindFacts {
    /// The kind, in words.
    pub kind: &'static str,
    /// Instructions issued by warps.
    pub warps: f64,
}

/// How many blocks a multiprocessor holds at a time.
#[derive(Debug, Clone, Serialize)]
pub struct ResidencyFacts {
    /// Blocks that a multiprocessor holds at a time.
    pub blocks: u32,
    /// Warps of these blocks.
    pub warps: u32,
    /// Warps for which the multiprocessor has room.
    pub most_warps: u32,
    /// "registers", "shared memory", "warps", "blocks", "the grid".
    pub limit: &'static str,
}

/// What the time model says.
#[derive(Debug, Clone, Serialize)]
pub struct ModelFacts {
    /// The GPU whose time it is.
    pub gpu: String,
    /// Modelled time of all launches.
    pub seconds: f64,
    /// The largest binds.
    pub bounds: Vec<Bound>,
    /// The bound that binds; `None` for a launch that did nothing.
    pub binding: Option<&'static str>,
}

impl Facts {
    /// Gathers what `profiles`, of one launch or of all launches of a pass, have to say of code that came from `source` and was
    /// loaded as `code`; `ptx` is its text.
    pub fn of(profiles: &[Profile], source: &Source, code: &str, ptx: &Ptx) -> Facts {
        let first = longest(profiles);
        let profile = &profiles[first];
        let mut all: Vec<&Profile> = profiles.iter().collect();
        all[..=first].rotate_right(1);
        let total = all.iter().map(|one| one.events.total()).sum();
        let of_class = |class: Class| {
            let counts = all.iter().map(|one| one.events.class(class));
            let (warps, threads) = counts.fold((0, 0), |(warps, threads), count| {
                (warps + count.warps, threads + count.threads)
            });
            ClassFacts { class: class.name(), warps, threads }
        };
        let launches = if profiles.len() > 1 { profiles } else { &[] };
        Facts {
            kernel: profile.kernel.clone(),
            code: code.to_owned(),
            grid: profile.grid,
            block: profile.block,
            shared_bytes: profile.shared_bytes,
            blocks_run: profile.blocks_run,
            in_order: all.iter().find_map(|one| {
                let place = one.events.in_order.as_ref()?;
                Some(format!("{}:{}", place.file.trim_start_matches('/'), place.line))
            }),
            total,
            ratios: Ratios::of(&total),
            spread: Spread::of(profiles),
            classes: Class::ALL.into_iter().map(of_class).filter(|class| class.warps > 0).collect(),
            lines: lines(&all, source, ptx),
            opcodes: opcodes(&all),
            machine: MachineFacts::new(profile, &all),
            residency: ResidencyFacts {
                blocks: profile.residency.blocks,
                warps: profile.residency.warps,
                most_warps: profile.gpu.limits.warps.value as u32,
                limit: profile.residency.limit.name(),
            },
            model: ModelFacts::new(&all),
            printed: profiles.iter().map(|one| one.printed.text.as_str()).collect(),
            printed_cut: profiles.iter().map(|one| one.printed.cut).sum(),
            unfreed: profiles.last().and_then(|one| one.unfreed.clone()),
            hazards: all
                .iter()
                .flat_map(|one| &one.events.hazards)
                .map(|it| it.to_string())
                .collect(),
            launches: launches.iter().map(LaunchFacts::new).collect(),
        }
    }

    /// Instructions issued by warps that are of one of these classes.
    pub fn of_classes(&self, wanted: &[Class]) -> u64 {
        let is_wanted = |facts: &&ClassFacts| wanted.iter().any(|c| c.name() == facts.class);
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
            binding: profile.estimate.binding().map(|bound| bound.name),
        }
    }
}

impl MachineFacts {
    /// The instructions of all launches; the code is that of the longest.
    fn new(longest: &Profile, all: &[&Profile]) -> MachineFacts {
        let code = longest.machine.as_ref();
        let counted = code.filter(|_| longest.issued.basis == Basis::MachineCode);
        let kinds = MachineKind::ALL.into_iter().map(|kind| KindFacts {
            kind: kind.name(),
            warps: all.iter().map(|one| one.issued[kind]).sum(),
        });
        MachineFacts {
            arch: counted.map(|code| code.arch.clone()),
            exact: counted.is_some() && longest.gpu.sass_arch().1,
            registers: code.map(|code| code.registers),
            spill_bytes: code.map(|code| code.spill_store_bytes + code.spill_load_bytes),
            total: all.iter().map(|one| one.issued.total).sum(),
            kinds: kinds.filter(|kind| kind.warps > 0.0).collect(),
        }
    }

    /// Instructions of a kind.
    pub fn of(&self, kind: MachineKind) -> f64 {
        let found = self.kinds.iter().find(|known| known.kind == kind.name());
        found.map_or(0.0, |known| known.warps)
    }
}

impl ModelFacts {
    fn new(all: &[&Profile]) -> ModelFacts {
        let mut bounds: Vec<Bound> = Vec::new();
        for bound in all.iter().flat_map(|one| &one.estimate.bounds) {
            match bounds.iter_mut().find(|known| known.name == bound.name) {
                Some(known) => known.seconds += bound.seconds,
                None => bounds.push(*bound),
            }
        }
        let largest = bounds.iter().max_by(|a, b| a.seconds.total_cmp(&b.seconds));
        ModelFacts {
            gpu: all[0].gpu.name.clone(),
            seconds: all.iter().map(|one| one.estimate.seconds).sum(),
            binding: largest.map(|bound| bound.name),
            bounds,
        }
    }

    /// What a bound alone would take; 0 where it is none of this launch.
    pub fn bound(&self, name: &str) -> f64 {
        self.bounds.iter().find(|bound| bound.name == name).map_or(0.0, |bound| bound.seconds)
    }
}

/// What each source line did.
fn lines(all: &[&Profile], source: &Source, ptx: &Ptx) -> Vec<LineFacts> {
    let mut sums = BTreeMap::<Line, Counts>::new();
    for (place, counts) in all.iter().flat_map(|one| one.events.lines(one.kernel())) {
        *sums.entry(place).or_default() += counts;
    }
    let executed = sums.into_iter().filter(|(_, counts)| counts.warps > 0);
    let mut read = BTreeMap::<String, Option<String>>::new();
    let fact = |(place, counts): (Line, Counts)| {
        let known = source.file(&place.file);
        let text = known.map(|(_, text)| text).or((place.file == ptx.file).then_some(&*ptx.text));
        let text = text.or_else(|| {
            let file = Path::new(&place.file);
            // A file that the compiler read from the reader's folders.
            let is_readers = source.folders.iter().any(|folder| file.starts_with(folder));
            let read = read.entry(place.file.clone());
            read.or_insert_with(|| is_readers.then(|| files::read_text(file).ok())?).as_deref()
        });
        let row = place.line.checked_sub(1);
        LineFacts {
            text: text
                .zip(row)
                .and_then(|(text, row)| Some(text.lines().nth(row as usize)?.to_owned())),
            file: match known {
                Some((file, _)) => file.to_owned(),
                None if text.is_some() => shown(Path::new(&place.file)),
                None => place.file,
            },
            line: place.line,
            counts,
        }
    };
    executed.map(fact).collect()
}

fn opcodes(all: &[&Profile]) -> Vec<OpcodeFacts> {
    let mut sums = BTreeMap::<&str, u64>::new();
    for profile in all {
        for instruction in profile.kernel().instructions() {
            *sums.entry(&instruction.opcode).or_default() +=
                profile.events.blocks[instruction.block].executions;
        }
    }
    let executed = sums.into_iter().filter(|(_, warps)| *warps > 0);
    executed.map(|(opcode, warps)| OpcodeFacts { opcode: opcode.to_owned(), warps }).collect()
}

//! What the host does for a step of n-body, as plain data.

use ladder::{BlockError, Grid, Launch, Threads};

use crate::rust::Rust;
use crate::tolerance::{Arithmetic, Sum, Terms};

/// A step of n-body.
pub type Step = ladder::Step<Host>;

/// What the host does for a step, and what its kernels rely on.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// How the bodies lie in the device's memory.
    pub layout: Layout,
    /// The bodies are padded with massless ones to a multiple of this; 1 means none are added.
    pub padding: u32,
    /// How the kernels get what stays the same in every launch.
    pub parameters: Parameters,
    /// Memory of the step's own.
    pub scratch: &'static [Scratch],
    /// The launches of a force evaluation, in their order.
    pub launches: fn(&Grid) -> Vec<Launch>,
    /// Bodies whose accelerations one block computes, by itself and in one launch. None where blocks add
    /// to sums of others, or leave something for another launch: then no block can be verified alone.
    pub of_block: Option<fn(&Grid) -> u32>,
    /// What it computes with: what its accelerations may be off follows.
    pub arithmetic: Arithmetic,
    /// How its work is divided over several GPUs; none where it is for one.
    pub division: Option<Division>,
    /// How whole time steps are started.
    pub run: Run,
    /// Its functions, where it is written in Rust.
    pub rust: Option<Rust>,
}

impl Host {
    /// Scalar arrays without padding, parameters as arguments, one launch with a thread a body: what
    /// most first steps begin with.
    pub const PLAIN: Host = Host {
        layout: Layout::ScalarArrays,
        padding: 1,
        parameters: Parameters::Arguments,
        scratch: &[],
        launches: one_launch,
        of_block: Some(|grid| grid.block),
        arithmetic: Arithmetic { terms: Terms::Single, sums: |grid| vec![Sum::Rounded(grid.n)] },
        division: None,
        run: Run::Launches,
        rust: None,
    };
}

/// A force evaluation in one launch, a thread a body.
pub fn one_launch(grid: &Grid) -> Vec<Launch> {
    vec![Launch::row("force", grid.n.div_ceil(grid.block), grid.block)]
}

/// How whole time steps are started: force evaluations and advances, in their order.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// Launch by launch.
    Launches,
    /// As a graph: the launches of several time steps are recorded once, and started together again
    /// and again. The numbers that its kernels get are those of the recording, which is not of the
    /// first time step: whether it is that is all that they may ask of the number.
    Graph,
    /// By one launch for many time steps. Its kernel takes the number of the first and how many
    /// there are; all its blocks run at once, and may wait for each other.
    OneLaunch(fn(&Grid) -> Launch),
}

/// The most time steps in a graph. What starting one costs is shared by as many, and no more is
/// gained by more of them; what is left at the end, fewer than these, is launched one by one.
pub const GRAPH_TIME_STEPS: u32 = 16;

/// How the work of a step is divided over several GPUs.
///
/// Each has all positions and masses, and bodies of its own: those whose velocities and
/// accelerations it computes. They are what its kernels find between the `__constant__` numbers
/// `begin` and `end`. After each time step positions are gathered from all GPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Division {
    /// The kernels of a force evaluation that read no positions but those of own bodies: they run
    /// while the others are on their way.
    pub near: &'static [&'static str],
    /// What the GPUs have summed apart and need the total of.
    pub summed: Option<Summed>,
}

/// Why `run` skips steps that divide their work.
pub const DIVIDED: &str = "needs several GPUs; use `cargo run -p harness -- scale`";

/// Memory of the step's own with 16 bytes for each body, in which each GPU has sums of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Summed {
    /// Its name among the step's scratch.
    pub scratch: &'static str,
    /// The kernel that needs the totals of own bodies there.
    pub before: &'static str,
}

/// Which part of the bodies is a GPU's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Its number, from 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

impl Share {
    /// All bodies.
    pub const ALL: Share = Share { index: 0, count: 1 };
}

/// How the bodies lie in the device's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One array of ten-field structs: mass, position, velocity, acceleration.
    ArrayOfStructs,
    /// One array for each of the ten fields.
    ScalarArrays,
    /// One array of `float4` each: `body` (position and mass), `velocity`, `acceleration`. The
    /// fourth number of the latter two is 0 at first and no one's.
    Float4,
}

/// Memory of a step's own.
///
/// It is zeroed when bodies are uploaded: kernels may rely on finding zeros in the first force
/// evaluation, and in the next if they leave zeros behind.
#[derive(Debug, Clone, Copy)]
pub struct Scratch {
    /// The `__constant__` pointer that is set to it.
    pub name: &'static str,
    /// Its size in bytes for so many bodies, padding included.
    pub bytes: fn(bodies: u32) -> usize,
}

/// How the kernels get the number of bodies, the constants of time integration and the pointers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parameters {
    /// As arguments of every launch.
    Arguments,
    /// Copied once into `__constant__` memory; what computes forces takes only the time step's
    /// number.
    Constant,
}

/// Threads of a block of `advance`, where force evaluations are planned.
pub const ADVANCE_BLOCK: u32 = 256;

/// Threads of a warp.
const WARP: u32 = 32;

/// Bodies with padding, where they are divided into so many shares: as many in each.
pub fn padded(step: &Step, bodies: u64, shares: u32) -> u64 {
    bodies.next_multiple_of(u64::from(step.host.padding.max(1)) * u64::from(shares.max(1)))
}

/// The grid of a share of the bodies.
pub(crate) fn grid(step: &Step, n: u32, share: Share, multiprocessors: u32) -> Grid {
    let padded = u32::try_from(padded(step, n.into(), share.count)).unwrap_or(u32::MAX);
    let block = step.threads.block().unwrap_or(1);
    Grid { n, padded, own: padded / share.count.max(1), block, multiprocessors }
}

/// The launches of a force evaluation for a share of the bodies, in their order.
pub fn force_launches(step: &Step, n: u32, share: Share, multiprocessors: u32) -> Vec<Launch> {
    match step.threads {
        Threads::Blocks { .. } => (step.host.launches)(&grid(step, n, share, multiprocessors)),
        Threads::One | Threads::Cores => vec![Launch::row("force", 1, 1)],
    }
}

/// Bodies of one block, where that computes their accelerations by itself.
pub fn bodies_of_block(step: &Step, n: u32) -> Option<u32> {
    let of_block = step.host.of_block.filter(|_| step.threads.block().is_some())?;
    Some(of_block(&grid(step, n, Share::ALL, 1)))
}

/// Whether its sums keep what rounding takes from them, so that they can be judged by themselves.
pub fn compensates(step: &Step) -> bool {
    let sums = (step.host.arithmetic.sums)(&grid(step, 1000, Share::ALL, 1));
    sums.iter().any(|sum| matches!(sum, Sum::Compensated(_)))
}

/// Whether it computes the same in any units of mass and length: not in whole numbers, nor from halves.
pub fn is_free_of_units(step: &Step) -> bool {
    let Arithmetic { terms, sums } = step.host.arithmetic;
    let sums = sums(&grid(step, 1000, Share::ALL, 1));
    match terms {
        Terms::Double => true,
        Terms::Single | Terms::Refined => !sums.iter().any(|sum| matches!(sum, Sum::Exact(_))),
        Terms::Moments | Terms::Squares => false,
    }
}

/// The launch that makes whole time steps by itself, where there is one.
pub fn run_launch(step: &Step, n: u32, multiprocessors: u32) -> Option<Launch> {
    let Run::OneLaunch(plan) = step.host.run else { return None };
    Some(plan(&grid(step, n, Share::ALL, multiprocessors)))
}

/// The launch that advances positions and velocities of so many own bodies.
pub fn advance_launch(step: &Step, own: u32) -> Launch {
    let block = match step.threads {
        Threads::Blocks { stated: true, .. } => ADVANCE_BLOCK,
        Threads::Blocks { block, stated: false } => block,
        Threads::One | Threads::Cores => return Launch::row("advance", 1, 1),
    };
    Launch::row("advance", own.div_ceil(block), block)
}

/// The step with blocks of another size. Arrays that are padded to whole blocks still are.
///
/// # Errors
/// Why its blocks cannot have that size.
pub fn with_block(mut step: Step, block: u32) -> Result<Step, BlockError> {
    let Threads::Blocks { block: own, stated } = step.threads else {
        return Err(BlockError::NoBlocks);
    };
    if stated && matches!(step.host.run, Run::OneLaunch(_)) {
        return Err(BlockError::Fixed(
            "one launch makes all its time steps, in blocks of a fixed size",
        ));
    }
    if stated && !block.is_multiple_of(WARP) {
        return Err(BlockError::Multiple { block, multiple: WARP });
    }
    step.threads = Threads::Blocks { block, stated };
    if stated {
        step.host.padding = whole(step.host.padding, own, block);
    } else if step.host.padding == own {
        step.host.padding = block;
    }
    Ok(step)
}

/// The padding for blocks of `block` threads, of a step that is padded to `padding` bodies with `own`: whole groups of bodies
/// as before, and as many more for a block as it has more threads.
fn whole(padding: u32, own: u32, block: u32) -> u32 {
    let (padding, own, block) =
        (u64::from(padding.max(1)), u64::from(own.max(1)), u64::from(block));
    let of_block = (padding * block).div_ceil(own).max(1);
    let (mut a, mut b) = (padding, of_block);
    while b > 0 {
        (a, b) = (b, a % b);
    }
    u32::try_from(padding / a * of_block).unwrap_or(u32::MAX)
}

/// What the host does for a step, in words.
pub fn on_the_host(step: &Step) -> Vec<(&'static str, String)> {
    let Host { layout, padding, parameters, scratch, run, .. } = step.host;
    let threads = match step.threads {
        Threads::One if step.is_for_cpu() => "1".to_owned(),
        Threads::One => "1 block of 1 thread".to_owned(),
        Threads::Blocks { block, stated: false } => format!("one per body, in blocks of {block}"),
        Threads::Blocks { block, stated: true } => {
            format!("several launches, planned for each number of bodies, in blocks of {block}")
        }
        Threads::Cores => "as many as the CPU can run at once".to_owned(),
    };
    let layout = match layout {
        Layout::ArrayOfStructs => "one array of ten-field structs",
        Layout::ScalarArrays => "ten arrays, one per field",
        Layout::Float4 => "three arrays of `float4`: position and mass, velocity, acceleration",
    };
    let padding = match padding {
        1 => "none".to_owned(),
        multiple => format!("with massless bodies to a multiple of {multiple}"),
    };
    let memory = match scratch {
        [] => "none".to_owned(),
        scratch => {
            scratch.iter().map(|own| format!("`{}`", own.name)).collect::<Vec<_>>().join(", ")
        }
    };
    let parameters = match parameters {
        Parameters::Arguments => "arguments of every launch",
        Parameters::Constant => "copied once into constant memory",
    };
    let time_steps = match run {
        Run::Launches => "launch by launch".to_owned(),
        Run::Graph => format!("recorded, {GRAPH_TIME_STEPS} of them, and started by one call"),
        Run::OneLaunch(_) => "many by one launch".to_owned(),
    };
    let mut all = vec![
        ("threads", threads),
        ("bodies in memory", layout.to_owned()),
        ("padding", padding),
        ("more memory", memory),
        ("parameters", parameters.to_owned()),
        ("time steps", time_steps),
    ];
    all.retain(|(name, _)| *name != "parameters" || !step.is_for_cpu());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Step = ladder::Step::first("01-a", "an idea", "one line", 32, Host::PLAIN);

    #[test]
    fn blocks_that_launches_cannot_follow_are_refused() {
        let stated = |padding| Step {
            threads: Threads::Blocks { block: 64, stated: true },
            host: Host { padding, ..Host::PLAIN },
            ..STEP
        };
        let wider = with_block(stated(64), 256).expect("whole warps");
        assert_eq!((wider.threads.block(), wider.host.padding), (Some(256), 256));
        let why = with_block(stated(64), 48).expect_err("one warp and a half");
        assert_eq!(why, BlockError::Multiple { block: 48, multiple: 32 });
        let mut one_launch = stated(64);
        one_launch.host.run = Run::OneLaunch(|_| Launch::row("run", 1, 64));
        assert!(with_block(one_launch, 128).is_err());
        let one = Step { threads: Threads::One, ..STEP };
        assert!(with_block(one, 128).is_err_and(|why| why == BlockError::NoBlocks));
        let uneven = Step { host: Host { padding: 32, ..Host::PLAIN }, ..STEP };
        let uneven = with_block(uneven, 48).expect("a thread a body");
        assert_eq!((uneven.threads.block(), uneven.host.padding), (Some(48), 48));
    }

    #[test]
    fn padding_stays_whole_groups_and_whole_blocks() {
        for (padding, own, block, expected) in [
            (256, 128, 128, 256),  // two bodies a thread
            (256, 128, 512, 1024), // the same
            (256, 128, 64, 256),   // or groups of 256 bodies a warp
            (256, 128, 96, 768),
            (32, 32, 1024, 1024),
            (1, 128, 32, 1),
        ] {
            assert_eq!(whole(padding, own, block), expected, "{padding} {own} {block}");
        }
    }
}

//! A step that plans its launches: two kernels make a force evaluation, and memory of its own holds what the first
//! leaves for the second.

use std::collections::BTreeSet;
use std::path::Path;

use device::{Choice, CodeRoute, Device, Error, Module, Shape, SimulatorDevice, Source, Watching};
use ladder::Problem;
use ladder::limits::{self, Watched, count, watch};
use ladder::problem::Input;
use ladder::testing::verify_silently;
use ladder::verify::{Failure, evaluate};
use ladder::{Code, Grid, Launch, Threads};
use launches::accounting::Accounting;
use launches::facts::Facts;
use nbody::step::with_block;
use nbody::{Host, Layout, Nbody, Parameters, SEED, Scratch, Simulation, Step, plummer};
use report::Request;
use report::bound::LATENCY;
use simt::model::Gpu;

use super::one_step::{self, open};

/// Parts into which the kernel splits each sum.
const PARTS: u32 = 4;

const STEP: Step = Step {
    code: Code::Cuda { file: "split", options: OPTIONS },
    threads: Threads::Blocks { block: 128, stated: true },
    ..Step::first("01-split", "Split sums", "each sum over four blocks", 128, HOST)
};

const HOST: Host = Host {
    layout: Layout::Float4,
    parameters: Parameters::Constant,
    scratch: &[Scratch { name: "sums", bytes: |bodies| (PARTS * bodies) as usize * 16 }],
    launches: plan,
    of_block: None,
    ..Host::PLAIN
};

const OPTIONS: &[&str] = &["--use_fast_math"];

fn plan(grid: &Grid) -> Vec<Launch> {
    let blocks = grid.padded.div_ceil(grid.block);
    vec![partial(blocks, grid.block), total(blocks, grid.block)]
}

fn partial(blocks: u32, threads: u32) -> Launch {
    Launch::row("partial", PARTS * blocks, threads)
}

fn total(blocks: u32, threads: u32) -> Launch {
    Launch { kernel: "total", shape: Shape::row(blocks, threads).with_shared(16 * threads) }
}

fn source() -> Source {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planned/split.cu");
    Source::from_file(&file, OPTIONS).expect("a source with its PTX")
}

fn gpu() -> Gpu {
    device::described("h200").expect("a GPU that is known")
}

fn device() -> SimulatorDevice {
    SimulatorDevice::open(CodeRoute::Committed, gpu())
}

/// The step verified at all sizes.
fn verified(step: &Step) -> Result<(), Failure> {
    let mut device = device();
    let mut module = device.load(&source()).expect("current PTX");
    let mut open = open(*step);
    verify_silently(&mut device, &mut *open, &step.facts(), &mut module).map(|_| ())
}

fn watched(device: &mut SimulatorDevice, watching: Watching, n: u64) -> Watched {
    let input = Input::counted(n);
    watch(device, watching, &mut *open(STEP), &STEP.facts(), &source(), input).expect("a run")
}

#[test]
fn launches_run_in_their_order_over_zeroed_memory() {
    verified(&STEP).unwrap_or_else(|problem| panic!("{problem}"));
    let watched = watched(&mut device(), Watching::default(), 1000);
    let kernels: Vec<&str> = watched.profiles.iter().map(|seen| seen.kernel.as_str()).collect();
    assert_eq!(kernels, ["partial", "total"]);
    let [partial, total] = &watched.profiles[..] else { panic!("two launches") };
    assert_eq!((partial.grid, partial.block), ([32, 1, 1], [128, 1, 1]));
    assert_eq!((total.grid, total.shared_bytes), ([8, 1, 1], 16 * 128));
}

#[test]
fn a_gpu_runs_it_too() {
    let mut device = match device::open(Choice::Cuda(0), CodeRoute::Auto, "h200") {
        Ok(device) => device,
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            return;
        }
    };
    for step in [STEP, with_block(STEP, 512).expect("whole warps")] {
        let mut module = device.load(&source()).expect("code for this GPU");
        verify_silently(&mut *device, &mut *open(step), &step.facts(), &mut module)
            .unwrap_or_else(|problem| panic!("{problem}"));
    }
    let needy = Source { needs: (99, 0), ..source() };
    let error = device.load(&needy).expect_err("there is no such GPU");
    assert!(error.is_skipped(), "{error}");
}

#[test]
fn blocks_of_another_size_are_planned() {
    for block in [32, 256] {
        let step = with_block(STEP, block).expect("whole warps");
        verified(&step).unwrap_or_else(|problem| panic!("{block}: {problem}"));
    }
}

#[test]
fn what_is_planned_wrongly_is_found() {
    let planned = |launches| Step { host: Host { launches, ..HOST }, ..STEP };
    let backwards = planned(|grid| {
        let mut launches = plan(grid);
        launches.reverse();
        launches
    });
    assert!(matches!(verified(&backwards), Err(Failure::Wrong(_))));
    let without_total = planned(|grid| plan(grid)[..1].to_vec());
    assert!(verified(&without_total).is_err());
    let too_small = Step {
        host: Host {
            scratch: &[Scratch {
                name: "sums",
                bytes: |bodies| (PARTS * bodies) as usize * 16 - 16,
            }],
            ..HOST
        },
        ..STEP
    };
    let Err(Failure::Device(Error::Kernel { fault, .. })) = verified(&too_small) else {
        panic!("an access behind its memory is a fault");
    };
    assert!(fault.to_string().contains("sums"), "{fault}");
    let unknown = planned(|grid| vec![Launch::row("all", 1, grid.block)]);
    assert!(matches!(verified(&unknown), Err(Failure::Device(Error::NoKernel { .. }))));
}

#[test]
fn memory_of_its_own_is_zeroed_at_each_upload() {
    let (mut device, bodies) = (device(), plummer(300, SEED));
    let mut module = device.load(&source()).expect("current PTX");
    // Only the first kernel: it leaves its sums, which a second evaluation would find.
    let step = Step { host: Host { launches: |grid| plan(grid)[..1].to_vec(), ..HOST }, ..STEP };
    let simulation = Simulation::new(&mut device, &step, &mut module, &bodies).expect("memory");
    simulation.force(&mut device, 0).expect("a run");
    drop(simulation);
    let simulation = Simulation::new(&mut device, &STEP, &mut module, &bodies).expect("memory");
    simulation.force(&mut device, 0).expect("a run");
    let once = simulation.download(&mut device).expect("accelerations");
    simulation.upload(&mut device, &bodies, None).expect("an upload");
    simulation.force(&mut device, 0).expect("a run");
    let again = simulation.download(&mut device).expect("accelerations");
    assert_eq!(once.acceleration, again.acceleration);
    // Twelve floats of vectors for each body, and the sums.
    assert_eq!(nbody::bytes(&STEP, 300), 300 * (48 + 64));
}

#[test]
fn limits_are_those_of_both_kernels() {
    let (n, gpu) = (16_384, gpu());
    let counted = count(&mut *open(STEP), &STEP.facts(), &source(), &gpu, n).expect("counts");
    let pairs = (n as f64).powi(2);
    let limits = limits::limits(&counted, pairs, 1e-3, None);
    // 3 differences, 3 products, 6 multiply-adds and 1 special function, and little for each body.
    assert!((19.0..19.3).contains(&limits.flop_executed), "{}", limits.flop_executed);
    assert!(limits.bounds.iter().any(|bound| bound.name == LATENCY));
    let direct = watched_on_one(n, &gpu);
    let issued: f64 = direct.iter().map(|seen| seen.executed().total * 32.0).sum();
    let off = limits.instructions * pairs / issued - 1.0;
    assert!(off.abs() < 0.02, "{off}");
    let occupancy = limits::occupancy(&counted).expect("blocks fit");
    assert_eq!(occupancy.block, 128);
}

/// The launches at `n` bodies, of the blocks of one multiprocessor.
fn watched_on_one(n: u64, gpu: &Gpu) -> Vec<device::Profile> {
    let mut device = SimulatorDevice::open(CodeRoute::Committed, gpu.clone());
    let watching = Watching { multiprocessors: Some(1), warm_l2: true, ..Watching::default() };
    watched(&mut device, watching, n).profiles
}

#[test]
fn an_explanation_adds_what_both_kernels_did_and_shows_the_longer_one() {
    let Watched { profiles, code, ptx, .. } = watched(&mut device(), Watching::default(), 1000);
    let one = |place: usize| Facts::of(&profiles[place..=place], &source(), &code, &ptx);
    let (partial, total) = (one(0), one(1));
    let both = Facts::of(&profiles, &source(), &code, &ptx);
    assert_eq!(both.kernel, "partial");
    assert_eq!(both.grid, partial.grid);
    assert_eq!(both.total.warps, partial.total.warps + total.total.warps);
    let seconds = partial.model.seconds + total.model.seconds;
    assert!((both.model.seconds / seconds - 1.0).abs() < 1e-12);
    let issued = partial.machine.total + total.machine.total;
    assert!((both.machine.total / issued - 1.0).abs() < 1e-12);
    let launches: Vec<&str> = both.launches.iter().map(|launch| launch.kernel.as_str()).collect();
    assert_eq!(launches, ["partial", "total"]);
    assert!(partial.launches.is_empty(), "one launch is told of by itself");
    let warps: u64 = both.classes.iter().map(|class| class.warps).sum();
    assert_eq!(warps, both.total.warps, "each instruction is of one class");
    let of_lines: u64 = both.lines.iter().map(|line| line.counts.warps).sum();
    assert_eq!(of_lines, both.total.warps, "each is of one line");
    assert!(both.lines.is_sorted_by_key(|line| line.line));
    let accounting = Accounting::new("01-split", &profiles, 1e6, 20.0);
    let rate = 20.0 * 1e6 / seconds;
    assert!((accounting.timed.flop_per_second / rate - 1.0).abs() < 1e-12);
}

/// The PTX of a step in which the last loop of a kernel, the outermost one, ends after so many rounds.
fn after_rounds(ptx: &str, kernel: &str, rounds: u32) -> String {
    let begin = ptx.find(&format!(".entry {kernel}(")).expect("the kernel");
    let length = ptx[begin..].find("\n}").expect("its end");
    let body = begin + ptx[begin..].find("\n{").expect("its body") + 2;
    let mut labels = BTreeSet::new();
    let mut last = None;
    for line in ptx[body..begin + length].lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [label] if label.ends_with(':') => drop(labels.insert(label.trim_end_matches(':'))),
            [goes_on, "bra", to] if labels.contains(to.trim_end_matches(';')) => {
                last = Some((line, goes_on));
            }
            _ => {}
        }
    }
    let (line, goes_on) = last.expect("a loop");
    let back = body + ptx[body..].find(line).expect("its end");
    let counter = "\n.reg .pred %few;\n.reg .u32 %rounds;\nmov.u32 %rounds, 0;";
    let count = format!("add.u32 %rounds, %rounds, 1;\nsetp.lt.u32 %few, %rounds, {rounds};\n");
    let only = match goes_on.strip_prefix("@!") {
        Some(ends) => format!("not.pred %few, %few;\nor.pred {ends}, {ends}, %few;\n"),
        None => {
            let goes_on = goes_on.trim_start_matches('@');
            format!("and.pred {goes_on}, {goes_on}, %few;\n")
        }
    };
    [&ptx[..body], counter, &ptx[body..back], &count, &only, &ptx[back..]].concat()
}

/// What verification does with launches that are planned for few multiprocessors.
fn verified_for_few(
    device: &mut SimulatorDevice,
    step: &Step,
    module: &mut Module,
) -> Result<(), Failure> {
    let (mut open, step) = (open(*step), step.facts());
    let inputs = open.verification(&step, false).into_iter();
    for input in inputs.filter(|input| input.multiprocessors.is_some()) {
        let mut pass = open.place(device, &step, module, input)?;
        evaluate(device, &mut *pass)?;
    }
    Ok(())
}

/// Where there are many multiprocessors, verification has few bodies for each: every warp has one round to do.
/// With many bodies it has 32 of them.
#[test]
fn a_loop_that_ends_after_few_rounds_is_wrong() {
    are_wrong_after(&[4], 1);
}

/// In so many steps.
fn are_wrong_after(rounds: &[u32], steps: usize) {
    let mut several = 0;
    let problem = Nbody::open(&Request::default()).expect("a problem");
    for step in nbody_ladder::STEPS.iter().filter(|step| step.elsewhere.is_none()) {
        let differs = |few| {
            let launches = |count| problem.launches(step, 4099, count);
            launches(few) != launches(132)
        };
        if several == steps || !differs(1) {
            continue;
        }
        several += 1;
        let source = step.source(&one_step::kernels()).expect("its source");
        let verified = |rounds| {
            let mut source = Source { cuda: None, ..source.clone() };
            for ptx in &mut source.ptx {
                ptx.text = after_rounds(&ptx.text, "force", rounds);
            }
            let mut device = device();
            let mut module = device.load(&source).expect("PTX");
            if rounds == 4 && several == 1 {
                // One stands for all: what is verified before, for 132, does not show it.
                let mut open = open(*step);
                return verify_silently(&mut device, &mut *open, &step.facts(), &mut module)
                    .map(|_| ());
            }
            verified_for_few(&mut device, step, &mut module)
        };
        assert!(verified(u32::MAX).is_ok(), "{}: as it is", step.name);
        for &rounds in rounds {
            let found = verified(rounds).expect_err(step.name);
            assert!(matches!(found, Failure::Wrong(_)), "{}, {rounds}: {found}", step.name);
            if rounds == 4 && several == 1 {
                let found = found.to_string();
                assert!(found.contains("launches that divide no work"), "{}: {found}", step.name);
            }
        }
    }
    assert_eq!(several, steps, "steps that compute each pair once");
}

#[test]
fn its_ptx_is_of_its_source() {
    let source = source();
    assert_eq!(toolchain::ptx::check(&source, &source.ptx[0].text), Ok(()));
}

mod long {
    use super::*;

    /// All steps that compute each pair once, and other numbers of rounds.
    #[test]
    #[ignore = "runs in CI as a job of its own: a minute"]
    fn loops_that_end_after_few_rounds_are_wrong() {
        are_wrong_after(&[1, 4, 7], 7);
    }
}

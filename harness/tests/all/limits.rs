//! Limits of the ladder's steps: what is counted at few bodies holds at many, and what it comes to.

use std::collections::HashMap;

use device::{CodeRoute, Device, Error, Profile, SimulatorDevice, Source, Watching};
use ladder::limits::{self, Counted, count, watch};
use ladder::problem::Input;
use ladder::{Ladder, OpenProblem, Step};
use ladders::LADDERS;
use nbody_ladder::LADDER;
use rayon::prelude::*;
use report::bound::{BUSIEST, DRAM, FP32_PEAK, ISSUE, L2, LATENCY, MUFU};
use report::{Limits, Report, Request, Row};
use simt::model::Gpu;

use super::one_step::kernels;

fn step(name: &str) -> Step {
    LADDER.step(name).expect("a step of the ladder")
}

fn open() -> Box<dyn OpenProblem> {
    LADDER.open(&Request::default()).expect("a problem")
}

fn source(step: &Step) -> Source {
    step.source(&kernels()).expect("its kernels")
}

/// Counts a step for `n` bodies at fewer.
fn counted(name: &str, gpu: &Gpu, n: u64) -> Counted {
    let step = step(name);
    count(&mut *open(), &step, &source(&step), gpu, n).expect("counts")
}

fn gpu(name: &str) -> Gpu {
    Gpu::named(name).expect("a GPU that is known")
}

/// The force evaluation at `n` bodies itself, of the blocks of one multiprocessor.
fn direct(step: &Step, gpu: &Gpu, n: u64) -> Profile {
    let mut device = SimulatorDevice::open(CodeRoute::Auto, gpu.clone());
    let watching = Watching { multiprocessors: Some(1), warm_l2: true, ..Watching::default() };
    let input = Input::counted(n);
    let seen = watch(&mut device, watching, &mut *open(), step, &source(step), input);
    let mut profiles = seen.expect("a run").profiles;
    profiles.swap_remove(limits::longest(&profiles))
}

/// Limits at `n` bodies in `seconds`, counted at fewer.
fn found(name: &str, gpu: &Gpu, n: u64, seconds: f64) -> Limits {
    limits::limits(&counted(name, gpu, n), (n as f64).powi(2), seconds, None)
}

/// A bound's part of the time.
fn fraction(limits: &Limits, name: &str) -> f64 {
    limits.bounds.iter().find(|bound| bound.name == name).map_or(0.0, |bound| bound.fraction)
}

/// Counted at fewer bodies and scaled, and counted at `n` itself: all within 1%.
#[track_caller]
fn agrees(name: &str, gpu: &Gpu, n: u64, lanes: f64) {
    let scaled = found(name, gpu, n, 1.0);
    assert!(scaled.counted_n < n);
    let profile = direct(&step(name), gpu, n);
    let traffic = profile.traffic();
    let pairs = (n as f64).powi(2);
    let sectors = (traffic.l2_hits + traffic.dram_sectors) as f64;
    for (what, scaled, direct) in [
        ("instructions", scaled.instructions * pairs, profile.executed().total * lanes),
        ("global bytes", scaled.global_bytes, traffic.global_bytes as f64),
        ("L2 bytes", scaled.l2_bytes, 32.0 * sectors),
        ("shared bytes", scaled.shared_bytes, traffic.shared_bytes as f64),
    ] {
        let off = if direct == 0.0 { scaled } else { scaled / direct - 1.0 };
        assert!(off.abs() < 0.01, "{name}, {what}: {scaled} against {direct}");
    }
}

#[test]
#[ignore = "runs in CI as a job of its own: launches of 65 536 bodies"]
fn counts_of_few_bodies_hold_for_many() {
    // Four blocks of 256 on each multiprocessor, as with 131072 bodies on the whole chip.
    let mut half = gpu("h200");
    half.chip.multiprocessors.value = 64.0;
    for name in ["05-rsqrt", "06-shared-blocking", "10-fast-math"] {
        agrees(name, &half, 65_536, 32.0);
    }
    agrees("01-one-thread", &gpu("h200"), 1024, 1.0);
}

#[test]
fn the_last_steps_limits_are_those_of_its_loop() {
    let n = 131_072;
    let limits = found("10-fast-math", &gpu("h200"), n, 0.0103);
    // 3 differences, 3 products, 6 multiply-adds and 1 special function.
    assert!((limits.flop_executed - 19.0).abs() < 0.1, "{}", limits.flop_executed);
    // Those 13, a load of 128 bits for each interaction, and the loop's own.
    assert!((14.0..16.0).contains(&limits.instructions), "{}", limits.instructions);
    // 18 operations of FP32 at two a clock, 128 lanes and 132 multiprocessors; one function at 16.
    let interactions = (n * n) as f64;
    let peak = 18.0 * interactions / (2.0 * 128.0 * 132.0 * 1.98e9) / 0.0103;
    assert!((fraction(&limits, FP32_PEAK) / peak - 1.0).abs() < 0.01);
    let chip = limits.peak_flop_per_second.expect("the chip's peak");
    assert!((chip / (2.0 * 128.0 * 132.0 * 1.98e9) - 1.0).abs() < 1e-9, "{chip}");
    let mufu = interactions / (16.0 * 132.0 * 1.98e9) / 0.0103;
    assert!((fraction(&limits, MUFU) / mufu - 1.0).abs() < 0.01);
    assert_eq!(limits.bounds[0].name, ISSUE);
    assert!(fraction(&limits, L2) < 0.01);
    // 16 bytes of every body for each block of 256, and little beside.
    let bytes = 16.0 * interactions / 256.0;
    assert!((limits.global_bytes / bytes - 1.0).abs() < 0.02, "{}", limits.global_bytes);
    assert_eq!(limits.dram_bytes, 0.0, "5 MB stay in a cache of 60");
    assert!(limits.bounds.is_sorted_by(|one, other| one.seconds >= other.seconds));
}

#[test]
fn a_clock_that_was_seen_stands_in_for_the_descriptions() {
    let n = 1 << 20;
    let counted = counted("08-no-if", &gpu("h200"), n);
    let at = |clock| limits::limits(&counted, (n as f64).powi(2), 0.7, clock);
    let (stated, slower) = (at(None), at(Some(990.0)));
    assert_eq!((stated.clock_mhz, stated.clock_was_seen), (1980.0, false));
    assert_eq!((slower.clock_mhz, slower.clock_was_seen), (990.0, true));
    let ratio = |name: &str| fraction(&slower, name) / fraction(&stated, name);
    assert!((ratio(ISSUE) - 2.0).abs() < 1e-9 && (ratio(L2) - 2.0).abs() < 1e-9);
    let peak = |limits: &Limits| limits.peak_flop_per_second.expect("the chip's peak");
    assert!((peak(&stated) / peak(&slower) - 2.0).abs() < 1e-9);
    assert_eq!(at(Some(0.0)), stated, "a clock that stands still was not seen");
}

#[test]
fn one_thread_waits_and_few_blocks_leave_multiprocessors_idle() {
    let one = found("01-one-thread", &gpu("h200"), 8192, 16.54);
    // 8192 bodies of 40 bytes do not fit the L1 cache, 4096 do: 16.52 s and 2.03 s were measured.
    assert_eq!(one.bounds[0].name, LATENCY);
    assert!((0.7..1.1).contains(&one.bounds[0].fraction), "{:?}", one.bounds[0]);
    let fits = found("01-one-thread", &gpu("h200"), 4096, 2.03);
    assert!((0.7..1.1).contains(&fits.bounds[0].fraction), "{:?}", fits.bounds[0]);
    // 16 blocks for 132 multiprocessors: their 8 warps each cannot hide their latencies. Measured
    // were 113 µs.
    let few = found("10-fast-math", &gpu("h200"), 4096, 113e-6);
    assert_eq!(few.bounds[0].name, LATENCY);
    assert!((0.8..1.0).contains(&few.bounds[0].fraction), "{:?}", few.bounds[0]);
    // One block more than three for each multiprocessor: one has four.
    let uneven = found("05-rsqrt", &gpu("h200"), (3 * 132 + 1) * 256, 0.016);
    assert_eq!(uneven.bounds[0].name, BUSIEST);
    let ratio = fraction(&uneven, BUSIEST) / fraction(&uneven, ISSUE);
    assert!((ratio - 4.0 * 132.0 / 397.0).abs() < 0.001, "{ratio}");
    let even = found("05-rsqrt", &gpu("h200"), 3 * 132 * 256, 0.016);
    assert!(even.bounds.iter().all(|bound| bound.name != BUSIEST), "{:?}", even.bounds);
}

#[test]
fn what_no_cache_holds_comes_from_memory() {
    // 100000 bodies of 40 bytes and an L2 cache of 768 KB: the tutorial saw 1.035 GB/s for 612 ms
    // and counted what blocks read, once for each of 391.
    let old = found("07-unroll", &gpu("tesla-c2050"), 100_000, 0.612);
    let read = old.global_bytes / 0.612 / 1e9;
    assert!((read / 1.035 - 1.0).abs() < 0.02, "{read} GB/s");
    assert!(old.dram_bytes > 0.0 && old.dram_bytes <= old.l2_bytes, "{}", old.dram_bytes);
    assert!(old.l2_bytes <= old.global_bytes);
    assert!(fraction(&old, DRAM) < 0.01, "and yet memory does not limit it");
}

#[test]
fn occupancy_is_that_of_the_size_that_was_timed() {
    let at = |n| limits::occupancy(&counted("10-fast-math", &gpu("h200"), n)).expect("blocks fit");
    let few = at(4096);
    assert_eq!((few.block, few.blocks, few.warps, few.most_warps), (256, 1, 8, 64));
    assert_eq!(few.limit, "the grid");
    let many = at(1 << 20);
    assert_eq!((many.blocks, many.registers), (8, Some(32)));
}

#[test]
fn code_that_the_simulator_cannot_run_costs_only_the_limits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("my.ptx");
    std::fs::write(&file, ".version 7.8\n.target sm_50\n.address_size 64\n").expect("a file");
    let source = Source::from_file(&file, &[]).expect("a source");
    let error = count(&mut *open(), &step("05-rsqrt"), &source, &gpu("h200"), 4096);
    let error = error.expect_err("no kernel");
    assert!(error.to_string().contains("force"), "{error}");
}

/// The modelled time at `n` bodies, s, from what was counted at fewer.
fn modelled(name: &str, n: u64) -> f64 {
    counted(name, &gpu("h200"), n).seconds().expect("launches that are planned")
}

#[test]
fn without_a_gpu_the_ladder_has_the_story_that_was_measured() {
    let folder = kernels().join("../../reports/h200/report.json");
    let report = Report::read(&folder).expect("a committed report");
    let rows = || {
        let rows = report.rows.iter().filter(|row| !row.detour && row.step.as_str() < "18");
        rows.filter_map(|row| Some((row, row.after.as_deref()?)))
    };
    let mut known = HashMap::new();
    let mut modelled =
        |name: &str, n| *known.entry((name.to_owned(), n)).or_insert_with(|| modelled(name, n));
    let mut logs = Vec::new();
    for (row, after) in rows() {
        let (n, ratio) = row.parent().expect("a step beyond the first was measured");
        let of_model = modelled(after, n) / modelled(&row.step, n);
        let log = (of_model / ratio.ratio).ln().abs();
        assert!(
            log < 1.2_f64.ln(),
            "{}: {of_model:.3} modelled, {:.3} seen",
            row.step,
            ratio.ratio
        );
        // Faster or slower than the step before.
        assert_eq!(of_model > 1.0, ratio.ratio > 1.0, "{}: {of_model:.3}", row.step);
        logs.push(log);
    }
    let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
    assert!(mean < 1.15, "off by a factor of {mean:.3} on the average");
    // Steps more than 5 % apart are in the measured order.
    let mut both = |row: &Row| Some((row.at(131_072)?.seconds, modelled(&row.step, 131_072)));
    let times: Vec<(f64, f64)> = rows().filter_map(|(row, _)| both(row)).collect();
    assert_eq!(times.len(), 16);
    for (seen, of_model) in &times {
        for (other, of_other) in &times {
            assert!(seen >= &(other / 1.05) || of_model < of_other, "{seen} s and {other} s");
        }
    }
}

/// A chip of which nothing is known but its size.
const SMALL: &str = "name = \"Sixteen\"\ncapability = \"8.6\"\n[chip]\nmultiprocessors = [16, \"small\"]\n\
    clock_mhz = [1500, \"small\"]\ndram_gb_per_s = [200, \"small\"]\nl2_bytes = [2097152, \"small\"]\n";

/// The GPUs that are known, and the small one.
fn gpus() -> Vec<Gpu> {
    let small = Gpu::from_toml("small.toml", SMALL).expect("a GPU");
    Gpu::names().map(gpu).chain([small]).collect()
}

/// Each ladder on a few of the GPUs, and each GPU with a few of the ladders.
#[test]
#[ignore = "runs in CI: a quarter of a minute"]
fn no_modelled_time_is_beyond_some_of_the_chips() {
    assert!(modelled_on(&gpus(), 16) > 30);
}

mod long {
    use super::*;

    #[test]
    #[ignore = "runs in CI as a job of its own: minutes"]
    fn no_modelled_time_is_beyond_any_chip() {
        assert!(modelled_on(&gpus(), 1) > 500);
    }
}

/// Models the last kept step of every ladder on one GPU in `each`, and on others than the ladder before: none does the
/// work in less time than any code needs. How many there were.
#[track_caller]
fn modelled_on(gpus: &[Gpu], each: usize) -> usize {
    let ladders = LADDERS.iter().filter(|ladder| !ladder.is_for_cpu()).enumerate();
    let pairs: Vec<_> = ladders
        .flat_map(|(at, ladder)| {
            let here = gpus.iter().skip(at % each).step_by(each);
            here.map(move |gpu| (*ladder, gpu))
        })
        .collect();
    let found: Vec<Option<String>> =
        pairs.par_iter().filter_map(|(ladder, gpu)| beyond(*ladder, gpu)).collect();
    let wrong: Vec<String> = found.iter().flatten().cloned().collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    found.len()
}

/// What is impossible in the modelled time of a ladder's last kept step; nothing of one that cannot run on the GPU.
fn beyond(ladder: &dyn Ladder, gpu: &Gpu) -> Option<Option<String>> {
    let is_modelled = |step: &Step| {
        !step.detour && step.elsewhere.is_none() && ladder.not_modelled(step.name).is_none()
    };
    let last = ladder.steps().into_iter().rfind(is_modelled).expect("a step that is modelled");
    let folder = ladder.kernels().expect("its kernels");
    let source = last.source(&folder).expect("its kernel");
    let mut open = ladder.open(&Request::default()).expect("a problem");
    let device = SimulatorDevice::open(CodeRoute::Committed, gpu.clone());
    let n = open.default_size(&last, device.info());
    let name = format!("{}/{} on {}", ladder.name(), last.name, gpu.name);
    let seconds = match limits::model(&mut *open, &last, &source, gpu, n) {
        Ok(modelled) => modelled.seconds,
        // An old chip has not the shared memory that its blocks need, or room for all of them at once.
        Err(Error::BadShape { .. } | Error::NotTogether { .. } | Error::NotResident(_)) => {
            return None;
        }
        Err(error) => return Some(Some(format!("{name}: {error}"))),
    };
    let least = open.least_seconds(n, &limits::Chip::Gpu(Box::new(gpu.clone())));
    let wrong = format!("{name}: {seconds} s, and no code needs less than {least}");
    Some((seconds < least).then_some(wrong))
}

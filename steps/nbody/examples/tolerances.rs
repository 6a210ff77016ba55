//! How far the steps of `nbody` and `cpu` are from f64, and how far they may be, over many seeds:
//!
//! ```text
//! cargo run --release -p nbody-ladder --example tolerances -- simt 20 1,2,3,33,257,1000
//! cargo run --release -p nbody-ladder --example tolerances -- cuda 20 257,1000,4099 17 18
//! cargo run --release -p nbody-ladder --example tolerances -- cuda 3 cluster:16384,131072
//! ```
//!
//! The arguments: `simt`, `cuda` or `cpu`; seeds; sizes, after `cluster:` of the cluster that is
//! timed, else of verification bodies; parts of steps' names, else all that run on one device. A row
//! a step, size and quantity: the greatest rms and the greatest error of a body that were seen, what
//! was allowed then, and the quotient: the least over the seeds, and that of the greatest of both; in
//! the end the least quotient of what a body alone is allowed and its error.

use std::collections::HashMap;
use std::io::Write;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use device::{Choice, CodeRoute, Device};
use ladder::judge::Errors;
use ladder::problem::OnCpu;
use ladder::{Problem, Threads, workspace};
use nbody::verify::{Compared, Forces, Trajectory, compared};
use nbody::{Allowed, Constants, Nbody, Simulation, Step, plummer};
use vectors::Vectors;

/// Sizes at which whole time steps are compared, too.
const TIME_STEP_SIZES: [usize; 3] = [33, 257, 503];

/// Above this many bodies a single thread of a GPU takes minutes.
const ONE_THREAD: usize = 1000;

/// Errors that were seen and allowed, of the rms or of the worst body.
#[derive(Debug, Clone, Copy)]
struct Seen {
    seen: f64,
    allowed: f64,
    least: f64,
}

impl Seen {
    const NOTHING: Seen = Seen { seen: 0.0, allowed: 0.0, least: f64::INFINITY };

    fn add(&mut self, seen: f64, allowed: f64) {
        self.seen = self.seen.max(seen);
        self.allowed = self.allowed.max(allowed);
        if seen > 0.0 {
            self.least = self.least.min(allowed / seen);
        }
    }
}

impl std::fmt::Display for Seen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Seen { seen, allowed, least } = self;
        let quotient = allowed / seen;
        write!(f, "{seen:.2e} {allowed:.2e} {least:6.2} {quotient:6.2}")
    }
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut next =
        || arguments.next().context("usage: tolerances simt|cuda|cpu SEEDS SIZES [STEP]…");
    let (kind, seeds) = (next()?, next()?.parse::<u64>().context("seeds")?);
    let sizes = next()?;
    let (is_cluster, sizes) = match sizes.strip_prefix("cluster:") {
        Some(rest) => (true, rest),
        None => (false, sizes.as_str()),
    };
    let sizes = sizes.split(',').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
    let names: Vec<String> = arguments.collect();
    let (mut device, steps) = match kind.as_str() {
        "simt" => (device::open(Choice::Simt, CodeRoute::Committed, "h200")?, nbody_ladder::STEPS),
        "cuda" => (device::open(Choice::Cuda(0), CodeRoute::Auto, "h200")?, nbody_ladder::STEPS),
        "cpu" => (device::open(Choice::Cpu, CodeRoute::Auto, "h200")?, cpu_ladder::STEPS),
        other => bail!("`{other}`: give simt, cuda or cpu"),
    };
    let mut output = std::io::stdout().lock();
    writeln!(
        output,
        "step n quantity: rms seen, allowed, least, quotient; worst body seen, allowed, least, quotient; each body least"
    )?;
    let mut cases: HashMap<(usize, u64), Rc<Forces>> = HashMap::new();
    for step in steps {
        if !names.is_empty() && !names.iter().any(|name| step.name.contains(name.as_str())) {
            continue;
        }
        for &n in &sizes {
            if step.threads == Threads::One && !step.is_for_cpu() && n > ONE_THREAD {
                continue;
            }
            let mut rows: Vec<(String, Seen, Seen, Seen)> = Vec::new();
            let mut add = |quantity: &str,
                           got: &[[f64; 3]],
                           expected: &[[f64; 3]],
                           allowed: &Allowed| {
                let (errors, tolerance) = (Errors::between(got, expected), allowed.tolerance);
                let own = most(got, expected, allowed);
                let at = rows.iter().position(|row| row.0 == quantity).unwrap_or_else(|| {
                    rows.push((quantity.to_owned(), Seen::NOTHING, Seen::NOTHING, Seen::NOTHING));
                    rows.len() - 1
                });
                rows[at].1.add(errors.rms, tolerance.rms);
                rows[at].3.add(own, 1.0);
                rows[at].2.add(errors.worst, tolerance.worst);
            };
            for seed in 1..=seeds {
                let forces = || match is_cluster {
                    true => Forces::new(plummer(n, seed), Constants::USUAL, seed),
                    false => Forces::drawn(n as u64, seed),
                };
                let case = cases.entry((n, seed)).or_insert_with(|| Rc::new(forces()));
                accelerations(&mut *device, step, case, &mut add)?;
                if !is_cluster && TIME_STEP_SIZES.contains(&n) && (seed <= 5 || n < 500) {
                    time_steps(&mut *device, step, &Trajectory::drawn(n as u64, seed), &mut add)?;
                }
            }
            for (quantity, rms, worst, own) in rows {
                let name = step.name;
                writeln!(output, "{name} {n} {quantity}: {rms} | {worst} | {:.2}", own.least)?;
            }
        }
    }
    Ok(())
}

/// The greatest error of a body in units of what is allowed for it by itself.
fn most(got: &[[f64; 3]], expected: &[[f64; 3]], allowed: &Allowed) -> f64 {
    let off = |(a, r): (&[f64; 3], &[f64; 3])| (0..3).map(|k| (a[k] - r[k]).powi(2)).sum::<f64>();
    let each = got.iter().zip(expected).map(off).zip(&allowed.each);
    each.filter(|(off, _)| *off > 0.0).map(|(off, own)| off.sqrt() / own).fold(0.0, f64::max)
}

fn load(device: &mut dyn Device, step: &Step) -> Result<device::Module> {
    if step.is_for_cpu() {
        let kernels = workspace::root()?.join("kernels/cpu");
        let on = OnCpu { kernels: &kernels, vectors: Vectors::best(), threads: device.threads() };
        return Ok(device.load_host(Nbody::host_code(step, &on)?)?);
    }
    Ok(device.load(&step.source(&workspace::root()?.join("kernels/nbody"))?)?)
}

fn accelerations(
    device: &mut dyn Device,
    step: &Step,
    case: &Forces,
    add: &mut impl FnMut(&str, &[[f64; 3]], &[[f64; 3]], &Allowed),
) -> Result<()> {
    let mut module = load(device, step)?;
    let simulation =
        Simulation::allocate(device, step, &mut module, case.bodies.len())?.with(case.constants);
    simulation.upload(device, &case.bodies, None)?;
    simulation.force(device, 0)?;
    let state = simulation.download(device)?;
    let got: Vec<[f64; 3]> = case
        .targets
        .iter()
        .map(|&i| state.acceleration.each_ref().map(|axis| f64::from(axis[i])))
        .collect();
    let allowed = simulation.precision().accelerations(&case.expected, &case.pulls);
    add("accelerations", &got, &case.expected, &allowed);
    Ok(())
}

fn time_steps(
    device: &mut dyn Device,
    step: &Step,
    trajectory: &Trajectory,
    add: &mut impl FnMut(&str, &[[f64; 3]], &[[f64; 3]], &Allowed),
) -> Result<()> {
    let mut module = load(device, step)?;
    let simulation = Simulation::allocate(device, step, &mut module, trajectory.bodies.len())?
        .with(trajectory.constants);
    simulation.upload(device, &trajectory.bodies, None)?;
    simulation.run(device, trajectory.steps)?;
    simulation.force(device, trajectory.steps)?;
    let state = simulation.download(device)?;
    for Compared { quantity, got, expected, allowed } in
        compared(trajectory, &state, simulation.precision())
    {
        add(&quantity, &got, &expected, &allowed);
    }
    Ok(())
}

//! Barnes–Hut as a problem: sizes, reference, judge, figure of merit.

use std::sync::Arc;

use barnes_hut::inputs::{CLUSTER, HARD, bodies};
use barnes_hut::{percentile, renumbered};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use device::{Argument, Buffer, Device, Error, HostCode, Info, Module, Shape};
use ladder::judge::{Tolerance, judge};
use ladder::limits::Chip;
use ladder::problem::{
    Checked, Copied, Failed, Input, OnCpu, Pass, Problem, ProblemOption, Purpose,
};
use ladder::{Launch, OptionError};
use nbody::verify::sample;
use nbody::{Bodies, EPSSQ, Reference, plummer};
use report::{Figure, Request};

use crate::step::{KERNEL, Step, host_code};

/// The opening angle of the tutorial.
const THETA: f32 = 0.5;

/// So small that no cell is far from a body in its surroundings: all pairs.
const NO_CELL: f32 = 1e-6;

/// So large that the first cell is far from every body, those in its middle too: the square of what it is entered within is 0.
const ONE_CELL: f32 = 1e30;

/// Verified in every run, besides some that are drawn.
const SIZES: [u64; 7] = [1, 2, 3, 31, 33, 257, 1000];

/// A size in each of these ranges is drawn by the seed of a run.
const DRAWN: [(u64, u64); 2] = [(4, 300), (300, 2000)];

/// Accelerations that are judged of a cluster; all, where there are fewer bodies.
const JUDGED: usize = 2000;

/// The most bodies: a node counts those below it in 32 bits, and there are fewer than three nodes a body.
const MOST: u64 = 1 << 30;

/// Interactions of the f64 reference in a second on one core, at least.
const REFERENCE_RATE: f64 = 1e8;

/// Of sums and products in `f32`, as the ladder of all pairs allows them for so few bodies.
const ROUNDED: Tolerance = Tolerance { rms: 2e-5, worst: 2e-4 };

/// Accelerations by a tree.
pub struct BarnesHut {
    theta: f32,
}

/// Bodies, the opening angle, and some accelerations.
pub struct Case {
    bodies: Bodies,
    theta: f32,
    tolerance: Tolerance,
    /// Bodies whose acceleration is judged.
    judged: Vec<usize>,
    expected: Vec<[f64; 3]>,
}

/// A case on a device.
struct Placed<'m> {
    module: &'m Module,
    case: Arc<Case>,
    /// Mass, x, y, z.
    sources: [Buffer; 4],
    /// Accelerations along x, y and z.
    sums: [Buffer; 3],
}

/// No number: an acceleration that nobody wrote shows.
const POISON: u8 = 0xff;

impl BarnesHut {
    /// With the options of a run.
    ///
    /// # Errors
    /// An opening angle that is none.
    pub fn open(request: &Request) -> Result<BarnesHut, OptionError> {
        let given = request.problem.get("theta");
        let theta = given.map_or(Ok(THETA), |text| barnes_hut::theta(text))?;
        Ok(BarnesHut { theta })
    }

    /// The figure of merit.
    pub fn figure() -> Figure {
        Figure {
            title: "Barnes–Hut on the CPU".to_owned(),
            size: "bodies".to_owned(),
            pass: "force evaluation".to_owned(),
            whole: None,
            work: "bodies".to_owned(),
            scale: 1e6,
            unit: "10⁶ bodies/s".to_owned(),
            flop: None,
            results: "accelerations".to_owned(),
        }
    }
}

impl Case {
    /// A cluster whose cells are opened by `theta`.
    fn new(bodies: Bodies, theta: f32, tolerance: Tolerance, seed: u64) -> Case {
        let judged = sample(bodies.len(), JUDGED.min(bodies.len()), seed);
        let expected = match theta == ONE_CELL {
            true => by_one(&bodies, &judged),
            false => Reference::new(&bodies).accelerations(&judged),
        };
        Case { bodies, theta, tolerance, judged, expected }
    }

    /// A cluster that is timed. The error of a tree code falls about as θ² does; at θ = 0.5 it is some 2e-3 with bodies
    /// for themselves (seed 004 of the facts: 1.4e-3 at five million), with large cells a single body may be far off, which
    /// among few decides the mean of all.
    fn timed(bodies: Bodies, theta: f32, seed: u64) -> Case {
        let scale = f64::from((theta / THETA).powi(2)).max(0.01);
        let few = (64.0 / bodies.len() as f64).max(1.0).sqrt();
        let tolerance = Tolerance { rms: 0.015 * scale * few, worst: 0.2 * scale.max(0.1) };
        Case::new(bodies, theta, tolerance, seed)
    }
}

/// Accelerations where the whole cluster acts as one body, whose place is rounded as a step's is.
fn by_one(bodies: &Bodies, judged: &[usize]) -> Vec<[f64; 3]> {
    let mass: f64 = bodies.mass.iter().map(|&mass| f64::from(mass)).sum();
    let centre = bodies.position.each_ref().map(|axis| {
        let weighted = axis.iter().zip(&bodies.mass);
        let sum = weighted.map(|(&place, &m)| f64::from(place) * f64::from(m)).sum::<f64>();
        // Without mass any place will do.
        if mass > 0.0 { f64::from((sum / mass) as f32) } else { 0.0 }
    });
    let acceleration = |&i: &usize| {
        let at = bodies.position_of(i).map(f64::from);
        let d: [f64; 3] = std::array::from_fn(|axis| centre[axis] - at[axis]);
        let square = d.iter().map(|axis| axis * axis).sum::<f64>() + f64::from(EPSSQ);
        d.map(|axis| mass * axis / (square * square.sqrt()))
    };
    judged.iter().map(acceleration).collect()
}

impl Problem for BarnesHut {
    type Host = crate::Force;
    type Case = Case;

    const OPTIONS: &'static [ProblemOption] = &[ProblemOption {
        name: "theta",
        value: "ANGLE",
        help: "Opening angle of the cluster that is timed: a cell acts as one body where its side, divided by its \
               distance, is smaller [default: 0.5]",
    }];

    fn figure() -> Figure {
        BarnesHut::figure()
    }

    fn work(&self, n: u64) -> f64 {
        n as f64
    }

    /// Each body meets at least one other: twelve operations.
    fn least_seconds(&self, n: u64, chip: &Chip) -> f64 {
        chip.arithmetic_seconds(12.0 * n as f64)
    }

    fn default_size(&self, _: &Step, _: &Info) -> u64 {
        50_000
    }

    fn most(&self) -> u64 {
        MOST
    }

    fn verification(&self, _: &Step, _: bool, seed: u64) -> Vec<Input> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let drawn = DRAWN.map(|(least, end)| least + random.next_u64() % (end - least));
        let sizes = SIZES.into_iter().chain(drawn);
        let kinds = || [CLUSTER].into_iter().chain(HARD);
        sizes.flat_map(|n| kinds().map(move |kind| Input::verified(n, kind, seed))).collect()
    }

    /// Verified: every body by all others, or all as one, by the last digit of the size.
    fn case(&self, input: Input) -> Case {
        let n = usize::try_from(input.n).expect("no more bodies than there can be");
        match input.purpose {
            Purpose::Verified(kind) | Purpose::Repeated(kind) => {
                let bodies = bodies(kind, input.n, input.seed);
                match n % 4 {
                    0 | 1 if kind == CLUSTER => Case::timed(bodies, THETA, input.seed),
                    1 | 2 => Case::new(bodies, ONE_CELL, ROUNDED, input.seed),
                    _ => Case::new(bodies, NO_CELL, ROUNDED, input.seed),
                }
            }
            Purpose::Timed | Purpose::Renewed | Purpose::Trial | Purpose::Counted => {
                Case::timed(plummer(n, input.data_seed()), self.theta, input.seed)
            }
        }
    }

    /// The bodies with other numbers.
    fn renewed(case: &Case, seed: u64) -> Option<Case> {
        let (bodies, judged) = renumbered(&case.bodies, &case.judged, seed);
        Some(Case { bodies, judged, expected: case.expected.clone(), ..*case })
    }

    fn case_seconds(&self, n: u64) -> f64 {
        JUDGED.min(n as usize) as f64 * n as f64 / REFERENCE_RATE
    }

    /// Masses, positions, accelerations, and up to three nodes a body.
    fn bytes(&self, _: &Step, n: u64) -> u64 {
        n * (7 * 4 + 3 * 28)
    }

    fn launches(&self, _: &Step, _: u64, _: u32) -> Vec<Launch> {
        vec![Launch::row(KERNEL, 1, 1)]
    }

    fn host_code(step: &Step, on: &OnCpu) -> Result<HostCode, Error> {
        Ok(host_code(step, on))
    }

    fn place<'m>(
        device: &mut dyn Device,
        _: &Step,
        module: &'m mut Module,
        case: Arc<Case>,
        _: u32,
    ) -> Result<Box<dyn Pass + 'm>, Error> {
        let bytes = case.bodies.len() * size_of::<f32>();
        let mut column = |name: &str| device.alloc(name, bytes);
        let sources = [column("mass")?, column("x")?, column("y")?, column("z")?];
        let sums = [column("ax")?, column("ay")?, column("az")?];
        Ok(Box::new(Placed { module, case, sources, sums }))
    }

    fn open(request: &Request) -> Result<BarnesHut, OptionError> {
        BarnesHut::open(request)
    }
}

impl Pass for Placed<'_> {
    fn upload(&mut self, device: &mut dyn Device) -> Result<(), Error> {
        let Bodies { mass, position: [x, y, z], .. } = &self.case.bodies;
        for (buffer, column) in self.sources.iter().zip([mass, x, y, z]) {
            device.upload(buffer, bytemuck::cast_slice(column))?;
        }
        self.sums.iter().try_for_each(|buffer| device.fill(buffer, POISON))
    }

    fn run(&self, device: &mut dyn Device) -> Result<(), Error> {
        let numbers = [self.case.theta, EPSSQ].map(Argument::from);
        let columns = self.sources.iter().chain(&self.sums).map(Argument::from);
        let arguments: Vec<Argument> = numbers.into_iter().chain(columns).collect();
        device.launch(self.module, KERNEL, Shape::row(1, 1), &arguments)
    }

    fn download(&mut self, device: &mut dyn Device) -> Result<Vec<Copied>, Error> {
        device.synchronize()?;
        self.sums.iter().map(|buffer| Copied::from(device, buffer)).collect()
    }

    /// What the accelerations of some bodies are off; with the 99th percentile of each body's own error.
    fn check(&mut self, device: &mut dyn Device) -> Result<Checked, Failed> {
        let columns = self.download(device)?;
        let value = |axis: usize, i: usize| f64::from(f32::from_bits(columns[axis].words[i]));
        let vector = |&i: &usize| [value(0, i), value(1, i), value(2, i)];
        let case = &self.case;
        let got: Vec<[f64; 3]> = case.judged.iter().map(vector).collect();
        let n = case.bodies.len() as u64;
        let place = |i: usize| format!("body {}", case.judged[i]);
        let errors = judge("accelerations", n, (&got, &case.expected), case.tolerance, place)?;
        let extras = vec![percentile(&got, &case.expected)];
        let bits = columns[0].words.iter().map(|&word| u64::from(word)).collect();
        Ok(Checked { errors, tolerance: case.tolerance, extras, bits: (bits, 1) })
    }

    fn bytes(&self) -> (u64, u64) {
        let column = (self.case.bodies.len() * size_of::<f32>()) as u64;
        (4 * column, 3 * column)
    }
}

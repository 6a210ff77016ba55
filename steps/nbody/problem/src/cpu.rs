//! A step's functions on the CPU, called with what kernels would be given.

use std::sync::{Mutex, PoisonError};

use device::{Device, Error, HostArgument, HostCode, HostKernel, Module};
use ladder::problem::{OnCpu, SEED};
use ladder::{Code, Grid, Threads};
use toolchain::cc::Compiler;
use vectors::{Counts, Vectors};

use crate::plummer::plummer;
use crate::rust::{Accelerations, Body, Evaluation, Rust, Sources, Sums};
use crate::step::Step;

/// The function of a step in C: bodies, softening, threads.
type Force = unsafe extern "C" fn(
    n: i32,
    mass: *const f32,
    x: *const f32,
    y: *const f32,
    z: *const f32,
    ax: *mut f32,
    ay: *mut f32,
    az: *mut f32,
    softening: f32,
    threads: i32,
);

/// A step's functions, to be called as kernels are launched.
///
/// # Errors
/// The code cannot be compiled; [`Error::Skipped`] where there is no compiler, or the step has no
/// code for the CPU.
pub fn host_code(step: &Step, on: &OnCpu) -> Result<HostCode, Error> {
    let OnCpu { kernels, vectors, threads } = *on;
    let in_pool = step.threads == Threads::Cores;
    let (description, kernels) = match (step.code, step.host.rust) {
        (Code::Rust, Some(Rust::Structs { force, advance })) => {
            ("Rust".to_owned(), structs(force, advance, in_pool, vectors))
        }
        (Code::Rust, Some(Rust::Arrays(force))) => {
            ("Rust".to_owned(), arrays(force, in_pool, vectors))
        }
        (Code::Rust, Some(Rust::Vectors(force))) => {
            (format!("Rust, {}", vectors.title()), arrays(force, in_pool, vectors))
        }
        (Code::C { file, options }, _) => {
            let compiler = Compiler::find()?;
            let library = compiler.load(&kernels.join(format!("{file}.c")), options)?;
            // SAFETY: this is what a step in C declares as `force`, as its file is told to.
            let force: Option<Force> = unsafe { library.function("force") };
            let force = force.ok_or_else(|| Error::NoKernel {
                module: format!("{file}.c"),
                kernel: "force".to_owned(),
                there: "write one".to_owned(),
            })?;
            let force = move |from: &Sources, to: Accelerations, evaluation: &Evaluation| {
                call(force, from, to, evaluation.softening, threads);
            };
            let what = format!("{} {}", compiler.version, options.join(" "));
            (what, arrays(force, false, vectors))
        }
        (Code::Cuda { .. } | Code::RustKernels | Code::Library(_) | Code::Rust, _) => {
            return Err(Error::Skipped {
                reason: format!("{} has no code for the CPU", step.name),
                remedy: "run it on a GPU or with --device simt".to_owned(),
            });
        }
    };
    Ok(HostCode { name: String::new(), description, kernels })
}

/// What sums are planned for: of each component as many as a vector has lanes (`block`), on as many
/// threads (`multiprocessors`) as the device has.
pub(crate) fn grid(device: &dyn Device, module: &Module, n: u32) -> Grid {
    let vectors = Vectors::ALL.into_iter().find(|it| module.code().contains(it.title()));
    let block = vectors.map_or(1, Vectors::lanes) as u32;
    Grid { n, padded: n, own: n, block, multiprocessors: device.threads() as u32 }
}

/// Counts the vector instructions of a force evaluation of `n` bodies; none of code that uses none,
/// or whose vectors are its compiler's.
pub fn executed(step: &Step, vectors: Vectors, n: usize) -> Option<Counts> {
    let (Code::Rust, Some(Rust::Vectors(force))) = (step.code, step.host.rust) else {
        return None;
    };
    if vectors == Vectors::Scalar {
        return None;
    }
    match step.threads {
        // All on this thread, which counts.
        Threads::Cores => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().ok()?;
            Some(pool.install(|| count(force, vectors, n)))
        }
        _ => Some(count(force, vectors, n)),
    }
}

fn count(force: fn(&Sources, Accelerations, &Evaluation), vectors: Vectors, n: usize) -> Counts {
    let bodies = plummer(n, SEED);
    let [x, y, z] = &bodies.position;
    let sources = Sources { mass: &bodies.mass, x, y, z };
    let evaluation = Evaluation { step: 1, dthf: 0.01, softening: 0.01, vectors };
    let mut to = Sums::zeros(n);
    vectors::count(|| force(&sources, to.first(n), &evaluation)).1
}

/// Calls a function in C.
fn call(force: Force, from: &Sources, to: Accelerations, softening: f32, threads: usize) {
    let n = from.mass.len();
    let lengths = [from.x, from.y, from.z, to.x, to.y, to.z].map(<[f32]>::len);
    assert!(lengths.iter().all(|length| *length == n), "arrays have equal lengths");
    let count = |number: usize| i32::try_from(number).expect("few enough for an int");
    // SAFETY: each array has n elements, and those that are written overlap no other.
    unsafe {
        force(
            count(n),
            from.mass.as_ptr(),
            from.x.as_ptr(),
            from.y.as_ptr(),
            from.z.as_ptr(),
            to.x.as_mut_ptr(),
            to.y.as_mut_ptr(),
            to.z.as_mut_ptr(),
            softening,
            count(threads),
        );
    }
}

/// The kernels of a step over an array of structs.
fn structs(
    force: fn(&mut [Body], &Evaluation),
    advance: fn(&mut [Body], f32, f32),
    in_pool: bool,
    vectors: Vectors,
) -> Vec<HostKernel> {
    let force = move |arguments: &mut [HostArgument]| {
        let launch = Launch::read(arguments);
        let evaluation = launch.evaluation(vectors);
        let (n, [bodies]) = launch.buffers();
        force(&mut bytemuck::cast_slice_mut(bodies)[..n], &evaluation);
    };
    let advance = move |arguments: &mut [HostArgument]| {
        let launch = Launch::read(arguments);
        let [dtime, dthf] = launch.numbers;
        let (n, [bodies]) = launch.buffers();
        advance(&mut bytemuck::cast_slice_mut(bodies)[..n], dtime, dthf);
    };
    kernels(in_pool, force, advance)
}

/// The kernels of a step over scalar arrays: `force` computes the accelerations, the rest is the same
/// in all of them.
fn arrays(
    force: impl Fn(&Sources, Accelerations, &Evaluation) + Send + Sync + 'static,
    in_pool: bool,
    vectors: Vectors,
) -> Vec<HostKernel> {
    let last = Mutex::<[Vec<f32>; 3]>::default();
    let force = move |arguments: &mut [HostArgument]| {
        let launch = Launch::read(arguments);
        let evaluation = launch.evaluation(vectors);
        let (n, [mass, px, py, pz, vx, vy, vz, ax, ay, az]) = launch.floats();
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        for (last, now) in last.iter_mut().zip([&ax, &ay, &az]) {
            last.clear();
            last.extend_from_slice(now);
        }
        let from = Sources { mass, x: px, y: py, z: pz };
        force(&from, Accelerations { x: ax, y: ay, z: az }, &evaluation);
        for ((velocity, now), last) in [(vx, ax), (vy, ay), (vz, az)].into_iter().zip(&*last) {
            if evaluation.step > 0 {
                // The velocity was advanced with the old acceleration: correct it.
                for ((v, now), last) in velocity[..n].iter_mut().zip(&*now).zip(last) {
                    *v += (now - last) * evaluation.dthf;
                }
            }
            // What is behind the bodies is no one's.
            now[n..].copy_from_slice(&last[n..]);
        }
    };
    let advance = |arguments: &mut [HostArgument]| {
        let launch = Launch::read(arguments);
        let [dtime, dthf] = launch.numbers;
        let (n, [_, px, py, pz, vx, vy, vz, ax, ay, az]) = launch.floats();
        for (position, velocity, acceleration) in [(px, vx, ax), (py, vy, ay), (pz, vz, az)] {
            for ((p, v), a) in position.iter_mut().zip(velocity).zip(acceleration).take(n) {
                let half = *v + *a * dthf; // half a time step on
                *p += half * dtime;
                *v = half + *a * dthf;
            }
        }
    };
    kernels(in_pool, force, advance)
}

fn kernels(
    in_pool: bool,
    force: impl Fn(&mut [HostArgument]) + Send + Sync + 'static,
    advance: impl Fn(&mut [HostArgument]) + Send + Sync + 'static,
) -> Vec<HostKernel> {
    vec![
        HostKernel { name: "force", in_pool, run: Box::new(force) },
        HostKernel { name: "advance", in_pool, run: Box::new(advance) },
    ]
}

/// What a launch is given: the arguments of the kernels of `nbody/01` or `nbody/03`.
struct Launch<'a> {
    n: usize,
    buffers: Vec<&'a mut [u8]>,
    /// Half a time step and softening, or a time step and half of it.
    numbers: [f32; 2],
    step: u32,
}

impl<'a> Launch<'a> {
    fn read(arguments: &'a mut [HostArgument]) -> Launch<'a> {
        let (mut integers, mut numbers, mut buffers) = (Vec::new(), Vec::new(), Vec::new());
        for argument in arguments {
            match argument {
                HostArgument::I32(value) => integers.push(value.cast_unsigned()),
                HostArgument::F32(value) => numbers.push(*value),
                HostArgument::Buffer(bytes) => buffers.push(&mut **bytes),
                _ => unreachable!("the simulation gives no other arguments"),
            }
        }
        let numbers = numbers.try_into().expect("the simulation gives two numbers");
        let step = integers.get(1).copied().unwrap_or(0);
        Launch { n: integers[0] as usize, buffers, numbers, step }
    }

    fn evaluation(&self, vectors: Vectors) -> Evaluation {
        let [dthf, softening] = self.numbers;
        Evaluation { step: self.step, dthf, softening, vectors }
    }

    /// How many bodies, and the buffers.
    fn buffers<const COUNT: usize>(self) -> (usize, [&'a mut [u8]; COUNT]) {
        (self.n, self.buffers.try_into().expect("the layout of the step has so many buffers"))
    }

    /// The same as numbers.
    fn floats(self) -> (usize, [&'a mut [f32]; 10]) {
        let (n, buffers) = self.buffers();
        (n, buffers.map(bytemuck::cast_slice_mut))
    }
}

//! A step's code, made runnable on a device: kernels, or functions called with what kernels would be given.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use device::cc::Compiler;
use device::{Device, Error, HostArgument, HostCode, HostKernel, Module};
use vectors::Vectors;

use super::host::{Accelerations, Body, Evaluation, Rust, Sources};
use crate::step::{Code, Step, Threads};

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

/// On how many threads of the CPU a step's code runs there; none for kernels.
pub fn threads(step: &Step, device: &dyn Device) -> Option<usize> {
    match (step.code, step.threads) {
        (Code::Cuda { .. }, _) => None,
        (_, Threads::Cores) => Some(device.threads()),
        _ => Some(1),
    }
}

/// Makes a step's code runnable on a device, whatever it is; `kernels` is the folder of its ladder's
/// files. Code for the CPU uses these vectors.
///
/// # Errors
/// The code cannot be read or compiled; [`Error::Skipped`] where there is no compiler, or the device
/// is not one for this code.
pub fn load(
    device: &mut dyn Device,
    step: &Step,
    kernels: &Path,
    vectors: Vectors,
) -> Result<Module, Error> {
    let in_pool = step.threads.is_cores();
    let threads = threads(step, device).unwrap_or(1);
    let (what, kernels) = match step.code {
        Code::Cuda { .. } => return device.load(&step.source(kernels)?),
        Code::Rust(Rust::Structs { force, advance }) => {
            ("Rust".to_owned(), structs(force, advance, in_pool, vectors))
        }
        Code::Rust(Rust::Arrays(force)) => ("Rust".to_owned(), arrays(force, in_pool, vectors)),
        Code::Rust(Rust::Vectors(force)) => {
            (format!("Rust, {}", vectors.title()), arrays(force, in_pool, vectors))
        }
        Code::C { file, options } => {
            let compiler = Compiler::find()?;
            let library = compiler.load(&kernels.join(format!("{file}.c")), options)?;
            // SAFETY: this is what a step in C declares as `force`, as its file is told to.
            let force: Force = unsafe { library.function("force") }?;
            let force = move |from: &Sources, to: Accelerations, evaluation: &Evaluation| {
                call(force, from, to, evaluation.softening, threads);
            };
            let what = format!("{} {}", compiler.version, options.join(" "));
            (what, arrays(force, false, vectors))
        }
    };
    let plural = if threads == 1 { "" } else { "s" };
    device.load_host(HostCode {
        name: step.name.to_owned(),
        description: format!("{what}, {threads} thread{plural}"),
        kernels,
    })
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

//! The functions that programs call, by group. A table has one line for each: name, parameters, what to do.

mod capture;
mod conditional;
mod device;
mod events;
mod graphs;
mod launching;
mod libraries;
#[cfg(target_os = "linux")]
mod mapping;
mod missing;
mod moving;
mod nodes;
pub(crate) mod pointer;
mod registration;
#[cfg(target_os = "linux")]
pub(crate) mod sharing;
mod storing;
#[cfg(test)]
mod tests;
mod textures;

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::exit;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::code::{self, Code, Done};
use crate::config::Config;
use crate::record::Record;
use crate::runtime::Runtime;

/// Defines functions that give a `cudaError_t`: `name | other names (parameters) => what to do with the runtime;`
macro_rules! calls {
    ($($name:ident $(| $alias:ident)* ($($parameters:tt)*) => $body:expr;)*) => {$(
        $crate::exports::call! { [$name $($alias)*] ($($parameters)*) $body }
    )*};
}

/// Defines a function under each of its names.
macro_rules! call {
    ([$($name:ident)*] $parameters:tt $body:expr) => {
        $($crate::exports::call! { $name $parameters $body })*
    };
    ($name:ident ($($parameter:ident: $type:ty),* $(,)?) $body:expr) => {
        // SAFETY: no other function of the program has this name.
        #[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($($parameter: $type),*) -> i32 {
            $crate::exports::enter(stringify!($name), $body)
        }
    };
}

pub(crate) use {call, calls};

/// A C structure of three sizes: `cudaExtent`, `cudaPos`.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Extent {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

/// `dim3`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

impl Dim3 {
    pub(crate) fn get(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }

    #[cfg(test)]
    pub(crate) fn new([x, y, z]: [u32; 3]) -> Dim3 {
        Dim3 { x, y, z }
    }
}

/// The runtime under this process.
static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);

thread_local! {
    /// The thread's last error.
    static LAST: Cell<Code> = const { Cell::new(code::SUCCESS) };
}

/// Calls that work after a kernel's fault, or say what it was.
const AFTER_FAULT: [&str; 14] = [
    "__cudaGetKernel",
    "__cudaPopCallConfiguration",
    "__cudaPushCallConfiguration",
    "cudaDeviceReset",
    "cudaDriverGetVersion",
    "cudaEventDestroy",
    "cudaGetDevice",
    "cudaGetDeviceCount",
    "cudaGetDeviceProperties",
    "cudaGetDeviceProperties_v2",
    "cudaHostUnregister",
    "cudaRuntimeGetVersion",
    "cudaSetDevice",
    "cudaStreamDestroy",
];

/// Calls that return while a kernel waits for the host. All others let the host wait for the kernel.
const BESIDE: [&str; 16] = [
    "__cudaGetKernel",
    "__cudaLaunchKernel",
    "__cudaPopCallConfiguration",
    "__cudaPushCallConfiguration",
    "cudaEventCreate",
    "cudaEventCreateWithFlags",
    "cudaEventQuery",
    "cudaEventRecord",
    "cudaGetDevice",
    "cudaLaunchKernel",
    "cudaMemPrefetchAsync",
    "cudaMemPrefetchAsync_v2",
    "cudaMemcpyAsync",
    "cudaMemsetAsync",
    "cudaStreamCreate",
    "cudaStreamQuery",
];

fn lock() -> MutexGuard<'static, Option<Runtime>> {
    RUNTIME.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends the program, which cannot go on.
fn leave(message: &str) -> ! {
    eprintln!("harness exec: {message}");
    exit(1)
}

/// Has the system end this process with the one that started it, whatever ends that: a kernel may spin for long, and nobody
/// would see its results.
#[cfg(target_os = "linux")]
fn stay_with(parent: Option<u32>) {
    let is_parent = || {
        // SAFETY: it only returns a number.
        let own = unsafe { libc::getppid() };
        u32::try_from(own).ok() == parent
    };
    // A program in between, as a script, is left to end what it starts.
    if is_parent() {
        // SAFETY: it changes what the system does later, and no memory.
        unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
        if !is_parent() {
            leave("the harness has ended");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn stay_with(_: Option<u32>) {}

/// Does something with the runtime, which it makes the first time.
fn with<T>(call: &'static str, work: impl FnOnce(&mut Runtime) -> T) -> T {
    let mut held = lock();
    if held.is_none() {
        let config = Config::from_environment().inspect(|config| stay_with(config.parent));
        match config.and_then(Runtime::new) {
            Ok(made) => *held = Some(made),
            Err(message) => {
                drop(held);
                leave(&message);
            }
        }
    }
    let Some(runtime) = held.as_mut() else { leave("no runtime") };
    runtime.call = call;
    work(runtime)
}

/// Serves a call: gives its error, and keeps that as the thread's last.
fn enter(call: &'static str, work: impl FnOnce(&mut Runtime) -> Done) -> i32 {
    let serve = || {
        with(call, |runtime| {
            let returns = BESIDE.contains(&call.trim_end_matches("_ptsz"));
            let settled = if returns { Ok(()) } else { runtime.settle() };
            match runtime.broken {
                Some(code) if !AFTER_FAULT.contains(&call) => Err(code),
                _ => settled.and_then(|()| work(runtime)),
            }
        })
    };
    let done = catch_unwind(AssertUnwindSafe(serve)).unwrap_or(Err(code::UNKNOWN));
    match done {
        Ok(()) => code::SUCCESS.0,
        Err(code) => {
            // Not an error that lasts: work is not done yet.
            if code != code::NOT_READY {
                LAST.set(code);
            }
            code.0
        }
    }
}

/// The thread's last error; a kernel's fault stays.
fn last_error(forget: bool) -> Code {
    let broken = with("cudaGetLastError", |runtime| runtime.broken);
    let last = broken.unwrap_or(LAST.get());
    if forget {
        LAST.set(code::SUCCESS);
    }
    last
}

/// Ends the program because it calls what is not simulated.
fn missing(call: &'static str) -> ! {
    with(call, |runtime| runtime.log.write(&Record::Missing { call: call.to_string() }));
    leave(&format!("the program calls {call}, which is not simulated"))
}

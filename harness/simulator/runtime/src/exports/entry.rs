//! How a call enters the runtime of this process, and how its error leaves it.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use crate::config::{Config, ConfigError};
use crate::error::{self, CudaError, CudaResult};
use crate::host::leave;
use crate::record::Record;
use crate::state::{Runtime, StartError};

/// Defines functions that return a `cudaError_t`: `name | other names (parameters) => what to do with the runtime;`
macro_rules! calls {
    ($($name:ident $(| $alias:ident)* ($($parameters:tt)*) => $body:expr;)*) => {$(
        $crate::exports::entry::call! { [$name $($alias)*] ($($parameters)*) $body }
    )*};
}

/// Defines a function under each of its names.
macro_rules! call {
    ([$($name:ident)*] $parameters:tt $body:expr) => {
        $($crate::exports::entry::call! { $name $parameters $body })*
    };
    ($name:ident ($($parameter:ident: $type:ty),* $(,)?) $body:expr) => {
        // SAFETY: no other function of the program has this name.
        #[unsafe(no_mangle)]
        pub(super) extern "C" fn $name($($parameter: $type),*) -> i32 {
            $crate::exports::entry::enter(stringify!($name), $body)
        }
    };
}

pub(super) use {call, calls};

/// The runtime of this process, made by its first call.
static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);

thread_local! {
    /// The thread's last error, for `cudaGetLastError`.
    static LAST: Cell<CudaError> = const { Cell::new(error::SUCCESS) };
}

/// Calls that still work after a kernel's fault.
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

/// Calls that return although a launch is pending. All others let the host wait for it.
const ASYNCHRONOUS: [&str; 16] = [
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

/// Why there is no runtime.
#[derive(Debug, thiserror::Error)]
enum EntryError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Makes the runtime that the environment asks for.
fn start() -> Result<Runtime, EntryError> {
    let config = Config::from_environment()?;
    Ok(Runtime::new(config)?)
}

/// Works with the runtime, which the first call makes. `call` is the function that the program called.
pub(super) fn with<T>(call: &'static str, work: impl FnOnce(&mut Runtime) -> T) -> T {
    let mut guard = RUNTIME.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = match &mut *guard {
        Some(runtime) => runtime,
        none => match start() {
            Ok(runtime) => none.insert(runtime),
            Err(error) => {
                // The program's exit handlers may call the runtime.
                drop(guard);
                leave(&error.to_string())
            }
        },
    };
    runtime.call = call;
    work(runtime)
}

/// Serves a call: returns its error, and keeps that as the thread's last.
pub(super) fn enter(call: &'static str, work: impl FnOnce(&mut Runtime) -> CudaResult) -> i32 {
    let serve = || {
        with(call, |runtime| {
            let returns = ASYNCHRONOUS.contains(&call.trim_end_matches("_ptsz"));
            let settled = if returns { Ok(()) } else { runtime.settle() };
            match runtime.broken {
                Some(error) if !AFTER_FAULT.contains(&call) => Err(error),
                _ => settled.and_then(|()| work(runtime)),
            }
        })
    };
    let done = catch_unwind(AssertUnwindSafe(serve)).unwrap_or(Err(error::UNKNOWN));
    match done {
        Ok(()) => error::SUCCESS.0,
        Err(error) => {
            // `cudaErrorNotReady` is a state, which `cudaGetLastError` does not report.
            if error != error::NOT_READY {
                LAST.set(error);
            }
            error.0
        }
    }
}

/// The thread's last error, which this forgets if it is to. A kernel's fault stays.
pub(super) fn last_error(forget: bool) -> CudaError {
    let broken = with("cudaGetLastError", |runtime| runtime.broken);
    let last = broken.unwrap_or(LAST.get());
    if forget {
        forget_error();
    }
    last
}

/// Forgets the thread's last error.
pub(super) fn forget_error() {
    LAST.set(error::SUCCESS);
}

/// Ends the program because it calls what is not simulated.
pub(super) fn missing(call: &'static str) -> ! {
    with(call, |runtime| runtime.log.write(&Record::Missing { call: call.to_string() }));
    leave(&format!("the program calls {call}, which is not simulated"))
}

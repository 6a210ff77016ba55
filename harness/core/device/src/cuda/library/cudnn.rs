//! cuDNN, loaded at run time: attention of BF16, as a graph of operations for which it has a kernel.

mod functions;
mod graph;
mod plan;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use cudarc::driver::CudaContext;

use super::super::loading::{first, is_named, lacking};
use super::timing::timed;
use crate::api::library::Attention;
use crate::cuda::driver::failed;
use crate::cuda::memory::Allocation;
use crate::error::Error;
use functions::{Functions, Object};
use graph::Graph;
use plan::{Pack, Plan};
use toolchain::search;

/// The variable that names a library or folders to look into before all others.
const VARIABLE: &str = "LADDER_CUDNN";

/// Where a wheel of it may be, in the workspace.
const PLACE: &str = "target/cudnn";

/// How to get it.
pub const INSTALL: &str =
    "python3 -m pip install --target target/cudnn/9.14.0.64 nvidia-cudnn-cu12==9.14.0.64";

/// How often each proposal is timed.
const TIMED: usize = 4;

/// The library of this machine; the same one at every call.
///
/// # Errors
/// [`Error::Skipped`]: there is none, or none that can be used.
fn find() -> Result<&'static Functions, Error> {
    static FOUND: OnceLock<Result<Functions, String>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let candidates = search::libraries(VARIABLE, PLACE, |name| is_named(name, "cudnn"));
        first("cuDNN", candidates, Functions::load)
    });
    found.as_ref().map_err(|reason| lacking(reason, INSTALL, &format!("{VARIABLE}=FILE")))
}

/// The library as its version and path, if one can be loaded.
pub(crate) fn found() -> Option<(String, PathBuf)> {
    find().ok().map(|it| (it.version.clone(), it.path.clone()))
}

/// Where it is looked for, in words.
pub fn searched() -> String {
    search::searched(VARIABLE, PLACE)
}

/// The library on a GPU.
pub(super) struct Context {
    context: Arc<CudaContext>,
    functions: &'static Functions,
    handle: Object,
    /// One for each attention that was called.
    chosen: Mutex<Vec<Chosen>>,
}

/// The fastest plan for an attention, with its memory.
struct Chosen {
    plan: Plan,
    workspace: Allocation,
    /// The arrays of its last call.
    pack: Pack,
}

// SAFETY: a handle may be used from any thread, by one at a time (cuDNN's guide, "Thread Safety"); it belongs to one device.
unsafe impl Send for Context {}
// SAFETY: as above; calls hold the lock of what was chosen.
unsafe impl Sync for Context {}

impl Context {
    /// The library on the GPU whose context is bound. It works on the default stream.
    pub(super) fn new(context: &Arc<CudaContext>) -> Result<Context, Error> {
        let functions = find()?;
        let handle = functions.open()?;
        Ok(Context { context: context.clone(), functions, handle, chosen: Mutex::default() })
    }

    /// Its version: "9.14.0".
    pub(super) fn version(&self) -> String {
        self.functions.version.clone()
    }

    /// Starts attention of matrices at these addresses on the default stream. The first call of a size takes longer: it times
    /// the plans that the library proposes.
    ///
    /// # Errors
    /// [`Error::Skipped`]: the library has no such attention; what it says is wrong.
    ///
    /// # Safety
    /// The context is bound, and the addresses are of Q, K, V and O of this size.
    pub(super) unsafe fn attention(&self, of: &Attention, at: [u64; 4]) -> Result<(), Error> {
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        let place = match chosen.iter().position(|it| it.plan.of == *of) {
            Some(place) => place,
            None => {
                // SAFETY: as the caller says.
                chosen.push(unsafe { self.choose(of, at) }?);
                chosen.len() - 1
            }
        };
        let Chosen { plan, workspace, pack } = &mut chosen[place];
        if pack.at != at {
            *pack = plan.pack(at, workspace.start)?;
        }
        // SAFETY: as the caller says, and the workspace was allocated for the plan.
        unsafe { plan.execute(self.handle, pack) }
    }

    /// The fastest of the plans that the library proposes.
    ///
    /// # Safety
    /// As of [`Context::attention`].
    unsafe fn choose(&self, of: &Attention, at: [u64; 4]) -> Result<Chosen, Error> {
        let graph = Graph::attention(self.functions, self.handle, of)?;
        let mut best = None;
        let mut problem = self.functions.has_no("kernel for this attention");
        for proposal in Plan::proposed(&graph, self.functions, self.handle)? {
            let plan = match proposal {
                Ok(plan) => plan,
                Err(error) => {
                    problem = error;
                    continue;
                }
            };
            let workspace = Allocation::new(&self.context, plan.workspace.max(1))
                .map_err(failed("allocating for cuDNN"))?;
            let pack = plan.pack(at, workspace.start)?;
            let candidate = Chosen { plan, workspace, pack };
            let mut fastest = f32::INFINITY;
            for _ in 0..TIMED {
                // SAFETY: as the caller says, and the workspace was allocated for the plan.
                let run = || unsafe { candidate.plan.execute(self.handle, &candidate.pack) };
                fastest = timed(&self.context, run)?.min(fastest);
            }
            if best.as_ref().is_none_or(|(milliseconds, _)| fastest < *milliseconds) {
                best = Some((fastest, candidate));
            }
        }
        best.map(|(_, chosen)| chosen).ok_or(problem)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // Plans before the handle that they were made for.
        self.chosen.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
        self.functions.close(self.handle);
    }
}

#[cfg(test)]
mod tests;

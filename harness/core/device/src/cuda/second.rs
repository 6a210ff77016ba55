//! Second contexts of a GPU, kept for who asks next: the driver takes a third of a second to create and destroy one, and a
//! step that uses one is placed 24 times to be timed.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::CudaContext;
use cudarc::driver::result::DriverError;

use super::memory::Locked;

/// A context, and page-locked memory for it.
pub(super) type Context = (Arc<CudaContext>, Arc<Locked>);

/// Contexts of one GPU that nobody uses.
#[derive(Default)]
pub(super) struct Spare(Mutex<Vec<Context>>);

impl Spare {
    /// One whose work has ended without an error, or a new one on the GPU of this number.
    pub(super) fn take(&self, number: usize) -> Result<Context, DriverError> {
        let kept = || self.0.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(sound) = std::iter::from_fn(kept).find(|(old, _)| old.synchronize().is_ok()) {
            return Ok(sound);
        }
        let context = CudaContext::new_non_primary(number, 0)?;
        // SAFETY: cudarc would track who reads and writes each of its slices; none is used here.
        unsafe { context.disable_event_tracking() };
        let locked = Locked::new(&context);
        Ok((context, locked))
    }

    /// Keeps one that nobody uses any more.
    fn put(&self, context: Context) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(context);
    }
}

/// A context that is in use, and where it goes when it no longer is.
pub(super) struct Borrowed {
    pub(super) context: Context,
    pub(super) from: Arc<Spare>,
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.from.put(self.context.clone());
    }
}

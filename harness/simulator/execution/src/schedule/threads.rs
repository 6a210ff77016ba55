//! CPU threads. Without the feature `parallel` there is one.

#[cfg(feature = "parallel")]
pub(super) fn cores() -> usize {
    rayon::current_num_threads()
}

#[cfg(not(feature = "parallel"))]
pub(super) fn cores() -> usize {
    1
}

/// Calls `work` on each of `threads` CPU threads.
#[cfg(feature = "parallel")]
pub(super) fn in_parallel(threads: usize, work: &(impl Fn() + Sync)) {
    if threads == 1 {
        return work();
    }
    rayon::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| work());
        }
    });
}

#[cfg(not(feature = "parallel"))]
pub(super) fn in_parallel(threads: usize, work: &impl Fn()) {
    for _ in 0..threads {
        work();
    }
}

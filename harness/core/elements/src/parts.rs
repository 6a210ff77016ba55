//! What all cores do together: each takes a part of the elements, and then the next.
//!
//! Rayon's iterators are compiled again for each loop over each type: they were five sixths of this crate's code. These
//! functions are compiled once, and call the loops.

use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;

/// Elements of a part.
pub(crate) const PART: usize = 1 << 16;

/// What `of` makes of each part of `0..count`, in their order. Parts depend on `count` alone, so sums of them have the same
/// bits on any number of cores.
pub(crate) fn each<P: Send + Sync>(
    count: usize,
    of: &(dyn Fn(Range<usize>) -> P + Sync),
) -> Vec<P> {
    let all: Vec<OnceLock<P>> = (0..count.div_ceil(PART)).map(|_| OnceLock::new()).collect();
    on_all_cores(all.len(), &|number| {
        all[number].get_or_init(|| of(number * PART..count.min((number + 1) * PART)));
    });
    all.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// As many elements, written part by part by `fill`, which gets the place of the first.
pub(crate) fn filled<T: Copy + Default + Send>(
    count: usize,
    fill: impl Fn(usize, &mut [T]) + Sync,
) -> Vec<T> {
    let mut all = vec![T::default(); count];
    let parts: Vec<Mutex<&mut [T]>> = all.chunks_mut(PART).map(Mutex::new).collect();
    on_all_cores(parts.len(), &|number| {
        let mut part = parts[number].lock().unwrap_or_else(PoisonError::into_inner);
        fill(number * PART, &mut part);
    });
    drop(parts);
    all
}

fn on_all_cores(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

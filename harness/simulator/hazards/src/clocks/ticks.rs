//! What a thread knows of the others of its block.

/// For each thread of the block, the tick up to which a thread knows it.
pub(super) type Known = Box<[u32]>;

/// Adds what is known.
pub(super) fn learn(own: &mut Option<Known>, known: &Known) {
    match own {
        Some(own) => own.iter_mut().zip(known).for_each(|(own, known)| *own = (*own).max(*known)),
        none => *none = Some(known.clone()),
    }
}

//! What a thread knows of the others of its block.

/// For each thread of the block, the tick up to which a thread knows it.
pub(super) type VectorClock = Box<[u32]>;

/// Adds what is known.
pub(super) fn learn(own: &mut Option<VectorClock>, known: &VectorClock) {
    match own {
        Some(own) => own.iter_mut().zip(known).for_each(|(own, known)| *own = (*own).max(*known)),
        none => *none = Some(known.clone()),
    }
}

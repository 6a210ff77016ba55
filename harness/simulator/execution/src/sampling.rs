//! Which blocks of a launch run, if not all.

/// The multiprocessors over which blocks are spread: block `b` runs on number `b % count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiprocessors {
    /// How many there are.
    pub count: u32,
    /// Blocks that are resident on each at a time.
    pub resident_blocks: u32,
    /// Runs only the blocks of this many, to estimate a large launch; all if `None`.
    pub run: Option<u32>,
}

/// What the listener needs of a launch. By default each block runs by itself, and all of it is executed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sampling {
    /// The multiprocessors, if it matters to the listener which blocks are resident together.
    pub multiprocessors: Option<Multiprocessors>,
    /// Only counts matter, not values. If some multiprocessors are left out, so is arithmetic that affects no count.
    pub counts_only: bool,
    /// Where some multiprocessors are left out, runs the first instead of those in the middle.
    pub first_blocks: bool,
}

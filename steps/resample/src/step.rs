//! What steps of this ladder change on the host.

/// A step of this ladder.
pub type Step = ladder::Step<Host>;

/// Threads of a block, in x and y.
pub const THREADS: [u32; 2] = [32, 8];

/// What the host gives the kernels of a step.
#[derive(Debug, Clone, Copy)]
pub struct Host {
    /// Arrays that it reads.
    pub from: &'static [&'static str],
    /// Whether it gets them as textures.
    pub textures: bool,
    /// What it makes.
    pub to: &'static str,
}

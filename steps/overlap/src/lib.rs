//! The ladder `overlap`: data goes to the GPU, is worked on and comes back. The kernel is the same in
//! all steps; the host's program is what they change.
//!
//! The steps are here, the program is in [`program`], the problem in [`problem`]; the kernel is in
//! `kernels/overlap/`.

pub mod problem;
mod program;
#[cfg(test)]
mod tests;

use ladder::Steps;

use ladder::round_trip::{BLOCK, RoundTrips};
use problem::{Host, Overlap, Step};

/// The ladder.
pub static LADDER: Steps<RoundTrips<Overlap>> = Steps::of(
    "overlap",
    &[PAGEABLE, PINNED, TWO_STREAMS, TWO_CONTEXTS, FOUR_STREAMS, EIGHT_STREAMS],
);

/// Ordinary memory of the host, and one thing after the other.
pub const PAGEABLE: Step =
    Step::first("01-pageable", "Pageable", "copy in, compute, copy out", BLOCK, Host::Pageable);

/// Memory of the host that the GPU can copy by itself.
pub const PINNED: Step = Step {
    name: "02-pinned",
    after: Some(PAGEABLE.name),
    title: "Pinned",
    changes: "page-locked memory on the host",
    host: Host::Pinned { streams: 1 },
    ..PAGEABLE
};

/// Half of the data is copied while the other half is worked on.
pub const TWO_STREAMS: Step = Step {
    name: "03-two-streams",
    after: Some(PINNED.name),
    title: "Two streams",
    changes: "halves in two streams",
    host: Host::Pinned { streams: 2 },
    ..PINNED
};

/// Another context instead of another stream.
pub const TWO_CONTEXTS: Step = Step {
    name: "03x-two-contexts",
    after: Some(PINNED.name),
    detour: true,
    title: "Two contexts",
    changes: "halves in two contexts",
    host: Host::Contexts,
    ..PINNED
};

/// Both directions of the bus and the multiprocessors are busy at once.
pub const FOUR_STREAMS: Step = Step {
    name: "04-four-streams",
    after: Some(TWO_STREAMS.name),
    title: "Four streams",
    changes: "quarters in four streams",
    host: Host::Pinned { streams: 4 },
    ..TWO_STREAMS
};

/// Smaller parts yet.
pub const EIGHT_STREAMS: Step = Step {
    name: "05-eight-streams",
    after: Some(FOUR_STREAMS.name),
    title: "Eight streams",
    changes: "eighths in eight streams",
    host: Host::Pinned { streams: 8 },
    ..FOUR_STREAMS
};

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
const PAGEABLE: Step =
    Step::first("01-pageable", "Pageable", "copy in, compute, copy out", BLOCK, Host::Pageable);

/// Memory of the host that the GPU can copy by itself.
const PINNED: Step = Step {
    code: PAGEABLE.code,
    host: Host::Pinned { streams: 1 },
    ..PAGEABLE.then("02-pinned", "Pinned", "page-locked memory on the host")
};

/// Half of the data is copied while the other half is worked on.
const TWO_STREAMS: Step = Step {
    code: PINNED.code,
    host: Host::Pinned { streams: 2 },
    ..PINNED.then("03-two-streams", "Two streams", "halves in two streams")
};

/// Another context instead of another stream.
const TWO_CONTEXTS: Step = Step {
    code: PINNED.code,
    host: Host::Contexts,
    ..PINNED.then("03x-two-contexts", "Two contexts", "halves in two contexts")
};

/// Both directions of the bus and the multiprocessors are busy at once.
const FOUR_STREAMS: Step = Step {
    code: TWO_STREAMS.code,
    host: Host::Pinned { streams: 4 },
    ..TWO_STREAMS.then("04-four-streams", "Four streams", "quarters in four streams")
};

/// Smaller parts yet.
const EIGHT_STREAMS: Step = Step {
    code: FOUR_STREAMS.code,
    host: Host::Pinned { streams: 8 },
    ..FOUR_STREAMS.then("05-eight-streams", "Eight streams", "eighths in eight streams")
};

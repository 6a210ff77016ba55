//! The ladder `transfers`: elements go to the GPU, and results come back. The kernels hardly compute: the memory that the
//! host's program uses, and who copies it, is what the steps change.
//!
//! The steps are here, the program is in [`program`], the problem in [`problem`]; the kernels are in
//! `kernels/transfers/`. What copies and computation gain from streams is the ladder `overlap`.

pub mod problem;
mod program;
#[cfg(test)]
mod tests;

use ladder::{Code, Steps};

use ladder::round_trip::{BLOCK, RoundTrips};
use problem::{Host, Step, Transfers};

/// The ladder.
pub static LADDER: Steps<RoundTrips<Transfers>> = Steps::of(
    "transfers",
    &[PAGEABLE, MANAGED, PREFETCHED, PINNED, ZERO_COPY, READ_ONCE, NOTICE, PIECES],
)
.not_modelled(&[("04x-notice", "the time that the host takes to look for results")]);

/// Ordinary memory of the host.
pub const PAGEABLE: Step =
    Step::first("01-pageable", "Pageable", "copies of ordinary memory", BLOCK, Host::Pageable);

/// Memory whose pages move to whoever touches them.
pub const MANAGED: Step = Step {
    name: "01x-managed",
    after: Some(PAGEABLE.name),
    detour: true,
    title: "Managed",
    changes: "managed memory: pages move when they are touched",
    host: Host::Managed { prefetched: false },
    ..PAGEABLE
};

/// The same, moved before.
pub const PREFETCHED: Step = Step {
    name: "01x-prefetched",
    title: "Prefetched",
    changes: "managed memory, moved before it is touched",
    host: Host::Managed { prefetched: true },
    ..MANAGED
};

/// Memory of the host that the GPU can copy by itself.
pub const PINNED: Step = Step {
    name: "02-pinned",
    after: Some(PAGEABLE.name),
    title: "Pinned",
    changes: "copies of page-locked memory",
    host: Host::Pinned,
    ..PAGEABLE
};

/// Memory of the host that the kernel uses in place.
pub const ZERO_COPY: Step = Step {
    name: "03-zero-copy",
    after: Some(PINNED.name),
    title: "Zero copy",
    changes: "no copies: the kernel reads and writes the host's memory",
    host: Host::ZeroCopy { halves: false },
    ..PINNED
};

/// The same, each element read once.
pub const READ_ONCE: Step = Step {
    name: "04-read-once",
    after: Some(ZERO_COPY.name),
    title: "Read once",
    changes: "each element crosses the bus once",
    code: Code::Cuda { file: "04-read-once", options: &[] },
    host: Host::ZeroCopy { halves: true },
    ..ZERO_COPY
};

/// The host reads while the kernel runs.
pub const NOTICE: Step = Step {
    name: "04x-notice",
    after: Some(READ_ONCE.name),
    detour: true,
    title: "Notice",
    changes: "the host reads each block's results when its flag says that they are there",
    code: Code::Cuda { file: "04x-notice", options: &[] },
    host: Host::Noticed,
    ..READ_ONCE
};

/// Copies again, through a small part of the GPU's memory.
pub const PIECES: Step = Step {
    name: "05-pieces",
    after: Some(READ_ONCE.name),
    title: "Pieces",
    changes: "pieces copied in turn, through an eighth of the memory",
    host: Host::Pieces { pieces: 16, slots: 2 },
    ..READ_ONCE
};

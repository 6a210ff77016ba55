//! The ladder `transfers`: elements go to the GPU, and results come back. The kernels hardly compute: the memory that the
//! host's program uses, and who copies it, is what the steps change.
//!
//! The steps are here, the program is in [`program`], the problem in [`problem`]; the kernels are in
//! `kernels/transfers/`. What copies and computation gain from streams is the ladder `overlap`.

pub mod problem;
mod program;

use ladder::Steps;

use ladder::round_trip::{BLOCK, RoundTrips};
use problem::{Host, Step, Transfers};

/// The ladder.
pub static LADDER: Steps<RoundTrips<Transfers>> = Steps::of(
    "transfers",
    &[PAGEABLE, MANAGED, PREFETCHED, PINNED, ZERO_COPY, READ_ONCE, NOTICE, PIECES],
)
.not_modelled(&[("04x-notice", "the time that the host takes to look for results")]);

/// Ordinary memory of the host.
const PAGEABLE: Step =
    Step::first("01-pageable", "Pageable", "copies of ordinary memory", BLOCK, Host::Pageable);

/// Memory whose pages move to whoever touches them.
const MANAGED: Step = Step {
    code: PAGEABLE.code,
    host: Host::Managed { prefetched: false },
    ..PAGEABLE.then("01x-managed", "Managed", "managed memory: pages move when they are touched")
};

/// The same, moved before.
const PREFETCHED: Step = Step {
    name: "01x-prefetched",
    title: "Prefetched",
    changes: "managed memory, moved before it is touched",
    host: Host::Managed { prefetched: true },
    ..MANAGED
};

/// Memory of the host that the GPU can copy by itself.
const PINNED: Step = Step {
    code: PAGEABLE.code,
    host: Host::Pinned,
    ..PAGEABLE.then("02-pinned", "Pinned", "copies of page-locked memory")
};

/// Memory of the host that the kernel uses in place.
const ZERO_COPY: Step = Step {
    code: PINNED.code,
    host: Host::ZeroCopy { halves: false },
    ..PINNED.then(
        "03-zero-copy",
        "Zero copy",
        "no copies: the kernel reads and writes the host's memory",
    )
};

const READ_ONCE: Step = Step {
    host: Host::ZeroCopy { halves: true },
    ..ZERO_COPY.then("04-read-once", "Read once", "each element crosses the bus once")
};

/// The host reads while the kernel runs.
const NOTICE: Step = Step {
    host: Host::Noticed,
    ..READ_ONCE.then(
        "04x-notice",
        "Notice",
        "the host reads each block's results when its flag says that they are there",
    )
};

/// Copies again, through a small part of the GPU's memory.
const PIECES: Step = Step {
    code: READ_ONCE.code,
    host: Host::Pieces { pieces: 16, slots: 2 },
    ..READ_ONCE.then(
        "05-pieces",
        "Pieces",
        "pieces copied in turn, through an eighth of the memory",
    )
};

#[cfg(test)]
ladder::tests!(expect_exact(&LADDER, 1000, 8000.0, &[]));

//! The figures in which two launches are compared.

use simt::{Class, Counts};

use crate::facts::Facts;

/// What a figure is about; a verdict names the subjects that changed most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    Instructions,
    Arithmetic,
    /// Branches and lanes.
    Control,
    Global,
    Local,
    /// Shared memory and barriers.
    Shared,
    Constant,
    Atomics,
}

/// How a figure is compared.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A number of events: fewer or more by a factor, for equal work.
    Amount(fn(&Facts) -> f64),
    /// Events for each of other events: as it is. The second function counts the others.
    Each(fn(&Facts) -> Option<f64>, fn(&Facts) -> f64),
    /// In % of other events: as it is.
    Percent(fn(&Facts) -> Option<f64>, fn(&Facts) -> f64),
}

/// A figure.
#[derive(Debug, Clone, Copy)]
pub struct Metric {
    pub subject: Subject,
    pub name: &'static str,
    /// Its name where the subject was named just before.
    pub short: &'static str,
    pub kind: Kind,
}

/// Counts of the launch.
macro_rules! total {
    ($field:ident) => {
        |facts| {
            let Counts { $field, .. } = facts.total;
            $field as f64
        }
    };
}

/// A count as it is.
macro_rules! count {
    ($subject:ident, $name:literal, $short:literal, $field:ident) => {
        metric(Subject::$subject, $name, $short, Kind::Amount(total!($field)))
    };
}

/// The number of instructions of some classes.
macro_rules! classes {
    ($subject:ident, $name:literal, [$($class:ident),+]) => {
        metric(Subject::$subject, $name, $name, Kind::Amount(|facts| {
            facts.of_classes(&[$(Class::$class),+]) as f64
        }))
    };
}

/// A ratio to a count.
macro_rules! related {
    ($kind:ident, $subject:ident, $name:literal, $ratio:ident, $of:ident) => {
        metric(
            Subject::$subject,
            $name,
            $name,
            Kind::$kind(|facts| facts.ratios.$ratio, total!($of)),
        )
    };
}

/// Every figure, in the order in which a reader looks for them.
pub const METRICS: &[Metric] = &[
    count!(Instructions, "PTX instructions", "PTX instructions", warps),
    metric(
        Subject::Instructions,
        "machine instructions",
        "machine instructions",
        Kind::Amount(|facts| facts.machine.total),
    ),
    classes!(Arithmetic, "FP32 arithmetic", [Fp32Add, Fp32Mul, Fp32Fma]),
    classes!(Arithmetic, "special functions", [Mufu, MufuSubnormal]),
    classes!(Arithmetic, "special functions (no FTZ)", [MufuSubnormal]),
    classes!(Arithmetic, "division, square root", [SqrtRn, RcpRn, DivRn]),
    classes!(Arithmetic, "FP64 arithmetic", [Fp64]),
    classes!(Arithmetic, "integer arithmetic", [Integer, IntegerMul, IntegerDiv]),
    classes!(Arithmetic, "conversions", [Conversion]),
    classes!(Arithmetic, "moves", [Move]),
    classes!(Control, "comparisons", [Predicate]),
    count!(Control, "branches", "branches", branches),
    count!(Control, "divergent branches", "divergent branches", divergent),
    related!(Percent, Control, "active lanes", active_lanes_percent, warps),
    count!(Global, "global requests", "requests", global_requests),
    count!(Global, "global sectors", "sectors", global_sectors),
    related!(Each, Global, "sectors per request", sectors_per_request, global_requests),
    related!(Percent, Global, "bytes used of sectors", bytes_used_percent, global_sectors),
    count!(Global, "texture requests", "texture requests", texture_requests),
    count!(Global, "texture sectors", "texture sectors", texture_sectors),
    related!(Percent, Global, "L1 hits", l1_hit_percent, global_sectors),
    metric(
        Subject::Global,
        "sectors past L1",
        "sectors past L1",
        Kind::Amount(|facts| (facts.total.l2_hits + facts.total.dram_sectors) as f64),
    ),
    related!(Percent, Global, "L2 hits", l2_hit_percent, global_sectors),
    count!(Global, "sectors from memory", "sectors from memory", dram_sectors),
    count!(Local, "local requests", "requests", local_requests),
    count!(Local, "local sectors", "sectors", local_sectors),
    count!(Shared, "shared requests", "requests", shared_requests),
    count!(Shared, "shared wavefronts", "wavefronts", shared_wavefronts),
    related!(Each, Shared, "wavefronts per request", wavefronts_per_request, shared_requests),
    count!(Shared, "barriers", "barriers", barriers),
    count!(Constant, "constant requests", "requests", constant_requests),
    count!(Constant, "constant wavefronts", "wavefronts", constant_wavefronts),
    count!(Atomics, "atomics", "atomics", atomics),
    count!(Atomics, "atomics on one address", "on one address", atomic_same_address),
];

const fn metric(subject: Subject, name: &'static str, short: &'static str, kind: Kind) -> Metric {
    Metric { subject, name, short, kind }
}

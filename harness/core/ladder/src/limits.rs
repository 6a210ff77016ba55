//! What limits a step: how near its time comes to the least that each part of a chip needs.
//!
//! ```text
//! watched   one pass on the simulator, watched
//! count     two of them at small sizes: how what they execute and move grows with the size
//! bounds    the least time that each part of the chip needs for it; what is resident
//! modelled  the time of a pass that follows
//! chip      what a problem's least time depends on, whatever code does the work
//! cpu       the same for steps on the CPU: counted as they run there, against rates measured there
//! ```
//!
//! A bound is what the part needs at its peak, with all multiprocessors at work and none waiting for
//! another part. So none can be beaten, and how near the longest is to the time says how much could
//! be gained without changing what is executed.

mod bounds;
mod chip;
mod count;
mod cpu;
mod modelled;
mod watched;

pub use bounds::{limits, occupancy, peak_flop_per_second};
pub use chip::Chip;
pub(crate) use count::is_timed_by_counts;
pub use count::{Counted, WHOLE, count, count_within};
pub use cpu::{CpuCounted, count_on_cpu, cpu_lanes_per_second, cpu_limits, cpu_peak};
pub(crate) use modelled::too_large;
pub use modelled::{Modelled, model, program_seconds};
pub use watched::{Watched, longest, repeated, watch};

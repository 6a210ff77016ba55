#![doc = include_str!("../README.md")]
#![allow(
    clippy::needless_range_loop,
    reason = "lane loops index several arrays alike, and that form is the one that vectorises"
)]

mod counts;
mod coverage;
mod events;
mod hardware;
mod trace;
pub mod watch;

pub use counts::Counts;
pub use coverage::{Coverage, ExecutedLines, Gaps};
pub use events::{ClassCount, Events};
pub use execution::BlockCount;
pub use hardware::{Coalescing, Engines, Machine};
pub use trace::{Trace, TraceBarrier, TraceEvent, TraceRequest, TraceTouch};

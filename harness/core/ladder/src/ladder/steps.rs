//! A ladder as data.

use report::{Figure, Request};

use crate::problem::{OptionError, Problem};
use crate::step::Step;

/// A problem and its steps, in the order in which a reader climbs them.
pub struct Steps<P: Problem> {
    /// The ladder's folder under `steps/` and `kernels/`.
    pub name: &'static str,
    /// Every step, parents before their children, each detour after its parent.
    pub steps: &'static [Step<P::Host>],
    /// Opens the problem with the options of a run: `P::open`, or a variant of it.
    pub open: fn(&Request) -> Result<P, OptionError>,
    /// The figure of merit: `P::figure`, or a variant of it.
    pub figure: fn() -> Figure,
    /// Steps whose time is not modelled, with the reason. The model would be wrong about whether they gain or lose,
    /// so a report shows only what was measured.
    pub not_modelled: &'static [(&'static str, &'static str)],
    /// Functions of libraries that the steps are compared with.
    pub libraries: &'static [Step<P::Host>],
}

impl<P: Problem> Steps<P> {
    /// A ladder with the problem's own options and figure of merit.
    pub const fn of(name: &'static str, steps: &'static [Step<P::Host>]) -> Steps<P> {
        Steps { name, steps, open: P::open, figure: P::figure, not_modelled: &[], libraries: &[] }
    }

    /// Names steps whose time is not modelled, with the reason.
    #[must_use]
    pub const fn not_modelled(self, which: &'static [(&'static str, &'static str)]) -> Steps<P> {
        Steps { not_modelled: which, ..self }
    }

    /// Names functions of libraries that the steps are compared with.
    #[must_use]
    pub const fn with_libraries(self, libraries: &'static [Step<P::Host>]) -> Steps<P> {
        Steps { libraries, ..self }
    }
}

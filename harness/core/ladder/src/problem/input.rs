//! Which inputs a pass is placed with, and what for.

/// Seed of the inputs that are timed, tried and counted: they are the same in every run.
pub const SEED: u64 = 7;

/// So many sizes of one kind are a whole row of neighbours, of which some stand for all.
pub(crate) const ROW: u64 = 32;

/// One size of so many in a row is taken. It divides no size of a block.
pub(crate) const TURN: u64 = 5;

/// Which inputs a pass gets: their size, their purpose and their seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Input {
    /// Problem size `n`.
    pub n: u64,
    /// What they are for.
    pub purpose: Purpose,
    /// Decides what is random in them, and which results are judged where not all are.
    pub seed: u64,
    /// From which of the problem's ranges the size was drawn, if it was: one of a range is like another.
    pub drawn_from: Option<usize>,
    /// For how many multiprocessors launches are planned; none: for those of the device.
    pub multiprocessors: Option<u32>,
    /// Whether a search for hazards, which takes several times as long, is left out.
    pub results_alone: bool,
    /// Whether a simulator lets warps that communicate begin one long after the other, in ascending order.
    pub staggered: bool,
}

/// What inputs are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// To be timed, and verified.
    Timed,
    /// The same after that, with other inputs.
    Renewed,
    /// To be run. Results are not checked.
    Trial,
    /// To be counted by the simulator: a pass like all but the first.
    Counted,
    /// To be verified before anything is timed: what, in the problem's own words ("a later pass").
    Verified(&'static str),
    /// The same, where a step that promises the same bits is run twice.
    Repeated(&'static str),
}

impl Input {
    fn of(n: u64, purpose: Purpose, seed: u64) -> Input {
        Input {
            n,
            purpose,
            seed,
            drawn_from: None,
            multiprocessors: None,
            results_alone: false,
            staggered: false,
        }
    }

    /// Inputs of this size to be timed: the same in every run, and `seed` chooses which results are
    /// judged.
    pub fn timed(n: u64, seed: u64) -> Input {
        Input::of(n, Purpose::Timed, seed)
    }

    /// The seed of what they hold: that of the run where they are only verified, else always the same,
    /// so that times and errors of two runs can be compared.
    pub fn data_seed(&self) -> u64 {
        match self.purpose {
            Purpose::Verified(_) | Purpose::Repeated(_) => self.seed,
            Purpose::Timed | Purpose::Renewed | Purpose::Trial | Purpose::Counted => SEED,
        }
    }

    /// Other inputs of this size, for which nothing was computed yet.
    pub fn renewed(n: u64, seed: u64) -> Input {
        Input::of(n, Purpose::Renewed, seed)
    }

    /// Inputs of this size to be run.
    pub fn trial(n: u64) -> Input {
        Input::of(n, Purpose::Trial, SEED)
    }

    /// Inputs of this size to be counted.
    pub fn counted(n: u64) -> Input {
        Input::of(n, Purpose::Counted, SEED)
    }

    /// Inputs of this size to be verified, drawn by `seed`: what, in the problem's own words.
    pub fn verified(n: u64, what: &'static str, seed: u64) -> Input {
        Input::of(n, Purpose::Verified(what), seed)
    }

    /// The same with a size that was drawn from a range of the problem's.
    #[must_use]
    pub fn drawn_from(self, range: usize) -> Input {
        Input { drawn_from: Some(range), ..self }
    }

    /// The same with launches planned for so many multiprocessors: for none, those that divide no work among them.
    #[must_use]
    pub fn planned_for(self, multiprocessors: u32) -> Input {
        Input { multiprocessors: Some(multiprocessors), ..self }
    }

    /// The same without a search for hazards.
    #[must_use]
    pub fn results_alone(self) -> Input {
        Input { results_alone: true, ..self }
    }

    /// The same with warps that begin one long after the other.
    #[must_use]
    pub fn staggered(self) -> Input {
        Input { staggered: true, ..self }
    }
}

/// A size at which a step is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Problem size `n`.
    pub n: u64,
    /// How many of the figure's `whole` are timed together, where that was asked for.
    pub wholes: Option<u32>,
}

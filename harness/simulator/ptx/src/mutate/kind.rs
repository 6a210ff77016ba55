//! The kinds of mistakes that mutants make.

use std::fmt;
use std::str::FromStr;

crate::kinds! {
    /// The kind of mistake in a mutant.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Kind {
        /// A store, a sum or another computation is left out.
        Drop = "drop",
        /// Two operands are swapped.
        Swap = "swap",
        /// An immediate is incremented, decremented, doubled, negated or 0.
        Constant = "constant",
        /// An address is 4 bytes off.
        Offset = "offset",
        /// A comparison includes or excludes equality, or a guard is negated.
        Predicate = "predicate",
        /// A shuffle reads from another lane, or is left out.
        Shuffle = "shuffle",
        /// A barrier, a fence or a wait for copies is left out.
        Barrier = "barrier",
        /// A loop ends after one iteration, or runs once more.
        Round = "round",
        /// Another operation: a difference for a sum, a sum for a product, the other sign.
        Operation = "operation",
        /// A register beside the right one, of the same type.
        Register = "register",
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An unknown name of a kind of mutant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no kind of mutant is called `{name}`; there are {all}", all = Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind {
    name: String,
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Kind, UnknownKind> {
        let found = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownKind { name: name.to_string() })
    }
}

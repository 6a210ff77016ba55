//! What is wrong with what a kernel left.

use ladder::judge::Mismatch;

/// What is wrong with a tree, or with an array, in words: which node or body, what the kernel says of it, and what is so.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Defect(pub(crate) String);

impl Defect {
    /// It, found with `n` bodies.
    pub(crate) fn at(self, n: u64) -> Mismatch {
        Mismatch::Other { n, what: self.0 }
    }
}

impl From<String> for Defect {
    fn from(what: String) -> Defect {
        Defect(what)
    }
}

//! The edit loop: a verdict on a reader's kernel at each save.
//!
//! [`mod@file`] sees the saves. [`judge`] has a process of its own give the verdicts ([`verdict`], over [`protocol`]), since a
//! compiler or a kernel may take that down. What a verdict says is [`launches::readers`].

pub mod file;
pub mod judge;
pub mod protocol;
pub mod verdict;

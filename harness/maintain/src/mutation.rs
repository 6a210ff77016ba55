//! Mutation testing: the verification of steps, verified by small mistakes in their kernels.
//!
//! ```text
//! plan          the steps' PTX, and which of its mutants are run
//! executed      which of a step's PTX its verification executes at all
//! workers       processes that verify them, several at a time: one that hangs or crashes costs one mutant
//!   protocol    what is said to them, and what they say
//!   trial       what they do: the verification that `run` does
//! equivalent    mutants that compute the same, and why: reports/mutation/<ladder>.toml
//! saved         the file of a report: a run of some steps keeps what it says of the others
//! ```

pub mod equivalent;
pub mod executed;
pub mod plan;
pub mod protocol;
pub mod saved;
pub mod trial;
pub mod workers;

//! The ladders of the workbook: the one list that names them, and which ladder or step a typed name means.
//!
//! A ladder is added to [`LADDERS`] in one line and to `Cargo.toml` in another. Nothing else in the program names one.
//!
//! ```
//! # fn main() -> Result<(), ui::Usage> {
//! let nbody = ladders::ladder("nbody")?;
//! assert_eq!(ladders::step(nbody, "5")?.name, "05-rsqrt");
//! assert_eq!(ladders::steps(nbody, "01..03, rsqrt")?.len(), 4);
//! let mistake = ladders::step(nbody, "rsqr").map(|step| step.name).expect_err("no such step");
//! assert!(mistake.to_string().contains("did you mean `rsqrt`?"));
//! let words = ["transpose".to_owned(), "03..05".to_owned()];
//! let named = ladders::named(&words)?;
//! assert_eq!(named.ladder.map(|ladder| ladder.name()), Some("transpose"));
//! assert_eq!(named.steps.as_deref(), Some("03..05"));
//! # Ok(())
//! # }
//! ```

mod list;
mod names;

pub use list::{CLIMBED_BY_DEFAULT, LADDERS};
pub use names::{Named, ladder, ladder_of_kernels, named, step, steps};

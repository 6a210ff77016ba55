//! What the programs print, and what is typed to them.
//!
//! ```text
//! output   text for people on standard output and standard error, safe for terminals, with colours where they are wanted
//! usage    mistakes in the command line, with the nearest name that there is
//! call     how the program is called, for commands in messages
//! count    counts, shapes, lists and parameters as they are typed: 64k, 16,8, 1k..8k, UNROLL=1,2,4
//! seed     a new seed, short enough to type
//! ```
//!
//! ```
//! use ui::{count, nearest};
//!
//! # fn main() -> Result<(), ui::Usage> {
//! assert_eq!(count::parse("64k")?, 64_000);
//! assert_eq!(count::parse_shape("16,8")?, [16, 8, 1]);
//! let mistake = count::parse("1.5").expect_err("no whole number").to_string();
//! assert!(mistake.contains("write it as 4096, 64k"));
//! assert_eq!(nearest("rsqr", &["tiling", "rsqrt"]), "; did you mean `rsqrt`?");
//! # Ok(())
//! # }
//! ```

mod call;
pub mod count;
pub mod output;
mod seed;
mod usage;

pub use call::called;
pub use seed::new_seed;
pub use usage::{Usage, nearest};

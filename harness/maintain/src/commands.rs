//! The commands of the program, one file each.

pub mod compilers;
pub mod made;
pub mod mutate;
pub mod ptx;
pub mod recount;
pub mod sass;
pub mod schema;
pub mod splice;
pub mod validate;

//! Reports as files: what is read, what is refused, and their schema.

mod bad;
mod old;
mod schema;

//! Functions that are called: recursion, pointers, virtual functions; and what the chip's system does for a thread.

mod fixture;
mod functions;
mod heap;
mod prints;
mod text;
mod watched;

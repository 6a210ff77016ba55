//! The ideas of the technique ladders.

pub mod append;
pub mod arrivals;
pub mod combine;
pub mod flags;
pub mod gantt;
pub mod groups;
pub mod histogram;
pub mod message;
pub mod overlap;
pub mod queue;
pub mod reciprocal;
pub mod rounds;
pub mod scan;
pub mod separable;
pub mod transfers;
pub mod transpose;
pub mod weights;

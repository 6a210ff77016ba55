//! The commands of the program, one file each.

pub mod classroom;
pub mod compare;
pub mod doctor;
pub mod events;
pub mod exec;
pub mod explain;
pub mod gpus;
pub mod grade;
pub mod kit;
pub mod learn;
pub mod list;
pub mod made;
pub mod mutate;
pub mod ptx;
pub mod report;
pub mod run;
pub mod sass;
pub mod scale;
pub mod schema;
pub mod setup;
pub mod splice;
pub mod sweep;
pub mod validate;
pub mod watch;
pub mod worker;

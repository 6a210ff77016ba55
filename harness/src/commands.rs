//! The commands of the program, one file each.

mod author;
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
pub mod new;
pub mod report;
pub mod run;
pub mod scale;
pub mod setup;
pub mod sweep;
pub mod watch;
pub mod worker;

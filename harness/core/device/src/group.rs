//! Several devices that compute together, each in a thread or a process of its own.
//!
//! Each device is a [`Member`](crate::Member) of a group: [`Device::join`](crate::Device::join) connects it with the others
//! and returns the [`Group`](crate::Group) through which they exchange data. GPUs use NCCL ([`crate::nccl`]); simulators and
//! CPUs use files in a folder that all of them see, and sum in the order of their ranks.

mod alone;
mod folder;
mod launcher;
mod part;

pub(crate) use alone::Alone;
pub(crate) use folder::{read_when_there, write_whole};
pub use launcher::{Launched, LauncherError, job, launched};
pub(crate) use part::part;

use crate::api::device::Group;
use crate::api::member::Member;

/// A group that exchanges data through files.
pub(crate) fn through_files(member: &Member) -> Box<dyn Group> {
    match member.size {
        1 => Box::new(Alone),
        _ => Box::new(folder::FolderGroup::new(member.clone())),
    }
}

//! The state of a warp.

use super::attendance::Attendance;
use super::calls::Stacks;
use super::control::{Fiber, State};
use super::copies::Copies;
use super::landings::Landings;
use super::products::Progress;
use memory::Storage;
use program::registers::{Digest, Registers};

/// A warp: its registers, its lanes' own memory, its fibers.
#[derive(Default)]
pub struct Warp {
    pub index: u32,
    pub registers: Registers,
    /// Of its registers, if they have not changed since it was made.
    pub digest: Option<Digest>,
    pub local: Storage,
    pub fibers: Vec<Fiber>,
    pub copies: Copies,
    pub landings: Landings,
    pub stacks: Stacks,
    pub attendance: Attendance,
    pub products: Progress,
    /// Rounds for which it is passed over after its turn.
    pub pause: u32,
    /// Lanes that have not ended.
    pub live: u32,
}

impl Warp {
    /// Whether it has lanes that are to execute something, or that may come together.
    pub fn can_run(&self) -> bool {
        match self.fibers.as_slice() {
            [one] => one.state == State::Ready,
            all => !all.is_empty(),
        }
    }

    /// Whether none of its lanes waits for others to come.
    pub fn is_ready(&self) -> bool {
        self.fibers.iter().all(|fiber| fiber.state == State::Ready)
    }
}

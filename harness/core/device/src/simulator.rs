//! The simulator as a device. A launch runs to its end before the call returns, and its time is a model's.

mod copies;
mod device;
mod launch;
mod profile;
mod state;
mod textures;

pub use profile::{Profile, Watching};
pub use state::SimulatorDevice;

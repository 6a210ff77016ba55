//! What is said of what a device has not.

use super::library::Library;
use super::state::Info;
use crate::error::Error;

/// What is said where a device has no streams.
pub(crate) fn no_streams(info: &Info) -> Error {
    Error::Skipped {
        reason: format!(
            "{} has no streams, events, contexts, or memory that is shared with the host",
            info.name
        ),
        remedy: "run it on a GPU or on the simulator: --device simt".to_string(),
    }
}

/// What is said where a device has no tensor maps.
pub(super) fn no_tensor_maps(info: &Info) -> Error {
    Error::Skipped {
        reason: format!("{} has no tensor maps", info.name),
        remedy: "run it on a GPU or on the simulator: --device simt".to_string(),
    }
}

/// What is said where there is no GPU for a library.
pub(super) fn no_library(library: Library) -> Error {
    Error::Skipped {
        reason: format!("{}: not found (it needs a GPU)", library.name()),
        remedy: "run it on one: --device cuda".to_string(),
    }
}

/// What is said where a device has no textures.
pub(super) fn no_textures(info: &Info) -> Error {
    Error::Skipped {
        reason: format!("{} has no textures and surfaces", info.name),
        remedy: "run it on a GPU or on the simulator: --device simt".to_string(),
    }
}

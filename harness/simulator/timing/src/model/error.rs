//! What can be wrong with a GPU's name or description.

use thiserror::Error;

/// Why there is no such GPU. Each names the place, the value and the remedy.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum GpuError {
    /// No description has this name.
    #[error(
        "no GPU is called `{name}`{}; `harness gpus` lists them, a compute capability such as 8.6 or a \
         description of your own (a .toml file) will do too",
        alike(.near)
    )]
    Unknown {
        /// What was asked for.
        name: String,
        /// Known names like it, the nearest first.
        near: Vec<&'static str>,
    },
    /// Several descriptions have this part of a name.
    #[error("`{name}` may be {found}: name one of them")]
    Several {
        /// What was asked for.
        name: String,
        /// Those that have it.
        found: String,
    },
    /// The compute capability has no data.
    #[error(
        "{place}: no data for compute capability {capability}; there is {known} (data of another \
         capability in its place: `capability = \"…\"` in a description of your own)"
    )]
    UnknownCapability {
        /// Who asked: a file, a device, the user.
        place: String,
        /// The compute capability, such as "9.0".
        capability: String,
        /// Those that have data.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read the GPU description {file}: {message}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        message: String,
    },
    /// The file is no TOML.
    #[error("{file} is no TOML: {message}")]
    NotToml {
        /// The file.
        file: String,
        /// What the parser said, with line and column.
        message: String,
    },
    /// A text is missing.
    #[error("{file}: there is no {key}; add a line such as {key} = \"{example}\" at the top")]
    NoText {
        /// The file.
        file: String,
        /// The key.
        key: &'static str,
        /// What a value looks like.
        example: &'static str,
    },
    /// A text is something else.
    #[error("{file}: {key} is {found}; it must be a text in quotes")]
    NotText {
        /// The file.
        file: String,
        /// The key.
        key: &'static str,
        /// What it is instead.
        found: String,
    },
    /// A figure is missing in all layers.
    #[error(
        "{files}: [{section}] has no {key}; add {key} = [number from {least} to {most}, \"source\"]"
    )]
    Missing {
        /// The files that were searched.
        files: String,
        /// The section.
        section: &'static str,
        /// The key.
        key: &'static str,
        /// The least value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// A figure is no number.
    #[error("{place} is {found}; it must be [number, \"source\"]")]
    NotANumber {
        /// File, section and key.
        place: String,
        /// What it is instead.
        found: String,
    },
    /// A figure is impossible.
    #[error("{place} is {value}; possible are {least} to {most}")]
    OutOfRange {
        /// File, section and key.
        place: String,
        /// The value.
        value: f64,
        /// The least value.
        least: f64,
        /// The largest value.
        most: f64,
    },
    /// A figure does not say where it comes from.
    #[error(
        "{place} is {found} and names no source; write [number, \"where it comes from\"], \
         \"assumed\" if you do not know"
    )]
    NoSource {
        /// File, section and key.
        place: String,
        /// The entry.
        found: String,
    },
    /// A key that means nothing.
    #[error("{place} is not known; {}", instead(.near, .known))]
    UnknownKey {
        /// File, section and key.
        place: String,
        /// The known key most like it.
        near: Option<&'static str>,
        /// All keys that would be possible.
        known: String,
    },
    /// Something that a driver reports is impossible or missing.
    #[error("the driver reports {what} = {value} for {device}; use a named GPU or a file (--gpu)")]
    Device {
        /// Name of the device.
        device: String,
        /// The attribute.
        what: &'static str,
        /// The value that the driver reports.
        value: f64,
    },
}

fn alike(names: &[&str]) -> String {
    if names.is_empty() { String::new() } else { format!(" (like it: {})", names.join(", ")) }
}

fn instead(near: &Option<&str>, known: &str) -> String {
    match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!("possible are {known}"),
    }
}

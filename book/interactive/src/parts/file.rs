//! Files of the repository, in this program.

/// The text of a file next to a kernel's, from the root of the repository on.
macro_rules! file {
    ($path:literal) => {
        include_str!(concat!("../../../../", $path))
    };
}
pub(super) use file;

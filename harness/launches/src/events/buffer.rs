//! Buffers as people type them: `f32[1024]=rand`, `@x.npy`.

use std::path::{Path, PathBuf};

use ui::Usage;

use super::element::Element;
use super::npy::Array;

/// The most bytes that one buffer may have: the simulator's memory is not much larger.
const MOST_BYTES: u64 = 1 << 30;

/// Memory on the device and what is in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    /// The type of each element.
    pub element: Element,
    /// The number of elements, at least 1.
    pub count: u64,
    /// What they are set to before the first launch.
    pub fill: Fill,
}

/// What the elements of a buffer are set to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fill {
    /// Seeded random numbers: floats from 0 up to 1, integers from 0 up to the number of elements.
    Random,
    /// 0, 1, 2, …
    Iota,
    /// These bytes: one element's, repeated, or all elements'.
    Bytes(Vec<u8>),
    /// What a file holds: the elements of a `.npy`, all bytes of any other.
    File(PathBuf),
    /// Nothing: reading them before the kernel has written them is a hazard.
    Uninitialised,
}

impl Contents {
    /// Bytes of all elements.
    pub fn bytes(&self) -> u64 {
        self.count * self.element.bytes
    }
}

/// What follows the `=` of a buffer of so many elements; files are looked for from `folder` on.
///
/// # Errors
/// The text is no filling, or has another number of values.
pub(super) fn fill(element: Element, count: u64, text: &str, folder: &Path) -> Result<Fill, Usage> {
    let fill = match text.trim() {
        "rand" => Fill::Random,
        "iota" => Fill::Iota,
        "zero" => Fill::Bytes(vec![0; element.bytes as usize]),
        "one" => Fill::Bytes(element.encode("1")?),
        "uninit" => Fill::Uninitialised,
        file if file.starts_with('@') => Fill::File(folder.join(&file[1..])),
        values => Fill::Bytes(element.encode_list(values).map_err(|why| {
            Usage(format!("{why}; or fill a buffer with rand, zero, one, iota, uninit or @FILE"))
        })?),
    };
    match &fill {
        Fill::Bytes(bytes)
            if bytes.len() as u64 != element.bytes
                && bytes.len() as u64 != count * element.bytes =>
        {
            let given = bytes.len() as u64 / element.bytes;
            let why = "give one for all, or one for each";
            Err(format!("{given} values for {count} elements; {why}").into())
        }
        _ => Ok(fill),
    }
}

/// A buffer that has the type and the size of a file's array.
pub(super) fn from_npy(file: PathBuf) -> Result<Contents, Usage> {
    let name = file.display();
    if !is_npy(&file) {
        return Err(Usage(format!(
            "@{name}: only a .npy says what it holds; write type and count: f32[1024]=@{name}"
        )));
    }
    let array = Array::read(&file).map_err(|why| Usage(format!("{why:#}")))?;
    if array.count() == 0 {
        return Err(format!("{name} has no elements; a buffer has at least one").into());
    }
    let kind = format!("{name}: {}[{}]", array.element.name, array.count());
    let (element, count) = (array.element, array.count());
    check_size(&kind, Contents { element, count, fill: Fill::File(file.clone()) })
}

/// Whether a file's name ends in `.npy`.
pub(super) fn is_npy(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("npy"))
}

/// The contents, unless they are too large.
pub(super) fn check_size(kind: &str, contents: Contents) -> Result<Contents, Usage> {
    match contents.count.checked_mul(contents.element.bytes) {
        Some(bytes) if bytes <= MOST_BYTES => Ok(contents),
        _ => Err(format!("`{kind}` is too large; a buffer has at most {MOST_BYTES} bytes").into()),
    }
}

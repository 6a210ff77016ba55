//! The arguments of a launch, as bytes.

/// A value that a kernel takes as an argument: a number, an address as `u64`, or the little-endian bytes of a structure.
pub trait Argument {
    /// Appends its little-endian bytes.
    fn append(&self, bytes: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Argument for $number {
            fn append(&self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

numbers!(u32 i32 u64 i64 f32 f64);

impl Argument for [u8] {
    fn append(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(self);
    }
}

impl<const N: usize> Argument for [u8; N] {
    fn append(&self, bytes: &mut Vec<u8>) {
        self.as_slice().append(bytes);
    }
}

impl Argument for Vec<u8> {
    fn append(&self, bytes: &mut Vec<u8>) {
        self.as_slice().append(bytes);
    }
}

impl<A: Argument + ?Sized> Argument for &A {
    fn append(&self, bytes: &mut Vec<u8>) {
        (**self).append(bytes);
    }
}

/// The values of a kernel's parameters, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    bytes: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
}

impl Arguments {
    pub(crate) fn push(&mut self, value: impl Argument) {
        value.append(&mut self.bytes);
        self.ends.push(self.bytes.len());
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let start = |place: usize| place.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.ends.iter().enumerate().map(move |(place, &end)| &self.bytes[start(place)..end])
    }
}

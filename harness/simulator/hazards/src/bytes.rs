//! One bit for each byte of a block's shared memory.

use memory::row_bits;

/// One bit for each byte.
#[derive(Default)]
pub(super) struct Bytes {
    words: Vec<u64>,
    /// Some bits may be set.
    has_some: bool,
}

impl Bytes {
    pub(super) fn new(bytes: u64) -> Bytes {
        Bytes { words: vec![0; bytes.div_ceil(64) as usize], has_some: false }
    }

    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.has_some) {
            self.words.fill(0);
        }
    }

    /// Sets up to 32 consecutive bytes that do not straddle a multiple of 32.
    #[inline(always)]
    pub(super) fn set(&mut self, offset: u64, bytes: u64) {
        self.has_some = true;
        self.words[(offset / 64) as usize] |= mask(bytes) << (offset % 64);
    }

    /// Sets the bytes of a row of words.
    pub(super) fn set_row(&mut self, offset: u64) {
        self.has_some = true;
        for (word, bits) in row_bits(offset).into_iter().filter(|(_, bits)| *bits != 0) {
            self.words[word] |= bits;
        }
    }

    /// Whether all bytes of a row of words are set.
    pub(super) fn has_row(&self, offset: u64) -> bool {
        row_bits(offset)
            .into_iter()
            .all(|(word, bits)| bits == 0 || self.words[word] & bits == bits)
    }

    /// Clears bytes; the inverse of [`Bytes::set`].
    #[inline(always)]
    pub(super) fn unset(&mut self, offset: u64, bytes: u64) {
        self.words[(offset / 64) as usize] &= !(mask(bytes) << (offset % 64));
    }

    /// One bit for each of some consecutive bytes that is set.
    #[inline(always)]
    pub(super) fn get(&self, offset: u64, bytes: u64) -> u64 {
        self.words[(offset / 64) as usize] >> (offset % 64) & mask(bytes)
    }
}

/// A mask of this many low bits.
#[inline(always)]
pub(super) fn mask(bytes: u64) -> u64 {
    (1 << bytes) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_bytes_may_begin_at_any_word() {
        for offset in (0..=64).step_by(4) {
            let (mut bytes, mut single) = (Bytes::new(256), Bytes::new(256));
            bytes.set_row(offset);
            (offset..offset + 128).for_each(|at| single.set(at, 1));
            assert!(bytes.words == single.words && bytes.has_row(offset), "{offset}");
            for at in [offset, offset + 64, offset + 127] {
                bytes.unset(at, 1);
                assert!(!bytes.has_row(offset), "{offset} without {at}");
                bytes.set(at, 1);
            }
        }
    }

    #[test]
    fn bytes_are_remembered_one_by_one() {
        let mut bytes = Bytes::new(130);
        bytes.set(64, 4);
        bytes.set(129, 1);
        assert_eq!(bytes.get(64, 8), 0xf);
        assert_eq!((bytes.get(128, 1), bytes.get(128, 2)), (0, 2));
        bytes.clear();
        assert_eq!(bytes.get(64, 8), 0);
    }
}

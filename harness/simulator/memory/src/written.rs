//! Which bytes of an allocation anybody has written.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Bytes that have been written.
#[derive(Debug, Default)]
pub enum Written {
    /// No byte has been written.
    #[default]
    Nothing,
    /// One bit for each byte.
    Some(Box<[AtomicU64]>),
    /// All of them, as far as is known.
    Everything,
}

fn mask(bytes: u64) -> u64 {
    u64::MAX >> (64 - bytes)
}

/// The bits of the 128 bytes from an offset on, where each word of 64 has one for each byte.
#[inline(always)]
pub fn row_bits(offset: u64) -> [(usize, u64); 3] {
    let (word, shift) = ((offset / 64) as usize, offset % 64);
    [(word, u64::MAX << shift), (word + 1, u64::MAX), (word + 2, (1 << shift) - 1)]
}

impl Written {
    /// The host writes, or makes unwritten again, some bytes of an allocation of `size`.
    pub fn change(&mut self, offset: u64, bytes: u64, size: u64, is_written: bool) {
        let is_all = offset == 0 && bytes == size;
        match (&*self, is_written) {
            (_, true) if is_all => *self = Written::Everything,
            (_, false) if is_all => *self = Written::Nothing,
            (Written::Everything, true) | (Written::Nothing, false) => {}
            _ => {
                self.detail(size);
                let Written::Some(words) = self else { return };
                let end = offset + bytes;
                let mut at = offset;
                while at < end {
                    let count = (64 - at % 64).min(end - at);
                    let bits = mask(count) << (at % 64);
                    let word = words[(at / 64) as usize].get_mut();
                    *word = if is_written { *word | bits } else { *word & !bits };
                    at += count;
                }
            }
        }
    }

    /// The same of a copy.
    pub(super) fn copy(&self) -> Written {
        match self {
            Written::Nothing => Written::Nothing,
            Written::Some(words) => {
                Written::Some(words.iter().map(|word| word.load(Relaxed).into()).collect())
            }
            Written::Everything => Written::Everything,
        }
    }

    /// Gives each byte its bit, so that kernels can set them.
    pub fn detail(&mut self, size: u64) {
        let bits = match self {
            Written::Nothing => 0,
            Written::Everything => u64::MAX,
            Written::Some(_) => return,
        };
        *self = Written::Some((0..size.div_ceil(64)).map(|_| AtomicU64::new(bits)).collect());
    }

    /// A kernel writes 1 to 32 bytes that do not straddle a multiple of 64.
    #[inline(always)]
    pub fn set(&self, offset: u64, bytes: u64) {
        if let Written::Some(words) = self {
            let (word, bits) = (&words[(offset / 64) as usize], mask(bytes) << (offset % 64));
            if word.load(Relaxed) & bits != bits {
                word.fetch_or(bits, Relaxed);
            }
        }
    }

    /// A kernel writes 32 neighbouring words.
    #[inline]
    pub fn set_row(&self, offset: u64) {
        if let Written::Some(words) = self {
            for (word, bits) in row_bits(offset) {
                if bits == u64::MAX {
                    // Nothing of the word is lost.
                    words[word].store(bits, Relaxed);
                } else if bits != 0 && words[word].load(Relaxed) & bits != bits {
                    words[word].fetch_or(bits, Relaxed);
                }
            }
        }
    }

    /// Whether all bytes of 32 neighbouring words are written.
    #[inline]
    pub fn has_row(&self, offset: u64) -> bool {
        match self {
            Written::Everything => true,
            Written::Nothing => false,
            Written::Some(words) => row_bits(offset)
                .into_iter()
                .all(|(word, bits)| bits == 0 || words[word].load(Relaxed) & bits == bits),
        }
    }

    /// Which of such bytes are written, one bit each.
    #[inline(always)]
    pub fn get(&self, offset: u64, bytes: u64) -> u64 {
        match self {
            Written::Everything => mask(bytes),
            Written::Nothing => 0,
            Written::Some(words) => {
                words[(offset / 64) as usize].load(Relaxed) >> (offset % 64) & mask(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_written_whole() {
        for offset in (0..=72).step_by(4) {
            let mut written = Written::default();
            written.detail(200);
            written.set_row(offset);
            assert!(written.has_row(offset), "{offset}");
            for at in 0..200 {
                let is_written = (offset..offset + 128).contains(&at);
                assert_eq!(written.get(at, 1), u64::from(is_written), "{at} of {offset}");
            }
            assert!(offset == 0 || !written.has_row(offset - 4));
        }
        assert!(Written::Everything.has_row(8) && !Written::Nothing.has_row(8));
    }

    #[test]
    fn parts_are_written_and_unwritten() {
        let mut written = Written::default();
        assert_eq!(written.get(0, 4), 0);
        written.change(3, 130, 200, true);
        assert_eq!(
            (written.get(0, 8), written.get(64, 32), written.get(128, 8)),
            (0xf8, u64::from(u32::MAX), 0x1f)
        );
        written.set(0, 1);
        assert_eq!(written.get(0, 4), 0b1001);
        written.change(64, 64, 200, false);
        assert_eq!((written.get(60, 4), written.get(64, 4), written.get(128, 4)), (15, 0, 15));
        written.change(0, 200, 200, true);
        assert!(matches!(written, Written::Everything));
        written.change(4, 4, 200, false);
        assert_eq!(written.get(0, 16), 0xff0f);
        written.change(0, 200, 200, false);
        assert!(matches!(written, Written::Nothing));
    }
}

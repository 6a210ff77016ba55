//! Bytes that kernels access, from several CPU threads at once.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ptr::NonNull;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Words of a page of the host's memory.
const PAGE: usize = 1024;

/// Bytes that several CPU threads may access at once while a kernel runs.
///
/// They are kept as relaxed atomics of 32 bits, and every access is made of these: a narrower store replaces its bits
/// of a word, a wider access is several words. So whatever sizes a kernel mixes, in a race too, this is no data race in
/// Rust's terms (accesses of different sizes to the same atomic would be one). What PTX promises beyond words, that
/// atomics and strong accesses (`.volatile`, `.relaxed` …) of 64 bits are not torn, the lock gives; weak accesses that
/// race have no such promise.
pub struct Storage {
    words: NonNull<[AtomicU32]>,
    /// How the words were allocated; none where they are somebody else's.
    owned: Option<Layout>,
    whole: Mutex<()>,
}

// SAFETY: the words are atomics, valid for as long as the storage lives (of lent ones the lender promises that).
unsafe impl Send for Storage {}
// SAFETY: as above; all access through a shared reference is atomic.
unsafe impl Sync for Storage {}

impl Default for Storage {
    fn default() -> Storage {
        Storage { words: NonNull::from_mut(&mut []), owned: None, whole: Mutex::default() }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        if let Some(layout) = self.owned {
            // SAFETY: `zeroed` allocated the words with this layout, and nobody else frees them.
            unsafe { dealloc(self.words.as_ptr().cast(), layout) };
        }
    }
}

// Bytes of a word are counted from its low end, as on a GPU.
const _: () = assert!(cfg!(target_endian = "little"));

impl Storage {
    /// Zeroed bytes, if there is room for them.
    pub fn new(bytes: u64) -> Option<Storage> {
        Storage::zeroed(bytes, align_of::<AtomicU32>())
    }

    /// Zeroed bytes at a multiple of `align`, if there is room for them.
    pub(super) fn zeroed(bytes: u64, align: usize) -> Option<Storage> {
        let count = usize::try_from(bytes.div_ceil(4)).ok()?;
        if count == 0 {
            return Some(Storage::default());
        }
        let layout = Layout::array::<AtomicU32>(count).ok()?.align_to(align).ok()?;
        // SAFETY: the layout is not empty.
        let first = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
        let words = NonNull::slice_from_raw_parts(first, count);
        Some(Storage { words, owned: Some(layout), whole: Mutex::default() })
    }

    /// Words that are somebody else's.
    ///
    /// # Safety
    /// They stay valid, and nobody refers to them in Rust's sense, for as long as the storage lives.
    pub(super) unsafe fn lent(words: NonNull<[AtomicU32]>) -> Storage {
        Storage { words, owned: None, whole: Mutex::default() }
    }

    /// Where the words lie in the host's memory.
    pub(super) fn address(&self) -> u64 {
        self.words.as_ptr().cast::<u32>() as u64
    }

    #[inline(always)]
    fn all(&self) -> &[AtomicU32] {
        // SAFETY: the words are valid for as long as the storage lives.
        unsafe { self.words.as_ref() }
    }

    /// Its size, rounded up to whole words.
    #[inline]
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 4
    }

    /// The bytes, while nobody else accesses them.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let length = self.words.len() * 4;
        // SAFETY: the pointer and the length are those of the words, borrowed for as long as the result; any bytes are
        // valid words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_ptr().cast(), length) }
    }

    /// Some neighbouring words; the offset is a multiple of 4.
    #[inline(always)]
    pub fn words(&self, offset: u64, count: usize) -> &[AtomicU32] {
        let first = (offset / 4) as usize;
        &self.all()[first..first + count]
    }

    #[inline(always)]
    fn word(&self, offset: u64) -> &AtomicU32 {
        &self.all()[(offset / 4) as usize]
    }

    /// Reads 1, 2, 4 or 8 bytes at an offset that is a multiple of their number.
    #[inline(always)]
    pub fn load(&self, offset: u64, bytes: u64) -> u64 {
        match self.words(offset, bytes.div_ceil(4) as usize) {
            [low, high] => u64::from(low.load(Relaxed)) | u64::from(high.load(Relaxed)) << 32,
            _ => narrow(self.word(offset).load(Relaxed), offset, bytes),
        }
    }

    /// Writes 1, 2, 4 or 8 bytes at an offset that is a multiple of their number.
    #[inline(always)]
    pub fn store(&self, offset: u64, bytes: u64, value: u64) {
        match bytes {
            4 => self.word(offset).store(value as u32, Relaxed),
            8 => {
                self.word(offset).store(value as u32, Relaxed);
                self.word(offset + 4).store((value >> 32) as u32, Relaxed);
            }
            _ => {
                self.update(offset, bytes, |_| value);
            }
        }
    }

    /// A copy of some bytes from an offset on that is a multiple of 4; none where there is no room for them.
    pub fn copy(&self, offset: u64, bytes: u64) -> Option<Storage> {
        let copy = Storage::new(bytes)?;
        let from = self.words(offset, copy.words.len());
        for (to, from) in copy.all().chunks(PAGE).zip(from.chunks(PAGE)) {
            // Pages that nobody has touched take no room, in the copy either.
            if from.iter().any(|word| word.load(Relaxed) != 0) {
                to.iter().zip(from).for_each(|(to, from)| to.store(from.load(Relaxed), Relaxed));
            }
        }
        Some(copy)
    }

    /// Whether it holds the same as another one of its size.
    pub(super) fn equals(&self, other: &Storage) -> bool {
        self.all()
            .iter()
            .zip(other.all())
            .all(|(one, other)| one.load(Relaxed) == other.load(Relaxed))
    }

    /// Reads as one access, also where that is wider than a word.
    #[inline]
    pub fn load_whole(&self, offset: u64, bytes: u64) -> u64 {
        let _guard = (bytes == 8).then(|| self.lock());
        self.load(offset, bytes)
    }

    /// Writes as one access, also where that is wider than a word.
    #[inline]
    pub fn store_whole(&self, offset: u64, bytes: u64, value: u64) {
        let _guard = (bytes == 8).then(|| self.lock());
        self.store(offset, bytes, value);
    }

    /// Replaces a value by a function of it, atomically; gives the old one.
    #[inline]
    pub fn update(&self, offset: u64, bytes: u64, new: impl Fn(u64) -> u64) -> u64 {
        if bytes == 8 {
            let _guard = self.lock();
            let old = self.load(offset, 8);
            self.store(offset, 8, new(old));
            return old;
        }
        let shift = (offset % 4 * 8) as u32;
        let mask = u32::MAX >> (32 - 8 * bytes as u32) << shift;
        let replaced = |word: u32| {
            let value = (new(narrow(word, offset, bytes)) as u32) << shift;
            Some((word & !mask) | (value & mask))
        };
        let (Ok(old) | Err(old)) = self.word(offset).fetch_update(Relaxed, Relaxed, replaced);
        narrow(old, offset, bytes)
    }

    /// Replaces 16 bytes by a function of them, atomically; gives the old ones.
    #[inline]
    pub fn update_pair(&self, offset: u64, new: impl Fn([u64; 2]) -> [u64; 2]) -> [u64; 2] {
        let _guard = self.lock();
        let old = [offset, offset + 8].map(|at| self.load(at, 8));
        for (at, value) in [offset, offset + 8].into_iter().zip(new(old)) {
            self.store(at, 8, value);
        }
        old
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.whole.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bytes of a word that an access of up to 4 bytes means.
#[inline(always)]
fn narrow(word: u32, offset: u64, bytes: u64) -> u64 {
    u64::from(word >> (offset % 4 * 8) & u32::MAX >> (32 - 8 * bytes as u32))
}

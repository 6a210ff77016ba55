//! The program's CUDA arrays by their handles, which are their addresses.

use std::collections::BTreeMap;

use simt::texture::Array;

use crate::error::{self, CudaResult};

/// Arrays and mipmapped arrays.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    /// Plain arrays, and the levels of mipmapped ones.
    arrays: BTreeMap<u64, Array>,
    mipmaps: BTreeMap<u64, Array>,
}

/// The levels of a mipmapped array, finest first.
fn levels(mipmap: &Array) -> impl Iterator<Item = Array> {
    (0..mipmap.levels()).filter_map(|number| mipmap.level(number))
}

impl Arrays {
    /// Adds an array, and returns its handle.
    pub(crate) fn add(&mut self, array: Array) -> u64 {
        self.arrays.insert(array.address(), array);
        array.address()
    }

    /// Adds a mipmapped array and its levels, and returns its handle.
    pub(crate) fn add_mipmap(&mut self, mipmap: Array) -> u64 {
        self.mipmaps.insert(mipmap.address(), mipmap);
        self.arrays.extend(levels(&mipmap).map(|array| (array.address(), array)));
        mipmap.address()
    }

    /// The array of a handle.
    pub(crate) fn array(&self, handle: u64) -> CudaResult<Array> {
        self.arrays.get(&handle).copied().ok_or(error::INVALID_HANDLE)
    }

    /// The mipmapped array of a handle.
    pub(crate) fn mipmap(&self, handle: u64) -> CudaResult<Array> {
        self.mipmaps.get(&handle).copied().ok_or(error::INVALID_HANDLE)
    }

    /// The handle of a mipmapped array's level.
    pub(crate) fn level(&self, handle: u64, number: u32) -> CudaResult<u64> {
        let level = self.mipmap(handle)?.level(number).ok_or(error::INVALID_VALUE)?;
        Ok(level.address())
    }

    /// Removes an array. The levels of a mipmapped one cannot be removed alone.
    pub(crate) fn remove(&mut self, handle: u64) -> CudaResult {
        if self.mipmaps.values().any(|mipmap| mipmap.holds(handle)) {
            return Err(error::INVALID_HANDLE);
        }
        self.arrays.remove(&handle).map(|_| ()).ok_or(error::INVALID_HANDLE)
    }

    /// Removes a mipmapped array and its levels.
    pub(crate) fn remove_mipmap(&mut self, handle: u64) -> CudaResult {
        let mipmap = self.mipmaps.remove(&handle).ok_or(error::INVALID_HANDLE)?;
        for level in levels(&mipmap) {
            self.arrays.remove(&level.address());
        }
        Ok(())
    }
}

//! C structures that several groups of functions pass by value.

use crate::host::Pointer;

/// `cudaExtent`, `cudaPos`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Extent {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) depth: usize,
}

/// `dim3`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

impl Dim3 {
    pub(super) fn get(self) -> [u32; 3] {
        [self.x, self.y, self.z]
    }

    #[cfg(test)]
    pub(super) fn new([x, y, z]: [u32; 3]) -> Dim3 {
        Dim3 { x, y, z }
    }
}

/// `cudaPitchedPtr`
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(super) struct Pitched {
    pub(super) first: Pointer,
    pub(super) pitch: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

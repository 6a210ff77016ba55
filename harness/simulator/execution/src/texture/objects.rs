//! Texture and surface objects, and the memory that they are of.

use crate::cause::Cause;
use crate::context::Context;
use memory::Storage;
use program::registers::LANES;
use textures::Texture;

/// Addresses of the lanes of a mask.
pub(super) type Tap = (u32, [u64; LANES]);

/// A texture object by its number.
pub(super) fn texture_of<'a>(cx: &'a Context, number: u64) -> Result<&'a Texture, Cause> {
    cx.objects.texture(number).ok_or_else(|| wrong_object(cx, number, "a texture object"))
}

#[cold]
pub(super) fn wrong_object(cx: &Context, number: u64, wanted: &str) -> Cause {
    let what = cx.objects.what(number);
    Cause::Object(format!("{number:#x} is {what}, where the instruction needs {wanted}"))
}

/// The storage of an object's memory, and its first address.
pub(super) fn memory_of<'a>(
    cx: &'a Context,
    (address, bytes): (u64, u64),
) -> Result<(&'a Storage, u64), Cause> {
    let memory = cx.spaces.memory;
    let Some(index) = memory.find(address, bytes) else {
        return Err(Cause::Object(format!(
            "its memory of {bytes} bytes at address {address:#x} was freed"
        )));
    };
    let allocation = &memory.allocations()[index];
    Ok((&allocation.storage, allocation.address))
}

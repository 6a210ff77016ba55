//! Which lanes of an access lie within a range of memory.

use execution::listener::Touch;
use program::registers::LANES;

/// The lanes whose access is aligned and lies within a range. The others will fault.
#[inline]
pub(super) fn lanes_inside(touch: &Touch, base: u64, bytes: u64) -> u32 {
    let Some(limit) = bytes.checked_sub(touch.bytes) else { return 0 };
    let fits =
        |address: u64| (address.wrapping_sub(base) <= limit) & (address & (touch.bytes - 1) == 0);
    // Lanes in between have the same alignment, and a row cannot wrap around.
    let fit_whole = touch.is_uniform() && fits(touch.first())
        || touch.is_row() && fits(touch.first()) && fits(touch.address(LANES - 1));
    if fit_whole { touch.mask } else { each_inside(touch, fits) }
}

#[inline(never)]
fn each_inside(touch: &Touch, fits: impl Fn(u64) -> bool) -> u32 {
    touch.active().fold(0, |inside, (lane, address)| inside | u32::from(fits(address)) << lane)
}

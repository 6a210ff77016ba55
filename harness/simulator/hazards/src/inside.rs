//! Which lanes of an access lie within a range of memory.

use execution::listener::Touch;

/// The lanes whose access is aligned and lies within a range. The others will fault.
pub(super) fn lanes_inside(touch: &Touch, base: u64, bytes: u64) -> u32 {
    let Some(limit) = bytes.checked_sub(touch.bytes) else { return 0 };
    let fits =
        |address: u64| (address.wrapping_sub(base) <= limit) & (address & (touch.bytes - 1) == 0);
    let (first, last) = (touch.mask.trailing_zeros(), touch.mask.leading_zeros());
    if touch.mask != 0 && (touch.is_uniform() || touch.is_row()) {
        let ends = [first as usize, 31 - last as usize];
        // Lanes in between have the same alignment, and a row cannot wrap around.
        if ends.into_iter().all(|lane| fits(touch.addresses[lane])) {
            return touch.mask;
        }
    }
    let mut inside = 0;
    for (lane, address) in touch.addresses.iter().enumerate() {
        inside |= u32::from(fits(*address)) << lane;
    }
    inside & touch.mask
}

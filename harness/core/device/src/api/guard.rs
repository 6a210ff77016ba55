//! Zones around every buffer that nothing may write to. Neither memory of a GPU nor that of the host has borders between
//! the buffers of a process: what is written outside one lands in another, or where nobody looks. The zones are filled
//! when the buffer is allocated, and compared when the results are fetched.

use super::buffer::Buffer;
use crate::error::Error;

/// Bytes of each of the two zones. A multiple of the 256 bytes to which the driver aligns memory, so that the buffer
/// after the first is aligned as well.
pub(crate) const ZONE: usize = 4 << 10;

/// The bits of a float that no kernel computes: a signalling NaN, where arithmetic only gives quiet ones. What is read
/// outside a buffer thus shows in the results.
const PATTERN: u32 = 0xffb5_a5c3;

/// Where a zone lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Before,
    After,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::Before, Side::After];

    /// The word for it in messages.
    fn word(self) -> &'static str {
        match self {
            Side::Before => "before",
            Side::After => "after",
        }
    }

    /// Where the zone of a buffer begins.
    pub(crate) fn address(self, buffer: u64, bytes: usize) -> u64 {
        match self {
            Side::Before => buffer - ZONE as u64,
            Side::After => buffer + bytes as u64,
        }
    }
}

/// What a zone that begins at `address` holds while nobody has written to it.
pub(crate) fn zone(address: u64) -> [u8; ZONE] {
    // Words lie at multiples of four, also where a buffer of another size ends.
    let pattern = PATTERN.to_le_bytes();
    std::array::from_fn(|i| pattern[(address as usize + i) % pattern.len()])
}

/// Looks at the zones around all that was allocated with a buffer, of which `read` gives the bytes from an address on.
///
/// # Errors
/// [`Error::Guard`], or that of `read`.
pub(crate) fn check(
    buffer: &Buffer,
    mut read: impl FnMut(u64, &mut [u8; ZONE]) -> Result<(), Error>,
) -> Result<(), Error> {
    let (start, bytes) = buffer.whole();
    for side in Side::BOTH {
        let address = side.address(start, bytes);
        let mut found = [0; ZONE];
        read(address, &mut found)?;
        if let Some(distance) = harm(side, address, &found) {
            let (name, side) = (buffer.name().to_string(), side.word());
            return Err(Error::Guard { name, side, distance });
        }
    }
    Ok(())
}

/// From the buffer's nearest byte to the nearest one of a zone that was overwritten, in bytes; the neighbour is 1 away.
fn harm(side: Side, address: u64, found: &[u8; ZONE]) -> Option<u64> {
    let whole = zone(address);
    let harmed = |i: &usize| found[*i] != whole[*i];
    let distance = match side {
        Side::Before => ZONE - (0..ZONE).rev().find(harmed)?,
        Side::After => 1 + (0..ZONE).find(harmed)?,
    };
    Some(distance as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUFFER: u64 = 0x7f00_0000_1000;

    #[test]
    fn zones_touch_the_buffer_and_keep_it_aligned() {
        assert_eq!(Side::Before.address(BUFFER, 40) + ZONE as u64, BUFFER);
        assert_eq!(Side::After.address(BUFFER, 40), BUFFER + 40);
        assert_eq!(ZONE % 256, 0);
    }

    #[test]
    fn aligned_words_of_a_zone_are_signalling_nans_wherever_it_begins() {
        for bytes in [0, 1, 2, 3, 4, 1000] {
            let address = Side::After.address(BUFFER, bytes);
            let zone = zone(address);
            for word in
                zone[address.next_multiple_of(4) as usize - address as usize..].chunks_exact(4)
            {
                let bits = u32::from_le_bytes(word.try_into().expect("four bytes"));
                assert!(f32::from_bits(bits).is_nan() && bits & 0x0040_0000 == 0, "{bits:#x}");
            }
        }
    }

    #[test]
    fn what_nobody_touched_is_whole() {
        for bytes in 0..8 {
            for side in Side::BOTH {
                let address = side.address(BUFFER, bytes);
                assert_eq!(harm(side, address, &zone(address)), None);
            }
        }
    }

    #[test]
    fn every_single_byte_is_watched_and_its_distance_told() {
        for side in Side::BOTH {
            let address = side.address(BUFFER, 6);
            for i in 0..ZONE {
                let mut found = zone(address);
                found[i] ^= 1;
                let distance = if side == Side::Before { ZONE - i } else { i + 1 };
                assert_eq!(harm(side, address, &found), Some(distance as u64), "{side:?} {i}");
            }
        }
    }

    #[test]
    fn of_many_the_nearest_is_told() {
        for (side, distance) in [(Side::Before, ZONE - 300), (Side::After, 9)] {
            let address = side.address(BUFFER, 6);
            let mut found = zone(address);
            for i in [8, 200, 300] {
                found[i] = !found[i];
            }
            assert_eq!(harm(side, address, &found), Some(distance as u64));
        }
    }
}

//! Splits a warp's access to memory into sectors.

use super::tally::Tally;
use crate::Coalescing;
use execution::listener::Touch;
use program::registers::LANES;

/// Bytes of a sector, the smallest transfer.
pub(super) const SECTOR: u64 = 32;

/// Bytes of an L1 line of compute capability 2.x, and of the largest segment of 1.x.
const LINE: u64 = 128;

/// Adds the numbers of the sectors of a global access, each once.
pub(super) fn global(touch: &Touch, coalescing: Coalescing, sectors: &mut Vec<u64>) {
    match coalescing {
        Coalescing::Sectors => touched::<SECTOR>(touch, sectors),
        Coalescing::Lines => {
            touched::<LINE>(touch, sectors);
            let lines = std::mem::take(sectors);
            sectors.extend(lines.iter().flat_map(|line| line * 4..line * 4 + 4));
        }
        Coalescing::HalfWarps => {
            for half in [0xffff, 0xffff_0000] {
                half_warp(&touch.of_lanes(touch.mask & half), sectors);
            }
        }
    }
}

/// The number of sectors of an access to shared memory.
pub(super) fn shared(touch: &Touch) -> u64 {
    let mut sectors = Vec::new();
    touched::<SECTOR>(touch, &mut sectors);
    sectors.len() as u64
}

/// The number of 128-byte lines of these sectors. They are in the order of the lanes, and a line to which a later lane
/// returns counts again.
pub(super) fn lines(sectors: &[u64]) -> u64 {
    const SECTORS: u64 = LINE / SECTOR;
    let starts = sectors.windows(2).filter(|pair| pair[0] / SECTORS != pair[1] / SECTORS).count();
    starts as u64 + u64::from(!sectors.is_empty())
}

/// Parts of the tags of an L1 cache, which a line's number chooses by its last two bits. Measured on an H200: a load of 32
/// lines that are a multiple of 512 bytes apart takes 32 clocks, one of lines next to each other eight.
const TAGS: usize = 4;

/// Passes through the tags that a load of these sectors takes: each part of the tags looks up a line in a pass.
pub(super) fn tag_passes(sectors: &[u64]) -> u64 {
    const SECTORS: u64 = LINE / SECTOR;
    let lines = || sectors.iter().map(|sector| sector / SECTORS);
    let mut passes = [0; TAGS];
    for (index, line) in lines().enumerate() {
        // The sectors before it, the nearest first: most are of the same line, or of another one.
        if !lines().take(index).rev().any(|before| before == line) {
            passes[line as usize % TAGS] += 1;
        }
    }
    passes.into_iter().max().unwrap_or(0)
}

/// Adds the numbers of the chunks of `SIZE` bytes that the active lanes access, each once.
fn touched<const SIZE: u64>(touch: &Touch, pieces: &mut Vec<u64>) {
    if touch.is_uniform() {
        let address = touch.first();
        pieces.extend(address / SIZE..=(address + touch.bytes - 1) / SIZE);
        return;
    }
    if touch.is_row() {
        let end = touch.address(LANES - 1) + touch.bytes;
        pieces.extend(touch.first() / SIZE..=(end - 1) / SIZE);
        return;
    }
    let mut last = None;
    for (_, address) in touch.active() {
        for piece in address / SIZE..=(address + touch.bytes - 1) / SIZE {
            // Most lanes access the chunk of the lane before, or a new one.
            if last != Some(piece) && !pieces.contains(&piece) {
                pieces.push(piece);
            }
            last = Some(piece);
        }
    }
}

/// Compute capability 1.2 and 1.3: each half of a warp is served by segments of 32 bytes for 1-byte, 64 for 2-byte and
/// 128 for wider accesses. Only the used half or quarter of a segment is moved, but at least 32 bytes (CUDA C
/// Programming Guide 3.0, section G.3.2.2).
fn half_warp(touch: &Touch, sectors: &mut Vec<u64>) {
    let mut segments = Vec::new();
    let largest = match touch.bytes {
        1 => {
            touched::<SECTOR>(touch, &mut segments);
            SECTOR
        }
        2 => {
            touched::<{ 2 * SECTOR }>(touch, &mut segments);
            2 * SECTOR
        }
        _ => {
            touched::<LINE>(touch, &mut segments);
            LINE
        }
    };
    for segment in segments {
        let (start, end) = (segment * largest, (segment + 1) * largest);
        let inside = || touch.active().flat_map(|(_, a)| [a, a + touch.bytes - 1]);
        let used = || inside().filter(|byte| (start..end).contains(byte));
        let (low, high) = (used().min().unwrap_or(start), used().max().unwrap_or(start));
        let (mut from, mut size) = (start, largest);
        while size > SECTOR && (low >= from + size / 2 || high < from + size / 2) {
            size /= 2;
            from = if low >= from + size { from + size } else { from };
        }
        sectors.extend(from / SECTOR..(from + size) / SECTOR);
    }
}

/// Sectors of an access to local memory, which is interleaved: the same word of all lanes is contiguous.
pub(super) fn local(touch: &Touch) -> u64 {
    let mut sectors = Vec::new();
    for (lane, address) in touch.active() {
        for word in address / 4..=(address + touch.bytes - 1) / 4 {
            let sector = (word * LANES as u64 + lane as u64) * 4 / SECTOR;
            if !sectors.contains(&sector) {
                sectors.push(sector);
            }
        }
    }
    sectors.len() as u64
}

/// The number of distinct addresses of the active lanes.
pub(super) fn distinct_addresses(touch: &Touch) -> u64 {
    if touch.is_uniform() {
        return 1;
    }
    let mut tally = Tally::new();
    touch.active().filter(|&(_, address)| tally.add(address) == 1).count() as u64
}

/// The largest number of active lanes with the same address.
pub(super) fn most_at_one_address(touch: &Touch) -> u64 {
    let mut tally = Tally::new();
    touch.active().map(|(_, address)| tally.add(address)).max().unwrap_or(0).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_a_multiple_of_512_bytes_apart_come_one_after_the_other() {
        let lines = |stride: u64| (0..32).map(|lane| lane * stride / SECTOR).collect::<Vec<u64>>();
        assert_eq!(
            [128, 256, 512, 16_384].map(|stride| tag_passes(&lines(stride))),
            [8, 16, 32, 32]
        );
        assert_eq!(tag_passes(&lines(16_384 + 128)), 8);
        assert_eq!((tag_passes(&[0, 1, 2, 3]), tag_passes(&[])), (1, 0));
        assert_eq!(tag_passes(&[0, 16, 1, 17, 2]), 2, "a line to which a later lane returns");
    }
}

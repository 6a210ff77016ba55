//! Bank conflicts of shared memory.

use super::tally::Tally;
use execution::listener::Touch;
use program::registers::LANES;

/// Wavefronts of an access: in each, every bank serves one word of 4 bytes to all lanes that request it.
///
/// 32 banks serve a whole warp. Accesses of 8 bytes are served half by half and those of 16 bytes quarter by quarter,
/// but two adjacent halves, or two quarters of a half, are served together if one wavefront suffices. So a broadcast of
/// 16 bytes takes two. (An H200 counts the same for the patterns of `reports/h200-counters`, which include only some of
/// 8 bytes.) The 16 banks of compute capability 1.x serve half a warp at a time, whatever the size.
pub(super) fn wavefronts(touch: &Touch, banks: u32) -> u64 {
    let lanes = LANES as u32;
    if banks == lanes && touch.is_row() && touch.first().is_multiple_of(touch.bytes) {
        // One wavefront for each 128 bytes.
        return (touch.bytes / 4).max(1);
    }
    match touch.bytes {
        _ if banks < lanes => parts(touch, lanes, 2).map(|half| passes(&half, banks)).sum(),
        16 => parts(touch, lanes, 2).map(|half| together_or_apart(&half, lanes / 2, banks)).sum(),
        8 => together_or_apart(touch, lanes, banks),
        _ => passes(touch, banks),
    }
}

/// Wavefronts of `count` adjacent lanes, which are served together if one wavefront suffices, otherwise half by half.
fn together_or_apart(touch: &Touch, count: u32, banks: u32) -> u64 {
    match passes(touch, banks) {
        all @ (0 | 1) => all,
        _ => parts(touch, count, 2).map(|half| passes(&half, banks)).sum(),
    }
}

/// Splits the active lanes of a group of `count` lanes into this many parts.
fn parts<'t>(touch: &'t Touch, count: u32, into: u32) -> impl Iterator<Item = Touch<'t>> {
    let first = touch.mask.trailing_zeros().min(31) / count * count;
    let size = count / into;
    (0..into).map(move |part| {
        let lanes = (u32::MAX >> (32 - size)) << (first + part * size);
        touch.of_lanes(touch.mask & lanes)
    })
}

/// The largest number of distinct words in one bank.
fn passes(touch: &Touch, banks: u32) -> u64 {
    if touch.is_uniform() {
        return u64::from(touch.mask != 0);
    }
    // The words of an aligned lane lie in adjacent banks with equal loads. An unaligned access, which will fault, is
    // counted as if it were aligned.
    let words = (touch.bytes / 4).max(1);
    let groups = (u64::from(banks) / words).max(1);
    let mut tally = Tally::new();
    let mut of_group = [0; LANES];
    for (_, address) in touch.active() {
        let number = address / (4 * words);
        let place = &mut of_group[(number % groups) as usize % LANES];
        *place += u64::from(tally.add(number) == 1);
    }
    of_group.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use execution::listener::Kind;
    use ptx::Space;

    fn of(bytes: u64, banks: u32, mask: u32, address: impl Fn(u64) -> u64) -> u64 {
        let addresses = std::array::from_fn(|lane| address(lane as u64));
        let touch = Touch::new((0, 0, mask), (Kind::Load, Space::Shared, bytes), &addresses);
        wavefronts(&touch, banks)
    }

    #[test]
    fn strides_conflict_as_their_common_divisor_with_the_banks() {
        let all = u32::MAX;
        for (stride, passes) in [(0, 1), (1, 1), (2, 2), (3, 1), (16, 16), (32, 32), (33, 1)] {
            assert_eq!(of(4, 32, all, |lane| 4 * stride * lane), passes, "stride {stride}");
        }
        assert_eq!(of(4, 32, 0b101, |lane| 128 * lane), 2);
        assert_eq!(of(1, 32, all, |lane| lane), 1, "four lanes share a word");
    }

    /// The words of each bank, counted with sets.
    fn counted(mask: u32, address: impl Fn(u64) -> u64) -> u64 {
        let mut words = vec![std::collections::BTreeSet::new(); 32];
        for lane in (0..32).filter(|lane| mask >> lane & 1 != 0) {
            let word = address(lane) / 4;
            words[(word % 32) as usize].insert(word);
        }
        words.iter().map(std::collections::BTreeSet::len).max().unwrap_or(0) as u64
    }

    #[test]
    fn every_pattern_of_words_takes_the_passes_of_its_fullest_bank() {
        for mask in [u32::MAX, 0xffff, 0x8000_0001, 0x5555_5555] {
            for (a, b, c) in (0..40).flat_map(|a| [(a, 1, 64), (a, 7, 33), (a, 3, 5), (a, 0, 9)]) {
                let address = |lane: u64| 4 * ((a * lane + b * (lane / 3)) % (31 * c));
                assert_eq!(
                    of(4, 32, mask, address),
                    counted(mask, address),
                    "{a} {b} {c} {mask:x}"
                );
            }
        }
    }

    #[test]
    fn wide_accesses_take_a_pass_for_each_128_bytes() {
        assert_eq!(of(8, 32, u32::MAX, |lane| 8 * lane), 2);
        assert_eq!(of(16, 32, u32::MAX, |lane| 16 * lane), 4);
        assert_eq!(of(16, 32, u32::MAX, |_| 64), 2, "each half wants the same four words");
        assert_eq!(of(16, 32, 0xff, |_| 64), 1);
        assert_eq!(of(16, 32, 0xff00_0000, |_| 64), 1);
        // Eight lanes 512 bytes apart, the next eight beside them: 8 wavefronts for each quarter.
        assert_eq!(of(16, 32, u32::MAX, |lane| lane % 8 * 512 + lane / 8 * 16), 32);
    }

    #[test]
    fn sixteen_banks_serve_half_a_warp() {
        assert_eq!(of(4, 16, u32::MAX, |lane| 4 * lane), 2);
        assert_eq!(of(4, 16, u32::MAX, |lane| 8 * lane), 4);
        assert_eq!(of(4, 16, u32::MAX, |_| 8), 2);
    }
}

//! The state of an `mbarrier`, as 64 bits in shared memory.
//!
//! The ISA leaves open how it looks. Here, from the lowest bit: 20 bits for the arrivals that a phase takes, 20 for those
//! still to come, 23 for the bytes still to come, which may be negative for a while, and the parity of the phase.

use super::garbage::GARBAGE;

/// A state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    expected: u64,
    pending: u64,
    bytes: u64,
    parity: u64,
}

const COUNT: u32 = 20;
const BYTES: u32 = 23;

/// The low bits.
fn low(value: u64, bits: u32) -> u64 {
    value & ((1 << bits) - 1)
}

impl State {
    pub(super) fn new(bits: u64) -> State {
        State {
            expected: low(bits, COUNT),
            pending: low(bits >> COUNT, COUNT),
            bytes: low(bits >> (2 * COUNT), BYTES),
            parity: bits >> 63,
        }
    }

    pub(super) fn bits(self) -> u64 {
        let State { expected, pending, bytes, parity } = self;
        expected | pending << COUNT | bytes << (2 * COUNT) | parity << 63
    }

    /// That of the current phase.
    pub(super) fn parity(self) -> bool {
        self.parity != 0
    }

    /// Whether these are not bytes that no thread has written.
    pub(super) fn has_begun(self) -> bool {
        self.bits().to_le_bytes() != [GARBAGE; 8]
    }

    /// Arrivals in the low half of `value`, which bring the promise of as many bytes as the high half says.
    pub(super) fn arrive(mut self, value: u64, drop: bool) -> State {
        let count = low(value, COUNT);
        self.bytes = low(self.bytes.wrapping_add(value >> 32), BYTES);
        self.pending = low(self.pending.wrapping_sub(count), COUNT);
        if drop {
            self.expected = low(self.expected.wrapping_sub(count), COUNT);
        }
        self.turn()
    }

    /// So many bytes have come.
    pub(super) fn complete(mut self, bytes: u64) -> State {
        self.bytes = low(self.bytes.wrapping_sub(bytes), BYTES);
        self.turn()
    }

    /// Whether all threads have arrived, and bytes have not, or too many.
    pub(super) fn lacks_bytes(self) -> bool {
        self.pending == 0 && self.bytes != 0
    }

    /// What the current phase waits for.
    pub(super) fn awaited(self) -> String {
        let State { expected, pending, bytes, parity } = self;
        // A negative number has come too early.
        let bytes =
            if bytes >> (BYTES - 1) == 0 { bytes as i64 } else { bytes as i64 - (1 << BYTES) };
        let came = expected.wrapping_sub(pending);
        let text = match (pending, bytes) {
            (_, 1..) => format!("{bytes} more bytes than the copies bring"),
            (_, ..=-1) => format!("fewer bytes than the copies bring: {} too many came", -bytes),
            (0, _) => "nothing".to_string(),
            _ => format!("{pending} more arrivals"),
        };
        format!(
            "its phase of parity {parity}, in which {came} of {expected} arrivals came, waits for {text}"
        )
    }

    /// The next phase begins when nothing is to come any more.
    fn turn(mut self) -> State {
        if self.pending == 0 && self.bytes == 0 {
            self.pending = self.expected;
            self.parity ^= 1;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(count: u64) -> State {
        State::new(count | count << COUNT)
    }

    #[test]
    fn a_phase_ends_with_the_last_arrival() {
        let two = of(2);
        let one = two.arrive(1, false);
        assert_eq!((one.pending, one.parity), (1, 0));
        let over = one.arrive(1, false);
        assert_eq!((over.pending, over.parity), (2, 1));
        assert_eq!(over.arrive(2, false).parity, 0);
        assert_eq!(State::new(over.bits()), over);
    }

    #[test]
    fn bytes_are_waited_for_in_either_order() {
        let expects = of(1).arrive(1 | 64 << 32, false);
        assert_eq!((expects.pending, expects.parity), (0, 0));
        assert_eq!(expects.complete(48).complete(16).parity, 1);
        // They may come before somebody says that they will.
        let early = of(1).complete(64);
        assert_eq!(early.arrive(1 | 64 << 32, false).parity, 1);
    }

    #[test]
    fn who_drops_out_is_not_waited_for_again() {
        let over = of(2).arrive(1, true).arrive(1, false);
        assert_eq!((over.expected, over.pending, over.parity), (1, 1, 1));
    }
}

//! Arrays of one size.

use chacha20::rand_core::{Rng, SeedableRng};
use elements::Random;

use super::data::{Array, Data, Extent, Role};
use super::kept::Kept;

/// Data of one size, with what is expected.
pub struct Case {
    pub(super) n: u64,
    pub(super) kind: &'static str,
    pub(super) extent: Extent,
    pub(super) data: Data,
    /// What each array holds before a pass where it is no input.
    pub(super) poison: Vec<u8>,
    pub(super) kept: Kept,
}

impl Case {
    /// A case of these data, poisoned by a seed.
    ///
    /// # Panics
    /// Some elements of an output are expected, and it is counted by another one or has elements that nothing may write.
    pub(super) fn new(
        (n, kind, extent): (u64, &'static str, Extent),
        mut data: Data,
        seed: u64,
    ) -> Case {
        let mut random = Random::seed_from_u64(seed);
        let poison: Vec<u8> = data.arrays.iter().map(|array| poison(array, &mut random)).collect();
        for (array, &poison) in data.arrays.iter_mut().zip(&poison) {
            if let Role::Output(expected, _) = &mut array.role {
                let is_plain = array.unwritten == 0 && array.counted_by.is_none();
                assert!(is_plain || expected.whole().is_some(), "all elements are expected");
                expected.fill_first(array.unwritten, poison);
            }
        }
        Case { n, kind, extent, data, poison, kept: Kept::default() }
    }
}

/// All bits set: no float is that number, and no index.
const ALL_BITS: u8 = 0xff;

/// Bytes that are drawn for an output before another is taken.
const DRAWN: usize = 8;

/// The byte that an array is filled with: at random, as no kernel may rely on what it finds; but of an output neither a float
/// that is a number nor any of the elements that are expected.
fn poison(array: &Array, random: &mut Random) -> u8 {
    let drawn: [u8; DRAWN] = std::array::from_fn(|_| random.next_u32() as u8 % ALL_BITS);
    match &array.role {
        Role::Input(_) => ALL_BITS,
        Role::Scratch(_) => drawn[0],
        Role::Output(expected, _) if expected.values().are_floats() => ALL_BITS,
        Role::Output(expected, _) => {
            drawn.into_iter().find(|&byte| !expected.values().has_all(byte)).unwrap_or(ALL_BITS)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::judge::Judge;
    use super::*;

    #[test]
    fn poison_is_drawn_and_never_an_expected_result() {
        let poison = |data: Data, seed| Case::new((1, "kind", [1, 1, 1]), data, seed).poison[0];
        let words = |words: &[u32]| Data::default().output("a", words.to_vec(), Judge::Exactly);
        let drawn: Vec<u8> = (0..20).map(|seed| poison(words(&[3]), seed)).collect();
        assert!(drawn.iter().any(|&byte| byte != drawn[0]), "{drawn:?}");
        let expected = u32::from_le_bytes([drawn[0]; 4]);
        assert_ne!(poison(words(&[3, expected]), 0), drawn[0]);
        let floats = Data::default().output("a", vec![0.5f32], Judge::Exactly);
        assert!(f32::from_le_bytes([poison(floats, 3); 4]).is_nan());
        let scratch = |seed| poison(Data::default().scratch("a", 4), seed);
        assert!((0..20).any(|seed| scratch(seed) != scratch(0)));
    }
}

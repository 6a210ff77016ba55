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
    pub(super) fn new(
        (n, kind, extent): (u64, &'static str, Extent),
        data: Data,
        seed: u64,
    ) -> Case {
        let mut random = Random::seed_from_u64(seed);
        let poison = data.arrays.iter().map(|array| poison(array, &mut random)).collect();
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
        Role::Output(expected, _) if expected.are_floats() => ALL_BITS,
        Role::Output(expected, _) => {
            drawn.into_iter().find(|&byte| !expected.has_all(byte)).unwrap_or(ALL_BITS)
        }
    }
}

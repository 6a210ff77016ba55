//! Numbers that a seed draws: SplitMix64 (Steele, Lea and Flood, 2014).

/// What is added to a state for the next number.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of a state: every bit of the result depends on every bit of the state.
pub fn mix(state: u64) -> u64 {
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

/// A coin that a seed tosses: of each seed and its complement it falls one way and the other.
pub fn coin(seed: u64) -> bool {
    (mix(seed.min(!seed)) ^ seed) & 1 == 1
}

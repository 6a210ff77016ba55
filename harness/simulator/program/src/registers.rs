//! A warp's registers: 32 lanes side by side, so that loops over lanes become vector instructions.

/// A register file: registers of one width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum File {
    /// Registers of 32 bits and less.
    Words,
    /// Registers of 64 bits.
    Doubles,
    /// Predicates: one bit for each lane.
    Predicates,
}

/// A register: its file and its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Register {
    /// Its register file.
    pub file: File,
    /// Index in the file.
    pub index: u16,
}

/// The registers of an instruction: where the result goes, and up to four sources.
#[derive(Debug, Clone, Copy)]
pub struct Operands {
    /// The destination register.
    pub d: u16,
    /// The first source.
    pub a: u16,
    /// The second source.
    pub b: u16,
    /// The third source.
    pub c: u16,
    /// The fourth source.
    pub e: u16,
}

/// Threads of a warp.
pub const LANES: usize = 32;
/// The mask of all lanes.
pub const FULL: u32 = u32::MAX;

/// One register of a warp.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(128))]
pub struct Lanes<T>(pub [T; LANES]);

/// Adds a register to digests of pairs of lanes. Pairs are by themselves, and there is no product but by 2¹¹ + 1: the loop
/// becomes vector code on every CPU, if it is inlined into a function that is compiled for that CPU. Every step can be
/// undone, so that none loses what differed before it.
#[inline(always)]
fn mix(pairs: &mut [u64; LANES / 2], register: &[u32; LANES]) {
    for (k, pair) in pairs.iter_mut().enumerate() {
        let value = u64::from(register[k]) | u64::from(register[k + LANES / 2]) << 32;
        let mixed = pair.rotate_left(27) ^ value;
        *pair = mixed.wrapping_add(mixed << 11);
    }
}

/// A 64-bit hash of a state: two different states have the same one with probability 2⁻⁶⁴.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Digest(u64);

impl Digest {
    /// Adds another digest.
    #[inline]
    pub fn join(&mut self, other: Digest) {
        self.add(other.0);
    }

    /// Adds 64 bits.
    #[inline]
    pub fn add(&mut self, value: u64) {
        // An odd multiplier with its bits well mixed (2⁶⁴ over the golden ratio); the shift brings high bits down.
        let mixed = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 29;
    }
}

/// All registers of a warp. Registers of 8 and 16 bits live in the 32-bit file.
#[derive(Debug, Default)]
pub struct Registers {
    words: Vec<Lanes<u32>>,
    doubles: Vec<Lanes<u64>>,
    predicates: Vec<u32>,
}

impl Registers {
    /// Room for so many registers of each [`File`], all bits set: on every run one that no instruction has written is
    /// NaN, -1 or true, which shows in results sooner than 0 does.
    pub fn new(counts: [u16; 3]) -> Registers {
        let count = |file: File| usize::from(counts[file as usize]);
        Registers {
            words: vec![Lanes([u32::MAX; LANES]); count(File::Words)],
            doubles: vec![Lanes([u64::MAX; LANES]); count(File::Doubles)],
            predicates: vec![u32::MAX; count(File::Predicates)],
        }
    }

    /// Copies all registers from another warp's.
    pub fn copy(&mut self, other: &Registers) {
        self.words.clone_from(&other.words);
        self.doubles.clone_from(&other.doubles);
        self.predicates.clone_from(&other.predicates);
    }

    /// Copies one register from another warp's.
    #[inline]
    pub fn copy_one(&mut self, register: Register, other: &Registers) {
        let index = usize::from(register.index);
        match register.file {
            File::Words => self.words[index] = other.words[index],
            File::Doubles => self.doubles[index] = other.doubles[index],
            File::Predicates => self.predicates[index] = other.predicates[index],
        }
    }

    /// Whether there are no registers.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty() && self.doubles.is_empty() && self.predicates.is_empty()
    }

    /// The digest of all values.
    #[inline(always)]
    pub fn digest(&self) -> Digest {
        let mut pairs = [0_u64; LANES / 2];
        // Not `for_each`, which is a function of its own, and not compiled for that CPU.
        for register in &self.words {
            mix(&mut pairs, &register.0);
        }
        for register in &self.doubles {
            mix(&mut pairs, &register.0.map(|value| value as u32));
            mix(&mut pairs, &register.0.map(|value| (value >> 32) as u32));
        }
        let mut digest = Digest::default();
        pairs.into_iter().for_each(|pair| digest.add(pair));
        self.predicates.iter().for_each(|&mask| digest.add(mask.into()));
        digest
    }

    /// A 32-bit register: the value of each lane.
    #[inline(always)]
    pub fn word(&self, index: u16) -> &[u32; LANES] {
        debug_assert!(usize::from(index) < self.words.len());
        // SAFETY: lowering gives out indices below the counts to which `reset` sized the files.
        unsafe { &self.words.get_unchecked(usize::from(index)).0 }
    }

    /// A 32-bit register, mutable: the value of each lane.
    #[inline(always)]
    pub fn word_mut(&mut self, index: u16) -> &mut [u32; LANES] {
        debug_assert!(usize::from(index) < self.words.len());
        // SAFETY: as in `word`.
        unsafe { &mut self.words.get_unchecked_mut(usize::from(index)).0 }
    }

    /// A 64-bit register: the value of each lane.
    #[inline(always)]
    pub fn double(&self, index: u16) -> &[u64; LANES] {
        debug_assert!(usize::from(index) < self.doubles.len());
        // SAFETY: as in `word`.
        unsafe { &self.doubles.get_unchecked(usize::from(index)).0 }
    }

    /// A 64-bit register, mutable: the value of each lane.
    #[inline(always)]
    pub fn double_mut(&mut self, index: u16) -> &mut [u64; LANES] {
        debug_assert!(usize::from(index) < self.doubles.len());
        // SAFETY: as in `word`.
        unsafe { &mut self.doubles.get_unchecked_mut(usize::from(index)).0 }
    }

    /// A predicate: one bit for each lane.
    #[inline(always)]
    pub fn predicate(&self, index: u16) -> u32 {
        debug_assert!(usize::from(index) < self.predicates.len());
        // SAFETY: as in `word`.
        unsafe { *self.predicates.get_unchecked(usize::from(index)) }
    }

    /// Sets a predicate in the lanes of `mask`.
    #[inline(always)]
    pub fn set_predicate(&mut self, index: u16, mask: u32, value: u32) {
        debug_assert!(usize::from(index) < self.predicates.len());
        // SAFETY: as in `word`.
        let predicate = unsafe { self.predicates.get_unchecked_mut(usize::from(index)) };
        *predicate = (*predicate & !mask) | (value & mask);
    }
}

/// A type whose values are held in registers.
pub trait Value: Copy {
    /// A value to begin with.
    const ZERO: Self;
    /// The values of all lanes.
    fn read(registers: &Registers, index: u16) -> [Self; LANES];
    /// Sets the lanes of `mask`.
    fn write(registers: &mut Registers, index: u16, mask: u32, values: &[Self; LANES]);
    /// The value of one lane.
    fn read_lane(registers: &Registers, index: u16, lane: usize) -> Self;
    /// Sets one lane.
    fn write_lane(registers: &mut Registers, index: u16, lane: usize, value: Self);
}

macro_rules! value {
    ($($type:ty, $file:ident, $file_mut:ident, $stored:ty, $zero:expr, $read:expr, $store:expr;)*) => {$(
        impl Value for $type {
            const ZERO: Self = $zero;

            #[inline(always)]
            fn read(registers: &Registers, index: u16) -> [Self; LANES] {
                let stored = *registers.$file(index);
                let mut values = [$zero; LANES];
                for lane in 0..LANES {
                    values[lane] = $read(stored[lane]);
                }
                values
            }

            #[inline(always)]
            fn write(registers: &mut Registers, index: u16, mask: u32, values: &[Self; LANES]) {
                let to = registers.$file_mut(index);
                if mask == FULL {
                    for lane in 0..LANES {
                        to[lane] = $store(values[lane]);
                    }
                } else {
                    // Without branches: a partly active warp is not much slower than a full one.
                    for lane in 0..LANES {
                        let keep = (0 as $stored).wrapping_sub((mask >> lane & 1) as $stored);
                        to[lane] = ($store(values[lane]) & keep) | (to[lane] & !keep);
                    }
                }
            }

            #[inline(always)]
            fn read_lane(registers: &Registers, index: u16, lane: usize) -> Self {
                $read(registers.$file(index)[lane & (LANES - 1)])
            }

            #[inline(always)]
            fn write_lane(registers: &mut Registers, index: u16, lane: usize, value: Self) {
                registers.$file_mut(index)[lane & (LANES - 1)] = $store(value);
            }
        }
    )*};
}

value! {
    u32, word, word_mut, u32, 0, |x: u32| x, |x: u32| x;
    i32, word, word_mut, u32, 0, |x: u32| x as i32, |x: i32| x as u32;
    f32, word, word_mut, u32, 0.0, f32::from_bits, f32::to_bits;
    u64, double, double_mut, u64, 0, |x: u64| x, |x: u64| x;
    i64, double, double_mut, u64, 0, |x: u64| x as i64, |x: i64| x as u64;
    f64, double, double_mut, u64, 0.0, f64::from_bits, f64::to_bits;
    // Narrow values are kept extended by their own sign: a read of any narrower type truncates.
    u8, word, word_mut, u32, 0, |x: u32| x as u8, u32::from;
    i8, word, word_mut, u32, 0, |x: u32| x as i8, |x: i8| x as i32 as u32;
    u16, word, word_mut, u32, 0, |x: u32| x as u16, u32::from;
    i16, word, word_mut, u32, 0, |x: u32| x as i16, |x: i16| x as i32 as u32;
}

impl Value for bool {
    const ZERO: bool = false;

    #[inline(always)]
    fn read(registers: &Registers, index: u16) -> [bool; LANES] {
        let mask = registers.predicate(index);
        let mut values = [false; LANES];
        for lane in 0..LANES {
            values[lane] = mask >> lane & 1 != 0;
        }
        values
    }
    #[inline(always)]
    fn write(registers: &mut Registers, index: u16, mask: u32, values: &[bool; LANES]) {
        registers.set_predicate(index, mask, to_mask(values));
    }

    #[inline(always)]
    fn read_lane(registers: &Registers, index: u16, lane: usize) -> bool {
        registers.predicate(index) >> (lane & (LANES - 1)) & 1 != 0
    }

    #[inline(always)]
    fn write_lane(registers: &mut Registers, index: u16, lane: usize, value: bool) {
        let lane = 1 << (lane & (LANES - 1));
        registers.set_predicate(index, lane, if value { lane } else { 0 });
    }
}

/// One bit for each lane.
#[inline(always)]
pub fn to_mask(values: &[bool; LANES]) -> u32 {
    let mut mask = 0;
    for lane in 0..LANES {
        mask |= u32::from(values[lane]) << lane;
    }
    mask
}

/// The lanes of a mask, lowest first.
#[inline(always)]
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(lane)
    })
}

//! What all lanes do at once, compiled once for each [`Level`]: the fast table, the fast comparisons, loads, stores, and
//! [`Work`] of listeners.
//!
//! Each row is a function of its own, called through a table: so only these small loops exist several times, and the
//! rest of the executor once.

use super::spaces::{Refused, Window};
use super::transfer::{self, Transfer};
use super::work::Work;
use crate::level::Level;
use program::alu::fast::{Fast, Row};
use program::alu::isa::Isa;
use program::alu::lanewise::{Compared, compare};
use program::alu::matrix::{self, Product};
use program::each_row;
use program::registers::{Operands, Registers, Value};
use semantics::compare::Comparison;

/// Any CPU of the target.
struct Portable;

impl Isa for Portable {
    // aarch64 always has them; elsewhere the scalar semantics emulate them.
    const FUSED: bool = cfg!(target_arch = "aarch64");
}

/// Inside a function compiled for FMA.
#[cfg(target_arch = "x86_64")]
struct Fused;

#[cfg(target_arch = "x86_64")]
impl Isa for Fused {
    const FUSED: bool = true;
}

/// Executes an instruction in the lanes of a mask; unsafe to call where the CPU lacks the build's instructions.
type Execute = unsafe fn(&mut Registers, &Operands, u32);
/// Compares in the lanes of a mask: one bit for each.
type Compare = unsafe fn(&Registers, &Operands, u32, Comparison) -> u32;
/// Loads; the number is what [`window`](super::spaces::window) remembers.
type Load = unsafe fn(&Transfer, &mut Registers, &mut u32) -> Result<(), Refused>;
/// Stores.
type Store = unsafe fn(&Transfer, &Registers, &mut u32) -> Result<(), Refused>;
/// Multiplies the matrices of a whole warp.
type Multiply = unsafe fn(&mut Registers, &Product);

/// The functions of a level that this CPU has.
#[derive(Clone, Copy)]
pub struct Build {
    level: Level,
    rows: &'static [Execute; Fast::COUNT],
    comparisons: &'static [Compare; 6],
    load: Load,
    store: Store,
    multiply: Multiply,
}

impl Build {
    /// The build for a level, or for the fastest one below it that this CPU has.
    pub fn new(level: Level) -> Build {
        match level.min(Level::detect()) {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => avx512::BUILD,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => avx2::BUILD,
            _ => portable::BUILD,
        }
    }

    /// Runs a loop with the vector instructions of the level.
    #[inline(always)]
    pub fn run<W: Work>(self, work: W) -> W::Result {
        match self.level {
            // SAFETY: as in `execute`.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { avx512::run(work) },
            // SAFETY: as in `execute`.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { avx2::run(work) },
            _ => portable::run(work),
        }
    }

    #[inline(always)]
    pub(crate) fn execute(self, fast: Fast, r: &mut Registers, i: &Operands, mask: u32) {
        // SAFETY: `new`, the only constructor, takes a build that this CPU has.
        unsafe { self.rows[fast as usize](r, i, mask) }
    }

    #[inline(always)]
    pub(crate) fn compare(
        self,
        types: Compared,
        comparison: Comparison,
        r: &Registers,
        i: &Operands,
        mask: u32,
    ) -> u32 {
        // SAFETY: as in `execute`.
        unsafe { self.comparisons[types as usize](r, i, mask, comparison) }
    }

    #[inline(always)]
    pub(crate) fn load(
        self,
        transfer: &Transfer,
        registers: &mut Registers,
        hint: &mut u32,
    ) -> Result<(), Refused> {
        // SAFETY: as in `execute`.
        unsafe { (self.load)(transfer, registers, hint) }
    }

    #[inline(always)]
    pub(crate) fn store(
        self,
        transfer: &Transfer,
        registers: &Registers,
        hint: &mut u32,
    ) -> Result<(), Refused> {
        // SAFETY: as in `execute`.
        unsafe { (self.store)(transfer, registers, hint) }
    }

    #[inline(always)]
    pub(crate) fn multiply(self, registers: &mut Registers, product: &Product) {
        // SAFETY: as in `execute`.
        unsafe { (self.multiply)(registers, product) }
    }
}

macro_rules! build {
    ($module:ident, $level:expr, $isa:ty, $(#[$features:meta])?) => {
        mod $module {
            use super::*;

            $(#[$features])?
            fn row<R: Row>(registers: &mut Registers, i: &Operands, mask: u32) {
                R::execute::<$isa>(registers, i, mask);
            }

            $(#[$features])?
            fn comparison<T: Value + PartialOrd>(
                registers: &Registers,
                i: &Operands,
                mask: u32,
                comparison: Comparison,
            ) -> u32 {
                compare::<T>(registers, i, mask, comparison, |x| x)
            }

            $(#[$features])?
            fn load(
                transfer: &Transfer,
                registers: &mut Registers,
                hint: &mut u32,
            ) -> Result<(), Refused> {
                match transfer::load(transfer, registers, hint)? {
                    Some(window) => gather(transfer, registers, &window, hint),
                    None => Ok(()),
                }
            }

            // Apart from `load`, whose code is small so.
            $(#[$features])?
            #[inline(never)]
            fn gather(
                transfer: &Transfer,
                registers: &mut Registers,
                window: &Window,
                hint: &mut u32,
            ) -> Result<(), Refused> {
                transfer::gather(transfer, registers, window, hint)
            }

            $(#[$features])?
            fn store(
                transfer: &Transfer,
                registers: &Registers,
                hint: &mut u32,
            ) -> Result<(), Refused> {
                match transfer::store(transfer, registers, hint)? {
                    Some(window) => scatter(transfer, registers, &window, hint),
                    None => Ok(()),
                }
            }

            $(#[$features])?
            #[inline(never)]
            fn scatter(
                transfer: &Transfer,
                registers: &Registers,
                window: &Window,
                hint: &mut u32,
            ) -> Result<(), Refused> {
                transfer::scatter(transfer, registers, window, hint)
            }

            $(#[$features])?
            fn multiply(registers: &mut Registers, product: &Product) {
                matrix::multiply::<$isa>(registers, product);
            }

            $(#[$features])?
            pub(super) fn run<W: Work>(work: W) -> W::Result {
                work.run()
            }

            pub(super) const BUILD: Build = Build {
                level: $level,
                rows: &each_row!(row),
                // In the order of `Compared`.
                comparisons: &[
                    comparison::<u32>,
                    comparison::<i32>,
                    comparison::<f32>,
                    comparison::<u64>,
                    comparison::<i64>,
                    comparison::<f64>,
                ],
                load,
                store,
                multiply,
            };
        }
    };
}

build!(portable, Level::Portable, Portable,);
#[cfg(target_arch = "x86_64")]
build!(avx2, Level::Avx2, Fused, #[target_feature(enable = "avx2,fma,bmi1,bmi2,popcnt,lzcnt")]);
#[cfg(target_arch = "x86_64")]
build!(
    avx512,
    Level::Avx512,
    Fused,
    #[target_feature(
        enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,bmi1,bmi2,popcnt,lzcnt"
    )]
);
